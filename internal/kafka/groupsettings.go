package kafka

// withPollLimit are the clients whose consumers watch the time between two polls themselves.
var withPollLimit = []Client{Java28, Java30, Java32, Java40, Librdkafka, Librdkafka20}

// coordinatorSettings are the brokers' settings of consumer groups (GroupCoordinatorConfig).
var coordinatorSettings = []Setting{
	{
		Name: "group.initial.rebalance.delay.ms", Scope: BrokerSetting, Unit: Millis, Default: "3000",
		Meaning: "How long the coordinator of an empty classic group waits after the first member for others; each further " +
			"one prolongs it.",
		Source: "GroupCoordinatorConfig, KIP-134",
	},
	{
		Name: "group.min.session.timeout.ms", Scope: BrokerSetting, Unit: Millis, Default: "6000",
		Meaning: "The least session.timeout.ms that a classic member may ask for.",
		Source:  "GroupCoordinatorConfig; INVALID_SESSION_TIMEOUT",
	},
	{
		Name: "group.max.session.timeout.ms", Scope: BrokerSetting, Unit: Millis, Default: "1800000",
		Meaning: "The largest session.timeout.ms that a classic member may ask for.",
		Source:  "GroupCoordinatorConfig; INVALID_SESSION_TIMEOUT",
	},
	{
		Name: "group.consumer.session.timeout.ms", Scope: BrokerSetting, Unit: Millis, Min: 1, Default: "45000",
		Meaning: "How long the coordinator waits for a heartbeat of a member with group.protocol=consumer.",
		Source:  "GroupCoordinatorConfig, KIP-848",
	},
	{
		Name: "group.consumer.heartbeat.interval.ms", Scope: BrokerSetting, Unit: Millis, Min: 1, Default: "5000",
		Meaning: "How often a member with group.protocol=consumer sends a heartbeat; the coordinator tells it so.",
		Source:  "GroupCoordinatorConfig, KIP-848",
	},
	{
		Name: "group.consumer.assignors", Scope: BrokerSetting, Unit: Words, Choices: serverAssignors, Default: "uniform,range",
		Meaning: "The assignors that the coordinator has for groups with group.protocol=consumer; the first is the default.",
		Source:  "GroupCoordinatorConfig, KIP-848",
	},
	{
		Name: "offsets.retention.minutes", Scope: BrokerSetting, Unit: Minutes, Min: 1, Default: "10080",
		Meaning: "How long after a group became empty its committed offsets are kept; of a group with members, those of topics " +
			"that nobody subscribes to any more.",
		Source: "GroupCoordinatorConfig; KIP-186 (1440 before 2.0), KIP-211 (2.1)",
	},
	{
		Name: "offsets.retention.check.interval.ms", Scope: BrokerSetting, Unit: Millis, Min: 1, Default: "600000",
		Meaning: "How often the coordinator looks for offsets that have expired.",
		Source:  "GroupCoordinatorConfig",
	},
	{
		Name: "offsets.commit.timeout.ms", Scope: BrokerSetting, Unit: Millis, Min: 1, Default: "5000",
		Meaning: "How long a commit may wait for the replicas of __consumer_offsets; so may a rebalance.",
		Source:  "GroupCoordinatorConfig",
	},
	{
		Name: "offsets.topic.num.partitions", Scope: BrokerSetting, Unit: Count, Min: 1, Max: maxOffsetsPartitions, Default: "50",
		Meaning: "How many partitions __consumer_offsets has; a group is coordinated by the leader of one of them, chosen by the " +
			"hash of its group.id.",
		Source: "GroupCoordinatorConfig; GroupMetadataManager.partitionFor",
	},
	{
		Name: "offsets.topic.replication.factor", Scope: BrokerSetting, Unit: Count, Min: 1, Max: int64(MaxBrokerID), Default: "3",
		Meaning: "How many replicas the partitions of __consumer_offsets have; where there are fewer brokers, as many as those.",
		Source:  "GroupCoordinatorConfig",
	},
}

// maxOffsetsPartitions bounds the number of partitions of __consumer_offsets.
const maxOffsetsPartitions = 10_000

var (
	clientAssignors = []string{"range", "roundrobin", "sticky", "cooperative-sticky"}
	serverAssignors = []string{"uniform", "range"}
)

