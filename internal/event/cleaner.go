package event

// cleanerRows are the rows of the log cleaner.
var cleanerRows = [kindCount]Spec{
	RecordsCompacted: {
		Name: "RecordsCompacted", Fields: Node | Partition | Offset | Count,
		Sentence: "{node} removes the {offsets} from {partition}: newer records have the same keys",
		Rule:     "A pass of the cleaner keeps the last record of each key below the end of the dirty part; offsets never change.",
		Source:   "cleanup.policy=compact; Cleaner.shouldRetainRecord",
	},
	TombstonesStamped: {
		Name: "TombstonesStamped", Fields: Node | Partition | Offset | Count | Value,
		Value:    "the delete horizon: the tick from which on a pass may remove them",
		Sentence: "{node} finds tombstones in the {offsets} of {partition} for the first time: a pass may remove them from {valueclock} on",
		Rule:     "The first pass that covers a tombstone gives its batch a delete horizon, delete.retention.ms later; the clock does not start before.",
		Source:   "delete.retention.ms, KIP-534; MemoryRecords.filterTo",
	},
	TombstonesRemoved: {
		Name: "TombstonesRemoved", Fields: Node | Partition | Offset | Count | Value, Mark: true,
		Value:    "the delete horizon that has passed; where no batch has one, the tick of the pass",
		Sentence: "{node} removes the tombstones at the {offsets} of {partition}: their time was over at {valueclock}",
		Rule:     "A pass at the delete horizon or later removes a tombstone; who did not read it until then never learns of the delete.",
		Source:   "delete.retention.ms, KIP-534; Cleaner.shouldRetainRecord",
	},
	AbortedRecordsRemoved: {
		Name: "AbortedRecordsRemoved", Fields: Node | Partition | Offset | Count,
		Sentence: "{node} removes the {offsets} from {partition}: their transaction was aborted",
		Rule:     "The first pass removes the records of an aborted transaction, whatever their keys, and they make no older record of their keys go.",
		Source:   "cleanup.policy=compact; CleanedTransactionMetadata.onBatchRead",
	},
	MarkerStamped: {
		Name: "MarkerStamped", Fields: Node | Partition | Offset | Count | Value,
		Value:    "the delete horizon: the tick from which on a pass may remove it",
		Sentence: "{node} finds the marker at the {offsets} of {partition} without its transaction: a pass may remove it from {valueclock} on",
		Rule:     "The first pass that finds no record of a transaction before its marker gives the marker a delete horizon, delete.retention.ms later.",
		Source:   "delete.retention.ms, KIP-534; MemoryRecords.filterTo",
	},
	MarkersRemoved: {
		Name: "MarkersRemoved", Fields: Node | Partition | Offset | Count | Value, Value: "the delete horizon that has passed",
		Sentence: "{node} removes the transaction markers at the {offsets} of {partition}: their time was over at {valueclock}",
		Rule:     "A pass at the delete horizon or later removes a marker, for no reader can hold a record of its transaction undecided any more.",
		Source:   "delete.retention.ms, KIP-534; CleanedTransactionMetadata.onControlBatchRead",
	},
	EmptyBatchKept: {
		Name: "EmptyBatchKept", Fields: Node | Partition | Epoch | Offset | Count | Producer,
		Sentence: "{node} keeps the batch of the {offsets} of {partition} without its records: it holds the last sequence of producer id {producer}",
		Rule:     "The last batch of each live producer stays, so that its next retry is still recognised after a restart.",
		Source:   "KAFKA-5490; Cleaner.cleanInto",
	},
	EmptyBatchRemoved: {
		Name: "EmptyBatchRemoved", Fields: Node | Partition | Offset | Count | Producer,
		Sentence: "{node} removes the empty batch of the {offsets} of {partition}: producer id {producer} has written a later one",
		Rule:     "An empty batch goes with the next pass once it is no longer its producer's last.",
		Source:   "Cleaner.cleanInto",
	},
	SegmentCleaned: {
		Name: "SegmentCleaned", Fields: Node | Partition | Offset | Count | Prev | Value, Value: "bytes of the segment that takes their place",
		Sentence: "{node} writes the segments of the {offsets} of {partition} anew as one: {prev} bytes become {value}",
		Rule:     "Segments are merged as long as they fit into segment.bytes together, counted before the pass.",
		Source:   "segment.bytes; Cleaner.groupSegmentsBySize, UnifiedLog.replaceSegments",
	},
	LogCleaned: {
		Name: "LogCleaned", Fields: Node | Partition | Offset | Count | Prev | Value, Mark: true,
		Value:    "bytes that the pass has freed",
		Sentence: "{node} has cleaned {partition} up to {offset} (before: up to {prev}); {count} record(s) and {value} bytes are gone",
		Rule:     "The filthiest log goes first: dirty bytes over clean and dirty bytes must be more than min.cleanable.dirty.ratio, or max.compaction.lag.ms over.",
		Source:   "min.cleanable.dirty.ratio, log.cleaner.backoff.ms; LogCleanerManager.grabFilthiestCompactedLog",
	},
	GapCopied: {
		Name: "GapCopied", Fields: Node | Peer | Partition | Epoch | Offset | Count | Value,
		Value:    "the follower's high watermark from then on",
		Sentence: "{node} has no records at the {offsets} of {partition}: what {peer} sent begins behind them",
		Rule:     "A follower that was behind gets what compaction has left; offsets never change, so its log has the same gaps.",
		Source:   "cleanup.policy=compact; UnifiedLog.appendAsFollower",
	},
}
