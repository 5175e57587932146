package check

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// This file follows who owns the partitions of a group.

// A holding is a partition that a member believes to have.
type holding struct {
	partition kafka.PartitionID
	node      kafka.NodeID
	epoch     kafka.Epoch // the latest generation or epoch in which it had it
	orphaned  bool        // the group has removed the member, and the member does not know
	replaced  bool        // another process has its group.instance.id now, and goes on in its generation
}

// assigned checks that nobody else has the partition. A member that was removed and does not know it yet may believe to
// have it, or get it with an answer that comes late: what it does is refused (zombie), and its generation is an older one.
// In a classic group so may a static member that did not join again in time; in a KIP-848 group nobody may who is a member.
func (c *Checker) assigned(g *group, m *member, e *event.Event) {
	if g.epoch != kafka.NoEpoch && e.Epoch > g.epoch {
		c.reportOf(validMemberEpoch, e.Partition, kafka.NoRecord, "%s gets %s in generation or epoch %d of group %s, which is at %d",
			c.names.Node(m.node), c.names.Partition(e.Partition), e.Epoch, c.names.ConsumerGroup(g.id), g.epoch)
	}
	for i := range g.held {
		h := &g.held[i]
		if h.partition != e.Partition || h.node == m.node || h.replaced || g.server && (h.orphaned || m.entries == 0) || !g.server && h.epoch != e.Epoch {
			continue
		}
		c.reportOf(noDoubleOwner, e.Partition, kafka.NoRecord, "%s gets %s in generation or epoch %d of group %s, and %s has it since %d",
			c.names.Node(m.node), c.names.Partition(e.Partition), e.Epoch, c.names.ConsumerGroup(g.id), c.names.Node(h.node), h.epoch)
	}
	g.drop(e.Partition, m.node)
	g.held = append(g.held, holding{partition: e.Partition, node: m.node, epoch: e.Epoch, orphaned: m.entries == 0})
}

// joined notes the generation or epoch in which a member has what it has.
func (g *group) joined(node kafka.NodeID, epoch kafka.Epoch) {
	for i := range g.held {
		if g.held[i].node == node {
			g.held[i].epoch = epoch
		}
	}
}

func (g *group) drop(p kafka.PartitionID, node kafka.NodeID) {
	g.held = slices.DeleteFunc(g.held, func(h holding) bool { return h.partition == p && h.node == node })
}

func (g *group) dropAll(node kafka.NodeID) {
	g.held = slices.DeleteFunc(g.held, func(h holding) bool { return h.node == node })
}

// orphan marks what a member has that was removed, or whose place another has taken.
func (g *group) orphan(node kafka.NodeID, replaced bool) {
	for i := range g.held {
		if g.held[i].node == node {
			g.held[i].orphaned, g.held[i].replaced = true, replaced
		}
	}
}

// recall gives a member back what it has: the coordinator that removed it had not written that down.
func (g *group) recall(node kafka.NodeID) {
	for i := range g.held {
		if h := &g.held[i]; h.node == node && !h.replaced {
			h.orphaned = false
		}
	}
}

// quietMicros is how long nothing must have happened around a group until everything in it must have its place: longer
// than what a member of KIP-848 may take for its two or three heartbeats.
const quietMicros = 30_000_000

// checkOwned asks at the end whether everything that a group reads has somebody to read it: all its members live, and
// nothing has happened to it, or to the cluster, for a while.
func (c *Checker) checkOwned(g *group) {
	if !c.calm(g) {
		return
	}
	var listed []kafka.NodeID
	for i := range g.members {
		switch m := &g.members[i]; {
		case m.entries == 0:
		case !m.alive || m.stuck || m.entries > 1:
			return // its session will end, or that of its life before
		default:
			listed = append(listed, m.node)
		}
	}
	for _, p := range c.subscribed(listed) {
		if !slices.ContainsFunc(g.held, func(h holding) bool { return h.partition == p && !h.orphaned }) {
			c.reportOf(everyPartitionOwned, p, kafka.NoRecord, "group %s has %d members, nothing happens, and nobody reads %s",
				c.names.ConsumerGroup(g.id), len(listed), c.names.Partition(p))
		}
	}
}

// calm reports whether nothing that matters to a group has happened for quietMicros.
func (c *Checker) calm(g *group) bool { return g.host != kafka.NoNode && c.quiet(g.changed) }

// quiet reports whether nothing has happened to the cluster for quietMicros, nor since a tick that lies as far back.
func (c *Checker) quiet(since kafka.Tick) bool {
	return len(c.faults) == 0 && int64(c.at-max(since, c.disturbed))*c.names.TickMicros >= quietMicros
}

// subscribed lists the partitions that some processes subscribe to.
func (c *Checker) subscribed(nodes []kafka.NodeID) []kafka.PartitionID {
	var all []kafka.PartitionID
	for i := range c.names.Nodes {
		if !slices.Contains(nodes, c.names.Nodes[i].ID) {
			continue
		}
		for _, t := range c.names.Nodes[i].Subscribes {
			all = append(all, c.partitionsOf(t)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (c *Checker) partitionsOf(t kafka.TopicID) []kafka.PartitionID {
	first := 0
	for i := range c.names.Topics {
		n := c.names.Topics[i].Partitions
		if kafka.TopicID(i) == t {
			list := make([]kafka.PartitionID, n)
			for j := range list {
				list[j] = kafka.PartitionID(first + j)
			}
			return list
		}
		first += n
	}
	return nil
}

// fault is an entry of the timeline that acts.
type fault struct {
	began event.Seq
	entry int64
}

// disturb notes what may keep members and brokers from each other. A fault is over when its end is told, or when all it
// did was to end or begin a process.
func (c *Checker) disturb(e *event.Event) {
	switch e.Kind {
	case event.FaultBegan:
		if !slices.Contains(c.names.Requests, e.Value) {
			c.faults = append(c.faults, fault{e.Seq, e.Value})
		}
	case event.FaultEnded:
		c.faults = slices.DeleteFunc(c.faults, func(f fault) bool { return f.entry == e.Value })
	default:
		c.faults = slices.DeleteFunc(c.faults, func(f fault) bool { return f.began == e.Cause })
	}
	c.disturbed = e.At
}
