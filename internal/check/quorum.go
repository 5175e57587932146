package check

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// This file checks what stands behind a high watermark: that everybody who may lead next holds what was committed, that
// the leader waited for all of them, and that brokers believe of the leadership only what the controller wrote.

// followerHeard notes what a leader has heard of a follower in its epoch.
func (p *partition) followerHeard(e *event.Event) {
	f := p.replica(e.Peer)
	switch {
	case f == nil || e.Epoch < f.heardIn: // a leader that was replaced
	case e.Epoch > f.heardIn:
		f.heard, f.heardIn = e.Offset, e.Epoch
	default:
		f.heard = max(f.heard, e.Offset)
	}
}

// candidates are the brokers that a clean election may choose from.
func (p *partition) candidates() kafka.BrokerSet { return p.isr | p.elr }

// checkCandidates asks of everybody who serves and may lead next whether its log reaches as far as what was committed.
func (c *Checker) checkCandidates(p *partition) {
	var short *replica
	for i := range p.replicas {
		r := &p.replicas[i]
		if p.candidates().Has(r.node) && c.serving.Has(r.node) && !r.offline && r.log.end < p.committed.end {
			short = r
		}
	}
	if c.turns(p, leaderCandidateCompleteness, short != nil) {
		c.report(leaderCandidateCompleteness, p, p.committed.id(short.log.end),
			"%s may be elected to lead %s, but its log ends at %d; committed was up to %d",
			c.names.Node(short.node), c.names.Partition(p.id), short.log.end, p.committed.end)
	}
}

// checkQuorum asks whether the controller's leader has waited, for what it committed in its epoch, for all whom the
// controller counts.
func (c *Checker) checkQuorum(p *partition) {
	var passed *replica
	l := p.leading()
	if l != nil && l.leads && l.epoch == p.epoch && l.advancedIn == p.epoch && c.running.Has(l.node) {
		for i := range p.replicas {
			r := &p.replicas[i]
			if r != l && p.candidates().Has(r.node) && (r.heardIn != p.epoch || r.heard < l.advanced) {
				passed = r
			}
		}
	}
	if c.turns(p, replicationQuorumSuperset, passed != nil) {
		c.report(replicationQuorumSuperset, p, l.log.id(l.advanced-1),
			"%s committed %s up to %d in leader epoch %d without having heard so far of %s, which may be elected: the ISR is %s, eligible are %s",
			c.names.Node(l.node), c.names.Partition(p.id), l.advanced, p.epoch, c.names.Node(passed.node),
			event.SetText(p.isr), event.SetText(p.elr))
	}
}

// wrote notes who leads in an epoch by the controller's metadata log; NoNode when nobody does.
func (p *partition) wrote(epoch kafka.Epoch, leader kafka.NodeID) {
	if n := len(p.written); n == 0 || p.written[n-1].epoch != epoch {
		p.written = append(p.written, term{epoch, leader})
	}
}

// checkMetadata holds what a broker believes of the leadership, in an epoch, against what the controller wrote.
func (c *Checker) checkMetadata(p *partition, broker kafka.NodeID, believes term) {
	for i := len(p.written) - 1; i >= 0; i-- {
		if p.written[i] == believes {
			return
		}
	}
	c.report(metadataLogMatching, p, kafka.NoRecord,
		"%s believes that %s leads %s in leader epoch %d, which stands nowhere in the controller's log",
		c.names.Node(broker), c.leaderName(believes.leader), c.names.Partition(p.id), believes.epoch)
}

// metadataMisplaced is where a broker's copy of the metadata log begins to differ from the controller's, which holds each
// record once: the broker counts on from there, and will not hear what the controller writes at the same offsets.
func (c *Checker) metadataMisplaced(e *event.Event) {
	c.reportOf(metadataLogMatching, kafka.NoPartition, kafka.NoRecord,
		"%s has, from offset %d on of its copy of the metadata log, what the controller wrote from %d on",
		c.names.Node(e.Node), e.Prev, e.Offset)
}

func (c *Checker) leaderName(leader kafka.NodeID) string {
	if leader == kafka.NoNode {
		return "nobody"
	}
	return c.names.Node(leader)
}
