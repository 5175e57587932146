package txn

import "replog/internal/kafka"

// initProducerID gives a producer its id and the next epoch, which fences whoever had the transactional id before
// (TransactionCoordinator.handleInitProducerId). An open transaction is aborted first, with an epoch that nobody gets; the
// producer hears CONCURRENT_TRANSACTIONS and asks again.
func (s *step) initProducerID(r *kafka.InitProducerIDRequest) {
	if r.Timeout > s.setting.Config.MaxTimeout {
		s.refuse(kafka.InvalidTransactionTimeout)
		return
	}
	t := s.obtain(r.TransactionID)
	if t.value.ProducerID == kafka.NoProducerID {
		first := *t.value
		first.ProducerID, first.Timeout, first.Updated = s.fresh(), r.Timeout, s.now
		t.value = &first
	}
	if code := t.mayInit(r); code != kafka.None {
		s.refuse(code)
		return
	}
	if t.value.State == kafka.TransactionOngoing {
		s.fence(t, &kafka.InitProducerIDResponse{ProducerID: kafka.NoProducerID, Error: kafka.ConcurrentTransactions})
		return
	}
	next, code := s.nextEpoch(t, r)
	if code != kafka.None {
		s.refuse(code)
		return
	}
	s.write(t, next, &kafka.InitProducerIDResponse{ProducerID: next.ProducerID, Epoch: next.Epoch})
}

// mayInit says why a producer can not have its id now, if it can not. One that goes on after an error must still be the one that
// the coordinator knows (KIP-360).
func (t *transaction) mayInit(r *kafka.InitProducerIDRequest) kafka.ErrorCode {
	v := t.value
	known := !r.Continues || v.Epoch == kafka.NoProducerEpoch || r.ProducerID == v.ProducerID ||
		r.ProducerID == v.PreviousProducer && exhausted(r.ProducerEpoch)
	switch {
	case t.pending != nil:
		return kafka.ConcurrentTransactions
	case !known:
		return kafka.ProducerFenced
	case v.State.Prepared():
		return kafka.ConcurrentTransactions
	}
	return kafka.None
}

// nextEpoch is the id's state with the next producer epoch, or with a new producer id where the epochs are used up
// (TransactionMetadata.prepareIncrementProducerEpoch, prepareProducerIdRotation).
func (s *step) nextEpoch(t *transaction, r *kafka.InitProducerIDRequest) (*kafka.TransactionValue, kafka.ErrorCode) {
	v := t.value
	next := kafka.TransactionValue{
		ProducerID: v.ProducerID, PreviousProducer: v.ProducerID, NextProducer: kafka.NoProducerID, Epoch: v.Epoch + 1,
		LastEpoch: kafka.NoProducerEpoch, Timeout: r.Timeout, State: kafka.TransactionEmpty,
	}
	switch {
	case s.setting.Config.Rules.ProducerEpochKept && v.Epoch != kafka.NoProducerEpoch:
		next.Epoch = v.Epoch
	case exhausted(v.Epoch) && (!r.Continues || r.ProducerEpoch == v.Epoch):
		next.ProducerID, next.Epoch = s.fresh(), 0
		if r.Continues {
			next.LastEpoch = v.Epoch
		}
	case !r.Continues:
	case v.Epoch == kafka.NoProducerEpoch || r.ProducerEpoch == v.Epoch:
		next.LastEpoch = v.Epoch
	case r.ProducerEpoch == v.LastEpoch:
		next.Epoch, next.LastEpoch = v.Epoch, v.LastEpoch // the answer to the first try was lost
	default:
		return nil, kafka.ProducerFenced
	}
	return &next, kafka.None
}

// fence aborts an open transaction under the next epoch, so that its producer can not go on
// (TransactionMetadata.prepareFenceProducerEpoch).
func (s *step) fence(t *transaction, answer kafka.Body) {
	next := *t.value
	if !t.fenced {
		next.Epoch++
	}
	next.LastEpoch, next.State, next.Version = kafka.NoProducerEpoch, kafka.TransactionPrepareAbort, s.setting.Version
	s.write(t, &next, answer)
}
