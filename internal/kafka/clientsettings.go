package kafka

// clientSettings are those of producers and readers.
var clientSettings = []Setting{
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
		Name: "retry.backoff.ms", Scope: ProducerSetting, Unit: Millis, Default: "100",
		Clients: []ClientDefault{{FranzGo, "250"}},
		Meaning: "How long a producer waits before it tries again.",
		Source:  "CommonClientConfigs; librdkafka CONFIGURATION.md; franz-go kgo.RetryBackoffFn; Sarama Producer.Retry.Backoff",
	},
	{
		Name: "retry.backoff.ms", Scope: ReaderSetting | ConsumerSetting, Unit: Millis, Default: "100",
		Clients: []ClientDefault{{FranzGo, "250"}, {Sarama, "2000"}},
		Meaning: "How long a consumer waits before it tries again, and from one question for metadata to the next at least.",
		Source: "CommonClientConfigs; librdkafka CONFIGURATION.md; franz-go kgo.RetryBackoffFn; Sarama Consumer.Retry.Backoff, " +
			"Consumer.Group.Rebalance.Retry.Backoff",
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
		Clients:    []ClientDefault{{Librdkafka, "1000000"}, {FranzGo, "1"}},
		Librdkafka: []string{"max.in.flight"},
		Meaning: "How many requests may wait for their answers on one connection. With idempotence at most 5; Sarama bears 1 " +
			"alone, and franz-go has 4, whatever is set.",
		Source: "ProducerConfig; librdkafka CONFIGURATION.md; franz-go kgo.MaxProduceRequestsInflightPerBroker",
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
		Clients: []ClientDefault{{Librdkafka, "1000000"}, {FranzGo, "1000012"}, {Sarama, "1048576"}},
		Meaning: "How many bytes a batch may have.",
		Source:  "ProducerConfig; librdkafka CONFIGURATION.md; franz-go kgo.ProducerBatchMaxBytes; Sarama Producer.MaxMessageBytes",
	},
	{
		Name: "batch.num.messages", Scope: ProducerSetting, Unit: Count, Min: 1, Default: "10000",
		Only:    []Client{Librdkafka, Librdkafka20},
		Meaning: "How many records a batch may have.",
		Source:  "librdkafka CONFIGURATION.md",
	},
	{
		Name: "metadata.max.age.ms", Scope: ProducerSetting | ConsumerSetting, Unit: Millis, Min: 1, Default: "300000",
		Clients: []ClientDefault{{Sarama, "600000"}},
		Only:    []Client{Java28, Java30, Java32, Java40, FranzGo, Sarama},
		Meaning: "How long a client goes by what it knows of a topic, such as the number of its partitions, before it asks again.",
		Source:  "ProducerConfig, ConsumerConfig; kgo.MetadataMaxAge; Sarama Metadata.RefreshFrequency",
	},
	{
		Name: "topic.metadata.refresh.interval.ms", Scope: ProducerSetting | ConsumerSetting, Unit: Millis, Min: 1, Default: "300000",
		Only:    []Client{Librdkafka, Librdkafka20},
		Meaning: "How long librdkafka goes by what it knows of a topic before it asks again; its metadata.max.age.ms is something else.",
		Source:  "librdkafka CONFIGURATION.md",
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
		Clients: []ClientDefault{{FranzGo, "15000"}},
		Only:    []Client{Java28, Java30, Java32, Java40, FranzGo, Sarama},
		Meaning: "How long a reader waits for the answer to a fetch before it closes the connection and fetches anew.",
		Source:  "ConsumerConfig; franz-go kgo.RequestTimeoutOverhead beyond kgo.FetchMaxWait; Sarama Net.ReadTimeout",
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
