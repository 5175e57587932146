package event

// Fields is a set of Event fields.
type Fields uint32

// The fields that a kind may use. Seq, Cause, At and Kind belong to every event.
const (
	About Fields = 1 << iota
	Node
	Peer
	Partition
	Epoch
	Offset
	Prev
	Value
	Producer // with ProducerEpoch
	Sequence
	Records // with Count
	Count   // without the ids
	Error
	Message
)

// Spec is one row of the catalogue.
type Spec struct {
	Name string
	// Sentence is what a person reads; {node}, {peer}, {partition}, {records} ... stand for fields (see sentence.go).
	Sentence string
	// Rule is the rule of Kafka (or of the model) that makes this happen.
	Rule string
	// Source is where the rule stands: a KIP, a configuration, a class.
	Source string
	// Value says what the field Value means, with its unit.
	Value  string
	Fields Fields
	// Mark makes the event a mark on the timeline: something that a person would want to jump to.
	Mark bool
}

// Spec is the row of the kind.
func (k Kind) Spec() *Spec { return &catalogue[k] }

// String is the kind's name.
func (k Kind) String() string { return catalogue[k].Name }

// ParseKind finds a kind by its name.
func ParseKind(name string) (Kind, bool) {
	for k := NoKind + 1; k < kindCount; k++ {
		if catalogue[k].Name == name {
			return k, true
		}
	}
	return NoKind, false
}

// catalogue has a row for each kind.
var catalogue = joined(&clusterRows, &cleanerRows, &clientRows, &groupRows, &transactionRows)

// joined puts the parts of the catalogue together; each has the rows of its own kinds.
func joined(parts ...*[kindCount]Spec) (whole [kindCount]Spec) {
	for _, part := range parts {
		for kind := range part {
			if part[kind].Name != "" {
				whole[kind] = part[kind]
			}
		}
	}
	return whole
}

