package check

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// This file follows who leads, and checks that a leader has what it must have.

func (c *Checker) leaderElected(p *partition, e *event.Event) {
	c.touch(p)
	c.claim(p, e.Epoch, e.Peer)
	p.wrote(e.Epoch, e.Peer)
	if len(p.replicas) == 0 {
		p.members |= e.ISR() // who will open a log of it
	}
	p.leader, p.epoch, p.isr = e.Peer, e.Epoch, e.ISR()
	p.moved = true
	if p.unclean {
		p.unclean = false
		if l := p.leading(); l != nil {
			p.startOver(l)
		}
	}
}

func (c *Checker) partitionOffline(p *partition, e *event.Event) {
	c.touch(p)
	p.wrote(e.Epoch, kafka.NoNode)
	p.leader, p.epoch, p.isr = kafka.NoNode, e.Epoch, e.ISR()
	p.moved = true
}

func (c *Checker) isrChanged(p *partition, e *event.Event) {
	c.touch(p)
	if e.Epoch != p.epoch { // a shrink began a new leader epoch, with the same leader (KRaft before 3.6)
		c.claim(p, e.Epoch, e.Peer)
		p.wrote(e.Epoch, e.Peer)
	}
	p.epoch, p.isr = e.Epoch, e.ISR()
}

func (c *Checker) elrChanged(p *partition, e *event.Event) {
	c.touch(p)
	p.elr, p.everEligible = e.ISR(), true
}

// brokerFenced takes a broker out of service. The controller takes it out of the ISRs in the same step.
func (c *Checker) brokerFenced(e *event.Event) {
	c.serving, c.fenced = c.serving.Without(e.Peer), c.fenced.With(e.Peer)
	c.touchAll(e.Peer)
}

// brokerUnfenced lets a broker serve. One that lost data while it was away may be elected from then on.
func (c *Checker) brokerUnfenced(e *event.Event) {
	c.fenced = c.fenced.Without(e.Peer)
	if c.running.Has(e.Peer) {
		c.serving = c.serving.With(e.Peer)
	}
	c.touchAll(e.Peer)
}

// touchAll has every partition checked that the broker might lead.
func (c *Checker) touchAll(candidate kafka.NodeID) {
	for _, p := range c.partitions {
		if p != nil && p.candidates().Has(candidate) {
			c.touch(p)
		}
	}
}

func (c *Checker) becameLeader(p *partition, e *event.Event) {
	r := p.replica(e.Node)
	if r == nil {
		return
	}
	c.touch(p)
	c.claim(p, e.Epoch, e.Node)
	c.checkMetadata(p, e.Node, term{e.Epoch, e.Node})
	if e.Offset != r.log.end {
		c.report(sequentialOffsets, p, kafka.NoRecord, "%s begins leader epoch %d of %s at offset %d, but its log ends at %d",
			c.names.Node(e.Node), e.Epoch, c.names.Partition(p.id), e.Offset, r.log.end)
	}
	if e.Epoch == p.epoch && r.log.end < p.committed.end {
		c.report(monotonicHighWatermark, p, p.committed.id(r.log.end), "%s was committed up to %d, but its new leader %s has only %d offsets: a clean election undoes commits",
			c.names.Partition(p.id), p.committed.end, c.names.Node(e.Node), r.log.end)
	}
	r.leads, r.epoch = true, e.Epoch
	p.moved, p.tookOver = true, true
	c.raise(p, r, kafka.Offset(e.Prev))
}

func (c *Checker) becameFollower(p *partition, e *event.Event) {
	if r := p.replica(e.Node); r != nil {
		c.touch(p)
		r.leads, r.epoch = false, e.Epoch
		c.checkMetadata(p, e.Node, term{e.Epoch, e.Peer})
	}
}

// claim notes that the broker leads in the epoch, and checks that nobody else does.
func (c *Checker) claim(p *partition, epoch kafka.Epoch, node kafka.NodeID) {
	leader, known := p.termOf(epoch)
	if !known {
		p.terms = append(p.terms, term{epoch, node})
		return
	}
	if leader != node {
		c.report(singleLeaderPerEpoch, p, kafka.NoRecord, "%s leads %s in leader epoch %d, which is that of %s",
			c.names.Node(node), c.names.Partition(p.id), epoch, c.names.Node(leader))
	}
}

