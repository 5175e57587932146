package commitlog

import (
	"slices"

	"replog/internal/kafka"
)

// DuplicateWindow is how many batches of a producer a partition remembers (ProducerStateEntry.NUM_BATCHES_TO_RETAIN).
// It is why an idempotent producer has at most five requests in flight.
const DuplicateWindow = 5

// ProducerBatch is what a partition remembers of one batch of a producer (BatchMetadata).
type ProducerBatch struct {
	FirstSequence, LastSequence int32
	BaseOffset, LastOffset      kafka.Offset
}

// ProducerState is what a partition remembers of one producer (ProducerStateEntry).
type ProducerState struct {
	ID               kafka.ProducerID
	Epoch            int16
	count            int16
	coordinatorEpoch kafka.Epoch  // of the latest transaction marker, NoEpoch before the first
	open             kafka.Offset // where its open transaction begins in this partition, NoOffset without one
	batches          [DuplicateWindow]ProducerBatch
}

// Batches lists the remembered batches of the current producer epoch, oldest first; the caller must not change them.
func (p *ProducerState) Batches() []ProducerBatch { return p.batches[:p.count] }

// LastSequence is the sequence of the last record of the current producer epoch, or NoSequence.
func (p *ProducerState) LastSequence() int32 {
	if p.count == 0 {
		return kafka.NoSequence
	}
	return p.batches[p.count-1].LastSequence
}

// add notes a batch. Another producer epoch forgets the batches of the one before.
func (p *ProducerState) add(b *kafka.Batch) {
	if p.Epoch != b.ProducerEpoch {
		p.Epoch, p.count = b.ProducerEpoch, 0
	}
	if p.count == DuplicateWindow {
		copy(p.batches[:], p.batches[1:])
		p.count--
	}
	p.batches[p.count] = ProducerBatch{
		FirstSequence: b.BaseSequence, LastSequence: b.LastSequence(),
		BaseOffset: b.BaseOffset, LastOffset: b.LastOffset(),
	}
	p.count++
}

// LastDataOffset is the offset of the last record of the current producer epoch, or NoOffset.
func (p *ProducerState) LastDataOffset() kafka.Offset {
	if p.count == 0 {
		return kafka.NoOffset
	}
	return p.batches[p.count-1].LastOffset
}

// ProducerStates is what a partition remembers of its idempotent producers (ProducerStateManager). The zero value
// remembers nothing. Clone it; a plain copy would share what Update changes.
type ProducerStates struct {
	states    []ProducerState // ordered by producer id
	shared    bool            // with a clone: copy before the next change
	snapshots []snapshot      // on disk, oldest first
	transactions
}

// Verdict is what a leader does with a batch of an idempotent producer.
type Verdict struct {
	// Error is None, InvalidProducerEpoch, OutOfOrderSequenceNumber or InvalidTxnState; with an error nothing is appended.
	Error kafka.ErrorCode
	// Duplicate: the batch is stored already. It is answered like the first copy and not appended.
	Duplicate bool
	// BaseOffset is the offset of the first copy, or NoOffset without one.
	BaseOffset kafka.Offset
}

// Check is what a leader asks before it appends a producer's batch (UnifiedLog.analyzeAndValidateProducerState): first
// whether it is a duplicate, then whether producer epoch and sequence follow on. Followers do not ask; they store what
// their leader stored. A batch without a producer id always passes.
func (s *ProducerStates) Check(b *kafka.Batch) Verdict {
	if !b.Idempotent() {
		return Verdict{BaseOffset: kafka.NoOffset}
	}
	p := s.Producer(b.ProducerID)
	if p == nil {
		// The state may have expired, so any first sequence is accepted (KIP-360).
		return Verdict{Error: s.checkFirst(b), BaseOffset: kafka.NoOffset}
	}
	if first, found := p.duplicate(b); found {
		return Verdict{Duplicate: true, BaseOffset: first}
	}
	return Verdict{Error: p.validate(b), BaseOffset: kafka.NoOffset}
}

// duplicate finds the first copy of a batch: same producer epoch, same first and last sequence
// (ProducerStateEntry.findDuplicateBatch).
func (p *ProducerState) duplicate(b *kafka.Batch) (kafka.Offset, bool) {
	if b.ProducerEpoch != p.Epoch {
		return kafka.NoOffset, false
	}
	for i := p.count - 1; i >= 0; i-- {
		if p.batches[i].FirstSequence == b.BaseSequence && p.batches[i].LastSequence == b.LastSequence() {
			return p.batches[i].BaseOffset, true
		}
	}
	return kafka.NoOffset, false
}

// validate holds producer epoch and sequence against the last batch (ProducerAppendInfo.maybeValidateDataBatch).
func (p *ProducerState) validate(b *kafka.Batch) kafka.ErrorCode {
	switch {
	case b.ProducerEpoch < p.Epoch:
		return kafka.InvalidProducerEpoch
	case b.ProducerEpoch > p.Epoch:
		if b.BaseSequence != 0 {
			return kafka.OutOfOrderSequenceNumber
		}
	case b.BaseSequence != kafka.AddSequence(p.LastSequence(), 1):
		return kafka.OutOfOrderSequenceNumber
	}
	if p.open != kafka.NoOffset && !b.IsTransactional() {
		return kafka.InvalidTxnState
	}
	return kafka.None
}

// Update notes a batch that was appended, by leader and follower alike (ProducerStateManager.update). A marker that aborts a
// transaction gets an entry in the transaction index.
func (s *ProducerStates) Update(b *kafka.Batch) {
	if b.Idempotent() {
		s.note(b, true)
	}
}

// note notes a batch; one that is read off the disk has its entry in the transaction index already.
func (s *ProducerStates) note(b *kafka.Batch, isNew bool) {
	if s.shared {
		s.states, s.shared = slices.Clone(s.states), false
	}
	i, found := s.find(b.ProducerID)
	if !found {
		s.states = slices.Insert(s.states, i, ProducerState{
			ID: b.ProducerID, Epoch: b.ProducerEpoch, coordinatorEpoch: kafka.NoEpoch, open: kafka.NoOffset,
		})
	}
	p := &s.states[i]
	switch {
	case b.IsControl():
		s.end(p, b, isNew)
	case b.IsTransactional():
		p.add(b)
		s.begin(p, b)
	default:
		p.add(b)
	}
}

// Clone is an independent copy; whoever changes first copies.
func (s *ProducerStates) Clone() ProducerStates {
	if !s.shared {
		s.shared = true
	}
	c := *s
	c.snapshots = slices.Clip(c.snapshots)
	c.transactions = s.transactions.clone()
	return c
}

// Producer is the state of one producer, or nil; the caller must not change it.
func (s *ProducerStates) Producer(id kafka.ProducerID) *ProducerState {
	i, found := s.find(id)
	if !found {
		return nil
	}
	return &s.states[i]
}

// Producers lists the states by producer id; the caller must not change them.
func (s *ProducerStates) Producers() []ProducerState { return s.states }

func (s *ProducerStates) find(id kafka.ProducerID) (int, bool) {
	low, high := 0, len(s.states)
	for low < high {
		middle := (low + high) / 2
		if s.states[middle].ID < id {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(s.states) && s.states[low].ID == id
}
