package client

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// transaction is what a producer with transactions is doing (TransactionManager), and what its application wants next. The
// application is one thread: while it waits for the end of a transaction, what it is to send waits too.
type transaction struct {
	spec    *plan.Transactions
	version uint8
	backlog []handed            // what the application is to send when it goes on
	open    []handed            // what it has sent in this transaction
	added   []kafka.PartitionID // partitions that the coordinator knows to be in the transaction (version 1), ascending
	calls   coordinatorCalls
	due     kafka.Tick // when the application ends the transaction
	number  int32      // of the transaction, from 1
	phase   phase
	commit  bool            // how it ends
	failed  kafka.ErrorCode // why it can only be aborted; None while it can be committed
	bump    bool            // the epoch must go up before the next transaction (version 1)
	offsets *node.Words     // a processor: what its consumer has read, to be committed with the transaction; nil when that is done
	// offsetsAdded: the coordinator knows that the group belongs to the transaction (version 1).
	offsetsAdded bool
}

// phase is where an application is with its transactions.
type phase uint8

const (
	// phaseNew: it has not called initTransactions() yet, as there was nothing to send.
	phaseNew phase = iota
	// phaseInit: it waits in initTransactions().
	phaseInit
	// phaseReady: there is no transaction.
	phaseReady
	// phaseOpen: it sends.
	phaseOpen
	// phaseEnding: it waits in commitTransaction() or abortTransaction(), which waits for the answers to all batches first.
	phaseEnding
	// phaseStuck: it hangs, and its transaction stays open.
	phaseStuck
)

// handed is a record that the application has, or had, to send.
type handed struct {
	kafka.Record
	topic []kafka.PartitionID
	draw  uint64
}

func newTransaction(p *plan.Plan, spec *plan.Producer) *transaction {
	if spec.Transactions.ID == kafka.NoTransactionalID {
		return nil
	}
	t := &transaction{spec: &spec.Transactions, version: p.TransactionVersion(), calls: newCoordinatorCalls()}
	if spec.Transactions.Fed {
		t.phase = phaseInit
	}
	return t
}

// take has the application send a record in a transaction, as soon as it comes to that. With the first one it calls
// initTransactions().
func (p *Producer) take(in *node.Input) {
	t := p.transaction
	t.backlog = append(t.backlog, handed{Record: in.Record, topic: in.Topic, draw: in.Draw})
	if t.phase == phaseNew {
		t.phase = phaseInit
	}
}

// application goes on with what the application is to do, as far as it can.
func (p *Producer) application(now kafka.Tick, out *node.Out) {
	for again := !p.fatal; again; again = p.endsQuietly(out) {
		p.sendBacklog(now, out)
		p.finishFed(now, out)
		p.discard(out)
		p.drain(now, out)
	}
	p.transact(now, out)
}

func (p *Producer) sendBacklog(now kafka.Tick, out *node.Out) {
	t := p.transaction
	for len(t.backlog) > 0 && (t.phase == phaseReady || t.phase == phaseOpen) {
		if t.phase == phaseReady {
			p.beginTransaction(now, out)
		}
		next := t.backlog[0]
		t.backlog = slices.Delete(t.backlog, 0, 1)
		if t.failed != kafka.None {
			continue // the application's send() fails, as the transaction can only be aborted
		}
		t.open = append(t.open, next)
		next.Timestamp = now
		p.hand(&node.Input{Kind: node.Send, Now: now, Record: next.Record, Topic: next.topic, Draw: next.draw}, out)
		if t.spec.Records > 0 && len(t.open) >= int(t.spec.Records) {
			p.endTransaction(out)
		}
	}
}

func (p *Producer) beginTransaction(now kafka.Tick, out *node.Out) {
	t := p.transaction
	t.number++
	t.phase, t.failed, t.open, t.added = phaseOpen, kafka.None, nil, nil
	out.Emit(event.Event{Kind: event.TransactionBegun, Node: p.id, Value: int64(t.spec.ID)})
	if t.due = kafka.Never; t.spec.Every < kafka.Never {
		t.due = now + t.spec.Every
		out.Timer(t.due, node.Timer{Kind: timerTransaction})
	}
}

// endTransaction is the application's decision: it commits, unless it is to abort this one, or hangs.
func (p *Producer) endTransaction(out *node.Out) {
	t := p.transaction
	t.due = kafka.Never
	if slices.Contains(t.spec.Hang, t.number) {
		t.phase = phaseStuck
		cause := out.Cause()
		out.Emit(event.Event{Kind: event.TransactionHung, Node: p.id, Value: int64(t.spec.ID)})
		out.BecauseExactly(cause) // the client goes on with what it was handed
		return
	}
	t.phase, t.commit = phaseEnding, !slices.Contains(t.spec.Abort, t.number)
}

