package kafka

// cleaned is what the log cleaner left of a batch: the batch keeps its first and its last offset and its sequences,
// whatever it loses between them (MemoryRecords.filterTo).
type cleaned struct {
	deltas        []int32 // of each record that is left, its offset less the base offset
	span          int32   // offsets that the batch takes
	maxTimestamp  Tick    // of an empty batch
	deleteHorizon Tick    // Never where none is set
}

// Clean is the batch with only the records that are kept, given by their indexes, and with a delete horizon (Never for
// none). The batch itself stays as it is.
func (b *Batch) Clean(kept []int, deleteHorizon Tick) Batch {
	c := &cleaned{
		deltas: make([]int32, len(kept)), span: b.Span(), maxTimestamp: b.MaxTimestamp(), deleteHorizon: deleteHorizon,
	}
	columns := NewColumns(len(kept))
	view := Records{cols: columns}
	for n, i := range kept {
		r := b.At(i)
		view = columns.Extend(view, &r)
		if own := b.Coordinator(i); own != nil {
			columns.coordinator = append(columns.coordinator, *own)
		}
		c.deltas[n] = int32(b.OffsetOf(i) - b.BaseOffset)
	}
	columns.cleaned = c
	left := *b
	left.Records, left.Attributes = view, b.Attributes|Cleaned
	return left
}

// OffsetOf is the offset of record i.
func (b *Batch) OffsetOf(i int) Offset {
	if b.Attributes&Cleaned != 0 {
		return b.BaseOffset + Offset(b.cols.cleaned.deltas[i])
	}
	return b.BaseOffset + Offset(i)
}

// IndexFrom is the index of the first record at the offset or behind it, or the number of records when there is none.
func (b *Batch) IndexFrom(o Offset) int {
	i := int(max(0, min(o-b.BaseOffset, Offset(b.n))))
	for i > 0 && b.OffsetOf(i-1) >= o {
		i--
	}
	return i
}

// Stretches yields the records from index i on in stretches whose offsets follow one on the other: the index of the
// first, and the index behind the last.
func (b *Batch) Stretches(i int, yield func(from, to int) bool) {
	for i < b.Len() {
		to := b.Len()
		if b.Attributes&Cleaned != 0 {
			for to = i + 1; to < b.Len() && b.OffsetOf(to) == b.OffsetOf(to-1)+1; to++ {
			}
		}
		if !yield(i, to) {
			return
		}
		i = to
	}
}

// DeleteHorizon is the tick from which on the cleaner may remove the tombstones or the marker in the batch, or Never
// while no pass has set it (KIP-534).
func (b *Batch) DeleteHorizon() Tick {
	if b.Attributes&Cleaned != 0 {
		return b.cols.cleaned.deleteHorizon
	}
	return Never
}
