package check

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// This file follows what brokers do to their logs, and checks that the logs agree.

func (c *Checker) logLoaded(e *event.Event) {
	if e.Partition < 0 || !e.Node.IsBroker() {
		return
	}
	p := c.open(e.Partition)
	c.touch(p)
	r := p.replica(e.Node)
	if r == nil {
		c.firstLoaded(p, e)
		return
	}
	if start := kafka.Offset(e.Prev); start > r.log.end || start < r.log.start {
		c.startedOver(p, r, e)
	}
	if e.Offset != r.log.end {
		c.report(sequentialOffsets, p, kafka.NoRecord, "%s opens its log of %s with end %d, but its disk holds it up to %d",
			c.names.Node(e.Node), c.names.Partition(p.id), e.Offset, r.log.end)
		p.cut(r, min(e.Offset, r.log.end))
	}
	// A checkpoint is never ahead of what the broker said before it stopped, unless an unclean election took that back.
	c.raise(p, r, min(kafka.Offset(e.Value), r.highWatermark))
	r.leads, r.offline = false, false
}

// replicaOffline takes a log whose disk has failed. Until the controller knows of that, nobody counts on it either.
func (c *Checker) replicaOffline(p *partition, e *event.Event) {
	if r := p.replica(e.Node); r != nil {
		c.touch(p)
		p.cut(r, min(e.Offset, r.log.end))
		r.leads, r.offline = false, true
	}
}

// firstLoaded enters a replica. What lies below the end of its log then was there before the run, so no event tells
// what it is: the checks begin at that offset.
func (c *Checker) firstLoaded(p *partition, e *event.Event) {
	if len(p.replicas) == 0 {
		p.committed.end = e.Offset
	}
	p.replicas = append(p.replicas, replica{
		node: e.Node, log: replicaLog{start: kafka.Offset(e.Prev), end: e.Offset}, highWatermark: kafka.NoOffset, agreed: e.Offset,
		advancedIn: kafka.NoEpoch, heardIn: kafka.NoEpoch,
	})
	c.raise(p, &p.replicas[len(p.replicas)-1], kafka.Offset(e.Value))
	p.members = p.members.With(e.Node)
	c.running, c.serving = c.running.With(e.Node), c.serving.With(e.Node)
}

func (c *Checker) brokerCrashed(e *event.Event) {
	c.running, c.serving = c.running.Without(e.Node), c.serving.Without(e.Node)
	for _, p := range c.partitions {
		if p == nil {
			continue
		}
		if r := p.replica(e.Node); r != nil {
			r.leads = false
		}
	}
}

func (c *Checker) batchAppended(p *partition, e *event.Event, ids []kafka.RecordID) {
	r := p.replica(e.Node)
	if r == nil {
		return
	}
	c.makeSequential(p, r, e)
	b := p.openBranch(e.Node, e.Epoch, e.Offset)
	if b == nil {
		c.claim(p, e.Epoch, e.Node)
		b = p.newBranch(e.Node, e.Epoch, e.Offset)
	}
	b.ids = append(b.ids, ids...)
	r.log.append(b, e.Offset, e.Offset+kafka.Offset(len(ids)))
	c.grew(p)
}

func (c *Checker) replicaAppended(p *partition, e *event.Event) {
	r := p.replica(e.Node)
	if r == nil || e.Count < 0 {
		return
	}
	c.makeSequential(p, r, e)
	for o := e.Offset; o < e.End(); {
		b := p.source(e.Peer, e.Epoch, o)
		if b == nil {
			c.report(sequentialOffsets, p, kafka.NoRecord, "%s copies offset %d of %s in leader epoch %d, but nobody appended there in that epoch",
				c.names.Node(e.Node), o, c.names.Partition(p.id), e.Epoch)
			r.log.append(&branch{epoch: e.Epoch, writer: kafka.NoNode, from: o}, o, e.End())
			break
		}
		to := min(b.end(), e.End())
		r.log.append(b, o, to)
		o = to
	}
	c.grew(p)
	c.raise(p, r, kafka.Offset(e.Value))
}

// grew has the partition checked only if something is broken that a longer log may mend: more records above every high
// watermark break nothing. Nearly all steps are of this kind.
func (c *Checker) grew(p *partition) {
	if p.ailing {
		c.touch(p)
	}
}

// makeSequential checks that an append begins where the log ends, and cuts the log so that it does.
func (c *Checker) makeSequential(p *partition, r *replica, e *event.Event) {
	if e.Offset == r.log.end {
		return
	}
	c.report(sequentialOffsets, p, kafka.NoRecord, "%s appends at offset %d of %s, but its log ends at %d",
		c.names.Node(e.Node), e.Offset, c.names.Partition(p.id), r.log.end)
	c.touch(p)
	if e.Offset < r.log.end {
		p.cut(r, e.Offset)
	}
}

