package check

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// This file follows what each reader is handed, poll by poll: in-memory readers and members of groups alike.

// A poll is where a reader stands in one partition.
type poll struct {
	first kafka.Offset // where its present reading began
	next  kafka.Offset // what it must be handed next
	known bool
}

// pollOf is where a client stands in a partition.
func (c *Checker) pollOf(node kafka.NodeID, p kafka.PartitionID) *poll {
	at := int(node - kafka.FirstClientID)
	for at >= len(c.polls) {
		c.polls = append(c.polls, nil)
	}
	for int(p) >= len(c.polls[at]) {
		c.polls[at] = append(c.polls[at], poll{})
	}
	return &c.polls[at][p]
}

// polled is what a client was handed of a partition since it began there.
func (c *Checker) polled(node kafka.NodeID, p kafka.PartitionID) (from, to kafka.Offset, known bool) {
	x := c.pollOf(node, p)
	return x.first, x.next, x.known
}

func (c *Checker) forgetPoll(node kafka.NodeID, p kafka.PartitionID) { *c.pollOf(node, p) = poll{} }

func (c *Checker) forgetPolls(node kafka.NodeID) {
	if at := int(node - kafka.FirstClientID); at >= 0 && at < len(c.polls) {
		c.polls[at] = nil
	}
}

// positioned takes in that a reader goes on elsewhere: it looked up its position, or its old one was no good any more.
func (c *Checker) positioned(p *partition, e *event.Event) {
	if !e.Node.IsClient() {
		return
	}
	switch {
	case e.Kind == event.OffsetReset:
		p.jump(kafka.Offset(e.Prev), e.Offset)
	case jumps(e):
		p.jump(0, e.Offset)
	case e.Kind == event.PositionFound:
		p.jump(p.readEnd, e.Offset) // somebody has committed further than anybody has read
	}
	*c.pollOf(e.Node, e.Partition) = poll{first: e.Offset, next: e.Offset, known: true}
}

// jumps reports whether auto.offset.reset has put a reader where others need not have read up to.
func jumps(e *event.Event) bool {
	return e.Kind == event.OffsetReset || e.Value == event.FoundLatest || e.Value == event.FoundByDuration
}

// checkPoll looks at what a reader is handed.
func (c *Checker) checkPoll(p *partition, e *event.Event, ids []kafka.RecordID) {
	if e.Node.IsClient() && len(ids) > 0 {
		c.follows(p, e, ids)
		c.checkSecond(p, e, ids)
	}
}

// follows checks that a reader is handed what follows on what it was handed before: nothing again, and nothing left out.
func (c *Checker) follows(p *partition, e *event.Event, ids []kafka.RecordID) {
	x := c.pollOf(e.Node, e.Partition)
	switch {
	case !x.known:
		x.first = e.Offset
	case e.Offset < x.next:
		c.report(monotonicPolls, p, ids[0], "%s is handed %s from offset %d of %s on, and stood at %d",
			c.names.Node(e.Node), c.names.Record(ids[0]), e.Offset, c.names.Partition(p.id), x.next)
	case e.Offset > x.next:
		if id, o := p.visible(x.next, e.Offset); id != kafka.NoRecord {
			c.report(noSkippingPolls, p, id, "%s goes from offset %d of %s to %d and is not handed %s at %d",
				c.names.Node(e.Node), x.next, c.names.Partition(p.id), e.Offset, c.names.Record(id), o)
		}
	}
	x.next, x.known = e.End(), true
	p.readEnd = max(p.readEnd, x.next)
}

// visible is the first record of an application that is committed within a span of offsets, and that no cleaner removed.
func (p *partition) visible(from, to kafka.Offset) (kafka.RecordID, kafka.Offset) {
	for o := from; o < to; o++ {
		if id := p.committed.id(o); id != kafka.NoRecord && !p.cleaned(o) {
			return id, o
		}
	}
	return kafka.NoRecord, to
}

// checkSecond asks whether a record was read from another offset before. Only the idempotent producer promises that it
// is not, and not across a new producer epoch, a restart, or an application that hands over again.
func (c *Checker) checkSecond(p *partition, e *event.Event, ids []kafka.RecordID) {
	if c.settings.Idempotent == nil || c.loose {
		return
	}
	for i, id := range ids {
		o := e.Offset + kafka.Offset(i)
		if id < 0 || !c.once.has(int(id)) || p.readAt(o, id) {
			continue
		}
		if c.seen.has(int(id)) {
			c.report(noDuplicateRead, p, id, "%s is handed %s at offset %d of %s, and it was read from another offset before",
				c.names.Node(e.Node), c.names.Record(id), o, c.names.Partition(p.id))
			continue
		}
		c.seen.set(int(id), 1)
	}
}

