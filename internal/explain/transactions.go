package explain

import (
	"fmt"
	"slices"

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

// LastStable answers why the last stable offset of a partition stands where it stands.
func (m *Moment) LastStable(p kafka.PartitionID) WhyNot {
	names, part := m.Picture.Names(), m.Picture.Partition(p)
	leader, _ := m.Picture.Replica(p, part.Last)
	stable := m.Picture.LastStable(p, part.Last)
	d := m.doubt("Why does the last stable offset of %s stand at %s?", names.Partition(p), number(stable))
	d.rule(event.TransactionOpened)
	d.input(d.lastOf(event.HighWatermarkAdvanced, p), "The high watermark is %s: so much is on every in-sync replica, and a reader with read_committed gets what is below %s.",
		number(leader.HighWater), number(stable))
	opened := d.Log.Get(d.latest(func(e *event.Event) bool {
		return e.Kind == event.TransactionOpened && e.Partition == p && e.Offset == stable
	}))
	if opened == nil || stable >= leader.HighWater {
		return d.nothing("Nothing is in the way: no transaction is open.")
	}
	producer := d.producerOf(opened)
	d.fails(opened.Seq, "the transaction of %s is open since %s, and begins at %s: what lies behind it waits, whoever wrote it.",
		names.Node(producer), names.Clock(opened.At), number(stable))
	last := d.Log.Get(d.latest(func(e *event.Event) bool {
		return e.Node == producer && (e.Kind == event.TransactionHung || e.Kind == event.TransactionBegun)
	}))
	if last != nil && last.Kind == event.TransactionHung {
		d.input(last.Seq, "%s.", capital(event.Sentence(last, nil, names)))
	}
	d.input(0, "It ends when %s commits or aborts; or the coordinator aborts it at its first look after transaction.timeout.ms, which counts from the first partition of the transaction.",
		names.Node(producer))
	return d.WhyNot
}

// producerOf is who had a producer id when a transaction opened.
func (d *doubt) producerOf(opened *event.Event) kafka.NodeID {
	got := d.latest(func(e *event.Event) bool {
		return e.Kind == event.ProducerIDAssigned && e.Producer == opened.Producer && e.Seq < opened.Seq
	})
	if e := d.Log.Get(got); e != nil {
		return e.Node
	}
	return kafka.NoNode
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
	if e, why := raised(d.Log, refused, refused.Producer, refused.ProducerEpoch); e != nil {
		d.fails(e.Seq, "%s.", why(d.names))
	}
	d.input(fenced, "%s refused it: %v.", capital(names.Node(refused.Node)), refused.Error)
	return d.WhyNot, true
}

// raised is what had raised the epoch of a producer above that of a request that was refused, and how to say it; nil where nothing had.
func raised(log *event.Log, refused *event.Event, id kafka.ProducerID, epoch int16) (*event.Event, func(*kafka.Names) string) {
	find := func(kind event.Kind, least int16) *event.Event {
		for seq := refused.Seq; seq > 0; seq-- {
			if e := log.Get(seq); e != nil && e.Kind == kind && e.Producer == id && e.ProducerEpoch >= least {
				return e
			}
		}
		return nil
	}
	if e := find(event.ProducerInitialised, epoch+1); e != nil {
		return e, func(names *kafka.Names) string {
			return fmt.Sprintf("%s got the id since, with epoch %d", names.Node(e.Peer), e.ProducerEpoch)
		}
	}
	if e := find(event.TransactionTimedOut, epoch); e != nil {
		return e, func(*kafka.Names) string {
			return "its transaction was open for longer than transaction.timeout.ms, and the coordinator aborted it with the next epoch"
		}
	}
	if e := find(event.TransactionPrepared, epoch+1); e != nil {
		return e, func(*kafka.Names) string {
			return fmt.Sprintf("the transaction that it means is over, and the id has epoch %d since", e.ProducerEpoch)
		}
	}
	return nil, nil
}

// whyFenced says why a batch was refused because of its producer epoch; empty where it was for something else.
func (t *teller) whyFenced(refused *event.Event) string {
	sent := t.log.Get(refused.Cause)
	if refused.Error != kafka.InvalidProducerEpoch || sent == nil || sent.Kind != event.ProduceSent {
		return ""
	}
	e, why := raised(t.log, refused, sent.Producer, sent.ProducerEpoch)
	if e == nil {
		return ""
	}
	return fmt.Sprintf(". It came with producer epoch %d: at %s %s", sent.ProducerEpoch, t.names.Clock(e.At), why(t.names))
}

// hearOfTransaction tells how the transaction of the record ends in its partition.
func (t *teller) hearOfTransaction(e *event.Event) {
	ending, ends := view.Aborted, false
	if e.Value == 1 {
		ending = view.Committed
	}
	for i := range t.copies {
		if c := &t.copies[i]; e.Partition == t.partition && c.producer == e.Producer && c.ending == view.NoTransaction {
			c.ending, ends = ending, true
		}
	}
	switch {
	case !ends:
	case ending == view.Committed:
		t.tell(e, "the transaction is committed: %s writes the marker at offset %s. Readers with read_committed may have it now.",
			t.node(e.Node), number(e.Offset))
	default:
		t.tell(e, "the transaction is aborted: %s writes the marker at offset %s. The record stays in the log; readers with read_committed drop it.",
			t.node(e.Node), number(e.Offset))
	}
}

// verdictOfTransactions says which copies were aborted, and which reader an open transaction has kept from the record to the end.
func (t *teller) verdictOfTransactions(final []copied) string {
	text := ""
	for i := range final {
		switch c := &final[i]; {
		case c.ending == view.Aborted && len(final) == 1:
			text += " Its transaction was aborted: readers with read_committed leave it out."
		case c.ending == view.Aborted:
			text += fmt.Sprintf(" The copy at offset %s was aborted with its transaction: readers with read_committed leave it out.", number(c.offset))
		default:
			text += t.heldBack(c)
		}
	}
	return text
}

// heldBack says who has not got a copy because a transaction at it or before it is open when the run ends.
func (t *teller) heldBack(c *copied) string {
	opened := t.world.partition(t.partition).firstOpen()
	if opened == nil || opened.Offset > c.offset {
		return ""
	}
	var waiting []string
	for i := range t.names.Nodes {
		n := &t.names.Nodes[i]
		shown := slices.ContainsFunc(t.showings, func(s showing) bool { return s.reader == n.ID && s.offset == c.offset })
		if n.ReadsCommitted && n.Consumes == "" && t.readsHere(n.ID) && !shown {
			waiting = append(waiting, n.Name)
		}
	}
	if len(waiting) == 0 {
		return ""
	}
	return fmt.Sprintf(" %s %s with read_committed and %s not got it: the transaction that begins at offset %s is not decided when the run ends.",
		capital(series(waiting)), verb(len(waiting), "reads", "read"), verb(len(waiting), "has", "have"), number(opened.Offset))
}

// readsHere reports whether a reader without a group reads the record's partition: it has got something of it, or there is only one topic
// to read.
func (t *teller) readsHere(reader kafka.NodeID) bool {
	topics := 0
	for i := range t.names.Topics {
		if !t.names.Topics[i].Internal {
			topics++
		}
	}
	return topics == 1 || slices.Contains(t.world.partition(t.partition).readers, reader)
}

// standing are the copies that were not aborted.
func standing(final []copied) []copied {
	return slices.DeleteFunc(slices.Clone(final), func(c copied) bool { return c.ending == view.Aborted })
}

// isFed reports whether a producer is that of a processor.
func isFed(names *kafka.Names, producer kafka.NodeID) bool {
	return producer.IsClient() && slices.ContainsFunc(names.Nodes, func(n kafka.NodeName) bool { return n.Producer == producer })
}
