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
	MaxBlock            Tick  // max.block.ms: how long a call waits for room; 0 fails at once
	Partitioner         Partitioner
	RoundRobin          bool // partitioner.class=RoundRobinPartitioner: each record to the next partition, whatever its key
	StickyTicks         Tick // sticky.partitioning.linger.ms: StickyForTime only
	// Resends is the application's own habit: it hands every record over again that was reported failed, and after a
	// restart every record of which it has no report.
	Resends bool
	// RetryAtTakeover is the lesson's retry: once, when the client learns of a new leader; errors wait for it too.
	RetryAtTakeover bool
}

// ReaderConfig is what an in-memory reader runs with.
type ReaderConfig struct {
	FetchWait     Tick // fetch.max.wait.ms
	AnswerTimeout Tick // request.timeout.ms, librdkafka's socket.timeout.ms
	RetryBackoff  Tick // retry.backoff.ms
	MetadataRetry Tick // how often to ask for metadata while a leader is missing
	// IdlePolling sends every empty long poll for real.
	IdlePolling bool
}
