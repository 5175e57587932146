package check

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// This file follows transactions: what of them lies in which log, how they end, and what readers with read_committed get.

// A part is what one transaction wrote to one partition. Whether it is decided is a question to a log: one of its markers is in
// it, or none.
type part struct {
	producer kafka.ProducerID
	data     []run
	markers  []marker
}

type marker struct {
	*branch
	at     kafka.Offset
	commit bool
}

// holds reports whether the log has the branch's record at the offset.
func (l *replicaLog) holds(b *branch, o kafka.Offset) bool {
	r := l.at(o)
	return r != nil && r.branch == b
}

// decided says how a part ends in a log, if it does.
func (x *part) decided(l *replicaLog) (commit, is bool) {
	for _, m := range x.markers {
		if l.holds(m.branch, m.at) {
			return m.commit, true
		}
	}
	return false, false
}

// abortedIn is where a log has records of aborted transactions, or had them until the cleaner came.
func (p *partition) abortedIn(l *replicaLog) kafka.Spans {
	var aborted kafka.Spans
	for _, x := range p.parts {
		if commit, decided := x.decided(l); commit || !decided {
			continue
		}
		for _, d := range x.data {
			if l.holds(d.branch, d.from) {
				aborted.Add(d.from, d.to)
			}
		}
	}
	return aborted
}

// openPart is the producer's part that is in the log and open there, or nil.
func (p *partition) openPart(l *replicaLog, producer kafka.ProducerID) *part {
	for i := len(p.parts) - 1; i >= 0; i-- {
		x := p.parts[i]
		if x.producer != producer || !l.holds(x.data[0].branch, x.data[0].from) {
			continue
		}
		if _, ended := x.decided(l); ended {
			return nil
		}
		return x
	}
	return nil
}

// A deal is what is known of a transactional id.
type deal struct {
	asked    asked
	producer kafka.ProducerID // as of the latest decision
	epoch    int16
	commit   bool
}

type asked uint8

const (
	askedNothing asked = iota
	askedCommit
	askedAbort
)

// transactions is what the checker knows of all transactions of a run.
type transactions struct {
	made    map[kafka.RecordID]made // what processors make exactly once
	deals   []deal                  // by transactional id
	writers []writer
}

// made is where a reader with read_committed was handed a result first.
type made struct {
	partition kafka.PartitionID
	offset    kafka.Offset
	seen      bool
}

func (t *transactions) makes(ids []kafka.RecordID) {
	if t.made == nil {
		t.made = map[kafka.RecordID]made{}
	}
	for _, id := range ids {
		if _, known := t.made[id]; !known {
			t.made[id] = made{}
		}
	}
}

// handedOnce checks that results of a processor are read from one offset only.
func (c *Checker) handedOnce(p *partition, e *event.Event, ids []kafka.RecordID) {
	for i, id := range ids {
		at := made{partition: p.id, offset: e.Offset + kafka.Offset(i), seen: true}
		switch before, is := c.transactions.made[id]; {
		case !is:
		case !before.seen:
			c.transactions.made[id] = at
		case before != at:
			c.report(exactlyOnce, p, id, "%s is handed %s at offset %d of %s, and it was read at offset %d of %s before: it was made twice",
				c.names.Node(e.Node), c.names.Record(id), at.offset, c.names.Partition(p.id), before.offset, c.names.Partition(before.partition))
		}
	}
}

// A writer is the client that writes under a producer id and epoch.
type writer struct {
	id    kafka.ProducerID
	epoch int16
	node  kafka.NodeID
}

// deal is what is known of a transactional id; of one that the run does not have, nothing that stays.
func (c *Checker) deal(id kafka.TransactionalID) *deal {
	if id <= 0 || int(id) > len(c.names.TransactionalIDs) {
		return &deal{}
	}
	t := &c.transactions
	for int(id) >= len(t.deals) {
		t.deals = append(t.deals, deal{producer: kafka.NoProducerID})
	}
	return &t.deals[id]
}

// takeTransaction hands an event to the checks of transactions; runs without any cost nothing here.
func (c *Checker) takeTransaction(e *event.Event, step *event.Step) {
	switch e.Kind {
	case event.TransactionBegun:
		c.deal(e.Transaction()).asked = askedNothing
	case event.TransactionEnding:
		d := c.deal(e.Transaction())
		if d.asked = askedAbort; e.Prev == 1 {
			d.asked = askedCommit
		}
	case event.TransactionPrepared:
		c.transactionPrepared(e)
	}
	p := c.partition(e.Partition)
	if p == nil {
		return
	}
	switch e.Kind {
	case event.BatchAppended:
		c.transactionalAppend(p, e)
	case event.TransactionOpened:
		c.transactionOpened(p, e)
	case event.TransactionMarked:
		c.transactionMarked(p, e)
	case event.RecordsRead:
		c.readerGets(p, e, step.Records(e), true)
		if c.names.ReadsCommitted(e.Node) {
			c.handedOnce(p, e, step.Records(e))
		}
	case event.RecordsDropped:
		c.dropped(p, e, step.Records(e))
	}
}

