package kafka

// brokerSettings are those of brokers, of the controller and of topics.
var brokerSettings = []Setting{
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
}
