// Package check holds a run against its promises: what a replicated log owes to those who write to it and read from it,
// under the names that the TLA+ specifications of Kafka use. It is a fold of events of its own: it shares no code with
// view or outcome, so a mistake there cannot hide here.
//
// Its one rule: a check looks at what the brokers did to their logs, never at what they believe. A promise that the
// scenario's own settings give up (acks=1 and a dead leader) is a Tradeoff, not a Violation.
//
// A log is a list of runs (an epoch and a span of offsets), so most checks compare a few runs, not records.
package check

import "fmt"

// Promise is one thing that a run must keep.
type Promise struct {
	Name string
	// Statement says in one sentence what holds.
	Statement string
	// Source is the specification or the KIP that the promise was taken from.
	Source string
	// Guard is the rule or setting that keeps it: without that, the promise breaks.
	Guard string
}

// promise numbers the rows of the table.
type promise uint8

const (
	logMatching promise = iota
	strongISR
	leaderCompleteness
	monotonicHighWatermark
	singleLeaderPerEpoch
	consistentRead
	committedRead
	noAcknowledgedRecordLost
	leaderInISR
	validISR
	sequentialOffsets
	logStartBelowHighWatermark
	latestValueKept
	compactionBelowHighWatermark
	leaderCandidateCompleteness
	replicationQuorumSuperset
	metadataLogMatching
	lastStableOffset
	readCommitted
	atomicTransaction
	distinctProducers
	exactlyOnce
	noDoubleOwner
	validMemberEpoch
	everyPartitionOwned
	committedOffsetsSurvive
	noRecordSkipped
	monotonicPolls
	noSkippingPolls
	noDuplicateRead
	everythingRead
	eventuallyRead
	promiseCount
)

