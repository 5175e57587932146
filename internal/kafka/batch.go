package kafka

// BatchOverhead is the size in bytes of a record batch's header (magic 2, KIP-98).
const BatchOverhead = 61

// Batch is one record batch: the unit that is produced, replicated and stored. A producer makes it without an offset
// and an epoch; the leader that appends it sets both, and from then on it never changes.
type Batch struct {
	Records
	BaseOffset    Offset
	LeaderEpoch   Epoch
	ProducerID    ProducerID // NoProducerID without idempotence
	BaseSequence  int32      // sequence of the first record; NoSequence without idempotence
	ProducerEpoch int16
	Attributes    Attributes
}

// Attributes are the bits of a batch's header that say what kind of batch it is (DefaultRecordBatch).
type Attributes uint8

const (
	// Transactional: the batch is part of a transaction of its producer.
	Transactional Attributes = 1 << iota
	// Control: its one record is a transaction marker, which takes an offset and which no application sees.
	Control
	// Commit: the marker commits the transaction; without this bit it aborts it. Control batches only.
	Commit
	// Cleaned: the log cleaner rewrote the batch (see cleaned.go).
	Cleaned
)

// IsTransactional reports whether the batch is part of a transaction, or ends one.
func (b *Batch) IsTransactional() bool { return b.Attributes&Transactional != 0 }

// IsControl reports whether the batch is a transaction marker.
func (b *Batch) IsControl() bool { return b.Attributes&Control != 0 }

// Commits reports whether a marker commits its transaction.
func (b *Batch) Commits() bool { return b.Attributes&Commit != 0 }

// Span is the number of offsets that the batch takes; fewer records may be left of them once the cleaner has been there.
func (b *Batch) Span() int32 {
	if b.Attributes&Cleaned != 0 {
		return b.cols.cleaned.span
	}
	return b.n
}

// NextOffset is the offset behind the last one that the batch takes.
func (b *Batch) NextOffset() Offset { return b.BaseOffset + Offset(b.Span()) }

// LastOffset is the last offset that the batch takes: the one of its last record, also when the cleaner removed that.
func (b *Batch) LastOffset() Offset { return b.NextOffset() - 1 }

// LastSequence is the sequence of the last record that the batch was written with; sequences wrap from 2147483647 to 0
// (DefaultRecordBatch).
func (b *Batch) LastSequence() int32 {
	if b.BaseSequence == NoSequence {
		return NoSequence
	}
	return AddSequence(b.BaseSequence, b.Span()-1)
}

// Idempotent reports whether the batch carries a producer id and a sequence.
func (b *Batch) Idempotent() bool { return b.ProducerID != NoProducerID }

// MaxTimestamp is the largest create time in the batch. The header of a batch that the cleaner emptied keeps it.
func (b *Batch) MaxTimestamp() Tick {
	if b.n == 0 && b.Attributes&Cleaned != 0 {
		return b.cols.cleaned.maxTimestamp
	}
	var latest Tick
	for i := range b.Len() {
		latest = max(latest, b.Timestamp(i))
	}
	return latest
}

// AddSequence adds n to a sequence number, wrapping as Kafka does (DefaultRecordBatch.incrementSequence).
func AddSequence(sequence, n int32) int32 {
	const top = 1<<31 - 1
	if sequence > top-n {
		return n - (top - sequence) - 1
	}
	return sequence + n
}
