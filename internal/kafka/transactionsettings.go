package kafka

// transactionSettings are the settings of transactions: of their coordinators, of producers and of those who read.
var transactionSettings = []Setting{
	{
		Name: "transaction.max.timeout.ms", Scope: BrokerSetting, Unit: Millis, Min: 1, Default: "900000",
		Meaning: "The largest transaction.timeout.ms that a producer may ask for.",
		Source:  "TransactionStateManagerConfig; INVALID_TRANSACTION_TIMEOUT",
	},
	{
		Name: "transaction.abort.timed.out.transaction.cleanup.interval.ms", Scope: BrokerSetting, Unit: Millis, Min: 1,
		Default: "10000",
		Meaning: "How often a coordinator looks for transactions that are open for longer than their transaction.timeout.ms.",
		Source:  "TransactionStateManagerConfig",
	},
	{
		Name: "transaction.state.log.num.partitions", Scope: BrokerSetting, Unit: Count, Min: 1, Max: maxOffsetsPartitions,
		Default: "50",
		Meaning: "How many partitions __transaction_state has; a transactional.id is coordinated by the leader of one of them, " +
			"chosen by its hash.",
		Source: "TransactionLogConfig; TransactionStateManager.partitionFor",
	},
	{
		Name: "transaction.state.log.replication.factor", Scope: BrokerSetting, Unit: Count, Min: 1, Max: int64(MaxBrokerID),
		Default: "3",
		Meaning: "How many replicas a partition of __transaction_state has.",
		Source:  "TransactionLogConfig",
	},
	{
		Name: "transaction.state.log.min.isr", Scope: BrokerSetting, Unit: Count, Min: 1, Default: "2",
		Meaning: "min.insync.replicas of __transaction_state: below it no transaction begins or ends.",
		Source:  "TransactionLogConfig",
	},
	{
		Name: "transaction.timeout.ms", Scope: ProducerSetting, Unit: Millis, Min: 1, Default: "60000",
		Clients: []ClientDefault{{FranzGo, "40000"}},
		Meaning: "How long a transaction may be open, from its first partition on, before the coordinator aborts it.",
		Source:  "ProducerConfig; librdkafka CONFIGURATION.md; franz-go kgo.TransactionTimeout",
	},
	{
		Name: "isolation.level", Scope: ReaderSetting | ConsumerSetting, Unit: Choice, Default: "read_uncommitted",
		Choices: []string{"read_uncommitted", "read_committed"},
		Clients: []ClientDefault{{Librdkafka, "read_committed"}},
		Meaning: "Whether a client reads up to the high watermark, or up to the last stable offset and without what was aborted.",
		Source:  "ConsumerConfig, KIP-98; librdkafka CONFIGURATION.md (read_committed)",
	},
}