var promises = [promiseCount]Promise{
	logMatching: {
		Name:      "LogMatching",
		Statement: "Two replicas hold the same record, of the same leader epoch, at every offset below both their high watermarks.",
		Source:    "kafka-tlaplus v3.5 and kip-966: LogMatching",
		Guard:     "KIP-101, KIP-279: a follower truncates to where its epochs and the leader's part",
	},
	strongISR: {
		Name:      "StrongIsr",
		Statement: "What a broker that believes to lead shows to readers is on the disk of every member of the controller's ISR.",
		Source:    "kafka-specification, KafkaReplication.tla: StrongIsr",
		Guard:     "KIP-320: only followers that fetch in the leader's epoch count for the high watermark",
	},
	leaderCompleteness: {
		Name:      "LeaderCompleteness",
		Statement: "The leader's log holds everything that was ever committed, and every record acknowledged with acks=all.",
		Source:    "kafka-tlaplus v3.5 and kip-966: LeaderCompleteness",
		Guard:     "a follower joins the ISR only at the high watermark and past the start of the leader's epoch (KAFKA-7128)",
	},
	monotonicHighWatermark: {
		Name:      "MonotonicHighWatermark",
		Statement: "A leader's high watermark never falls within its epoch, and no clean election undoes a committed offset.",
		Source:    "Kafka's RaftEventSimulationTest: MonotonicHighWatermark; kafka-tlaplus: true_hw",
		Guard:     "Partition.maybeIncrementLeaderHW; unclean.leader.election.enable=false",
	},
	singleLeaderPerEpoch: {
		Name:      "SingleLeaderPerEpoch",
		Statement: "At most one broker leads a partition in one leader epoch.",
		Source:    "KRaft's TLA+: NeverTwoLeadersInSameEpoch",
		Guard:     "the controller adds one to the leader epoch at every change of leader",
	},
	consistentRead: {
		Name:      "ConsistentRead",
		Statement: "An offset that was read once reads the same for everybody, for ever.",
		Source:    "kafka-tlaplus v3.5 and kip-966: ConsistentRead; Jepsen: inconsistent-offsets",
		Guard:     "readers see only what lies below the high watermark",
	},
	committedRead: {
		Name:      "CommittedRead",
		Statement: "A reader is shown only records that were committed at that offset.",
		Source:    "FetchIsolation.HIGH_WATERMARK",
		Guard:     "readers see only what lies below the high watermark",
	},
	noAcknowledgedRecordLost: {
		Name:      "NoAcknowledgedRecordLost",
		Statement: "A record acknowledged with acks=all is in the log of the leader, or on some disk while there is no leader.",
		Source:    "kafka-tlaplus kip-966: NoCommittedRecordLostGlobally; Jepsen: lost-write",
		Guard:     "acks=all is answered only when the high watermark has passed the record",
	},
	leaderInISR: {
		Name:      "LeaderInIsr",
		Statement: "The leader of a partition is a member of its ISR.",
		Source:    "kafka-tlaplus v3.5: LeaderInIsr",
		Guard:     "PartitionChangeBuilder elects from the ISR",
	},
	validISR: {
		Name:      "ValidIsr",
		Statement: "The ISR holds only brokers that have a replica of the partition and, unless it is the last, are not fenced; it is empty only while eligible leader replicas stand in for it, shares nobody with them, and needs none from min.insync.replicas on.",
		Source:    "kafka-tlaplus v3.5: ValidIsrAndElr",
		Guard:     "the last member of the ISR stays in it, also when its broker is fenced, and nobody who is fenced joins it (KIP-841)",
	},
	sequentialOffsets: {
		Name:      "SequentialOffsets",
		Statement: "Every append begins where the log ends, so offsets have no gaps but those that compaction left; the high watermark never lies beyond the end.",
		Source:    "kafka-tlaplus: ValidReplicaState (LEO = length of the log, log[o].offset = o)",
		Guard:     "a fetch answer is applied only if it begins at the follower's log end offset",
	},
	logStartBelowHighWatermark: {
		Name:      "LogStartBelowHighWatermark",
		Statement: "The log start offset only rises and never passes the high watermark: retention takes what was committed, and nothing else.",
		Source:    "UnifiedLog.maybeIncrementLogStartOffset, deletableSegments",
		Guard:     "retention deletes whole segments that end at or below the high watermark",
	},
	latestValueKept: {
		Name:      "LatestValueKept",
		Statement: "Below the point up to which a compacted log is cleaned, the last value of each key is still in the log, unless it was deleted by a tombstone.",
		Source:    "Kafka documentation, Log Compaction: what guarantees does it provide",
		Guard:     "the offset map holds the newest offset of each key in the dirty part (Cleaner.buildOffsetMap)",
	},
	compactionBelowHighWatermark: {
		Name:      "CompactionBelowHighWatermark",
		Statement: "The cleaner removes nothing that is not committed.",
		Source:    "LogCleanerManager.cleanableOffsets",
		Guard:     "the dirty part ends at the last stable offset or before it",
	},
	leaderCandidateCompleteness: {
		Name:      "LeaderCandidateCompleteness",
		Statement: "Everybody whom a clean election may choose now, in the ISR or eligible, alive and not fenced, has a log that reaches as far as what was committed.",
		Source:    "kafka-tlaplus v3.5 and kip-966: LeaderCandidateCompleteness",
		Guard:     "a follower joins the ISR only at the high watermark and past the start of the leader's epoch (KAFKA-7128), in the incarnation that was seen there (KIP-903), in the state of the partition that was meant (KIP-497)",
	},
	replicationQuorumSuperset: {
		Name:      "ReplicationQuorumSuperset",
		Statement: "What the leader has committed in its epoch it has heard to be on every broker that the controller may elect: the ISR and the eligible leader replicas.",
		Source:    "kafka-tlaplus v3.5 and kip-966: ReplicationQuorumSuperset",
		Guard:     "the maximal ISR counts, also whom the leader has only proposed (KIP-497); nothing is committed below min.insync.replicas (KAFKA-15583)",
	},
	metadataLogMatching: {
		Name:      "MetadataLogMatching",
		Statement: "What a broker believes of a partition's leadership, in a leader epoch, stands so in the controller's metadata log, and its copy of that log is the controller's up to where it has read.",
		Source:    "kafka-tlaplus v3.5 and kip-966: MetadataLogMatching",
		Guard:     "brokers copy the metadata log, each a prefix of it, and act on nothing else (KIP-631)",
	},
	lastStableOffset: {
		Name:      "LastStableOffset",
		Statement: "A reader with read_committed is shown nothing from the first offset on of a transaction that is open, or whose marker is not committed.",
		Source:    "KIP-98; UnifiedLog.lastStableOffset",
		Guard:     "the last stable offset is the high watermark, or the first offset of the earliest open transaction below it",
	},
	readCommitted: {
		Name:      "ReadCommitted",
		Statement: "A reader with read_committed leaves out no record of a committed transaction, and is shown none of an open or aborted one.",
		Source:    "KIP-98; Jepsen: G1a (aborted read)",
		Guard:     "fetch answers list the aborted transactions, and the client leaves their batches out up to the abort marker",
	},
	atomicTransaction: {
		Name:      "AtomicTransaction",
		Statement: "A transaction is committed only if its producer asked for that, and every partition gets the marker that was decided.",
		Source:    "KIP-98, KIP-890; Jepsen: torn transaction",
		Guard:     "the decision is one record of __transaction_state; each transaction has an epoch of its own (transaction.version 2)",
	},
	distinctProducers: {
		Name:      "DistinctProducerEpochs",
		Statement: "No two clients ever write under the same producer id and epoch.",
		Source:    "kafka-tlaplus transactions: ClientsHaveDifferentProducerEpochs",
		Guard:     "InitProducerId raises the producer epoch, and the record of it is committed before the producer hears of it",
	},
	exactlyOnce: {
		Name:      "ExactlyOnce",
		Statement: "A reader with read_committed is handed what a processor makes of a record, in transactions and fenced by its group, from one offset only.",
		Source:    "KIP-98, KIP-447: consume, transform, produce",
		Guard:     "the results and the offsets behind their records are one transaction, and the group's coordinator refuses a former owner",
	},
	noDoubleOwner: {
		Name:      "NoDoubleOwner",
		Statement: "No two members of a group have a partition in one generation, and no two members of a KIP-848 group have it at once, unless one took the place of the other (group.instance.id).",
		Source:    "KIP-848's TLA+: NoDoubleClientAssignment; ConsumerPartitionAssignor",
		Guard:     "a member lets go before it joins again, or confirms it; only then does another one get the partition",
	},
	validMemberEpoch: {
		Name:      "ValidMemberEpoch",
		Statement: "The generation or epoch of a group only rises while one broker coordinates it, its members' epochs rise towards it, and nobody gets partitions in one that has not begun.",
		Source:    "KIP-848's TLA+: ValidMemberEpoch; ClassicGroup.initNextGeneration",
		Guard:     "the coordinator adds one at each rebalance, and writes it down before any member hears of it",
	},
	everyPartitionOwned: {
		Name:      "EveryPartitionOwned",
		Statement: "When a group has members and nothing has happened for 30 seconds, each partition that they subscribe to has one that reads it.",
		Source:    "KIP-848's TLA+: LegalTargetAssignment, EventuallyConverges",
		Guard:     "the assignors deal every partition out; a member that owns one and dies is removed after session.timeout.ms",
	},
	committedOffsetsSurvive: {
		Name:      "CommittedOffsetsSurvive",
		Statement: "A commit that was answered is there, or a later one is, whichever broker coordinates the group.",
		Source:    "OffsetMetadataManager.replay; acks=all for __consumer_offsets",
		Guard:     "a commit is answered when its record is on every in-sync replica of __consumer_offsets",
	},
	noRecordSkipped: {
		Name:      "NoRecordSkipped",
		Statement: "A member that commits after its work commits no offset behind a record that was handed out and not done.",
		Source:    "KafkaConsumer: at-least-once delivery",
		Guard:     "a position is committed only by the thread that did the work before it",
	},
	monotonicPolls: {
		Name:      "MonotonicPolls",
		Statement: "As long as a reader keeps a partition, each poll begins where the one before ended, or later.",
		Source:    "Jepsen: nonmonotonic-poll",
		Guard:     "the position moves with what was handed out; a fetch answer for another position is dropped",
	},
	noSkippingPolls: {
		Name:      "NoSkippingPolls",
		Statement: "As long as a reader keeps a partition, it is handed every committed record between two polls.",
		Source:    "Jepsen: poll-skip",
		Guard:     "the next fetch begins behind the last record that was handed out",
	},
	noDuplicateRead: {
		Name:      "NoDuplicateRead",
		Statement: "A record of an idempotent producer is read from one offset only, as long as no producer begins anew and no application hands over again.",
		Source:    "Jepsen: duplicate",
		Guard:     "KIP-98: the leader recognises producer id, epoch and sequence",
	},
	everythingRead: {
		Name:      "EverythingRead",
		Statement: "An acknowledged record between two that were read was read too, unless a reader had to, or was told to, begin behind it.",
		Source:    "Jepsen: lost-write",
		Guard:     "readers go through a partition offset by offset, and begin where their group has committed",
	},
	eventuallyRead: {
		Name:      "EventuallyRead",
		Statement: "When nothing has happened for 30 seconds, nobody who reads a partition and has no work leaves a record that was committed all that time.",
		Source:    "Jepsen: unseen; Maelstrom: unobserved",
		Guard:     "a fetch that waits is answered when there is something to read; one that got no answer is sent again",
	},
}

// Promises lists what can be checked.
func Promises() []Promise { return promises[:] }

// Find returns the promise with the name.
func Find(name string) (Promise, bool) {
	for i := range promises {
		if promises[i].Name == name {
			return promises[i], true
		}
	}
	return Promise{}, false
}

// selection is the set of promises with the names; no names select all. A name that Find does not know is a mistake of
// the calling code.
func selection(names []string) (chosen [promiseCount]bool) {
	known := 0
	for i := range promises {
		chosen[i] = len(names) == 0
		for _, name := range names {
			if promises[i].Name == name {
				chosen[i] = true
				known++
			}
		}
	}
	if known != len(names) {
		panic(fmt.Sprintf("check: %v names a promise that does not exist, or one twice", names))
	}
	return chosen
}
