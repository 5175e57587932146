package commitlog

import (
	"slices"

	"replog/internal/kafka"
)

// AbortedTransaction is an entry of the transaction index (AbortedTxn): a transaction that ended with an abort marker.
type AbortedTransaction struct {
	Producer                  kafka.ProducerID
	FirstOffset, MarkerOffset kafka.Offset
	// LastStableOffset is what it became with the marker: no later entry begins below it.
	LastStableOffset kafka.Offset
}

// transactions is what a partition knows of the transactions in its log (ProducerStateManager, TransactionIndex).
type transactions struct {
	// ongoing are those without a marker, ordered by their first offsets.
	ongoing []transaction
	// unreplicated are those whose marker is not below the high watermark yet, ordered by their markers: it may still be lost,
	// and the transaction with it be open again.
	unreplicated []transaction
	// index has the aborted ones, ordered by their markers. It lies beside the segments on disk, and clones share it.
	index     []AbortedTransaction
	verifying []verification
	guards    uint32 // handed out so far
}

// transaction is the part of a transaction that lies in one partition.
type transaction struct {
	first    kafka.Offset
	marker   kafka.Offset // of an unreplicated one
	producer kafka.ProducerID
}

func (t *transactions) clone() transactions {
	return transactions{
		ongoing: slices.Clone(t.ongoing), unreplicated: slices.Clone(t.unreplicated), index: slices.Clip(t.index),
		verifying: slices.Clone(t.verifying), guards: t.guards,
	}
}

// OpenTransaction is where the producer's open transaction begins in this partition, or NoOffset without one.
func (p *ProducerState) OpenTransaction() kafka.Offset { return p.open }

// CoordinatorEpoch is the epoch of the coordinator that wrote the latest marker, or NoEpoch.
func (p *ProducerState) CoordinatorEpoch() kafka.Epoch { return p.coordinatorEpoch }

// begin notes a transactional batch: the first one opens the transaction (ProducerAppendInfo.appendDataBatch).
func (s *ProducerStates) begin(p *ProducerState, b *kafka.Batch) {
	s.verified(p.ID)
	if p.open != kafka.NoOffset {
		return
	}
	p.open = b.BaseOffset
	s.ongoing = append(s.ongoing, transaction{first: p.open, producer: p.ID})
}

// end notes a marker (ProducerAppendInfo.appendEndTxnMarker). It has no sequence; one with a new epoch forgets the batches of
// the old one. A marker of a producer without an open transaction changes nothing else.
func (s *ProducerStates) end(p *ProducerState, b *kafka.Batch, isNew bool) {
	s.verified(p.ID)
	if p.Epoch != b.ProducerEpoch {
		p.Epoch, p.count = b.ProducerEpoch, 0
	}
	p.coordinatorEpoch = b.CoordinatorEpoch()
	if p.open == kafka.NoOffset {
		return
	}
	done := transaction{first: p.open, marker: b.BaseOffset, producer: p.ID}
	p.open = kafka.NoOffset
	s.ongoing = slices.DeleteFunc(s.ongoing, func(t transaction) bool { return t.producer == done.producer })
	s.unreplicated = append(s.unreplicated, done)
	if isNew && !b.Commits() {
		s.index = append(s.index, AbortedTransaction{
			Producer: p.ID, FirstOffset: done.first, MarkerOffset: done.marker, LastStableOffset: s.stableAfter(done),
		})
	}
}

// stableAfter is the last stable offset once the marker is replicated (ProducerStateManager.lastStableOffset).
func (s *ProducerStates) stableAfter(done transaction) kafka.Offset {
	if len(s.ongoing) > 0 {
		return s.ongoing[0].first
	}
	return done.marker + 1
}

// reopen finds the open transactions of what was read from a snapshot.
func (s *ProducerStates) reopen() {
	s.ongoing, s.unreplicated = nil, nil
	for i := range s.states {
		if p := &s.states[i]; p.open != kafka.NoOffset {
			s.ongoing = append(s.ongoing, transaction{first: p.open, producer: p.ID})
		}
	}
	slices.SortFunc(s.ongoing, func(a, b transaction) int { return int(a.first - b.first) })
}

// HighWatermarkMoved lets go of the transactions whose markers are below the high watermark now
// (ProducerStateManager.onHighWatermarkUpdated).
func (s *ProducerStates) HighWatermarkMoved(highWatermark kafka.Offset) {
	n := 0
	for n < len(s.unreplicated) && s.unreplicated[n].marker < highWatermark {
		n++
	}
	if n > 0 {
		s.unreplicated = slices.Delete(s.unreplicated, 0, n)
	}
}