func (c *Checker) logTruncated(p *partition, e *event.Event) {
	r := p.replica(e.Node)
	if r == nil {
		return
	}
	c.touch(p)
	if e.Prev != int64(r.log.end) || e.Offset > r.log.end {
		c.report(sequentialOffsets, p, kafka.NoRecord, "%s cuts its log of %s from %d to %d, but it ends at %d",
			c.names.Node(e.Node), c.names.Partition(p.id), e.Prev, e.Offset, r.log.end)
	}
	p.cut(r, min(e.Offset, r.log.end))
}

func (c *Checker) highWatermarkAdvanced(p *partition, e *event.Event) {
	r := p.replica(e.Node)
	if r == nil {
		return
	}
	if r.leads && r.epoch == e.Epoch && e.Offset < r.highWatermark {
		c.report(monotonicHighWatermark, p, kafka.NoRecord, "the high watermark of %s falls from %d to %d on %s within leader epoch %d",
			c.names.Partition(p.id), r.highWatermark, e.Offset, c.names.Node(e.Node), e.Epoch)
	}
	r.advanced, r.advancedIn = e.Offset, e.Epoch
	c.raise(p, r, e.Offset)
}

func (c *Checker) highWatermarkLearned(p *partition, e *event.Event) {
	if r := p.replica(e.Node); r != nil {
		c.raise(p, r, e.Offset)
	}
}

// raise sets a replica's high watermark, which cannot lie beyond its log. A follower that only learns of what the
// committed log holds breaks nothing, so that is asked at once; all else waits for the end of the step.
func (c *Checker) raise(p *partition, r *replica, hw kafka.Offset) {
	if hw == r.highWatermark {
		return
	}
	if hw > r.log.end {
		c.report(sequentialOffsets, p, kafka.NoRecord, "the high watermark of %s is %d on %s, whose log ends at %d",
			c.names.Partition(p.id), hw, c.names.Node(r.node), r.log.end)
		hw = r.log.end
	}
	committed := p.committed.end
	p.raise(r, hw)
	if p.committed.end != committed {
		p.grewAt = c.at
	}
	if r.leads || p.ailing || p.committed.end != committed || p.align(r) < hw {
		c.touch(p)
	}
}

// checkLogs holds every replica against the committed log. Two replicas that both agree with it below their high
// watermarks agree with each other, so there is no need to compare each with each.
func (c *Checker) checkLogs(p *partition) {
	var odd *replica
	for i := range p.replicas {
		if r := &p.replicas[i]; p.align(r) < min(r.highWatermark, p.committed.end) {
			odd = r
		}
	}
	if c.turns(p, logMatching, odd != nil) {
		o := odd.agreed
		c.report(logMatching, p, odd.log.id(o), "offset %d of %s is below the high watermark %d of %s, which holds %s there; committed was %s",
			o, c.names.Partition(p.id), odd.highWatermark, c.names.Node(odd.node), c.entry(&odd.log, o), c.entry(&p.committed, o))
	}
	c.checkStrongISR(p)
}

// checkStrongISR asks of every broker that believes to lead whether what it shows is on the disk of each ISR member.
func (c *Checker) checkStrongISR(p *partition) {
	var leader, member *replica
	for i := range p.replicas {
		r := &p.replicas[i]
		if !r.leads || !c.running.Has(r.node) {
			continue
		}
		if m := p.lagging(r); m != nil {
			leader, member = r, m
		}
	}
	if c.turns(p, strongISR, member != nil) {
		o := p.shared(leader, member)
		c.report(strongISR, p, leader.log.id(o), "%s shows %s up to %d, but %s of the ISR holds %s at %d, not %s",
			c.names.Node(leader.node), c.names.Partition(p.id), leader.highWatermark, c.names.Node(member.node),
			c.entry(&member.log, o), o, c.entry(&leader.log, o))
	}
}

// lagging is a member of the ISR that does not hold all that the leader shows, or nil.
func (p *partition) lagging(leader *replica) *replica {
	for i := range p.replicas {
		m := &p.replicas[i]
		if m != leader && !m.offline && p.isr.Has(m.node) && p.shared(leader, m) < leader.highWatermark {
			return m
		}
	}
	return nil
}

// shared is how far, up to the leader's high watermark, both hold the same. Both are compared with the committed log
// already, so their logs themselves need a look only where the leader's own differs from it.
func (p *partition) shared(leader, member *replica) kafka.Offset {
	if leader.agreed >= leader.highWatermark || leader.agreed > member.agreed {
		return member.agreed
	}
	return agreement(&leader.log, &member.log, leader.agreed, leader.highWatermark)
}

// turns notes whether the promise is broken in the partition now, and reports whether it just became so.
func (c *Checker) turns(p *partition, which promise, broken bool) bool {
	was := p.broken[which]
	p.broken[which] = broken
	return broken && !was
}
