package kafka

import "slices"

// TransactionalID numbers the transactional ids of a run from 1; Names.TransactionalIDs has their text. 0 is none.
type TransactionalID int32

// NoTransactionalID marks a producer without transactions.
const NoTransactionalID TransactionalID = 0

// NoProducerEpoch is Kafka's -1: no producer has had the id yet, or the client says nothing of its epoch.
const NoProducerEpoch int16 = -1

// LastProducerEpoch is the last epoch that a transactional producer gets; with it the id is used up, so that the coordinator can
// always fence it with one more (TransactionMetadata.isEpochExhausted).
const LastProducerEpoch int16 = 1<<15 - 2

// IsolationLevel is the consumer setting isolation.level.
type IsolationLevel uint8

const (
	// ReadUncommitted reads up to the high watermark, whatever becomes of the transactions.
	ReadUncommitted IsolationLevel = iota
	// ReadCommitted reads up to the last stable offset, and drops what was aborted.
	ReadCommitted
)

// String is the setting as one writes it.
func (i IsolationLevel) String() string {
	if i == ReadCommitted {
		return "read_committed"
	}
	return "read_uncommitted"
}

// TransactionState is the state of a transactional id (TransactionState of the transaction coordinator).
type TransactionState uint8

const (
	// TransactionEmpty: the producer has its id, and no transaction.
	TransactionEmpty TransactionState = iota
	// TransactionOngoing: a partition or a group belongs to the transaction.
	TransactionOngoing
	// TransactionPrepareCommit: decided; the commit markers are being written.
	TransactionPrepareCommit
	// TransactionPrepareAbort: decided; the abort markers are being written.
	TransactionPrepareAbort
	// TransactionCompleteCommit: every partition has its commit marker.
	TransactionCompleteCommit
	// TransactionCompleteAbort: every partition has its abort marker.
	TransactionCompleteAbort
	transactionStates
)

var transactionStateNames = [transactionStates]string{
	"Empty", "Ongoing", "PrepareCommit", "PrepareAbort", "CompleteCommit", "CompleteAbort",
}

// String is Kafka's name of the state.
func (s TransactionState) String() string {
	if s >= transactionStates {
		return "Unknown"
	}
	return transactionStateNames[s]
}

// Prepared reports whether the end of the transaction is decided, and its markers are being written.
func (s TransactionState) Prepared() bool {
	return s == TransactionPrepareCommit || s == TransactionPrepareAbort
}

// TransactionConfig is what the transaction coordinators of a cluster run with.
type TransactionConfig struct {
	MaxTimeout    Tick // transaction.max.timeout.ms
	AbortCheck    Tick // transaction.abort.timed.out.transaction.cleanup.interval.ms
	MarkerRetry   Tick // 100 ms: until a marker that met a passing error is sent again
	MarkerTimeout Tick // request.timeout.ms of the brokers, 30 s: how long a marker may wait for the replicas
	Rules         Rules
}

// TransactionValue is what a record of __transaction_state says of a transactional id (TransactionLogValue).
type TransactionValue struct {
	Partitions       []PartitionID // ascending
	Timeout          Tick          // transaction.timeout.ms
	Started          Tick          // when the transaction got its first partition, 0 while there is none
	Updated          Tick
	ProducerID       ProducerID
	PreviousProducer ProducerID // the id before the present one, or NoProducerID
	NextProducer     ProducerID // the id that follows when the epochs of this one are used up, or NoProducerID
	Epoch            int16
	LastEpoch        int16 // the epoch before, with which a retry of the client may come; or NoProducerEpoch
	State            TransactionState
	Version          uint8 // transaction.version of the client that ended it: 0 or 2
}

// EndTransactionMarker is the content of a control batch's record (EndTxnMarker). Whether it commits stands in the batch's
// attributes.
type EndTransactionMarker struct {
	CoordinatorEpoch Epoch // leader epoch of the partition of __transaction_state
}

func (*TransactionValue) coordinatorValue()     {}
func (*EndTransactionMarker) coordinatorValue() {}

