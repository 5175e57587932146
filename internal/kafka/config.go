package kafka

// The configurations below hold what a scenario set under Kafka's own names, in core units: spans in ticks, sizes in
// bytes. Settings (settings.go) is the catalogue of the names, their units and defaults.

// Replication says how followers get the leader's records.
type Replication uint8

const (
	// ReplicateByFetch is Kafka's pull protocol.
	ReplicateByFetch Replication = iota
	// ReplicateByStream is the lesson's model: a record reaches each follower Lag after the append, and the leader
	// learns that another Lag later.
	ReplicateByStream
)

// Wire says how a broker takes requests from one connection.
type Wire uint8

const (
	// SerialWire is Kafka's: one request at a time, answered before the next is taken (SocketServer mutes the channel).
	SerialWire Wire = iota
	// PipelinedWire is the lesson's: several requests of a connection are in work at once.
	PipelinedWire
)

// BrokerConfig is what every broker of a cluster runs with.
type BrokerConfig struct {
	Replication          Replication
	StreamLagTicks       Tick  // replication: stream only
	ReplicaLagTimeTicks  Tick  // replica.lag.time.max.ms
	ReplicaFetchWait     Tick  // replica.fetch.wait.max.ms
	ReplicaFetchBackoff  Tick  // replica.fetch.backoff.ms
	ReplicaSocketTimeout Tick  // replica.socket.timeout.ms
	ReplicaFetchMaxBytes int32 // replica.fetch.max.bytes: per partition; the first batch always fits
	HeartbeatTicks       Tick  // broker.heartbeat.interval.ms
	HeartbeatPhase       Tick  // first heartbeat of a broker that is alive from the start
	RetentionCheckTicks  Tick  // log.retention.check.interval.ms
	CleanerBackoff       Tick  // log.cleaner.backoff.ms
	InitialTaskDelay     Tick  // log.initial.task.delay.ms: the first retention check after a start
	CheckpointTicks      Tick  // replica.high.watermark.checkpoint.interval.ms
	ShutdownBeat         Tick  // 50 ms: to the second heartbeat of a controlled shutdown (BrokerLifecycleManager)
	LogDirFailureTimeout Tick  // log.dir.failure.timeout.ms
	LogDirs              int32 // log.dirs: how many; a broker's replicas are dealt to them in turn
	MetadataLogDir       int32 // metadata.log.dir: which of them also holds the metadata log; 0: one of its own
	AlterPartitionRetry  Tick  // 50 ms: until an ISR change that met a passing error is asked for again (AlterPartitionManager)
	IdlePolling          bool  // send every empty long poll for real, instead of computing what it would have done
	Rules                Rules
}

// ControllerConfig is what the controller runs with.
type ControllerConfig struct {
	SessionTimeout Tick // broker.session.timeout.ms
	SessionCheck   Tick // period of the look at the sessions: session/8, at least a tick (KAFKA-17793)
	// DetectAtOnce makes the controller know of a death at once, as the lesson has it: it elects TakeoverTicks after
	// the death of a leader and takes a dead follower out of the ISR FollowerExitTicks after its death.
	DetectAtOnce      bool
	TakeoverTicks     Tick
	FollowerExitTicks Tick
	Rebalance         bool // auto.leader.rebalance.enable
	RebalanceTicks    Tick // leader.imbalance.check.interval.seconds
	UncleanTicks      Tick // unclean.leader.election.interval.ms
}

// TopicConfig is what a topic's partitions run with.
type TopicConfig struct {
	Log               LogConfig
	MinInSyncReplicas int32 // min.insync.replicas; the effective value is at most the replication factor
	UncleanElection   bool  // unclean.leader.election.enable
}

// Partitioner names how a client chooses a partition for a record.
type Partitioner uint8

const (
	// ConsistentRandom is librdkafka's default: CRC32(key) mod partitions; null and empty keys at random.
	ConsistentRandom Partitioner = iota
	// Consistent is librdkafka's CRC32 for every key, the null key included.
	Consistent
	// Murmur2 is the Java client's: (murmur2(key) & 0x7fffffff) mod partitions; null keys at random.
	Murmur2
	// Murmur2Random is librdkafka's murmur2_random: as Murmur2, with empty keys hashed and null keys at random.
	Murmur2Random
	// FNV1a is Sarama's NewHashPartitioner: FNV-1a of the key as a signed number, its remainder made positive; null keys at
	// random.
	FNV1a
	partitioners
)

var partitionerNames = [partitioners]string{"consistent_random", "consistent", "murmur2", "murmur2_random", "fnv1a"}

// String is the setting's value as one writes it.
func (p Partitioner) String() string { return partitionerNames[p] }

// PartitionerNames lists the values that librdkafka's setting partitioner takes.
func PartitionerNames() []string { return partitionerNames[:FNV1a] }

