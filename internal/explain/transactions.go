package explain

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// undecided says what keeps a record from a reader with read_committed: its own transaction, or an open one before it.
func (d *doubt) undecided(at view.Place, leader kafka.NodeID) {
	p := at.Partition
	if d.Picture.EndingAt(p, leader, at.Offset) == view.Aborted {
		d.fails(d.lastOf(event.TransactionMarked, p), "its transaction was aborted: the reader gets it and drops it (isolation.level=read_committed).")
		return
	}
	stable := d.Picture.LastStable(p, leader)
	if stable > at.Offset {
		return
	}
	opened := d.latest(func(e *event.Event) bool {
		return e.Kind == event.TransactionOpened && e.Partition == p && e.Offset == stable
	})
	d.fails(opened, "the last stable offset of %s is %s: the transaction that begins there is not decided, and a reader with read_committed reads no further.",
		d.names.Partition(p), number(stable))
}

// Fenced answers why a producer was refused because of its producer epoch; false when it was not.
func (m *Moment) Fenced(producer kafka.NodeID) (WhyNot, bool) {
	names := m.Picture.Names()
	d := m.doubt("Why was %s fenced?", names.Node(producer))
	fenced := d.latest(func(e *event.Event) bool { return e.Kind == event.ProducerFenced && e.Peer == producer })
	if fenced == 0 {
		return WhyNot{}, false
	}
	refused := d.Log.Get(fenced)
	id := refused.Transaction()
	d.rule(event.ProducerFenced)
	d.input(d.latest(func(e *event.Event) bool { return e.Kind == event.ProducerIDAssigned && e.Node == producer }),
		"%s has the transactional.id %s and came with producer epoch %d.", capital(names.Node(producer)), names.TransactionalID(id), refused.ProducerEpoch)
	d.raised(refused)
	d.input(fenced, "%s refused it: %v.", capital(names.Node(refused.Node)), refused.Error)
	return d.WhyNot, true
}

// raised says who raised the epoch of a transactional id above that of a request that was refused.
func (d *doubt) raised(refused *event.Event) {
	find := func(kind event.Kind, least int16) *event.Event {
		return d.Log.Get(d.latest(func(e *event.Event) bool {
			return e.Seq < refused.Seq && e.Kind == kind && e.Transaction() == refused.Transaction() && e.ProducerEpoch >= least
		}))
	}
	epoch := refused.ProducerEpoch
	if e := find(event.ProducerInitialised, epoch+1); e != nil {
		d.fails(e.Seq, "%s got the id since, with epoch %d.", d.names.Node(e.Peer), e.ProducerEpoch)
	} else if e := find(event.TransactionTimedOut, epoch); e != nil {
		d.fails(e.Seq, "its transaction was open for longer than transaction.timeout.ms, and the coordinator aborted it with the next epoch.")
	} else if e := find(event.TransactionPrepared, epoch+1); e != nil {
		d.fails(e.Seq, "the transaction that it means is over, and the id has epoch %d since.", e.ProducerEpoch)
	}
}

// hearOfTransaction tells how the transaction of the record ends in its partition.
func (t *teller) hearOfTransaction(e *event.Event) {
	if e.Partition != t.partition || e.Producer != t.writer || len(t.copies) == 0 || t.fate.decided {
		return
	}
	t.fate.decided = true
	if e.Value == 1 {
		t.tell(e, "the transaction is committed: %s writes the marker at offset %s. Readers with read_committed may have it now.",
			t.node(e.Node), number(e.Offset))
		return
	}
	t.tell(e, "the transaction is aborted: %s writes the marker at offset %s. The record stays in the log; readers with read_committed drop it.",
		t.node(e.Node), number(e.Offset))
}
