package event

// clientRows are the rows of producers and readers.
var clientRows = [kindCount]Spec{
	RecordsSent: {
		Name: "RecordsSent", Fields: Node | Partition | Value | Records, Value: "key id, -1 for the null key",
		Sentence: "the application hands {records} ({key}) to {node}, which puts it in {partition}",
		Rule:     "The key's hash chooses the partition, so one key stays in one partition.",
		Source:   "partitioner; KafkaProducer.send, rd_kafka_produce",
	},
	SendBlocked: {
		Name: "SendBlocked", Fields: Node | Partition | Records, Mark: true,
		Sentence: "the application has to wait: {node} has no room for {records} of {partition}",
		Rule:     "What nobody was told of takes room; the Java client's send() waits for some, librdkafka's produce() fails at once.",
		Source:   "buffer.memory, max.block.ms, queue.buffering.max.messages; BufferPool.allocate, rd_kafka_msg_new0",
	},
	ProduceSent: {
		Name: "ProduceSent", Value: "attempt, from 1", // Prev: the correlation id, which batches of one request share
		Fields:   Node | Peer | Partition | Value | Prev | Producer | Sequence | Records | About,
		Sentence: "{node} sends {records} of {partition} to {peer}, attempt {value}",
		Rule:     "A batch goes to the leader that the producer believes in, when linger.ms has passed or it is full.",
		Source:   "linger.ms, batch.size; Sender",
	},
	ProduceRetryScheduled: {
		Name: "ProduceRetryScheduled", Mark: true, Value: "ticks until it may be sent again",
		Fields:   Node | Peer | Partition | Value | Records | Error | About,
		Sentence: "{node} has no answer it can use from {peer} for {records} of {partition} ({error}): it will send again",
		Rule:     "A retriable error or a closed connection puts the batch back at the front of its queue.",
		Source:   "retries, retry.backoff.ms; Sender.canRetry",
	},
	ProduceRequestTimedOut: {
		Name: "ProduceRequestTimedOut", Fields: Node | Peer | Count | About, Mark: true,
		Sentence: "{node} has waited for an answer of {peer} as long as it may and closes the connection ({count} request(s) unanswered)",
		Rule:     "No answer within request.timeout.ms (librdkafka: socket.timeout.ms) closes the connection; the broker may have stored the request.",
		Source:   "request.timeout.ms, socket.timeout.ms; NetworkClient.handleTimedOutRequests",
	},
	AnswerOutOfTurn: {
		Name: "AnswerOutOfTurn", Fields: Node | Peer | Count | About, Mark: true,
		Sentence: "{node} gets an answer of {peer} that is not the next one due, and closes the connection ({count} requests unanswered)",
		Rule:     "A broker answers the requests of a connection in their order: where an answer is missing, franz-go trusts none behind it.",
		Source:   "kgo errCorrelationIDMismatch",
	},
	RecordsAcknowledged: {
		Name: "RecordsAcknowledged", Value: "ticks since the application sent the first of them",
		Fields:   Node | Peer | Partition | Offset | Value | Records | About,
		Sentence: "{node} tells the application: {records} stored in {partition} at {offset}",
		Rule:     "The delivery report carries the offset that the last answer gave.",
		Source:   "KafkaProducer callback; rd_kafka delivery report",
	},
	RecordsFailed: {
		Name: "RecordsFailed", Fields: Node | Partition | Value | Records | Error | About, Mark: true,
		Value:    "1 when they may be stored all the same, 0 when no attempt can have stored them",
		Sentence: "{node} tells the application: {records} failed ({error}), {doubt}",
		Rule:     "After the last try the application hears of a failure; the record may be stored all the same.",
		Source:   "retries, delivery.timeout.ms",
	},
	RecordsUntracked: {
		Name: "RecordsUntracked", Fields: Node | Partition | Records,
		Sentence: "{node} forgets {records}: with acks=0 no answer will come",
		Rule:     "acks=0 reports success when the request has left.", Source: "acks",
	},
	ProducerIDAssigned: {
		Name: "ProducerIDAssigned", Fields: Node | Peer | Producer,
		Sentence: "{node} gets producer id {producer} from {peer}",
		Rule:     "An idempotent producer writes under an id and an epoch that a broker gave it.",
		Source:   "KIP-98 InitProducerId",
	},
	RecordsResent: {
		Name: "RecordsResent", Fields: Node | Partition | Records, Mark: true,
		Sentence: "the application hands {records} to {node} again, for {partition}",
		Rule:     "A record that the application sends again is a new record: it has a sequence of its own, and nobody can recognise it.",
		Source:   "KIP-98: no guarantee across sends of the application",
	},
	ProducerEpochBumped: {
		Name: "ProducerEpochBumped", Fields: Node | Partition | Producer, Mark: true,
		Sentence: "{node} raises the epoch of its producer id {producer} and numbers its batches of {partition} from 0 again",
		Rule:     "A sequence that can not be put right begins anew under the next producer epoch; a batch that was stored is not recognised then.",
		Source:   "KIP-360; TransactionManager.bumpIdempotentProducerEpoch, rd_kafka_idemp_drain_epoch_bump",
	},
	ProducerFailed: {
		Name: "ProducerFailed", Fields: Node | Error, Mark: true,
		Sentence: "{node} is in a fatal state after {error}: it takes no record any more",
		Rule:     "librdkafka ends an idempotent producer whose sequence has a gap that it can not explain.",
		Source:   "rd_kafka_idemp_set_fatal_error",
	},
	ProducerRestarted: {
		Name: "ProducerRestarted", Fields: Node, Mark: true,
		Sentence: "{node} starts anew: what waited in it is gone, and it will ask for another producer id",
		Rule:     "The producer id lives in the process; brokers can not recognise the batches of the one before.",
		Source:   "KIP-98; timeline restart",
	},
	LeaderLearned: {
		Name: "LeaderLearned", Fields: Node | Peer | Partition | Epoch,
		Sentence: "{node} learns that {peer} leads {partition} (leader epoch {epoch})",
		Rule:     "Clients learn of leaders from metadata, which they ask for when a leader is gone and then at intervals.",
		Source:   "metadata.max.age.ms, retry.backoff.ms; Metadata",
	},

	RecordsRead: {
		Name: "RecordsRead", Fields: Node | Peer | Partition | Offset | Records,
		Sentence: "{node} {reads} {records} from {partition} at {offset}",
		Rule:     "Reading changes nothing in the log; a reader sees offsets below the high watermark.",
		Source:   "FetchIsolation.HIGH_WATERMARK",
	},
	OffsetReset: {
		Name: "OffsetReset", Fields: Node | Peer | Partition | Offset | Prev, Mark: true,
		Sentence: "{node} stood at {prev} of {partition}, which {peer} does not have, and goes on from {offset}",
		Rule:     "A position outside of the log is answered OFFSET_OUT_OF_RANGE; the reader starts again from the log's start or end.",
		Source:   "auto.offset.reset; OffsetOutOfRangeException",
	},
}
