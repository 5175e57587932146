package check

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// This file follows the log start offset.

func (c *Checker) logStartAdvanced(p *partition, e *event.Event) {
	r := p.replica(e.Node)
	if r == nil {
		return
	}
	if e.Offset < r.log.start || e.Offset > r.highWatermark {
		c.report(logStartBelowHighWatermark, p, kafka.NoRecord, "the log of %s on %s begins at %d from now on; it began at %d, and its high watermark is %d",
			c.names.Partition(p.id), c.names.Node(e.Node), e.Offset, r.log.start, r.highWatermark)
	}
	r.log.early.Add(max(r.log.start, r.highWatermark), e.Offset)
	r.log.start = max(r.log.start, e.Offset)
}

// startedOver empties a log whose broker found that the leader's log begins behind its end, or ends below its start
// (UnifiedLog.truncateFullyAndStartAt). What its leader no longer has, retention took there.
func (c *Checker) startedOver(p *partition, r *replica, e *event.Event) {
	start := kafka.Offset(e.Prev)
	var early kafka.Spans
	if l := p.leading(); l != nil {
		early = l.log.early.Clone()
		if start > l.log.start {
			c.report(logStartBelowHighWatermark, p, kafka.NoRecord, "%s begins %s anew at %d, but its leader %s has it from %d on",
				c.names.Node(r.node), c.names.Partition(p.id), start, c.names.Node(l.node), l.log.start)
		}
	}
	r.log = replicaLog{start: start, early: early, end: start}
	r.agreed, r.highWatermark = start, min(r.highWatermark, start)
	p.moved = p.moved || r.node == p.leader
}