// clusterRows are the rows of brokers, the controller and the network.
var clusterRows = [kindCount]Spec{
	NoKind: {Name: "NoKind"},

	RunStarted: {
		Name: "RunStarted", Fields: Count,
		Sentence: "the run begins with {count} broker(s)",
		Rule:     "Brokers that are up at the beginning are registered, unfenced and in every ISR.",
		Source:   "plan",
	},
	FaultBegan: {
		Name: "FaultBegan", Fields: Value, Mark: true, Value: "number of the timeline entry",
		Sentence: "{fault}",
		Rule:     "The scenario's timeline comes first in a tick.", Source: "timeline",
	},
	FaultEnded: {
		Name: "FaultEnded", Fields: Value | About, Mark: true, Value: "number of the timeline entry",
		Sentence: "over: {fault}",
		Rule:     "A fault acts from its time up to, not including, its end.", Source: "timeline",
	},
	BrokerCrashed: {
		Name: "BrokerCrashed", Fields: Node, Mark: true,
		Sentence: "{node} stops; what it had not delivered yet is lost and its connections reset",
		Rule:     "A process that dies takes its unsent answers and unread requests with it; its log stays on disk.",
		Source:   "SocketServer; timeline crash",
	},
	BrokerStopped: {
		Name: "BrokerStopped", Fields: Node, Mark: true,
		Sentence: "{node} stops in good order: everything is on its disk",
		Rule:     "After a controlled shutdown nobody waits for the broker: it leads nothing and is in no ISR.",
		Source:   "controlled.shutdown.enable; BrokerLifecycleManager",
	},
	BrokerRestarted: {
		Name: "BrokerRestarted", Fields: Node, Mark: true,
		Sentence: "{node} starts again with the log on its disk",
		Rule:     "A restarted broker keeps its log and takes its high watermarks from the last checkpoint.",
		Source:   "replica.high.watermark.checkpoint.interval.ms; LogManager.loadLogs",
	},
	RunEnded: {
		Name: "RunEnded", Sentence: "the run ends",
		Rule: "A run ends when every input up to its last tick was taken.", Source: "plan",
	},

	ConnectionReset: {
		Name: "ConnectionReset", Fields: Node | Peer | Count,
		Sentence: "{node} sees its connection to {peer} close, with {count} request(s) unanswered",
		Rule:     "A closed connection says nothing of what became of the requests on it.",
		Source:   "NetworkClient.handleDisconnections",
	},
	MessageHeld: {
		Name: "MessageHeld", Fields: Node | Peer | Message | About,
		Sentence: "the {message} of {node} for {peer} is stuck inside {node}",
		Rule:     "An answer that was not sent keeps its connection busy: the broker takes no further request from it.",
		Source:   "timeline hold; SocketServer mutes the channel",
	},
	MessageReleased: {
		Name: "MessageReleased", Fields: Node | Peer | Message | About,
		Sentence: "the {message} of {node} for {peer} leaves at last",
		Rule:     "Held messages leave in their order when the fault ends.", Source: "timeline hold",
	},
	MessageDelayed: {
		Name: "MessageDelayed", Fields: Node | Peer | Message | Value, Value: "extra ticks on the wire",
		Sentence: "the {message} from {node} to {peer} takes {ticks} longer",
		Rule:     "A connection keeps its order: what comes later waits behind a late message.", Source: "timeline delay",
	},
	MessageDropped: {
		Name: "MessageDropped", Fields: Node | Peer | Message, Mark: true,
		Sentence: "the {message} from {node} to {peer} is lost on the way",
		Rule:     "Neither side learns of it: the sender of a request waits for request.timeout.ms.", Source: "timeline drop",
	},
	MessageDuplicated: {
		Name: "MessageDuplicated", Fields: Node | Peer | Message,
		Sentence: "the {message} from {node} to {peer} arrives twice",
		Rule:     "TCP never does this; a proxy or a replayed request may.", Source: "timeline duplicate",
	},

	ConnectionBroken: {
		Name: "ConnectionBroken", Fields: Node | Peer | Message,
		Sentence: "the connection between {node} and {peer} breaks under the {message} of {node}, which is lost",
		Rule:     "A request on a connection that breaks may have been stored or not: its sender sees the same.",
		Source:   "timeline reset; NetworkClient.handleDisconnections",
	},
	ConnectionSilenced: {
		Name: "ConnectionSilenced", Fields: Node | Peer,
		Sentence: "the connection of {node} to {peer} goes silent: it stands, and nothing arrives on it any more",
		Rule:     "TCP does not tell a silent peer from a slow one; only a time-out does.", Source: "timeline silence",
	},
	AnswerRewritten: {
		Name: "AnswerRewritten", Fields: Node | Peer | Partition | Error,
		Sentence: "a fault has {node} answer {error} to {peer} for {partition}",
		Rule:     "An error code says whether the batch was written only for some errors; a producer goes by the code.",
		Source:   "timeline rewrite",
	},

	LogLoaded: {
		Name: "LogLoaded", Fields: Node | Partition | Epoch | Offset | Prev | Value, Value: "high watermark",
		Sentence: "{node} opens its log of {partition}: offsets {prev} up to {offset}, high watermark {value}",
		Rule:     "A broker opens the logs on its disk when it starts; the high watermark comes from the checkpoint.",
		Source:   "LogManager.loadLogs; replication-offset-checkpoint",
	},
	BatchAppended: {
		Name:     "BatchAppended",
		Fields:   Node | Peer | Partition | Epoch | Offset | Producer | Sequence | Records,
		Sentence: "{node} appends {records} to {partition} at {offset} (leader epoch {epoch})",
		Rule:     "The leader appends what a producer sends and gives it the next offsets.",
		Source:   "Partition.appendRecordsToLeader",
	},
	DuplicateRecognised: {
		Name: "DuplicateRecognised", Mark: true,
		Fields:   Node | Peer | Partition | Epoch | Offset | Producer | Sequence | Records,
		Sentence: "{node} recognises {records} by producer id {producer} and sequence {sequence}: stored already at {offset}, not stored again",
		Rule:     "A batch whose producer id, epoch and sequences match one of the last five is answered with its first offset.",
		Source:   "enable.idempotence, KIP-98; ProducerStateEntry.findDuplicateBatch",
	},
	ProduceRefused: {
		Name: "ProduceRefused", Fields: Node | Peer | Partition | Records | Error, Mark: true,
		Sentence: "{node} refuses {records} of {partition}: {error}, nothing written",
		Rule:     "Only the leader writes; with acks=all it refuses while the ISR is smaller than min.insync.replicas, and on a compacted topic what has no key.",
		Source:   "min.insync.replicas, cleanup.policy; ReplicaManager.appendToLocalLog, LogValidator",
	},
	ProduceAnswered: {
		Name: "ProduceAnswered", Fields: Node | Peer | Partition | Offset | Error | About,
		Sentence: "{node} answers {peer} for {partition}: {error}, offset {offset}",
		Rule:     "acks=1 is answered at the append, acks=all when the high watermark has passed the batch.",
		Source:   "acks; DelayedProduce, Partition.checkEnoughReplicasReachOffset",
	},
	ReplicaAppended: {
		Name: "ReplicaAppended", Fields: Node | Peer | Partition | Epoch | Offset | Count | Value,
		Value:    "the follower's high watermark from then on",
		Sentence: "{node} copies {offsets} of {partition} from {peer}",
		Rule:     "A follower appends what the leader has, at the leader's offsets.",
		Source:   "ReplicaFetcherThread.processPartitionData",
	},
	FollowerOffsetLearned: {
		Name: "FollowerOffsetLearned", Fields: Node | Peer | Partition | Epoch | Offset | Prev,
		Sentence: "{node} learns that {peer} holds {partition} up to {offset}",
		Rule:     "The offset of a follower's next fetch is its log end offset.",
		Source:   "Replica.updateFetchStateOrThrow",
	},
	HighWatermarkAdvanced: {
		Name: "HighWatermarkAdvanced", Fields: Node | Partition | Epoch | Offset | Prev,
		Sentence: "the high watermark of {partition} moves from {prev} to {offset} on its leader {node}",
		Rule:     "The high watermark is the smallest log end offset in the maximal ISR; readers see what lies below it.",
		Source:   "Partition.maybeIncrementLeaderHW",
	},
	HighWatermarkLearned: {
		Name: "HighWatermarkLearned", Fields: Node | Peer | Partition | Epoch | Offset | Prev,
		Sentence: "{node} learns the high watermark {offset} of {partition}",
		Rule:     "A follower's high watermark comes with a fetch answer, so it is a round behind.",
		Source:   "ReplicaFetcherThread; UnifiedLog.maybeUpdateHighWatermark",
	},
	BecameLeader: {
		Name: "BecameLeader", Fields: Node | Partition | Epoch | Offset | Prev, Mark: true,
		Sentence: "{node} leads {partition} from offset {offset} on (leader epoch {epoch}); its high watermark is {prev}",
		Rule:     "A new leader keeps its whole log, also above its high watermark.",
		Source:   "Partition.makeLeader",
	},
	BecameFollower: {
		Name: "BecameFollower", Fields: Node | Peer | Partition | Epoch,
		Sentence: "{node} follows {peer} in {partition} (leader epoch {epoch})",
		Rule:     "A follower stops its own appends and asks the leader where their logs part.",
		Source:   "Partition.makeFollower, KIP-101",
	},
	LogTruncated: {
		Name: "LogTruncated", Fields: Node | Peer | Partition | Epoch | Offset | Prev, Mark: true,
		Sentence: "{node} cuts {partition} back from {prev} to {offset}: {peer} has something else there",
		Rule:     "A follower truncates to where its epochs and the leader's part, not to its high watermark.",
		Source:   "KIP-101, KIP-279, KIP-595; UnifiedLog.truncateTo",
	},
	SegmentRolled: {
		Name: "SegmentRolled", Fields: Node | Partition | Offset | Prev | Value,
		Value:    "bytes of the segment that is closed",
		Sentence: "{node} closes the segment {prev} of {partition} with {value} bytes and begins the segment {offset}",
		Rule:     "An append begins a new segment when the batch no longer fits into segment.bytes or comes more than segment.ms after the first one.",
		Source:   "segment.bytes, segment.ms; LogSegment.shouldRoll",
	},
	SegmentDeletedByTime: {
		Name: "SegmentDeletedByTime", Mark: true, Value: "tick of its largest timestamp",
		Fields:   Node | Partition | Offset | Count | Prev | Value,
		Sentence: "{node} deletes the segment {offset} of {partition} ({offsets}, {prev} bytes): its newest record, of {valueclock}, is older than retention.ms",
		Rule:     "A segment goes as a whole when its largest timestamp is older than retention.ms, oldest first, up to the first that is not.",
		Source:   "retention.ms; UnifiedLog.deleteRetentionMsBreachedSegments",
	},
	SegmentDeletedBySize: {
		Name: "SegmentDeletedBySize", Mark: true, Value: "bytes that are left of the partition",
		Fields:   Node | Partition | Offset | Count | Prev | Value,
		Sentence: "{node} deletes the segment {offset} of {partition} ({offsets}, {prev} bytes): the {value} bytes behind it are still at least retention.bytes",
		Rule:     "A segment goes as a whole while what is left is at least retention.bytes, so a partition keeps between that and a segment more.",
		Source:   "retention.bytes; UnifiedLog.deleteRetentionSizeBreachedSegments",
	},
	SegmentDeletedBelowLogStart: {
		Name: "SegmentDeletedBelowLogStart", Mark: true, Value: "log start offset",
		Fields:   Node | Partition | Offset | Count | Prev | Value,
		Sentence: "{node} deletes the segment {offset} of {partition} ({offsets}, {prev} bytes): it lies wholly below the log start {value}",
		Rule:     "The log start offset moves at once, by DeleteRecords or by the leader's; the segments below it go with the next retention check.",
		Source:   "UnifiedLog.deleteLogStartOffsetBreachedSegments",
	},
	LogStartAdvanced: {
		Name: "LogStartAdvanced", Fields: Node | Partition | Offset | Prev,
		Sentence: "the log of {partition} on {node} begins at {offset} now, no longer at {prev}",
		Rule:     "The log start offset follows the deleted segments; a follower takes over its leader's. It never passes the high watermark.",
		Source:   "UnifiedLog.maybeIncrementLogStartOffset",
	},
	LogTailLost: {
		Name: "LogTailLost", Fields: Node | Partition | Epoch | Offset | Prev, Mark: true,
		Sentence: "{node} loses its log of {partition} from {offset} up to {prev}: that had not reached the disk",
		Rule:     "Kafka leaves it to the operating system when to write; a power loss takes what was not written. Replication is the answer.",
		Source:   "log.flush.interval.messages; timeline power.loss",
	},
	LogDirFailed: {
		Name: "LogDirFailed", Fields: Node | Value | Count, Mark: true, Value: "number of the log directory",
		Sentence: "log directory {value} of {node} fails, and {count} replica(s) with it",
		Rule:     "The replicas of a failed log directory are offline; the other directories go on. A broker halts with its last one, and with that of the metadata log.",
		Source:   "log.dirs, KIP-112; ReplicaManager.handleLogDirFailure; timeline disk.failure",
	},
	ReplicaOffline: {
		Name: "ReplicaOffline", Fields: Node | Partition | Offset | Prev,
		Sentence: "{node} loses its replica of {partition}, offsets {offset} up to {prev}, with the log directory",
		Rule:     "Who asks for an offline replica gets KAFKA_STORAGE_ERROR; a new disk begins with an empty log.",
		Source:   "KIP-112; HostedPartition.Offline",
	},
	DeleteRecordsRefused: {
		Name: "DeleteRecordsRefused", Fields: Node | Partition | Offset | Error, Mark: true,
		Sentence: "{node} does not delete the records of {partition} before {offset}: {error}",
		Rule:     "Records may be deleted up to the high watermark, by the leader, and not in a topic that is only compacted.",
		Source:   "kafka-delete-records.sh, KIP-107; Partition.deleteRecordsOnLeader",
	},
	ISRChangeProposed: {
		Name: "ISRChangeProposed", Fields: Node | Partition | Epoch | Value | Prev, Value: "the proposed ISR",
		Sentence: "{node} asks for the ISR {isr} of {partition} (it is {wasisr})",
		Rule:     "A follower leaves after replica.lag.time.max.ms behind, and joins when it reaches the high watermark in the leader's epoch.",
		Source:   "replica.lag.time.max.ms, KIP-497; Partition.maybeShrinkIsr, maybeExpandIsr",
	},
	ISRChangeRefused: {
		Name: "ISRChangeRefused", Fields: Node | Partition | Epoch | Value | Error, Value: "the proposed ISR",
		Sentence: "the controller refuses the ISR {isr} of {partition} that {node} asked for: {error}",
		Rule:     "Leader epoch, partition epoch and the state of each member must be the controller's.",
		Source:   "KIP-497, KIP-841; ReplicationControlManager.validateAlterPartitionData",
	},
	MetadataMisplaced: {
		Name: "MetadataMisplaced", Fields: Node | Offset | Prev | Count, Mark: true,
		Sentence: "{node} applies what stands from {offset} on in the metadata log as if it stood at {prev}, where it is (records: {count})",
		Rule:     "A broker takes records of the metadata log only from where it is on; with the rule metadata.offset.ignored from anywhere.",
		Source:   "KIP-595; KafkaMetadataLog.appendAsFollower",
	},

	BrokerRegistered: {
		Name: "BrokerRegistered", Fields: Node | Peer | Value, Value: "broker epoch",
		Sentence: "{peer} registers with the controller (broker epoch {value})",
		Rule:     "Each start of a broker gets a broker epoch of its own and begins fenced.",
		Source:   "KIP-631; ClusterControlManager.registerBroker",
	},
	ControlledShutdownBegan: {
		Name: "ControlledShutdownBegan", Fields: Node | Peer, Mark: true,
		Sentence: "{peer} wants to stop: the controller takes it out of every ISR and leadership first",
		Rule:     "A broker asks in its heartbeat, and may go when it leads nothing and every other broker has heard of it.",
		Source:   "controlled.shutdown.enable; ReplicationControlManager.handleBrokerInControlledShutdown",
	},
	ShutdownGranted: {
		Name: "ShutdownGranted", Fields: Node | Peer,
		Sentence: "the controller lets {peer} go, and fences it",
		Rule:     "A fenced broker that comes back may register at once: there is no session to wait for.",
		Source:   "BrokerControlState.SHUTDOWN_NOW; ReplicationControlManager.processBrokerHeartbeat",
	},
	LogDirReported: {
		Name: "LogDirReported", Fields: Node | Peer | Value, Mark: true, Value: "number of the log directory",
		Sentence: "the controller hears of {peer} that its log directory {value} is offline",
		Rule:     "A broker reports it in a heartbeat of its own, at once; for the partitions of that directory alone it leaves the ISR and the leadership.",
		Source:   "KIP-858; ReplicationControlManager.handleDirectoriesOffline",
	},
	BrokerFenced: {
		Name: "BrokerFenced", Fields: Node | Peer | Value, Mark: true, Value: "tick of the last heartbeat",
		Sentence: "the controller fences {peer}: its last heartbeat came at {valueclock}",
		Rule:     "A broker is fenced when its last contact plus broker.session.timeout.ms has passed, at the next look.",
		Source:   "broker.session.timeout.ms, KAFKA-17793; BrokerHeartbeatManager",
	},
	BrokerUnfenced: {
		Name: "BrokerUnfenced", Fields: Node | Peer,
		Sentence: "the controller lets {peer} serve again",
		Rule:     "A broker is unfenced when it has applied the metadata log up to its own registration.",
		Source:   "BrokerHeartbeatManager.calculateNextBrokerState",
	},
	LeaderElected: {
		Name: "LeaderElected", Fields: Node | Peer | Partition | Epoch | Value | Prev, Mark: true, Value: "the ISR",
		Sentence: "the controller makes {peer} the leader of {partition} (leader epoch {epoch}, ISR {isr}, before {wasisr})",
		Rule:     "The first live member of the ISR in assignment order leads; every change of leader adds one to the leader epoch.",
		Source:   "PartitionChangeBuilder",
	},
	UncleanLeaderElected: {
		Name: "UncleanLeaderElected", Fields: Node | Peer | Partition | Epoch | Value, Mark: true, Value: "the ISR that is given up",
		Sentence: "no member of the ISR {isr} of {partition} is alive: {peer} may lead all the same, and what it does not hold is given up (leader epoch {epoch})",
		Rule:     "Where the topic allows it, the first live replica in assignment order leads, and the ISR becomes that one alone.",
		Source:   "unclean.leader.election.enable; kafka-leader-election.sh --election-type unclean; PartitionChangeBuilder",
	},
	PartitionOffline: {
		Name: "PartitionOffline", Fields: Node | Partition | Epoch | Value | Prev, Mark: true, Value: "the ISR",
		Sentence: "no live member of the ISR {wasisr} of {partition} is left: it has no leader",
		Rule:     "Without unclean election a partition waits for a member of its last ISR, which stays in the ISR.",
		Source:   "unclean.leader.election.enable; PartitionChangeBuilder",
	},
	ELRChanged: {
		Name: "ELRChanged", Fields: Node | Partition | Epoch | Value | Prev, Mark: true, Value: "the eligible leader replicas",
		Sentence: "the eligible leader replicas of {partition} are now {isr} (before {wasisr})",
		Rule:     "Who leaves the ISR while it is below min.insync.replicas may still lead: nothing is committed without it. An unclean shutdown ends that.",
		Source:   "KIP-966; PartitionChangeBuilder",
	},
	ISRChanged: {
		Name: "ISRChanged", Fields: Node | Peer | Partition | Epoch | Value | Prev, Mark: true, Value: "the ISR",
		Sentence: "the ISR of {partition} is now {isr} (before {wasisr})",
		Rule:     "Only the controller commits an ISR; until then the larger one counts for the high watermark.",
		Source:   "KIP-497; ReplicationControlManager",
	},
}
