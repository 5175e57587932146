package kafka

// FetchedPartition is the answer for one partition. With Diverging set it carries no batches, and the follower must truncate to
// the end of that epoch (KIP-595). What few answers have is a pointer: two of these come with each answer.
type FetchedPartition struct {
	Batches        []Batch
	More           *Piece // what follows them, where the leader's log keeps it in another place
	HighWatermark  Offset
	LogStartOffset Offset
	LogEndOffset   Offset      // stands for a ListOffsets request, which a real follower makes on OFFSET_OUT_OF_RANGE
	Diverging      *EpochEnd   // nil when the logs agree so far
	Stable         *StableView // for a reader with read_committed
	Partition      PartitionID
	Error          ErrorCode
}

// Piece is a continuation of batches.
type Piece struct {
	Batches []Batch
	More    *Piece
}

// EndOffset is the offset behind the last batch, or NoOffset where there is none.
func (f *FetchedPartition) EndOffset() Offset {
	end := NoOffset
	for batches := range f.Pieces {
		end = batches[len(batches)-1].NextOffset()
	}
	return end
}

// Pieces yields the batches in order, piece by piece.
func (f *FetchedPartition) Pieces(yield func([]Batch) bool) {
	if len(f.Batches) == 0 || !yield(f.Batches) {
		return
	}
	for piece := f.More; piece != nil && yield(piece.Batches); piece = piece.More {
	}
}

// EpochEnd is the answer to "where does this epoch end in your log?" (OffsetsForLeaderEpoch, KIP-101 and KIP-279): the
// largest known epoch that is not above the one asked for, and the offset behind its last record.
type EpochEnd struct {
	Epoch     Epoch
	EndOffset Offset
}

// NoEpochEnd is the undefined answer.
var NoEpochEnd = EpochEnd{Epoch: NoEpoch, EndOffset: NoOffset}

// Defined reports whether the answer names an epoch.
func (e EpochEnd) Defined() bool { return e.Epoch != NoEpoch }