// Stickiness says how long a client stays with a partition that it drew for records whose keys decide nothing.
type Stickiness uint8

const (
	// StickyNever draws anew for each record.
	StickyNever Stickiness = iota
	// StickyForTime stays for sticky.partitioning.linger.ms (librdkafka).
	StickyForTime
	// StickyForBatch stays until a new batch begins (KIP-480).
	StickyForBatch
	// StickyForBytes stays until batch.size bytes went there (KIP-794).
	StickyForBytes
)

// ProducerConfig is what a producer runs with.
type ProducerConfig struct {
	ClientHabits // what the client does of itself

	Acks                Acks  // acks
	EnableIdempotence   bool  // enable.idempotence
	Retries             int32 // retries, message.send.max.retries
	MaxInFlight         int32 // max.in.flight.requests.per.connection
	LingerTicks         Tick  // linger.ms
	BatchBytes          int32 // batch.size
	BatchRecords        int32 // batch.num.messages; 0 = no limit
	RequestTimeout      Tick  // request.timeout.ms: sent to the broker, which answers by then
	AnswerTimeout       Tick  // the client's own limit for an answer: request.timeout.ms, librdkafka's socket.timeout.ms
	DeliveryTimeout     Tick  // delivery.timeout.ms, message.timeout.ms
	ExpiryLook          Tick  // records whose delivery.timeout.ms has passed are found at multiples of this; 0 and 1: at once
	RetryBackoff        Tick  // retry.backoff.ms
	RetryBackoffMax     Tick  // retry.backoff.max.ms: the backoff doubles from try to try up to this; 0 = it does not grow
	ReconnectBackoff    Tick  // reconnect.backoff.ms
	ReconnectBackoffMax Tick  // reconnect.backoff.max.ms
	MetadataRetry       Tick  // how often to ask for metadata while a leader is missing
	MetadataMaxAge      Tick  // metadata.max.age.ms: asked for again after so long, in a run in which a topic grows
	MetadataMinAge      Tick  // between two questions for metadata at least
	QueueMessages       int32 // queue.buffering.max.messages: records that nobody has been told of; 0 = no limit
	BufferBytes         int64 // buffer.memory: their bytes; 0 = no limit
	Compresses          bool  // compression.type is not none: the sizes of its records are compressed ones
	CompressTicks       Tick  // how long it takes to compress a batch
	MaxBlock            Tick  // max.block.ms: how long a call waits for room; 0 fails at once
	Partitioner         Partitioner
	RoundRobin          bool // partitioner.class=RoundRobinPartitioner: each record to the next partition, whatever its key
	StickyTicks         Tick // sticky.partitioning.linger.ms: StickyForTime only
	// AddPartitionsRetry is 20 ms: until the first partition of a transaction is entered again while the one before still gets
	// its markers (TransactionManager.ADD_PARTITIONS_RETRY_BACKOFF_MS).
	AddPartitionsRetry Tick
	TransactionTimeout Tick // transaction.timeout.ms
	// Resends is the application's own habit: it hands every record over again that was reported failed, and after a
	// restart every record of which it has no report.
	Resends bool
	// RetryAtTakeover is the lesson's retry: once, when the client learns of a new leader; errors wait for it too.
	RetryAtTakeover bool
}

// ReaderConfig is what an in-memory reader runs with.
type ReaderConfig struct {
	FetchWait     Tick           // fetch.max.wait.ms
	AnswerTimeout Tick           // request.timeout.ms, librdkafka's socket.timeout.ms
	RetryBackoff  Tick           // retry.backoff.ms
	Isolation     IsolationLevel // isolation.level
	MetadataRetry Tick           // how often to ask for metadata while a leader is missing
	// IdlePolling sends every empty long poll for real.
	IdlePolling bool
}

// GroupProtocol is the consumer setting group.protocol.
type GroupProtocol uint8

const (
	// ClassicProtocol: members join, one of them assigns, all wait for all (JoinGroup, SyncGroup).
	ClassicProtocol GroupProtocol = iota
	// ConsumerProtocol: the coordinator assigns, each member converges on its own (KIP-848).
	ConsumerProtocol
)

// OffsetReset is the consumer setting auto.offset.reset: where to begin without a committed offset, and after a position
// that the log does not have.
type OffsetReset uint8

const (
	// ResetLatest begins at the high watermark (the last stable offset under read_committed).
	ResetLatest OffsetReset = iota
	// ResetEarliest begins at the log start offset.
	ResetEarliest
	// ResetNone ends the consumer with an error.
	ResetNone
	// ResetByDuration begins at the first record that is not older than a duration (KIP-1106).
	ResetByDuration
)

// CommitHabit is when an application commits, beside enable.auto.commit.
type CommitHabit uint8