// transactionPrepared holds a decision against what the producer wants. An abort needs nobody's consent.
func (c *Checker) transactionPrepared(e *event.Event) {
	d := c.deal(e.Transaction())
	commit := e.Prev == 1
	d.producer, d.epoch, d.commit = e.Producer, e.ProducerEpoch, commit
	if commit && d.asked != askedCommit {
		c.report(atomicTransaction, c.open(kafka.PartitionID(0)), kafka.NoRecord,
			"%s commits a transaction of %s that its producer has not asked to commit", c.names.Node(e.Node),
			c.names.TransactionalID(e.Transaction()))
	}
}

// transactionalAppend notes that a batch belongs to the open transaction of its producer, and holds its producer against the
// others.
func (c *Checker) transactionalAppend(p *partition, e *event.Event) {
	if e.Producer == kafka.NoProducerID {
		return
	}
	if e.Peer.IsClient() {
		c.oneWriter(p, e)
	}
	r := p.replica(e.Node)
	if r == nil || len(p.parts) == 0 {
		return
	}
	if x := p.openPart(&r.log, e.Producer); x != nil && e.Sequence != kafka.NoSequence {
		x.data = append(x.data, r.lastRun(e))
	}
}

// lastRun is where the batch of an append lies.
func (r *replica) lastRun(e *event.Event) run {
	return run{branch: r.log.at(e.Offset).branch, from: e.Offset, to: e.End()}
}

// oneWriter checks that nobody else has written under this producer id and epoch.
func (c *Checker) oneWriter(p *partition, e *event.Event) {
	writers := c.transactions.writers
	for i := len(writers) - 1; i >= 0; i-- {
		if w := &writers[i]; w.id == e.Producer && w.epoch == e.ProducerEpoch {
			if w.node != e.Peer {
				c.report(distinctProducers, p, kafka.NoRecord, "%s writes to %s under producer id %d and epoch %d, which are those of %s",
					c.names.Node(e.Peer), c.names.Partition(p.id), e.Producer, e.ProducerEpoch, c.names.Node(w.node))
			}
			return
		}
	}
	c.transactions.writers = append(writers, writer{id: e.Producer, epoch: e.ProducerEpoch, node: e.Peer})
}

func (c *Checker) transactionOpened(p *partition, e *event.Event) {
	r := p.replica(e.Node)
	if r == nil || r.log.at(e.Offset) == nil {
		return
	}
	p.parts = append(p.parts, &part{producer: e.Producer, data: []run{{branch: r.log.at(e.Offset).branch, from: e.Offset, to: r.log.end}}})
}

// transactionMarked ends the producer's part in the leader's log, as it was decided.
func (c *Checker) transactionMarked(p *partition, e *event.Event) {
	r := p.replica(e.Node)
	if r == nil || r.log.at(e.Offset) == nil {
		return
	}
	commit := e.Value == 1
	if x := p.openPart(&r.log, e.Producer); x != nil {
		x.markers = append(x.markers, marker{branch: r.log.at(e.Offset).branch, at: e.Offset, commit: commit})
	}
	for i := range c.transactions.deals {
		if d := &c.transactions.deals[i]; d.producer == e.Producer && d.epoch == e.ProducerEpoch && d.commit != commit {
			c.report(atomicTransaction, p, kafka.NoRecord, "the marker at offset %d of %s is not what was decided of the transaction of %s",
				e.Offset, c.names.Partition(p.id), c.names.TransactionalID(kafka.TransactionalID(i)))
		}
	}
}

// dropped takes in what a reader leaves out, which nobody owes to anybody then.
func (c *Checker) dropped(p *partition, e *event.Event, ids []kafka.RecordID) {
	if len(ids) == 0 || !e.Node.IsClient() {
		return
	}
	c.readerGets(p, e, ids, false)
	c.follows(p, e, ids)
	p.jump(e.Offset, e.End())
}

// readerGets holds what a reader shows, or drops, against the transactions in the committed log.
func (c *Checker) readerGets(p *partition, e *event.Event, ids []kafka.RecordID, shows bool) {
	if len(ids) == 0 || !c.names.ReadsCommitted(e.Node) && shows {
		return
	}
	end := e.Offset + kafka.Offset(len(ids))
	for _, x := range p.parts {
		commit, decided := x.decided(&p.committed)
		if first := x.data[0]; shows && !decided && first.from < end && p.committed.holds(first.branch, first.from) {
			c.report(lastStableOffset, p, ids[0], "%s is shown offset %d of %s, but a transaction of producer %d is open from %d on",
				c.names.Node(e.Node), end-1, c.names.Partition(p.id), x.producer, first.from)
		}
		for _, d := range x.data {
			at := max(d.from, e.Offset)
			if at >= min(d.to, end) || !p.committed.holds(d.branch, at) {
				continue
			}
			if id := ids[at-e.Offset]; shows != (decided && commit) {
				c.report(readCommitted, p, id, "%s %s %s at offset %d of %s, whose transaction is %s", c.names.Node(e.Node),
					verb(shows), c.names.Record(id), at, c.names.Partition(p.id), fate(commit, decided))
			}
		}
	}
}

func verb(shows bool) string {
	if shows {
		return "shows"
	}
	return "drops"
}

func fate(commit, decided bool) string {
	switch {
	case !decided:
		return "open"
	case commit:
		return "committed"
	}
	return "aborted"
}