// NewMarker is the control batch that ends a transaction of a producer in one partition.
func NewMarker(id ProducerID, epoch int16, coordinator Epoch, commit bool, now Tick) Batch {
	b := Batch{
		Records: CoordinatorRecords([]CoordinatorRecord{{
			Key: CoordinatorKey{Kind: EndTransactionKey}, Value: &EndTransactionMarker{CoordinatorEpoch: coordinator},
		}}, now, CoordinatorRecordBytes),
		ProducerID: id, ProducerEpoch: epoch, BaseSequence: NoSequence, Attributes: Transactional | Control,
	}
	if commit {
		b.Attributes |= Commit
	}
	return b
}

// CoordinatorEpoch is the epoch of the coordinator that had a marker written.
func (b *Batch) CoordinatorEpoch() Epoch {
	if r := b.Coordinator(0); r != nil {
		if m, is := r.Value.(*EndTransactionMarker); is {
			return m.CoordinatorEpoch
		}
	}
	return NoEpoch
}

// AddPartitionsToTxnRequest enters partitions into a producer's transaction: from the producer before it writes to them
// (transaction version 1), or from their leader when the first batch comes (version 2). With VerifyOnly the leader only asks
// whether they are in it (KIP-890 part 1).
type AddPartitionsToTxnRequest struct {
	Partitions    []PartitionID
	TransactionID TransactionalID
	ProducerID    ProducerID
	ProducerEpoch int16
	VerifyOnly    bool
}

// PartitionError is the answer for one partition.
type PartitionError struct {
	Partition PartitionID
	Error     ErrorCode
}

// AddPartitionsToTxnResponse answers each partition of an AddPartitionsToTxnRequest, in its order.
type AddPartitionsToTxnResponse struct{ Results []PartitionError }

// AddOffsetsToTxnRequest enters a group's partition of __consumer_offsets into a transaction.
type AddOffsetsToTxnRequest struct {
	TransactionID TransactionalID
	ProducerID    ProducerID
	Group         GroupID
	ProducerEpoch int16
}

// AddOffsetsToTxnResponse answers an AddOffsetsToTxnRequest.
type AddOffsetsToTxnResponse struct{ Error ErrorCode }

// TxnOffsetCommitRequest has the coordinator of a group keep offsets that count when the transaction is committed. The
// member and its generation fence a producer whose partitions went to another member (KIP-447).
type TxnOffsetCommitRequest struct {
	MemberID      string
	InstanceID    string
	Offsets       []PartitionOffset
	TransactionID TransactionalID
	ProducerID    ProducerID
	Group         GroupID
	Generation    int32 // or the member epoch (KIP-848); -1 with no MemberID is not checked
	ProducerEpoch int16
}

// TxnOffsetCommitResponse answers each offset of a TxnOffsetCommitRequest, in its order.
type TxnOffsetCommitResponse struct{ Results []PartitionOffset }

// EndTxnRequest commits or aborts the producer's transaction.
type EndTxnRequest struct {
	TransactionID TransactionalID
	ProducerID    ProducerID
	ProducerEpoch int16
	Commit        bool
}

// EndTxnResponse comes when the decision is committed to __transaction_state, before the markers are written. In transaction
// version 2 it has the id and the epoch with which the producer goes on.
type EndTxnResponse struct {
	ProducerID    ProducerID
	ProducerEpoch int16
	Error         ErrorCode
}

// WriteTxnMarkersRequest has the leaders of partitions write transaction markers; coordinators send it.
type WriteTxnMarkersRequest struct{ Markers []TxnMarker }

// TxnMarker ends the transaction of a producer in some partitions.
type TxnMarker struct {
	Partitions       []PartitionID
	ProducerID       ProducerID
	CoordinatorEpoch Epoch
	ProducerEpoch    int16
	Commit           bool
	// Version 2: the epoch is above that of the transaction's records, so that a late marker can not end the next one.
	Version uint8
}

// WriteTxnMarkersResponse answers when the markers are on every in-sync replica: for each marker its partitions, in the order of
// the request.
type WriteTxnMarkersResponse struct{ Results [][]PartitionError }

// AbortedTransaction is a transaction that a read_committed reader must leave out: every transactional batch of the producer
// from FirstOffset on, up to its abort marker.
type AbortedTransaction struct {
	FirstOffset Offset
	ProducerID  ProducerID
}

