package kafka

import "slices"

// Scope says whose configuration a setting belongs to; several may be joined.
type Scope uint8

// The scopes of Kafka's settings.
const (
	BrokerSetting Scope = 1 << iota
	ControllerSetting
	TopicSetting
	ProducerSetting
	ReaderSetting   // an in-memory reader
	ConsumerSetting // a member of a consumer group
)

// Unit says how the value of a setting is written and what it counts.
type Unit uint8

// The units of Kafka's settings.
const (
	Millis  Unit = iota // a whole number of milliseconds
	Seconds             // a whole number of seconds
	Minutes             // a whole number of minutes
	Bytes               // a whole number of bytes
	Count               // a whole number
	Boolean             // true or false
	Choice              // one of Setting.Choices
	Words               // a list of some of Setting.Choices, in an order that counts
	Ratio               // a share from 0 to 1, kept in millionths
)

var unitNames = [...]string{"a number of milliseconds", "a number of seconds", "a number of minutes", "a number of bytes", "a whole number", "true or false", "a word", "a list of words",
	"a number from 0 to 1"}

// Millis is how many milliseconds one of a unit of time is, 0 for the other units.
func (u Unit) Millis() int64 {
	switch u {
	case Millis:
		return 1
	case Seconds:
		return 1000
	case Minutes:
		return 60_000
	}
	return 0
}

// String says how a value of this unit is written.
func (u Unit) String() string { return unitNames[u] }

// NoLimit is the default of a limit in milliseconds that a client does not have.
const NoLimit = "none"

// NoValue is the default of a setting that is not set (null).
const NoValue = ""

// The largest values of settings that Kafka keeps in 64 bits, as far as they stay whole numbers of ticks.
const (
	maxMillis = 1 << 43
	maxBytes  = 1 << 50
)

// Setting is one row of the catalogue: a configuration that replog understands, under Kafka's own name.
type Setting struct {
	Name    string
	Scope   Scope
	Unit    Unit
	Choices []string // Choice and Words only
	Min     int64    // of Millis, Bytes and Count
	Max     int64    // 0: the largest value of the unit
	Default string   // Kafka's (4.0), as one writes it
	// Clients are the defaults of the clients that differ from Default.
	Clients []ClientDefault
	// Librdkafka are the other names under which librdkafka takes the setting.
	Librdkafka []string
	// Only are the clients that have the setting; nil means all.
	Only    []Client
	Meaning string // one sentence
	Source  string // where the default and the behaviour come from
}

// ClientDefault is a client's own default of a setting.
type ClientDefault struct {
	Client Client
	Value  string
}

// DefaultFor is the default that a client has for the setting.
func (s *Setting) DefaultFor(client Client) string {
	if client == Librdkafka20 { // the versions differ in what they have, not in its defaults
		client = Librdkafka
	}
	for _, d := range s.Clients {
		if d.Client == client {
			return d.Value
		}
	}
	return s.Default
}

// KnownTo reports whether the client has the setting.
func (s *Setting) KnownTo(client Client) bool {
	for _, c := range s.Only {
		if c == client {
			return true
		}
	}
	return s.Only == nil
}

// NamesFor lists the names under which the client takes the setting.
func (s *Setting) NamesFor(client Client) []string {
	if !client.IsLibrdkafka() {
		return []string{s.Name}
	}
	return append([]string{s.Name}, s.Librdkafka...)
}

// Settings is the catalogue, by scope and in the order in which a reader should meet them. The caller must not change it.
func Settings() []Setting { return settings }

var settings = slices.Concat(commonSettings, coordinatorSettings, consumerSettings, transactionSettings)

