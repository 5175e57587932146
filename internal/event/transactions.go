package event

import "replog/internal/kafka"

// Transaction reads Value as a transactional id.
func (e *Event) Transaction() kafka.TransactionalID { return kafka.TransactionalID(e.Value) }

// outcomes are the words for what becomes of a transaction, by Prev or Value.
var outcomes = [...]string{"abort", "commit"}

// transactionRows are the rows of transactions: their coordinators, the partitions they lie in, producers and readers.
var transactionRows = [kindCount]Spec{
	TransactionsLoaded: {
		Name: "TransactionsLoaded", Fields: Node | Partition | Count | Value, Mark: true, Value: "number of transactional ids",
		Sentence: "{node} coordinates the transactions of {partition} from now on: it has read {count} record(s) of it, {value} transactional id(s)",
		Rule:     "The leader of a partition of __transaction_state coordinates its transactional ids. A new leader reads the partition first, and has the markers of every decided transaction written again.",
		Source:   "TransactionStateManager.loadTransactionsForTxnTopicPartition",
	},
	ProducerInitialised: {
		Name: "ProducerInitialised", Fields: Node | Peer | Value | Producer, Value: "transactional id",
		Sentence: "{node} gives {peer} the producer id {producer} with epoch {pepoch} for {transactional}",
		Rule:     "Every start of a producer with a transactional id raises the producer epoch: who had the id before is fenced.",
		Source:   "InitProducerId, KIP-98, KIP-360; TransactionMetadata.prepareIncrementProducerEpoch",
	},
	TransactionPartitionAdded: {
		Name: "TransactionPartitionAdded", Fields: Node | Partition | Value | Producer, Value: "transactional id",
		Sentence: "{partition} belongs to the transaction of {transactional} now, writes {node} down (epoch {pepoch})",
		Rule:     "The coordinator must know every partition of a transaction before the first record is written there: it is the list of those that get a marker.",
		Source:   "AddPartitionsToTxn, AddOffsetsToTxn; KIP-890",
	},
	TransactionPrepared: {
		Name: "TransactionPrepared", Fields: Node | Value | Prev | Producer | Count, Mark: true, Value: "transactional id",
		Sentence: "the {outcome} of the transaction of {transactional} is decided: {node} has {count} partition(s) marked (epoch {pepoch})",
		Rule:     "With the record of the decision on every in-sync replica of __transaction_state nothing can change it any more; the markers follow.",
		Source:   "EndTxn; TransactionCoordinator.endTransaction",
	},
	TransactionCompleted: {
		Name: "TransactionCompleted", Fields: Node | Value | Prev | Producer, Value: "transactional id",
		Sentence: "the {outcome} of {transactional} is complete: every partition has its marker, says {node}",
		Rule:     "Until then the next transaction of the id hears CONCURRENT_TRANSACTIONS.",
		Source:   "TransactionMarkerChannelManager.maybeWriteTxnCompletion",
	},
	TransactionTimedOut: {
		Name: "TransactionTimedOut", Fields: Node | Value | Producer, Mark: true, Value: "transactional id",
		Sentence: "the transaction of {transactional} is open for longer than transaction.timeout.ms: {node} aborts it",
		Rule:     "The coordinator looks every 10 s. It aborts with the next producer epoch, so that the producer can not go on with it.",
		Source:   "transaction.timeout.ms; TransactionCoordinator.abortTimedOutTransactions",
	},
	ProducerFenced: {
		Name: "ProducerFenced", Fields: Node | Peer | Value | Producer | Error, Mark: true, Value: "transactional id",
		Sentence: "{node} refuses {peer}, which comes for {transactional} with epoch {pepoch}: {error}",
		Rule:     "A producer epoch that is not the present one comes from a producer that was replaced, or whose transaction was aborted.",
		Source:   "PRODUCER_FENCED, INVALID_PRODUCER_EPOCH",
	},
	TransactionOpened: {
		Name: "TransactionOpened", Fields: Node | Partition | Epoch | Offset | Producer,
		Sentence: "with offset {offset} a transaction of producer {producer} begins in {partition}: on {node} the last stable offset goes no further",
		Rule:     "The last stable offset is the first offset of the earliest transaction that is open, or whose marker is not below the high watermark.",
		Source:   "ProducerStateManager.firstUnstableOffset",
	},
	TransactionMarked: {
		Name: "TransactionMarked", Fields: Node | Peer | Partition | Epoch | Offset | Producer | Value, Mark: true,
		Value:    "1 commit, 0 abort",
		Sentence: "offset {offset} of {partition} is the {ending} marker of producer {producer}, which {node} writes as {peer} says",
		Rule:     "A marker is a record that takes an offset and that no application sees. It ends the producer's transaction in this partition.",
		Source:   "WriteTxnMarkers; ControlRecordType",
	},
	MarkerRefused: {
		Name: "MarkerRefused", Fields: Node | Peer | Partition | Producer | Error, Mark: true,
		Sentence: "{node} does not write the marker of producer {producer} to {partition} that {peer} sends: {error}",
		Rule:     "A marker must not come from an older coordinator, nor with an older producer epoch than the partition has seen.",
		Source:   "ProducerAppendInfo.appendEndTxnMarker",
	},
	TransactionBegun: {
		Name: "TransactionBegun", Fields: Node | Value, Value: "transactional id",
		Sentence: "{node} begins a transaction",
		Rule:     "beginTransaction() tells nobody: the coordinator hears of it with the first partition.",
		Source:   "KafkaProducer.beginTransaction",
	},
	TransactionHung: {
		Name: "TransactionHung", Fields: Node | Value, Mark: true, Value: "transactional id",
		Sentence: "{node} hangs: it does not end the transaction of {transactional} that it has begun",
		Rule:     "Nobody but the producer ends its transaction before transaction.timeout.ms; until then readers with read_committed wait.",
		Source:   "transaction.timeout.ms; transactions.hang",
	},
	TransactionEnding: {
		Name: "TransactionEnding", Fields: Node | Peer | Value | Prev | Producer, Value: "transactional id",
		Sentence: "{node} asks {peer} for the {outcome} of its transaction (epoch {pepoch})",
		Rule:     "The producer first waits for the answers to all of its batches (flush). A request without an answer is sent again.",
		Source:   "EndTxn; TransactionManager.beginCommit, beginAbort",
	},
	TransactionEnded: {
		Name: "TransactionEnded", Fields: Node | Value | Prev | Producer, Value: "transactional id",
		Sentence: "{node} hears that the {outcome} of its transaction is decided",
		Rule:     "commitTransaction() returns when the decision is committed, before the markers are written.",
		Source:   "EndTxn; KafkaProducer.commitTransaction, abortTransaction",
	},
	TransactionFailed: {
		Name: "TransactionFailed", Fields: Node | Value | Error, Mark: true, Value: "transactional id",
		Sentence: "the transaction of {node} can not be committed any more: {error}",
		Rule:     "After an error the application can only abort; after some not even that, and the producer is over.",
		Source:   "TransactionManager.transitionToAbortableError, transitionToFatalError",
	},
	RecordsDropped: {
		Name: "RecordsDropped", Fields: Node | Peer | Partition | Offset | Records,
		Sentence: "{node} gets {records} of {partition} at {offset} from {peer} and drops them: their transaction was aborted",
		Rule:     "The broker sends aborted records too, and the list of the aborted transactions; a client with read_committed leaves them out.",
		Source:   "isolation.level; CompletedFetch.isBatchAborted",
	},
}
