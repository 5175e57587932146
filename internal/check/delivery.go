package check

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// This file follows what producers and readers were told, and checks that it stays true.

func (c *Checker) recordsAcknowledged(p *partition, e *event.Event, ids []kafka.RecordID) {
	which := acknowledged
	switch c.settings.Acks(e.Node) {
	case kafka.AcksNone:
		c.untracked = append(c.untracked, ids...)
		return
	case kafka.AcksOne:
		which = weaklyAcked
	}
	for o := e.Offset; len(ids) > 0; {
		b, at, n := p.acknowledgedAt(e.Peer, o, ids)
		if n == 0 {
			c.report(noAcknowledgedRecordLost, p, ids[0], "%s is acknowledged at offset %d of %s, where nobody ever stored it",
				c.names.Record(ids[0]), o, c.names.Partition(p.id))
			n = 1
		} else {
			b.mark(which, at, n)
			c.lookAfter(p, b, at, n)
		}
		ids = ids[n:]
		if o != kafka.NoOffset {
			o += kafka.Offset(n)
		}
	}
}

// acknowledgedAt is where the acknowledged records stand. A late answer to a duplicate may not know the offset; then the
// record is looked for.
func (p *partition) acknowledgedAt(peer kafka.NodeID, o kafka.Offset, ids []kafka.RecordID) (*branch, kafka.Offset, int) {
	if o != kafka.NoOffset {
		b, n := p.locate(peer, o, ids)
		return b, o, n
	}
	for i := len(p.branches) - 1; i >= 0; i-- {
		b := p.branches[i]
		if at := slices.Index(b.ids, ids[0]); at >= 0 {
			return b, b.from + kafka.Offset(at), 1
		}
	}
	return nil, o, 0
}

// lookAfter has the acknowledgements checked when the leader does not hold what was just acknowledged: the answer was
// on its way while the leader changed.
func (c *Checker) lookAfter(p *partition, b *branch, o kafka.Offset, n int) {
	l := p.leading()
	if l == nil || l.log.heldUntil(b, o) < o+kafka.Offset(n) {
		p.moved = true
		c.touch(p)
	}
}

func (c *Checker) recordsRead(p *partition, e *event.Event, ids []kafka.RecordID) {
	if g, m := c.groupOf(e.Node); g != nil && m.effect {
		g.workOf(p.id).begin(e.Offset, ids)
	}
	for o := e.Offset; len(ids) > 0; {
		b, n := p.locate(e.Peer, o, ids)
		if n == 0 {
			c.report(committedRead, p, ids[0], "%s is shown %s at offset %d of %s, where nobody ever stored it",
				c.names.Node(e.Node), c.names.Record(ids[0]), o, c.names.Partition(p.id))
			n = 1
		} else {
			c.readOf(p, b, e, o, ids[:n])
		}
		ids, o = ids[n:], o+kafka.Offset(n)
	}
}

// readOf takes in what a reader was shown of a branch.
func (c *Checker) readOf(p *partition, b *branch, e *event.Event, o kafka.Offset, ids []kafka.RecordID) {
	held := min(int(p.committed.heldUntil(b, o)-o), len(ids))
	if b.epoch < p.uncleanEpoch { // what is not held an unclean election gave up while the answer was on its way
		b.mark(read, o, held)
		return
	}
	if held < len(ids) {
		c.report(committedRead, p, ids[held], "%s is shown %s at offset %d of %s, which was not committed there",
			c.names.Node(e.Node), c.names.Record(ids[held]), o+kafka.Offset(held), c.names.Partition(p.id))
		p.strayReads = true
		c.touch(p)
	}
	if p.strayReads {
		c.compareReads(p, e, o, ids)
	}
	b.mark(read, o, len(ids))
}

// compareReads checks that nobody was shown something else at these offsets before.
func (c *Checker) compareReads(p *partition, e *event.Event, o kafka.Offset, ids []kafka.RecordID) {
	for i, id := range ids {
		at := o + kafka.Offset(i)
		for _, b := range p.branches {
			if b.epoch >= p.uncleanEpoch && b.marked(read, at) && b.id(at) != id {
				c.report(consistentRead, p, id, "%s is shown %s at offset %d of %s; before, %s was read there",
					c.names.Node(e.Node), c.names.Record(id), at, c.names.Partition(p.id), c.names.Record(b.id(at)))
			}
		}
	}
}

