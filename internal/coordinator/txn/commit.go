package txn

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// Committed says what became of the record of a transactional id: with kafka.None it is on every in-sync replica, and the state
// counts. With an error the id stays where it was, although the record may be in the log: the coordinator that reads the log
// next goes by it.
func (c *Transactions) Committed(id kafka.TransactionalID, code kafka.ErrorCode, now kafka.Tick, out *node.Out, w *Write) {
	t := c.find(id)
	if t == nil || t.pending == nil {
		return
	}
	s := step{Transactions: c, now: now, out: out, w: w, from: kafka.NoNode}
	if code != kafka.None {
		s.notWritten(t, code)
		return
	}
	before := t.value
	t.value, t.pending, t.fenced = t.pending, nil, false
	s.tell(t, before)
	if t.request != nil {
		out.Answer(t.reply, t.answer)
		t.request, t.answer = nil, nil
	}
	if t.value.State.Prepared() {
		s.sendMarkers(t)
	}
	s.settle(t)
}

// notWritten takes back a step whose record was not committed (TransactionStateManager.appendTransactionToLog). The end of a
// transaction whose markers stand is written again instead.
func (s *step) notWritten(t *transaction, code kafka.ErrorCode) {
	if t.value.State.Prepared() {
		t.retryAt = s.now + s.setting.Config.MarkerRetry
		return
	}
	if p := t.pending; p.State == kafka.TransactionPrepareAbort && p.LastEpoch == kafka.NoProducerEpoch {
		// Nobody may get the epoch that was to fence the producer.
		raised := *t.value
		raised.Epoch = p.Epoch
		t.value, t.fenced = &raised, true
	}
	t.pending = nil
	if t.request != nil {
		s.out.Answer(t.reply, Refuse(t.request, code))
		t.request, t.answer = nil, nil
	}
	s.settle(t)
}

// tell tells of a state that counts now.
func (s *step) tell(t *transaction, before *kafka.TransactionValue) {
	v := t.value
	commit := event.Flag(v.State == kafka.TransactionPrepareCommit || v.State == kafka.TransactionCompleteCommit)
	switch v.State {
	case kafka.TransactionEmpty:
		s.emit(t, event.Event{Kind: event.ProducerInitialised, Peer: t.from})
	case kafka.TransactionOngoing:
		for _, p := range v.Partitions {
			if before.State != kafka.TransactionOngoing || !slices.Contains(before.Partitions, p) {
				s.emit(t, event.Event{Kind: event.TransactionPartitionAdded, Partition: p})
			}
		}
	case kafka.TransactionPrepareCommit, kafka.TransactionPrepareAbort:
		s.emit(t, event.Event{Kind: event.TransactionPrepared, Prev: commit, Count: int32(len(v.Partitions))})
	default:
		s.emit(t, event.Event{Kind: event.TransactionCompleted, Prev: commit})
	}
}

// settle notes when the transaction will be too old.
func (s *step) settle(t *transaction) {
	t.due = kafka.Never
	if t.pending == nil && t.value.State == kafka.TransactionOngoing && t.value.Timeout < kafka.Never {
		t.due = s.setting.lookAfter(max(t.value.Started+t.value.Timeout, s.now))
	}
}

// lookAfter is the first look at the time-outs after a tick.
func (c *Setting) lookAfter(at kafka.Tick) kafka.Tick {
	every := c.Config.AbortCheck
	return c.Phase + ((at-c.Phase)/every+1)*every
}

// sendMarkers has the markers of a decided transaction written, to every partition that has none yet.
func (s *step) sendMarkers(t *transaction) {
	t.unmarked, t.unsent, t.givenUp, t.retryAt = t.value.Partitions, nil, false, kafka.Never
	s.send(t, t.unmarked)
	if len(t.unmarked) == 0 {
		s.complete(t)
	}
}

func (s *step) send(t *transaction, partitions []kafka.PartitionID) {
	for _, p := range partitions {
		s.w.Markers = append(s.w.Markers, Marker{
			ID: t.id, Partition: p, ProducerID: t.value.ProducerID, ProducerEpoch: t.value.Epoch,
			Commit: t.value.State == kafka.TransactionPrepareCommit,
		})
	}
}

// Marked says what became of a marker (TransactionMarkerRequestCompletionHandler). A passing error lets it be sent again; a
// partition that has seen a later epoch of the producer or of the coordinator refuses it for good, and then the transaction
// stays as it is.
func (c *Transactions) Marked(m *Marker, code kafka.ErrorCode, now kafka.Tick, out *node.Out, w *Write) {
	t := c.find(m.ID)
	if t == nil || !t.value.State.Prepared() || t.value.Epoch != m.ProducerEpoch || t.givenUp || !slices.Contains(t.unmarked, m.Partition) {
		return
	}
	s := step{Transactions: c, now: now, out: out, w: w, from: kafka.NoNode}
	switch code {
	case kafka.None:
		t.unmarked = slices.DeleteFunc(slices.Clone(t.unmarked), func(p kafka.PartitionID) bool { return p == m.Partition })
		if len(t.unmarked) == 0 {
			s.complete(t)
		}
	case kafka.InvalidProducerEpoch, kafka.TransactionCoordinatorFenced:
		t.givenUp, t.unsent, t.retryAt = true, nil, kafka.Never
	default:
		t.unsent = append(t.unsent, m.Partition)
		t.retryAt = min(t.retryAt, now+c.setting.Config.MarkerRetry)
	}
}

// complete ends a transaction whose markers all stand (TransactionMetadata.prepareComplete).
func (s *step) complete(t *transaction) {
	next := *t.value
	if next.State = kafka.TransactionCompleteAbort; t.value.State == kafka.TransactionPrepareCommit {
		next.State = kafka.TransactionCompleteCommit
	}
	next.Partitions = nil
	if next.NextProducer != kafka.NoProducerID {
		next.PreviousProducer, next.ProducerID, next.Epoch = next.ProducerID, next.NextProducer, 0
		next.NextProducer = kafka.NoProducerID
	}
	t.retryAt = kafka.Never
	s.request = nil
	s.write(t, &next, nil)
}

// Deadline is when Expire has something to do, kafka.Never if nothing is to come.
func (c *Transactions) Deadline() kafka.Tick {
	next := kafka.Never
	for _, t := range c.list {
		next = min(next, t.retryAt, t.due)
	}
	return next
}

// Expire does what is due: markers that are sent again, transactions that are open for longer than transaction.timeout.ms.
func (c *Transactions) Expire(now kafka.Tick, out *node.Out, w *Write) {
	s := step{Transactions: c, now: now, out: out, w: w, from: kafka.NoNode}
	for _, t := range c.list {
		if t.retryAt <= now {
			t.retryAt = kafka.Never
			if t.pending != nil {
				s.record(t) // its end could not be written
			}
			unsent := t.unsent
			t.unsent = nil
			s.send(t, unsent)
		}
		if t.due <= now {
			s.emit(t, event.Event{Kind: event.TransactionTimedOut})
			s.fence(t, nil)
		}
	}
}