// transactionDue ends a transaction whose time is over, and goes on with what waited for a backoff or an answer.
func (p *Producer) transactionDue(now kafka.Tick, out *node.Out) {
	t := p.transaction
	if t == nil {
		return
	}
	if t.phase == phaseOpen && t.due <= now {
		p.endTransaction(out)
	}
	if t.calls.expired(now) {
		out.Close(t.calls.to, t.calls.channel)
		t.calls.lost()
	}
}

// endsQuietly ends a transaction of which the coordinator has never heard (version 1).
func (p *Producer) endsQuietly(out *node.Out) bool {
	t := p.transaction
	added := len(t.added) > 0 || t.offsetsAdded || t.commit && t.offsets != nil
	if t.phase != phaseEnding || t.version >= 2 || added || t.calls.inFlight || !p.settledAll() {
		return false
	}
	p.transactionOver(out)
	return true
}

// discard gives up what is not on its way, when the transaction can only be aborted (RecordAccumulator.abortUndrainedBatches).
func (p *Producer) discard(out *node.Out) {
	if p.transaction.failed == kafka.None {
		return
	}
	for id := range p.queues {
		p.failQueue(kafka.PartitionID(id), kafka.TransactionAbortable, out)
	}
}

// abortable notes that the transaction can only be aborted (TransactionManager.transitionToAbortableError).
func (p *Producer) abortable(code kafka.ErrorCode, out *node.Out) {
	t := p.transaction
	t.bump = true
	if t.phase != phaseOpen && t.phase != phaseEnding || t.failed != kafka.None {
		return
	}
	t.failed, t.commit = code, false
	if p.feed == nil || p.feed.finish != nil {
		t.phase = phaseEnding // the thread of a processor is elsewhere, and hears of it in commitTransaction()
	}
	cause := out.Cause()
	out.Emit(event.Event{Kind: event.TransactionFailed, Node: p.id, Value: int64(t.spec.ID), Error: code})
	out.Because(cause)
}

// transactionOver goes on after the end of a transaction. An application that keeps what it has no report of sends the records of
// one that failed again.
func (p *Producer) transactionOver(out *node.Out) {
	t := p.transaction
	if t.failed != kafka.None && p.config.Resends {
		t.backlog = append(slices.Clone(t.open), t.backlog...)
	}
	p.fedOver(out)
	t.open, t.added, t.phase, t.failed = nil, nil, phaseReady, kafka.None
	if t.bump && t.version < 2 {
		p.identity.settled = false
		t.phase = phaseInit
	}
	t.bump = false
}

// settledAll reports whether nothing is to be sent, and no answer is open.
func (p *Producer) settledAll() bool {
	if len(p.blocked) > 0 {
		return false
	}
	for i := range p.queues {
		if !p.queues[i].empty() {
			return false
		}
	}
	for i := range p.links {
		if len(p.links[i].flights) > 0 {
			return false
		}
	}
	return true
}

// mayDrain reports whether a batch may be sent to a partition: in version 1 only when the coordinator knows it to be in the
// transaction (TransactionManager.isSendToPartitionAllowed).
func (p *Producer) mayDrain(id kafka.PartitionID) bool {
	t := p.transaction
	if t == nil || t.version >= 2 {
		return true
	}
	_, added := slices.BinarySearch(t.added, id)
	return added
}

// missing lists the partitions with something to send that the coordinator does not know of yet.
func (p *Producer) missing() []kafka.PartitionID {
	var list []kafka.PartitionID
	for _, id := range p.producible {
		if !p.mayDrain(id) {
			list = append(list, id)
		}
	}
	return list
}

// restarted is the transaction of a process that begins anew: what the application has no report of it sends again, if it keeps
// that.
func (t *transaction) restarted(keeps bool) *transaction {
	if t == nil {
		return nil
	}
	fresh := &transaction{spec: t.spec, version: t.version, number: t.number, calls: newCoordinatorCalls()}
	if keeps {
		fresh.backlog = append(slices.Clone(t.open), t.backlog...)
	}
	if len(fresh.backlog) > 0 || t.spec.Fed {
		fresh.phase = phaseInit
	}
	return fresh
}

func (t *transaction) clone() *transaction {
	if t == nil {
		return nil
	}
	c := *t
	c.backlog, c.open, c.added = slices.Clone(t.backlog), slices.Clone(t.open), slices.Clone(t.added)
	return &c
}

func (t *transaction) fingerprint(h *node.Hash) {
	if t == nil {
		return
	}
	for _, list := range [][]handed{t.backlog, t.open} {
		h.Int(int64(len(list)))
		for i := range list {
			h.Int(int64(list[i].ID))
		}
	}
	for _, id := range t.added {
		h.Int(int64(id))
	}
	h.Int(int64(t.phase)<<32 | int64(t.number))
	h.Int(int64(t.failed))
	h.Bool(t.commit)
	h.Bool(t.bump)
	h.Bool(t.offsets != nil)
	h.Bool(t.offsetsAdded)
	if t.phase == phaseOpen {
		h.Time(t.due)
	}
	t.calls.fingerprint(h)
}
