package client

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// This file is for topics that grow: a client knows only the partitions that metadata has told it of, and asks again every
// metadata.max.age.ms. In all other runs nothing depends on that, and it does not ask.

// addedLater tells the partitions that their topics have only from some time on; nil when there are none.
func addedLater(p *plan.Plan) []bool {
	var added []bool
	for i := range p.Partitions {
		if p.Partitions[i].Added {
			if added == nil {
				added = make([]bool, len(p.Partitions))
			}
			added[i] = true
		}
	}
	return added
}

// known are the partitions of a topic that the producer knows of.
func (p *Producer) known(topic []kafka.PartitionID) []kafka.PartitionID {
	n := len(topic)
	for n > 1 && p.added[topic[n-1]] && p.leaders[topic[n-1]].Epoch == kafka.NoEpoch {
		n--
	}
	return topic[:n]
}

// watchAge arms the timer for the age of the metadata.
func (p *Producer) watchAge(since kafka.Tick, out *node.Out) {
	if p.added != nil && p.config.MetadataMaxAge > 0 {
		out.Timer(since+p.config.MetadataMaxAge, node.Timer{Kind: timerAge})
	}
}

// refresh asks for metadata that has become too old (Metadata.timeToNextUpdate).
func (p *Producer) refresh(now kafka.Tick, out *node.Out) {
	since := p.metadata.fresh
	if now-since >= p.config.MetadataMaxAge {
		p.askMetadata(now, out)
		since = now
	}
	p.watchAge(since, out)
}

// learnPartitions remembers which partitions there are.
func (c *Consumer) learnPartitions(answer *kafka.MetadataResponse) {
	if c.known == nil {
		return
	}
	known := make([]bool, len(c.known)) // a clone may share the old one
	for _, fresh := range answer.Partitions {
		known[fresh.Partition] = c.known[fresh.Partition] || fresh.Epoch != kafka.NoEpoch
	}
	c.known = known
}

// knowsOf reports whether a member knows of a partition.
func (c *Consumer) knowsOf(partition int) bool { return c.known == nil || c.known[partition] }

// staleAt is when the metadata is to be asked for again, unless that is under way.
func (c *Consumer) staleAt() kafka.Tick {
	m := &c.metadata
	if c.known == nil || m.inFlight || m.timer != 0 || c.app.state == ended {
		return kafka.Never
	}
	return c.later(m.fresh, c.config.MetadataMaxAge)
}

// watchedCount counts the partitions that a member knows of the topics that it watches.
func (c *Consumer) watchedCount() (n int32) {
	for p := range c.plan.Partitions {
		if slices.Contains(c.group.watched, c.plan.Partitions[p].Topic) && c.knowsOf(p) {
			n++
		}
	}
	return n
}

// watch remembers what a leader goes by (ConsumerCoordinator.assignmentSnapshot). One that is to skip the assignment takes
// it that what it knows now is what it assigned before.
func (c *Consumer) watch(answer *kafka.JoinGroupResponse) {
	if c.known == nil {
		return
	}
	g := &c.group
	g.watched = nil
	for _, m := range answer.Members {
		for _, t := range m.Subscription.Topics {
			if !slices.Contains(g.watched, t) {
				g.watched = append(g.watched, t)
			}
		}
	}
	g.counted = c.watchedCount()
}

// noticePartitions makes a leader join again when the topics have other partitions than it dealt out; nobody else looks
// (ConsumerCoordinator.rejoinNeededOrPending).
func (c *Consumer) noticePartitions(out *node.Out) {
	g := &c.group
	if c.known == nil || g.watched == nil || g.state != stable || g.rejoin {
		return
	}
	n := c.watchedCount()
	if n == g.counted {
		return
	}
	g.counted, g.rejoin = n, true
	out.Emit(event.Event{Kind: event.PartitionsNoticed, Node: c.id, Value: int64(c.spec.Group), Count: n})
}

// awaitsMetadata reports whether the leader has to hear of the partitions first: from metadata that is asked for already,
// or that it always asks for (ConsumerNetworkClient.ensureFreshMetadata).
func (c *Consumer) awaitsMetadata(out *node.Out) bool {
	if c.known == nil {
		return false
	}
	if c.config.AsksToAssign || c.metadata.wanted && c.metadata.timer == 0 {
		c.askMetadata(out)
	}
	return c.metadata.inFlight || c.metadata.wanted
}

// electedGoesOn has the leader assign, when metadata has come that it waited for.
func (c *Consumer) electedGoesOn(out *node.Out) {
	g := &c.group
	answer := g.elected
	if answer == nil {
		return
	}
	g.elected = nil
	out.BecauseOfInput()
	switch {
	case g.state != syncing || g.generation != answer.Generation:
	case g.coordinator == kafka.NoNode:
		c.rebalanceFailed(kafka.NotCoordinator, out)
	default:
		c.sendSync(answer, out)
	}
}