// unread is the first record that was read and that the leader does not hold at that offset.
func (p *partition) unread(l *replica) (*branch, kafka.Offset) {
	for _, x := range p.unheld(read, &l.log) {
		if x.epoch >= p.uncleanEpoch && l.log.id(x.at) != x.id(x.at) {
			return x.branch, x.at
		}
	}
	return nil, 0
}

// A place is one record of a branch.
type place struct {
	*branch
	at kafka.Offset
}

// unheld lists the marked records that none of the logs holds where they were appended. What a log holds is skipped a
// run at a time, so this costs little unless much is lost.
func (p *partition) unheld(m mark, logs ...*replicaLog) []place {
	var places []place
	for _, b := range p.branches {
		for o, more := b.nextMarked(m, b.from); more; o, more = b.nextMarked(m, o) {
			held := o
			for _, l := range logs {
				held = max(held, l.heldUntil(b, o))
			}
			if held == o {
				places = append(places, place{b, o})
				held++
			}
			o = held
		}
	}
	return places
}

// missing lists the marked records that stand nowhere in the logs, neither where they were appended nor as a second
// copy.
func (p *partition) missing(m mark, logs ...*replicaLog) []place {
	places := p.unheld(m, logs...)
	if len(places) == 0 {
		return nil
	}
	ids := recordsAt(places)
	for _, l := range logs {
		ids = l.strike(ids)
	}
	return slices.DeleteFunc(places, func(x place) bool {
		_, gone := slices.BinarySearch(ids, x.id(x.at))
		return !gone
	})
}

func recordsAt(places []place) []kafka.RecordID {
	ids := make([]kafka.RecordID, len(places))
	for i, x := range places {
		ids[i] = x.id(x.at)
	}
	return ids
}

// homes are the logs in which an acknowledged record must be found: the leader's, or any while there is no leader that
// is alive. What a dead leader has lost another may have, which leads next.
func (c *Checker) homes(p *partition) []*replicaLog {
	if l := p.leading(); l != nil && c.running.Has(l.node) && !l.offline {
		return []*replicaLog{&l.log}
	}
	logs := make([]*replicaLog, len(p.replicas))
	for i := range p.replicas {
		logs[i] = &p.replicas[i].log
	}
	return logs
}

// checkAcknowledged looks for acknowledged records that are gone. Each is reported once.
func (c *Checker) checkAcknowledged(p *partition) {
	homes := c.homes(p)
	for _, x := range p.missing(acknowledged, homes...) {
		switch {
		case x.marked(reportedLost, x.at):
		case x.epoch < p.uncleanEpoch:
			c.giveUp(uncleanElection, acknowledged, x)
		default:
			x.mark(reportedLost, x.at, 1)
			id := x.id(x.at)
			c.report(noAcknowledgedRecordLost, p, id, "%s was acknowledged with acks=all at offset %d of %s (leader epoch %d) and is gone: %s",
				c.names.Record(id), x.at, c.names.Partition(p.id), x.epoch, c.whereabouts(p))
		}
	}
	// A follower that was elected may still get records that are on their way, until it knows that it leads.
	if l := p.leading(); c.ended || l != nil && l.leads && l.epoch == p.epoch {
		for _, x := range p.missing(weaklyAcked, homes...) {
			c.giveUp(acksOne, weaklyAcked, x)
		}
	}
}

func (c *Checker) whereabouts(p *partition) string {
	if l := p.leading(); l == nil || !c.running.Has(p.leader) || l.offline {
		return "there is no leader, and no disk holds it"
	}
	return "the leader " + c.names.Node(p.leader) + " does not hold it"
}

// giveUp turns the loss of a record into a trade-off.
func (c *Checker) giveUp(why tradeoff, m mark, x place) {
	c.tradeoffs[why] = append(c.tradeoffs[why], x.id(x.at))
	x.marks[m].clear(int(x.at - x.from))
}

// checkUntracked looks, at the end, for what was sent with acks=0 and is in no log.
func (c *Checker) checkUntracked() {
	left := slices.Clone(c.untracked)
	for _, p := range c.partitions {
		if p == nil {
			continue
		}
		for _, l := range c.homes(p) {
			left = l.strike(left)
		}
	}
	c.tradeoffs[acksNone] = slices.Compact(left)
}