var commonSettings = []Setting{
	{
		Name: "broker.heartbeat.interval.ms", Scope: BrokerSetting, Unit: Millis, Min: 1, Default: "2000",
		Meaning: "How often a broker tells the controller that it is alive.",
		Source:  "KIP-631, KRaftConfigs",
	},
	{
		Name: "broker.session.timeout.ms", Scope: ControllerSetting, Unit: Millis, Min: 1, Default: "9000",
		Meaning: "How long the controller waits for a broker's heartbeat before it fences the broker; it looks every " +
			"eighth of that.",
		Source: "KIP-631, KRaftConfigs; KAFKA-17793 for the period of the look",
	},
	{
		Name: "replica.lag.time.max.ms", Scope: BrokerSetting, Unit: Millis, Min: 1, Default: "30000",
		Meaning: "How long a follower may be behind the leader's log before the leader takes it out of the ISR.",
		Source:  "ReplicationConfigs; 10000 before 2.5 (KIP-537)",
	},
	{
		Name: "replica.fetch.wait.max.ms", Scope: BrokerSetting, Unit: Millis, Default: "500",
		Meaning: "How long a leader may park a follower's fetch while there is nothing to send.",
		Source:  "ReplicationConfigs",
	},
	{
		Name: "replica.fetch.backoff.ms", Scope: BrokerSetting, Unit: Millis, Default: "1000",
		Meaning: "How long a follower waits after a failed fetch.",
		Source:  "ReplicationConfigs",
	},
	{
		Name: "replica.socket.timeout.ms", Scope: BrokerSetting, Unit: Millis, Min: 1, Default: "30000",
		Meaning: "How long a follower waits for the answer to a fetch before it closes the connection and fetches anew.",
		Source:  "ReplicationConfigs",
	},
	{
		Name: "replica.fetch.max.bytes", Scope: BrokerSetting, Unit: Bytes, Min: 1, Default: "1048576",
		Meaning: "How many bytes of one partition a follower's fetch may bring; the first batch always fits.",
		Source:  "ReplicationConfigs",
	},
	{
		Name: "replica.high.watermark.checkpoint.interval.ms", Scope: BrokerSetting, Unit: Millis, Min: 1, Default: "5000",
		Meaning: "How often a broker writes its high watermarks to disk; after a restart it begins from those.",
		Source:  "ReplicationConfigs",
	},
	{
		Name: "log.dir.failure.timeout.ms", Scope: BrokerSetting, Unit: Millis, Min: 1, Default: "30000",
		Meaning: "How long a broker may fail to tell the controller of a log directory that has failed, before it stops.",
		Source:  "ServerLogConfigs (3.8), KIP-858",
	},
	{
		Name: "min.insync.replicas", Scope: TopicSetting | BrokerSetting, Unit: Count, Min: 1, Default: "1",
		Meaning: "How many replicas must be in sync for a write with acks=all to be taken; at most the replication factor " +
			"counts.",
		Source: "TopicConfig; KAFKA-15583 for the limit (3.7)",
	},
	{
		Name: "unclean.leader.election.enable", Scope: TopicSetting | BrokerSetting, Unit: Boolean, Default: "false",
		Meaning: "Let a replica outside of the ISR lead when no member of it is alive: the partition is back, and what only " +
			"the ISR had is gone.",
		Source: "TopicConfig, KIP-106 (false since 0.11)",
	},
	{
		Name: "unclean.leader.election.interval.ms", Scope: ControllerSetting, Unit: Millis, Min: 1, Default: "300000",
		Meaning: "How often the controller looks for partitions without a leader whose topic allows an unclean election.",
		Source:  "ReplicationConfigs (4.0)",
	},
	{
		Name: "auto.leader.rebalance.enable", Scope: ControllerSetting, Unit: Boolean, Default: "true",
		Meaning: "Give the leadership back to the first replica of the assignment, now and then, when it is in the ISR.",
		Source:  "ReplicationConfigs",
	},
	{
		Name: "leader.imbalance.check.interval.seconds", Scope: ControllerSetting, Unit: Seconds, Min: 1, Default: "300",
		Meaning: "How often the controller looks for partitions that the first replica of their assignment does not lead.",
		Source:  "ReplicationConfigs; ReplicationControlManager.maybeBalancePartitionLeaders",
	},
	{
		Name: "segment.bytes", Scope: TopicSetting, Unit: Bytes, Min: 1 << 20, Default: "1073741824",
		Meaning: "How large a segment of a partition's log may become; the next batch that does not fit begins a new one.",
		Source:  "TopicConfig, LogSegment.shouldRoll; KIP-1030 raised the least from 14 bytes to 1 MB (4.0)",
	},
	{
		Name: "segment.ms", Scope: TopicSetting, Unit: Millis, Min: 1, Max: maxMillis, Default: "604800000",
		Meaning: "How much younger than a segment's first record a batch may be and still go into it. An idle partition " +
			"rolls nothing.",
		Source: "TopicConfig, LogSegment.shouldRoll",
	},
	{
		Name: "segment.index.bytes", Scope: TopicSetting, Unit: Bytes, Min: 24, Default: "10485760",
		Meaning: "How large the indexes of a segment may become; a full one begins a new segment.",
		Source:  "TopicConfig; 8 bytes an entry of the offset index, 12 of the time index",
	},
	{
		Name: "index.interval.bytes", Scope: TopicSetting, Unit: Bytes, Default: "4096",
		Meaning: "How many bytes of a segment lie between two entries of its indexes.",
		Source:  "TopicConfig, LogSegment.append",
	},
	{
		Name: "retention.ms", Scope: TopicSetting, Unit: Millis, Min: -1, Max: maxMillis, Default: "604800000",
		Meaning: "How old a segment's newest record must be before the segment is deleted as a whole; -1 keeps it for ever.",
		Source:  "TopicConfig, UnifiedLog.deleteRetentionMsBreachedSegments",
	},
	{
		Name: "retention.bytes", Scope: TopicSetting, Unit: Bytes, Min: -1, Max: maxBytes, Default: "-1",
		Meaning: "How many bytes of a partition are left at least when old segments are deleted; -1 for no limit. It is for " +
			"each partition, not for the topic.",
		Source: "TopicConfig, UnifiedLog.deleteRetentionSizeBreachedSegments",
	},
	{
		Name: "message.timestamp.type", Scope: TopicSetting, Unit: Choice, Choices: []string{"CreateTime", "LogAppendTime"}, Default: "CreateTime",
		Meaning: "Whose clock dates a record, by which segments roll and go: its application's when it was sent, or the leader's when " +
			"it is appended.",
		Source: "TopicConfig, KIP-32; LogValidator",
	},
	{
		Name: "cleanup.policy", Scope: TopicSetting, Unit: Choice, Choices: CleanupPolicies(), Default: "delete",
		Meaning: "What becomes of old segments: they are deleted (delete), or written anew with the last record of each key " +
			"(compact), or both.",
		Source: "TopicConfig",
	},
	{
		Name: "min.cleanable.dirty.ratio", Scope: TopicSetting, Unit: Ratio, Default: "0.5",
		Meaning: "How much of a compacted log must be dirty before it is cleaned: more than this share of its clean and dirty bytes.",
		Source:  "TopicConfig, LogCleanerManager.grabFilthiestCompactedLog",
	},
	{
		Name: "min.compaction.lag.ms", Scope: TopicSetting, Unit: Millis, Max: maxMillis, Default: "0",
		Meaning: "How old the newest record of a segment must be before the cleaner may touch the segment.",
		Source:  "TopicConfig, KIP-58; LogCleanerManager.cleanableOffsets",
	},
	{
		Name: "max.compaction.lag.ms", Scope: TopicSetting, Unit: Millis, Min: 1, Max: maxMillis, Default: NoLimit,
		Meaning: "After how long a record in the dirty part must be cleaned, whatever the dirty ratio.",
		Source:  "TopicConfig, KIP-354; LogCleanerManager.maxCompactionDelay",
	},
	{
		Name: "delete.retention.ms", Scope: TopicSetting, Unit: Millis, Max: maxMillis, Default: "86400000",
		Meaning: "How long a tombstone stays after the first pass of the cleaner that covers it.",
		Source:  "TopicConfig, KIP-534",
	},
	{
		Name: "log.segment.bytes", Scope: BrokerSetting, Unit: Bytes, Min: 1 << 20, Default: "1073741824",
		Meaning: "segment.bytes of the topics that do not set it.",
		Source:  "ServerTopicConfigSynonyms",
	},
	{
		Name: "log.roll.ms", Scope: BrokerSetting, Unit: Millis, Min: 1, Max: maxMillis, Default: "604800000",
		Meaning: "segment.ms of the topics that do not set it.",
		Source:  "ServerTopicConfigSynonyms; log.roll.hours 168",
	},
	{
		Name: "log.retention.ms", Scope: BrokerSetting, Unit: Millis, Min: -1, Max: maxMillis, Default: "604800000",
		Meaning: "retention.ms of the topics that do not set it.",
		Source:  "ServerTopicConfigSynonyms; log.retention.hours 168",
	},
	{
		Name: "log.retention.bytes", Scope: BrokerSetting, Unit: Bytes, Min: -1, Max: maxBytes, Default: "-1",
		Meaning: "retention.bytes of the topics that do not set it.",
		Source:  "ServerTopicConfigSynonyms",
	},
	{
		Name: "log.retention.check.interval.ms", Scope: BrokerSetting, Unit: Millis, Min: 1, Default: "300000",
		Meaning: "How often a broker looks for segments to delete.",
		Source:  "LogManager.cleanupLogs",
	},
	{
		Name: "log.initial.task.delay.ms", Scope: BrokerSetting, Unit: Millis, Default: "30000",
		Meaning: "How long after its start a broker looks for segments to delete for the first time.",
		Source:  "KIP-923, LogManager.startupWithConfigOverrides",
	},
	{
		Name: "log.cleanup.policy", Scope: BrokerSetting, Unit: Choice, Choices: CleanupPolicies(), Default: "delete",
		Meaning: "cleanup.policy of the topics that do not set it.",
		Source:  "ServerTopicConfigSynonyms",
	},
	{
		Name: "log.cleaner.min.cleanable.ratio", Scope: BrokerSetting, Unit: Ratio, Default: "0.5",
		Meaning: "min.cleanable.dirty.ratio of the topics that do not set it.",
		Source:  "ServerTopicConfigSynonyms",
	},
	{
		Name: "log.cleaner.delete.retention.ms", Scope: BrokerSetting, Unit: Millis, Max: maxMillis, Default: "86400000",
		Meaning: "delete.retention.ms of the topics that do not set it.",
		Source:  "ServerTopicConfigSynonyms",
	},
	{
		Name: "log.cleaner.backoff.ms", Scope: BrokerSetting, Unit: Millis, Min: 1, Default: "15000",
		Meaning: "How long the cleaner waits when no compacted log is dirty enough.",
		Source:  "CleanerConfig, LogCleaner.CleanerThread",
	},
	{
		Name: "acks", Scope: ProducerSetting, Unit: Choice, Choices: []string{"all", "-1", "1", "0"}, Default: "all",
		Clients:    []ClientDefault{{Java28, "1"}, {Sarama, "1"}},
		Librdkafka: []string{"request.required.acks"},
		Meaning: "Who must have a record before the leader acknowledges it: every in-sync replica (all), the leader alone " +
			"(1), or nobody (0: there is no answer at all).",
		Source: "ProducerConfig, KIP-679 (all since 3.0); librdkafka CONFIGURATION.md",
	},
	{
		Name: "enable.idempotence", Scope: ProducerSetting, Unit: Boolean, Default: "true",
		Clients: []ClientDefault{{Java28, "false"}, {Java30, "false"}, {Librdkafka, "false"}, {Sarama, "false"}},
		Meaning: "Number the batches, so that a leader recognises a retry of what it already holds.",
		Source: "KIP-98; KIP-679 switched it on in Java 3.0, where it had no effect before 3.0.1 and 3.1.1 (KAFKA-13598); " +
			"librdkafka CONFIGURATION.md",
	},
	{
		Name: "retries", Scope: ProducerSetting, Unit: Count, Default: "2147483647",
		Clients:    []ClientDefault{{Sarama, "3"}},
		Librdkafka: []string{"message.send.max.retries"},
		Meaning:    "How often the producer sends a batch again that failed or was not answered.",
		Source:     "ProducerConfig (0 before 2.1); librdkafka CONFIGURATION.md",
	},
	{
		Name: "retry.backoff.ms", Scope: ProducerSetting | ReaderSetting | ConsumerSetting, Unit: Millis, Default: "100",
		Clients: []ClientDefault{{FranzGo, "250"}},
		Meaning: "How long a client waits before it tries again.",
		Source:  "CommonClientConfigs; librdkafka CONFIGURATION.md; franz-go kgo.RetryBackoffFn",
	},
	{
		Name: "retry.backoff.max.ms", Scope: ProducerSetting, Unit: Millis, Min: 1, Default: "1000",
		Clients: []ClientDefault{{FranzGo, "5000"}},
		Only:    []Client{Java40, Librdkafka, FranzGo},
		Meaning: "Up to where the wait doubles from try to try; clients without it wait retry.backoff.ms each time.",
		Source:  "CommonClientConfigs, KIP-580 (Java 3.7); librdkafka CONFIGURATION.md (not in 2.0); franz-go kgo.RetryBackoffFn",
	},
	{
		Name: "reconnect.backoff.ms", Scope: ProducerSetting, Unit: Millis, Default: "50",
		Clients: []ClientDefault{{Librdkafka, "100"}, {FranzGo, "0"}, {Sarama, "0"}},
		Meaning: "How long a client waits before it opens a connection anew that broke or was refused; doubled each time.",
		Source:  "CommonClientConfigs; librdkafka CONFIGURATION.md",
	},
	{
		Name: "reconnect.backoff.max.ms", Scope: ProducerSetting, Unit: Millis, Default: "1000",
		Clients: []ClientDefault{{Librdkafka, "10000"}, {FranzGo, "0"}, {Sarama, "0"}},
		Meaning: "Up to where that wait doubles. librdkafka goes on doubling until a connection has lasted as long.",
		Source:  "CommonClientConfigs; librdkafka CONFIGURATION.md, rd_kafka_broker_update_reconnect_backoff",
	},
	{
		Name: "request.timeout.ms", Scope: ProducerSetting, Unit: Millis, Min: 1, Default: "30000",
		Clients: []ClientDefault{{FranzGo, "10000"}, {Sarama, "10000"}},
		Meaning: "How long the leader may wait for its replicas, and the Java producer for an answer; franz-go waits 10 s " +
			"longer, librdkafka socket.timeout.ms.",
		Source: "ProducerConfig; librdkafka CONFIGURATION.md (enforced by the broker only); franz-go kgo.ProduceRequestTimeout",
	},
	{
		Name: "socket.timeout.ms", Scope: ProducerSetting, Unit: Millis, Min: 10, Default: "60000",
		Only:    []Client{Librdkafka, Librdkafka20},
		Meaning: "How long librdkafka waits for an answer before it closes the connection; less where message.timeout.ms ends.",
		Source:  "librdkafka CONFIGURATION.md, rd_kafka_ProduceRequest",
	},
	{
		Name: "delivery.timeout.ms", Scope: ProducerSetting, Unit: Millis, Min: 1, Default: "120000",
		Clients:    []ClientDefault{{Librdkafka, "300000"}, {FranzGo, NoLimit}, {Sarama, NoLimit}},
		Librdkafka: []string{"message.timeout.ms"},
		Meaning:    "How long after the send the producer gives a record up, however many retries are left.",
		Source:     "ProducerConfig, KIP-91; librdkafka CONFIGURATION.md",
	},
	{
		Name: "max.in.flight.requests.per.connection", Scope: ProducerSetting, Unit: Count, Min: 1, Default: "5",
		Clients:    []ClientDefault{{Librdkafka, "1000000"}},
		Librdkafka: []string{"max.in.flight"},
		Meaning:    "How many requests may wait for their answers on one connection; at most 5 with idempotence.",
		Source:     "ProducerConfig; librdkafka CONFIGURATION.md; franz-go kgo.MaxProduceRequestsInflightPerBroker",
	},
	{
		Name: "linger.ms", Scope: ProducerSetting, Unit: Millis, Default: "5",
		Clients:    []ClientDefault{{Java28, "0"}, {Java30, "0"}, {Java32, "0"}, {FranzGo, "10"}, {Sarama, "0"}},
		Librdkafka: []string{"queue.buffering.max.ms"},
		Meaning:    "How long the producer waits for more records to fill a batch.",
		Source:     "ProducerConfig, KIP-1030 (0 before 4.0); librdkafka CONFIGURATION.md; franz-go 1.22.3",
	},
	{
		Name: "batch.size", Scope: ProducerSetting, Unit: Bytes, Default: "16384",
		Clients: []ClientDefault{{Librdkafka, "1000000"}, {FranzGo, "1000012"}, {Sarama, "1000000"}},
		Meaning: "How many bytes a batch may have.",
		Source:  "ProducerConfig; librdkafka CONFIGURATION.md; franz-go kgo.ProducerBatchMaxBytes",
	},
	{
		Name: "batch.num.messages", Scope: ProducerSetting, Unit: Count, Min: 1, Default: "10000",
		Only:    []Client{Librdkafka, Librdkafka20},
		Meaning: "How many records a batch may have.",
		Source:  "librdkafka CONFIGURATION.md",
	},
	{
		Name: "metadata.max.age.ms", Scope: ProducerSetting | ConsumerSetting, Unit: Millis, Min: 1, Default: "300000",
		Clients:    []ClientDefault{{Sarama, "600000"}},
		Librdkafka: []string{"topic.metadata.refresh.interval.ms"},
		Meaning:    "How long a client goes by what it knows of a topic, such as the number of its partitions, before it asks again.",
		Source:     "ProducerConfig, ConsumerConfig; librdkafka CONFIGURATION.md; kgo.MetadataMaxAge; Sarama Metadata.RefreshFrequency",
	},
	{
		Name: "compression.type", Scope: ProducerSetting, Unit: Choice, Choices: []string{"none", "gzip", "snappy", "lz4", "zstd"}, Default: "none",
		Clients:    []ClientDefault{{FranzGo, "snappy"}},
		Librdkafka: []string{"compression.codec"},
		Meaning:    "Whether batches are compressed. The model has no codec: compression.ratio and compression.cost of the producer say what it does.",
		Source:     "ProducerConfig; librdkafka CONFIGURATION.md; kgo.ProducerBatchCompression",
	},
	{
		Name: "queue.buffering.max.messages", Scope: ProducerSetting, Unit: Count, Min: 1, Default: "100000",
		Only:    []Client{Librdkafka, Librdkafka20},
		Meaning: "How many records that were not reported yet the producer holds; for one more produce() fails at once with _QUEUE_FULL.",
		Source:  "librdkafka CONFIGURATION.md; rd_kafka_msg_new0",
	},
	{
		Name: "buffer.memory", Scope: ProducerSetting, Unit: Bytes, Min: 1, Max: maxBytes, Default: "33554432",
		Only:    []Client{Java28, Java30, Java32, Java40},
		Meaning: "How many bytes of records that were not reported yet the producer holds; then send() waits for room.",
		Source:  "ProducerConfig, BufferPool",
	},
	{
		Name: "max.block.ms", Scope: ProducerSetting, Unit: Millis, Default: "60000",
		Only:    []Client{Java28, Java30, Java32, Java40},
		Meaning: "How long send() waits for room in buffer.memory before the application is told of a failure.",
		Source:  "ProducerConfig, BufferPool.allocate",
	},
	{
		Name: "partitioner", Scope: ProducerSetting, Unit: Choice, Choices: PartitionerNames(), Default: "consistent_random",
		Only:    []Client{Librdkafka, Librdkafka20},
		Meaning: "How the key of a record chooses its partition.",
		Source:  "librdkafka CONFIGURATION.md and tests/0048-partitioner.c",
	},
	{
		Name: "partitioner.class", Scope: ProducerSetting, Unit: Choice, Choices: []string{"default", "RoundRobinPartitioner"}, Default: "default",
		Only:    []Client{Java28, Java30, Java32, Java40},
		Meaning: "default: by the key, or sticky where there is none; RoundRobinPartitioner: each record to the next partition, whatever its key.",
		Source:  "ProducerConfig, RoundRobinPartitioner",
	},
	{
		Name: "partitioner.adaptive.partitioning.enable", Scope: ProducerSetting, Unit: Boolean, Default: "true",
		Only:    []Client{Java40},
		Meaning: "Draw the partition of records without a key the less often the more batches wait for it, so that a slow broker gets less.",
		Source:  "ProducerConfig, KIP-794 (3.3); BuiltInPartitioner.updatePartitionLoadStats",
	},
	{
		Name: "sticky.partitioning.linger.ms", Scope: ProducerSetting, Unit: Millis, Default: "10",
		Only:    []Client{Librdkafka, Librdkafka20},
		Meaning: "How long records whose keys decide nothing go to the same partition; 0 draws one for each.",
		Source:  "librdkafka CONFIGURATION.md; KIP-480 and KIP-794 for the Java client, which has no such setting",
	},
	{
		Name: "request.timeout.ms", Scope: ReaderSetting | ConsumerSetting, Unit: Millis, Min: 1, Default: "30000",
		Only:    []Client{Java28, Java30, Java32, Java40, FranzGo, Sarama},
		Meaning: "How long a reader waits for the answer to a fetch before it closes the connection and fetches anew.",
		Source:  "ConsumerConfig",
	},
	{
		Name: "socket.timeout.ms", Scope: ReaderSetting | ConsumerSetting, Unit: Millis, Min: 10, Default: "60000",
		Only:    []Client{Librdkafka, Librdkafka20},
		Meaning: "How long librdkafka waits for the answer to a fetch before it closes the connection and fetches anew.",
		Source:  "librdkafka CONFIGURATION.md",
	},
	{
		Name: "fetch.max.wait.ms", Scope: ReaderSetting | ConsumerSetting, Unit: Millis, Default: "500",
		Clients:    []ClientDefault{{FranzGo, "5000"}},
		Librdkafka: []string{"fetch.wait.max.ms"},
		Meaning:    "How long a leader may park a reader's fetch while there is nothing to send.",
		Source:     "ConsumerConfig; librdkafka CONFIGURATION.md",
	},
}
