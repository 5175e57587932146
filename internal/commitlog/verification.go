package commitlog

import (
	"slices"

	"replog/internal/kafka"
)

// verification says that a leader asks the transaction coordinator about a producer's first batch in this partition
// (VerificationStateEntry, KIP-890). A transactional batch or a marker of the producer that is appended meanwhile ends it.
type verification struct {
	producer kafka.ProducerID
	guard    uint32 // the batch must be appended under this number, or it comes too late
	lowest   int32  // smallest sequence that was seen: nothing behind it may be appended first
	epoch    int16
	fresh    bool // transaction version 2: without any state the first sequence must be 0
}

// Guard is what a leader keeps while it asks the coordinator about a transactional batch; 0 when it need not ask, because the
// producer's transaction is open here already (UnifiedLog.maybeStartTransactionVerification).
func (s *ProducerStates) Guard(b *kafka.Batch, version uint8) uint32 {
	if !b.IsTransactional() || s.hasOpen(b) {
		return 0
	}
	i := s.verificationOf(b.ProducerID)
	if i < 0 {
		s.guards++
		s.verifying = append(s.verifying, verification{
			producer: b.ProducerID, guard: s.guards, lowest: b.BaseSequence, epoch: b.ProducerEpoch, fresh: version >= 2,
		})
		return s.guards
	}
	v := &s.verifying[i]
	switch {
	case b.ProducerEpoch > v.epoch:
		v.epoch, v.lowest = b.ProducerEpoch, b.BaseSequence
	case b.ProducerEpoch == v.epoch:
		v.lowest = min(v.lowest, b.BaseSequence)
	}
	return v.guard
}

// Guarded reports whether a transactional batch may be appended: its transaction is open here, or nothing has ended the question
// that was asked under the guard (UnifiedLog.batchMissingRequiredVerification).
func (s *ProducerStates) Guarded(b *kafka.Batch, guard uint32) bool {
	if !b.IsTransactional() || s.hasOpen(b) {
		return true
	}
	i := s.verificationOf(b.ProducerID)
	return i >= 0 && s.verifying[i].guard == guard
}

// hasOpen: the producer's transaction is open in this partition, in the same producer epoch (ProducerStateEntry).
func (s *ProducerStates) hasOpen(b *kafka.Batch) bool {
	p := s.Producer(b.ProducerID)
	return p != nil && p.open != kafka.NoOffset && p.Epoch == b.ProducerEpoch
}

func (s *ProducerStates) verificationOf(id kafka.ProducerID) int {
	return slices.IndexFunc(s.verifying, func(v verification) bool { return v.producer == id })
}

// verified ends the question about a producer: something of it was appended.
func (s *ProducerStates) verified(id kafka.ProducerID) {
	if i := s.verificationOf(id); i >= 0 {
		s.verifying = slices.Delete(s.verifying, i, i+1)
	}
}

// checkFirst holds a producer's first batch here against the question that was asked about it
// (ProducerAppendInfo.checkSequence).
func (s *ProducerStates) checkFirst(b *kafka.Batch) kafka.ErrorCode {
	i := s.verificationOf(b.ProducerID)
	if i >= 0 && (b.BaseSequence > s.verifying[i].lowest || s.verifying[i].fresh && b.BaseSequence != 0) {
		return kafka.OutOfOrderSequenceNumber
	}
	return kafka.None
}
