package txn

import (
	"slices"

	"replog/internal/kafka"
)

// addPartitions enters partitions into a transaction, and begins it with the first; or says whether they are in it.
func (s *step) addPartitions(r *kafka.AddPartitionsToTxnRequest) {
	t := s.find(r.TransactionID)
	if r.VerifyOnly {
		s.out.Answer(s.reply, verified(t, r))
		return
	}
	if code := s.add(t, r.ProducerID, r.ProducerEpoch, r.Partitions, partitionErrors(r, kafka.None)); code != kafka.None {
		s.refuse(code)
	}
}

// addOffsets enters the partition that keeps a group's offsets.
func (s *step) addOffsets(r *kafka.AddOffsetsToTxnRequest) {
	t := s.find(r.TransactionID)
	home := []kafka.PartitionID{s.setting.Groups[r.Group]}
	if code := s.add(t, r.ProducerID, r.ProducerEpoch, home, &kafka.AddOffsetsToTxnResponse{}); code != kafka.None {
		s.refuse(code)
	}
}

// add is TransactionCoordinator.handleAddPartitionsToTransaction. What is in the transaction already needs no record.
func (s *step) add(
	t *transaction, producer kafka.ProducerID, epoch int16, partitions []kafka.PartitionID, answer kafka.Body,
) kafka.ErrorCode {
	if code := t.mayWrite(producer, epoch); code != kafka.None {
		return code
	}
	if t.pending != nil {
		return kafka.ConcurrentTransactions
	}
	v := t.value
	missing := slices.DeleteFunc(slices.Clone(partitions), func(p kafka.PartitionID) bool { return slices.Contains(v.Partitions, p) })
	if v.State == kafka.TransactionOngoing && len(missing) == 0 {
		s.out.Answer(s.reply, answer)
		return kafka.None
	}
	next := *v
	if v.State != kafka.TransactionOngoing {
		next.Started, next.Partitions = s.now, nil
	}
	next.State, next.Version = kafka.TransactionOngoing, s.setting.Version
	next.Partitions = append(slices.Clone(next.Partitions), partitions...)
	slices.Sort(next.Partitions)
	next.Partitions = slices.Compact(next.Partitions)
	s.write(t, &next, answer)
	return kafka.None
}

// mayWrite says why a producer has no part in a transaction, if it has none.
func (t *transaction) mayWrite(producer kafka.ProducerID, epoch int16) kafka.ErrorCode {
	switch {
	case t == nil || t.value.ProducerID != producer:
		return kafka.InvalidProducerIDMapping
	case t.value.Epoch != epoch:
		return kafka.ProducerFenced
	case t.value.State.Prepared():
		return kafka.ConcurrentTransactions
	}
	return kafka.None
}

// verified tells a leader which partitions are in the producer's open transaction
// (TransactionCoordinator.handleVerifyPartitionsInTransaction).
func verified(t *transaction, r *kafka.AddPartitionsToTxnRequest) kafka.Body {
	answer := partitionErrors(r, t.mayWrite(r.ProducerID, r.ProducerEpoch))
	for i := range answer.Results {
		if a := &answer.Results[i]; a.Error == kafka.None && !slices.Contains(t.value.Partitions, a.Partition) {
			a.Error = kafka.TransactionAbortable
		}
	}
	return answer
}

func partitionErrors(r *kafka.AddPartitionsToTxnRequest, code kafka.ErrorCode) *kafka.AddPartitionsToTxnResponse {
	answer := &kafka.AddPartitionsToTxnResponse{Results: make([]kafka.PartitionError, len(r.Partitions))}
	for i, p := range r.Partitions {
		answer.Results[i] = kafka.PartitionError{Partition: p, Error: code}
	}
	return answer
}

// endTransaction takes a producer's decision (TransactionCoordinator.endTransaction).
func (s *step) endTransaction(r *kafka.EndTxnRequest) {
	t := s.find(r.TransactionID)
	if t == nil {
		s.refuse(kafka.InvalidProducerIDMapping)
		return
	}
	code, again := s.mayEnd(t, r)
	switch {
	case again:
		s.out.Answer(s.reply, ended(t.value))
	case code != kafka.None:
		s.refuse(code)
	default:
		next := s.decide(t, r.Commit)
		s.write(t, next, ended(next))
	}
}

// ended is the answer to an EndTxn: with the epoch of the next transaction, where each has its own.
func ended(v *kafka.TransactionValue) *kafka.EndTxnResponse {
	if v.NextProducer != kafka.NoProducerID {
		return &kafka.EndTxnResponse{ProducerID: v.NextProducer}
	}
	return &kafka.EndTxnResponse{ProducerID: v.ProducerID, ProducerEpoch: v.Epoch}
}

// mayEnd says why a producer can not end its transaction, if it can not; again: it has done so already, and the answer was lost.
// In transaction version 2 the epoch went up with the decision, so that the old one is a retry and the new one the next
// transaction.
func (s *step) mayEnd(t *transaction, r *kafka.EndTxnRequest) (code kafka.ErrorCode, again bool) {
	v := t.value
	retry, overflow := false, false
	if s.setting.Version >= 2 {
		decided := v.State != kafka.TransactionOngoing && v.State != kafka.TransactionEmpty
		overflow = decided && v.PreviousProducer == r.ProducerID && exhausted(r.ProducerEpoch) && v.Epoch == 0
		retry = decided && v.Epoch == r.ProducerEpoch+1 || overflow
	}
	valid := retry || v.Epoch == r.ProducerEpoch && (s.setting.Version < 2 || !v.State.Prepared())
	switch {
	case v.ProducerID != r.ProducerID && !overflow:
		return kafka.InvalidProducerIDMapping, false
	case !valid:
		return kafka.ProducerFenced, false
	case t.pending != nil:
		return kafka.ConcurrentTransactions, false
	}
	return s.mayEndIn(v.State, r.Commit, retry || s.setting.Version < 2)
}

// mayEndIn is the same by the state of the id; same says that the request is about the transaction that led there. In
// transaction version 2 an abort of nothing is taken: the producer may not know whether any of its batches got as far as the
// coordinator.
func (s *step) mayEndIn(state kafka.TransactionState, commit, same bool) (code kafka.ErrorCode, again bool) {
	switch state {
	case kafka.TransactionOngoing:
		return kafka.None, false
	case kafka.TransactionEmpty:
		if !commit && s.setting.Version >= 2 {
			return kafka.None, false
		}
	case kafka.TransactionCompleteCommit, kafka.TransactionCompleteAbort:
		if same && commit == (state == kafka.TransactionCompleteCommit) {
			return kafka.None, true
		}
		if !same && !commit {
			return kafka.None, false
		}
	default:
		if commit == (state == kafka.TransactionPrepareCommit) {
			return kafka.ConcurrentTransactions, false
		}
	}
	return kafka.InvalidTxnState, false
}

// decide is the id's state with the transaction decided (TransactionMetadata.prepareAbortOrCommit). In transaction version 2 the
// epoch goes up with every transaction (KIP-890): what was meant for this one can not touch the next.
func (s *step) decide(t *transaction, commit bool) *kafka.TransactionValue {
	next := *t.value
	if next.State != kafka.TransactionOngoing {
		next.Started, next.Partitions = s.now, nil
	}
	if next.State = kafka.TransactionPrepareAbort; commit {
		next.State = kafka.TransactionPrepareCommit
	}
	next.Version = s.setting.Version
	if s.setting.Version >= 2 {
		if exhausted(next.Epoch) {
			next.NextProducer = s.fresh()
		}
		next.LastEpoch = next.Epoch
		next.Epoch++
	}
	return &next
}