const (
	// CommitNever leaves it to enable.auto.commit, or commits nothing.
	CommitNever CommitHabit = iota
	// CommitAfterRecord commits after the work on each record.
	CommitAfterRecord
	// CommitAfterPoll commits after the work on all records of a poll.
	CommitAfterPoll
	// CommitBeforeWork commits what a poll brought before the work on it.
	CommitBeforeWork
)

// CommitCover is what enable.auto.commit commits, and when it looks.
type CommitCover uint8

const (
	// CoversPolled is the Java client's: inside of poll(), all that polls have handed out so far.
	CoversPolled CommitCover = iota
	// CoversEarlierPolls is franz-go's: by a timer of its own, what the polls before the latest one handed out.
	CoversEarlierPolls
	// CoversHandedOut is librdkafka's with enable.auto.offset.store: by a timer of its own, all that was handed out, also what
	// the application is still at work on.
	CoversHandedOut
	// CoversDone is librdkafka's without that, and Sarama's: by a timer of its own, what the application has marked as done.
	CoversDone
)

// ConsumerConfig is what a member of a consumer group runs with, and what its application does.
type ConsumerConfig struct {
	ReaderConfig
	Protocol          GroupProtocol // group.protocol
	Assignors         []string      // partition.assignment.strategy, in order
	RemoteAssignor    string        // group.remote.assignor; empty leaves the choice to the coordinator
	InstanceID        string        // group.instance.id; empty for a dynamic member
	SessionTimeout    Tick          // session.timeout.ms (classic)
	HeartbeatInterval Tick          // heartbeat.interval.ms (classic)
	MaxPollInterval   Tick          // max.poll.interval.ms; Never: the client does not watch it
	RebalanceTimeout  Tick          // what it tells the coordinator: max.poll.interval.ms, franz-go and Sarama another one
	MaxPollRecords    int32         // max.poll.records; librdkafka and Sarama hand out one at a time, franz-go all it has
	AutoCommit        bool          // enable.auto.commit
	AutoCommitTicks   Tick          // auto.commit.interval.ms
	Covers            CommitCover   // what enable.auto.commit commits
	RebalancesBeside  bool          // ClientTraits.RebalancesBeside
	// PositionsUnchecked, ReadsOnBeforeRevoke and AsksToAssign are those of ClientTraits.
	PositionsUnchecked, ReadsOnBeforeRevoke, AsksToAssign bool
	// CommitsBesidePoll: Rules.CommitsBesidePoll, of a Java client with ConsumerProtocol.
	CommitsBesidePoll bool
	Rules             Rules

	Reset          OffsetReset // auto.offset.reset
	ResetTicks     Tick        // ResetByDuration: how far back
	MetadataMaxAge Tick        // metadata.max.age.ms: asked for again after so long, in a run in which a topic grows
	APITimeout     Tick        // default.api.timeout.ms: how long a synchronous commit is tried

	// What the application does.
	Work        Tick // on each record; 0: it is done at once
	Commit      CommitHabit
	AsyncCommit bool // it does not wait for the answer to its commit (commitAsync)
	// CallsBack: the application has a ConsumerRebalanceListener, so that a partition is taken from it inside of poll() only.
	CallsBack bool
	// CommitsOnRevoke: CallsBack only; it commits in the callback before a partition is taken from it (onPartitionsRevoked).
	CommitsOnRevoke bool
	// HandOff: a thread of its own does the work, with up to max.poll.records waiting for it, while poll() goes on.
	HandOff bool
	// DropsRevoked: HandOff only; of a partition that was taken away nothing more is begun, and nothing committed.
	DropsRevoked bool
	// SkipsFailed: when the work on a record fails it goes on with the next poll(), instead of going back to that record.
	SkipsFailed bool
	// BreaksOff: asked to close, it leaves what a poll has handed out and is not done.
	BreaksOff   bool
	RejoinTicks Tick // how long it waits before it starts anew after the consumer ended with an error; 0: it does not
}

// GroupConfig is what the group coordinators of a cluster run with.
type GroupConfig struct {
	InitialRebalanceDelay Tick     // group.initial.rebalance.delay.ms
	NewMemberJoin         Tick     // 5 min: how long a new member's JoinGroup may be parked; 0: for ever (GroupCoordinator.NewMemberJoinTimeoutMs)
	MinSessionTimeout     Tick     // group.min.session.timeout.ms
	MaxSessionTimeout     Tick     // group.max.session.timeout.ms
	ConsumerSession       Tick     // group.consumer.session.timeout.ms (KIP-848)
	ConsumerHeartbeat     Tick     // group.consumer.heartbeat.interval.ms (KIP-848)
	ConsumerAssignors     []string // group.consumer.assignors, the default first
	OffsetsRetention      Tick     // offsets.retention.minutes
	OffsetsRetentionCheck Tick     // offsets.retention.check.interval.ms
	CommitTimeout         Tick     // offsets.commit.timeout.ms
	Rules                 Rules
}