// readAt reports whether the record was read at this very offset before.
func (p *partition) readAt(o kafka.Offset, id kafka.RecordID) bool {
	for i := len(p.branches) - 1; i >= 0; i-- {
		if b := p.branches[i]; b.marked(read, o) && b.id(o) == id {
			return true
		}
	}
	return false
}

// sent notes records of which a second copy is a broken promise.
func (c *Checker) sent(e *event.Event, ids []kafka.RecordID) {
	if c.transactional && c.names.MakesOnce(e.Node) {
		c.transactions.makes(ids)
	}
	if c.settings.Idempotent == nil || !c.settings.Idempotent(e.Node) {
		return
	}
	for _, id := range ids {
		if id < 0 {
			continue
		}
		if c.once.has(int(id)) {
			c.loose = true // a processor that begins anew makes its results again
		}
		c.once.set(int(id), 1)
	}
}

// jump notes that a reader left out what lies between two offsets, or begins behind them: nobody owes it to anybody.
func (p *partition) jump(from, to kafka.Offset) {
	if from < to {
		p.jumps.Add(from, to)
	}
}

// checkUnread looks, at the end, for acknowledged records that nobody read, although somebody has read what lies before
// and what lies behind them.
func (c *Checker) checkUnread(p *partition) {
	first, last := p.readSpan()
	for _, x := range p.unreadWithin(first, last) {
		c.report(everythingRead, p, x.id(x.at), "%s at offset %d of %s was acknowledged and never read, though what is behind it was",
			c.names.Record(x.id(x.at)), x.at, c.names.Partition(p.id))
	}
}

// readSpan is from the first offset that was ever read to behind the last.
func (p *partition) readSpan() (first, last kafka.Offset) {
	first, last = -1, -1
	for _, b := range p.branches {
		for o, more := b.nextMarked(read, b.from); more; o, more = b.nextMarked(read, o+1) {
			if first < 0 || o < first {
				first = o
			}
			last = max(last, o+1)
		}
	}
	return first, last
}

// unreadWithin lists the acknowledged records of the committed log between two offsets that nobody read.
func (p *partition) unreadWithin(first, last kafka.Offset) []place {
	var places []place
	for _, r := range p.committed.runs {
		if r.branch.epoch < p.uncleanEpoch {
			continue
		}
		for o := max(r.from, first); o < min(r.to, last); o++ {
			if r.marked(acknowledged, o) && !r.marked(read, o) && !p.jumps.Has(o) && !p.cleaned(o) {
				places = append(places, place{r.branch, o})
			}
		}
	}
	return places
}

// cleaned reports whether some replica's cleaner has removed what stood at an offset.
func (p *partition) cleaned(o kafka.Offset) bool {
	for i := range p.replicas {
		if p.replicas[i].log.gone.Has(o) {
			return true
		}
	}
	return false
}

// checkUnseen looks, at the end, for readers that stand still before committed records, though they have all the time in the
// world. In a partition with transactions a reader may have to wait for one that is open.
func (c *Checker) checkUnseen(p *partition) {
	l := p.leading()
	if len(p.parts) > 0 || l == nil || !c.running.Has(l.node) || !c.quiet(p.grewAt) {
		return
	}
	end := min(p.committed.end, l.highWatermark) // a leader that has lost what was committed has nothing to hand out
	for at := range c.polls {
		node := kafka.FirstClientID + kafka.NodeID(at)
		from, to, known := c.polled(node, p.id)
		if !known || to >= end || to < l.log.start || !c.idle(node, p.id) {
			continue
		}
		if id, o := p.visible(to, end); id != kafka.NoRecord {
			c.report(eventuallyRead, p, id, "%s reads %s from %d on, stands at %d, and is not handed %s at %d",
				c.names.Node(node), c.names.Partition(p.id), from, to, c.names.Record(id), o)
		}
	}
}

// idle reports whether a reader has nothing else to do than to read the partition: one in memory never has, and a member
// that owns it when all it was handed is done.
func (c *Checker) idle(node kafka.NodeID, p kafka.PartitionID) bool {
	g, m := c.groupOf(node)
	if g == nil {
		return true
	}
	owns, open := false, 0
	for _, h := range g.held {
		if h.node == node {
			owns = owns || h.partition == p && !h.orphaned
			open += len(g.workOf(h.partition).open)
		}
	}
	return owns && m.alive && !m.stuck && m.effect && open == 0 && c.quiet(g.changed)
}