// FirstUndecided is the first offset of the earliest transaction without a marker, or NoOffset.
func (s *ProducerStates) FirstUndecided() kafka.Offset {
	if len(s.ongoing) == 0 {
		return kafka.NoOffset
	}
	return s.ongoing[0].first
}

// FirstUnstable is the first offset of the earliest transaction that is open, or whose marker is not below the high watermark
// yet; at least the log start offset, and NoOffset where there is none (UnifiedLog.maybeIncrementFirstUnstableOffset).
func (s *ProducerStates) FirstUnstable(logStart kafka.Offset) kafka.Offset {
	first := s.FirstUndecided()
	for _, t := range s.unreplicated {
		if first == kafka.NoOffset || t.first < first {
			first = t.first
		}
	}
	if first == kafka.NoOffset {
		return first
	}
	return max(first, logStart)
}

// LastStableOffset is the offset up to which everything is decided and replicated: a reader with read_committed reads no
// further (UnifiedLog.fetchLastStableOffsetMetadata).
func (s *ProducerStates) LastStableOffset(highWatermark, logStart kafka.Offset) kafka.Offset {
	if len(s.ongoing) == 0 && len(s.unreplicated) == 0 {
		return highWatermark
	}
	if first := s.FirstUnstable(logStart); first != kafka.NoOffset {
		return min(first, highWatermark)
	}
	return highWatermark
}

// Transactional reports whether any transaction ever wrote here.
func (s *ProducerStates) Transactional() bool {
	return len(s.ongoing)+len(s.unreplicated)+len(s.index) > 0
}

// Index is the transaction index; the caller must not change it.
func (s *ProducerStates) Index() []AbortedTransaction { return s.index }

// Cleaned is what a pass of the cleaner left of the transaction index: no entry whose records are gone.
func (s *ProducerStates) Cleaned(index []AbortedTransaction) { s.index = slices.Clip(index) }

// AbortedWithin lists the aborted transactions that overlap with the offsets from (inclusive) to upTo (exclusive), in the order
// of the index. It is complete when an entry shows that none behind it can (TransactionIndex.collectAbortedTxns).
func (s *ProducerStates) AbortedWithin(from, upTo kafka.Offset) (aborted []kafka.AbortedTransaction, complete bool) {
	at, _ := slices.BinarySearchFunc(s.index, from, func(a AbortedTransaction, o kafka.Offset) int {
		return int(a.MarkerOffset - o)
	})
	for i := range s.index[at:] {
		a := &s.index[at+i]
		if a.FirstOffset < upTo {
			aborted = append(aborted, kafka.AbortedTransaction{ProducerID: a.Producer, FirstOffset: a.FirstOffset})
		}
		if a.LastStableOffset >= upTo {
			return aborted, true
		}
	}
	return aborted, false
}

// truncatedIndex is the index without the markers at the offset or behind it (TransactionIndex.truncateTo).
func truncatedIndex(index []AbortedTransaction, end kafka.Offset) []AbortedTransaction {
	n := len(index)
	for n > 0 && index[n-1].MarkerOffset >= end {
		n--
	}
	return index[:n:n]
}

// dropIndexBelow removes the entries whose markers were in segments that are gone.
func (t *transactions) dropIndexBelow(firstBase kafka.Offset) {
	n := 0
	for n < len(t.index) && t.index[n].MarkerOffset < firstBase {
		n++
	}
	if n > 0 {
		t.index = slices.Clone(t.index[n:])
	}
}

// CheckMarker is what a leader asks before it writes a transaction marker (ProducerAppendInfo.appendEndTxnMarker): the marker's
// producer epoch must not be below the producer's, and in transaction version 2 above it, unless the transaction is over already
// and the marker only comes again (KAFKA-19999); the coordinator's epoch must not be below that of the last marker.
func (s *ProducerStates) CheckMarker(b *kafka.Batch, version uint8) kafka.ErrorCode {
	p := s.Producer(b.ProducerID)
	if p == nil {
		return kafka.None
	}
	again := b.ProducerEpoch == p.Epoch && (version < 2 || p.open == kafka.NoOffset)
	switch {
	case b.ProducerEpoch <= p.Epoch && !again:
		return kafka.InvalidProducerEpoch
	case b.CoordinatorEpoch() < p.coordinatorEpoch:
		return kafka.TransactionCoordinatorFenced
	}
	return kafka.None
}

// CheckEpoch is what a leader asks before it writes a batch that the group coordinator made for a producer's transaction: it
// has no sequence, so only its producer epoch counts.
func (s *ProducerStates) CheckEpoch(b *kafka.Batch) kafka.ErrorCode {
	if p := s.Producer(b.ProducerID); p != nil && b.ProducerEpoch < p.Epoch {
		return kafka.InvalidProducerEpoch
	}
	return kafka.None
}