// consumerSettings are those of the members of consumer groups, beside those that they share with readers.
var consumerSettings = []Setting{
	{
		Name: "group.protocol", Scope: ConsumerSetting, Unit: Choice, Choices: []string{"classic", "consumer"}, Default: "classic",
		Only: []Client{Java40, Librdkafka},
		Meaning: "How the members share the partitions: classic, where one of them assigns and all wait for all; or consumer, " +
			"where the coordinator assigns and each member converges on its own.",
		Source: "ConsumerConfig, KIP-848; librdkafka CONFIGURATION.md",
	},
	{
		Name: "partition.assignment.strategy", Scope: ConsumerSetting, Unit: Words, Choices: clientAssignors,
		Default: "range,cooperative-sticky",
		Clients: []ClientDefault{{Java28, "range"}, {Librdkafka, "range,roundrobin"}, {FranzGo, "cooperative-sticky"}, {Sarama, "range"}},
		Meaning: "The assignors that a classic member offers, the most wanted first; the group takes one that all of them offer.",
		Source: "ConsumerConfig, KIP-429 ([range] before 3.0); librdkafka CONFIGURATION.md; franz-go kgo.Balancers; " +
			"Sarama Consumer.Group.Rebalance.GroupStrategies",
	},
	{
		Name: "group.remote.assignor", Scope: ConsumerSetting, Unit: Choice, Choices: serverAssignors, Default: NoValue,
		Only:    []Client{Java40, Librdkafka},
		Meaning: "The coordinator's assignor that a member with group.protocol=consumer wants; without it the coordinator chooses.",
		Source:  "ConsumerConfig, KIP-848; librdkafka CONFIGURATION.md",
	},
	{
		Name: "session.timeout.ms", Scope: ConsumerSetting, Unit: Millis, Min: 1, Default: "45000",
		Clients: []ClientDefault{{Java28, "10000"}, {Sarama, "10000"}},
		Meaning: "How long the coordinator waits for a heartbeat of a classic member before it removes it.",
		Source: "ConsumerConfig, KIP-735 (10000 before 3.0); librdkafka CONFIGURATION.md; franz-go kgo.SessionTimeout; " +
			"Sarama Consumer.Group.Session.Timeout",
	},
	{
		Name: "heartbeat.interval.ms", Scope: ConsumerSetting, Unit: Millis, Min: 1, Default: "3000",
		Meaning: "How often a classic member sends a heartbeat.",
		Source:  "ConsumerConfig; librdkafka CONFIGURATION.md; franz-go kgo.HeartbeatInterval",
	},
	{
		Name: "max.poll.interval.ms", Scope: ConsumerSetting, Unit: Millis, Min: 1, Default: "300000", Only: withPollLimit,
		Meaning: "How long an application may take from one poll() to the next before its client leaves the group; also how long " +
			"a rebalance waits for the member.",
		Source: "ConsumerConfig, KIP-62; librdkafka CONFIGURATION.md",
	},
	{
		Name: "rebalance.timeout.ms", Scope: ConsumerSetting, Unit: Millis, Min: 1, Default: "60000", Only: []Client{FranzGo, Sarama},
		Meaning: "How long a rebalance waits for the member, of the clients that do not watch the time between polls.",
		Source:  "franz-go kgo.RebalanceTimeout; Sarama Consumer.Group.Rebalance.Timeout",
	},
	{
		Name: "max.poll.records", Scope: ConsumerSetting, Unit: Count, Min: 1, Default: "500",
		Only: []Client{Java28, Java30, Java32, Java40},
		Meaning: "How many records a poll() hands out at most; it does not change what is fetched. " +
			"librdkafka and Sarama hand out one at a time, franz-go all that it has.",
		Source: "ConsumerConfig, KIP-41",
	},
	{
		Name: "enable.auto.commit", Scope: ConsumerSetting, Unit: Boolean, Default: "true",
		Meaning: "Commit from time to time: the Java client, inside of poll(), what the application got by earlier polls; the others by " +
			"a timer, franz-go what the polls before the latest gave, Sarama what is marked as done, librdkafka see enable.auto.offset.store.",
		Source: "ConsumerConfig, ConsumerCoordinator.maybeAutoCommitOffsetsAsync; librdkafka CONFIGURATION.md; franz-go kgo.AutoCommitMarks; " +
			"Sarama MarkMessage",
	},
	{
		Name: "enable.auto.offset.store", Scope: ConsumerSetting, Unit: Boolean, Default: "true",
		Only: []Client{Librdkafka, Librdkafka20},
		Meaning: "enable.auto.commit covers a record from the moment at which the application gets it; if not, from when the " +
			"application says that it is done.",
		Source: "librdkafka CONFIGURATION.md, rd_kafka_offset_store",
	},
	{
		Name: "auto.commit.interval.ms", Scope: ConsumerSetting, Unit: Millis, Default: "5000",
		Clients: []ClientDefault{{Sarama, "1000"}},
		Meaning: "How often enable.auto.commit commits.",
		Source: "ConsumerConfig; librdkafka CONFIGURATION.md; franz-go kgo.AutoCommitInterval; " +
			"Sarama Consumer.Offsets.AutoCommit.Interval",
	},
	{
		Name: "auto.offset.reset", Scope: ConsumerSetting, Unit: Choice, Choices: offsetResets, Default: "latest",
		Clients: []ClientDefault{{FranzGo, "earliest"}},
		Meaning: "Where to begin without a committed offset, and after a position that the log does not have; none ends the " +
			"consumer. by_duration takes how far back, as by_duration:PT1H.",
		Source: "ConsumerConfig, KIP-1106 (by_duration, 4.0); librdkafka CONFIGURATION.md; franz-go kgo.ConsumeResetOffset",
	},
	{
		Name: "default.api.timeout.ms", Scope: ConsumerSetting, Unit: Millis, Min: 1, Default: "60000",
		Only:    []Client{Java28, Java30, Java32, Java40},
		Meaning: "How long a synchronous commit is tried.",
		Source:  "ConsumerConfig, KIP-266",
	},
}

// offsetResets are the values of auto.offset.reset, in the order of OffsetReset.
var offsetResets = []string{"latest", "earliest", "none", "by_duration"}