// startOver is what an unclean election does: the committed log ends where the new leader's differs from it, and what
// was acknowledged or read beyond that, in earlier epochs, is given up.
func (p *partition) startOver(l *replica) {
	p.uncleanEpoch = p.epoch
	p.committed.truncate(p.align(l))
	p.jump(p.committed.end, p.readEnd) // who stands further on will not see what is written there now
	for i := range p.replicas {
		r := &p.replicas[i]
		r.agreed = min(r.agreed, p.committed.end)
		r.highWatermark = min(r.highWatermark, p.committed.end)
	}
}

func (c *Checker) checkISR(p *partition) {
	names := c.names
	if c.turns(p, leaderInISR, p.leader != kafka.NoNode && !p.isr.Has(p.leader)) {
		c.report(leaderInISR, p, kafka.NoRecord, "%s leads %s, but the ISR is %s",
			names.Node(p.leader), names.Partition(p.id), event.SetText(p.isr))
	}
	if odd := c.oddISR(p); c.turns(p, validISR, odd != "") {
		c.report(validISR, p, kafka.NoRecord, "the ISR of %s is %s, and %s; its replicas are %s",
			names.Partition(p.id), event.SetText(p.isr), odd, event.SetText(p.members))
	}
}

// oddISR says what is wrong with the ISR and the eligible leader replicas; "" where nothing is.
func (c *Checker) oddISR(p *partition) string {
	switch fenced := p.isr & c.fenced; {
	case p.isr == 0 && !p.emptied():
		return "nobody is eligible in its place"
	case (p.isr|p.elr)&^p.members != 0:
		return "not every member has a replica"
	case p.isr&p.elr != 0:
		return event.SetText(p.elr) + " is eligible beside it"
	case p.elr != 0 && p.isr.Len() >= c.settings.minISR(p.id):
		return "though it is large enough, " + event.SetText(p.elr) + " is eligible beside it"
	case p.isr.Len() > 1 && fenced != 0:
		return event.SetText(fenced) + " is fenced"
	}
	return ""
}

// emptied reports whether the ISR may be empty: with ELR it may, as long as there is no leader.
func (p *partition) emptied() bool { return p.everEligible && p.leader == kafka.NoNode }

// checkLeader asks of the leader that the controller elected, once it knows that it leads, whether its log is complete.
// A broker that leads in an older epoch owes nothing: nobody of the newer epoch hears it.
func (c *Checker) checkLeader(p *partition) {
	l := p.leading()
	if l == nil || !l.leads || l.epoch != p.epoch || !c.running.Has(l.node) {
		return
	}
	c.checkComplete(p, l)
	if p.tookOver || p.strayReads {
		c.checkReads(p, l)
	}
}

func (c *Checker) checkComplete(p *partition, l *replica) {
	if o := p.align(l); c.turns(p, leaderCompleteness, o < p.committed.end) {
		c.report(leaderCompleteness, p, p.committed.id(o), "%s leads %s in leader epoch %d, but holds %s at offset %d, where %s was committed",
			c.names.Node(l.node), c.names.Partition(p.id), l.epoch, c.entry(&l.log, o), o, c.entry(&p.committed, o))
	}
	if p.broken[leaderCompleteness] || !p.tookOver {
		return
	}
	missing := slices.DeleteFunc(p.missing(acknowledged, &l.log), func(x place) bool { return x.epoch < p.uncleanEpoch })
	if len(missing) > 0 {
		c.report(leaderCompleteness, p, missing[0].id(missing[0].at), "%s leads %s in leader epoch %d without %s, which was acknowledged with acks=all",
			c.names.Node(l.node), c.names.Partition(p.id), l.epoch, event.RecordList(recordsAt(missing), c.names))
	}
}

// checkReads asks whether the new leader still shows what was read before.
func (c *Checker) checkReads(p *partition, l *replica) {
	b, o := p.unread(l)
	if c.turns(p, consistentRead, b != nil) {
		c.report(consistentRead, p, b.id(o), "%s was read at offset %d of %s; its leader %s now holds %s there",
			c.names.Record(b.id(o)), o, c.names.Partition(p.id), c.names.Node(l.node), c.entry(&l.log, o))
	}
}