// StableView is what a fetch answer says to a read_committed reader beside the records.
type StableView struct {
	LastStableOffset Offset
	Aborted          []AbortedTransaction // ordered by their markers, those that overlap with the records
}

// TransactionRequest is a request to the coordinator of a transactional id.
type TransactionRequest interface {
	Body
	// ToTransaction tells of the id, and under which producer id and epoch the client asks.
	ToTransaction() (TransactionalID, ProducerID, int16)
}

// ToTransaction implements TransactionRequest.
func (r *InitProducerIDRequest) ToTransaction() (TransactionalID, ProducerID, int16) {
	return r.TransactionID, r.ProducerID, r.ProducerEpoch
}

// ToTransaction implements TransactionRequest.
func (r *AddPartitionsToTxnRequest) ToTransaction() (TransactionalID, ProducerID, int16) {
	return r.TransactionID, r.ProducerID, r.ProducerEpoch
}

// ToTransaction implements TransactionRequest.
func (r *AddOffsetsToTxnRequest) ToTransaction() (TransactionalID, ProducerID, int16) {
	return r.TransactionID, r.ProducerID, r.ProducerEpoch
}

// ToTransaction implements TransactionRequest.
func (r *EndTxnRequest) ToTransaction() (TransactionalID, ProducerID, int16) {
	return r.TransactionID, r.ProducerID, r.ProducerEpoch
}

func (*AddPartitionsToTxnRequest) Kind() MessageKind  { return KindAddPartitionsToTxnRequest }
func (*AddPartitionsToTxnResponse) Kind() MessageKind { return KindAddPartitionsToTxnResponse }
func (*AddOffsetsToTxnRequest) Kind() MessageKind     { return KindAddOffsetsToTxnRequest }
func (*AddOffsetsToTxnResponse) Kind() MessageKind    { return KindAddOffsetsToTxnResponse }
func (*TxnOffsetCommitRequest) Kind() MessageKind     { return KindTxnOffsetCommitRequest }
func (*TxnOffsetCommitResponse) Kind() MessageKind    { return KindTxnOffsetCommitResponse }
func (*EndTxnRequest) Kind() MessageKind              { return KindEndTxnRequest }
func (*EndTxnResponse) Kind() MessageKind             { return KindEndTxnResponse }
func (*WriteTxnMarkersRequest) Kind() MessageKind     { return KindWriteTxnMarkersRequest }
func (*WriteTxnMarkersResponse) Kind() MessageKind    { return KindWriteTxnMarkersResponse }

func (*AddOffsetsToTxnRequest) Concerns(PartitionID) bool  { return false }
func (*AddOffsetsToTxnResponse) Concerns(PartitionID) bool { return false }
func (*EndTxnRequest) Concerns(PartitionID) bool           { return false }
func (*EndTxnResponse) Concerns(PartitionID) bool          { return false }

// Concerns implements Body.
func (r *AddPartitionsToTxnRequest) Concerns(p PartitionID) bool {
	return slices.Contains(r.Partitions, p)
}

// Concerns implements Body.
func (r *AddPartitionsToTxnResponse) Concerns(p PartitionID) bool { return concernsError(r.Results, p) }

// Concerns implements Body.
func (r *TxnOffsetCommitRequest) Concerns(p PartitionID) bool { return concernsOffset(r.Offsets, p) }

// Concerns implements Body.
func (r *TxnOffsetCommitResponse) Concerns(p PartitionID) bool { return concernsOffset(r.Results, p) }

// Concerns implements Body.
func (r *WriteTxnMarkersRequest) Concerns(p PartitionID) bool {
	for i := range r.Markers {
		if slices.Contains(r.Markers[i].Partitions, p) {
			return true
		}
	}
	return false
}

// Concerns implements Body.
func (r *WriteTxnMarkersResponse) Concerns(p PartitionID) bool {
	for _, results := range r.Results {
		if concernsError(results, p) {
			return true
		}
	}
	return false
}

func concernsError(results []PartitionError, p PartitionID) bool {
	for i := range results {
		if results[i].Partition == p {
			return true
		}
	}
	return false
}
