package coordinator

import (
	"slices"

	"replog/internal/node"
)

// Clone copies the coordinator so that both copies can go on, independent of each other.
func (c *Groups) Clone() *Groups {
	n := *c
	n.groups = make([]*group, len(c.groups))
	for i, g := range c.groups {
		n.groups[i] = g.clone()
	}
	return &n
}

// Fingerprint writes all state that decides the future into h.
func (c *Groups) Fingerprint(h *node.Hash) {
	h.Time(c.nextCheck)
	h.Int(int64(len(c.groups)))
	for _, g := range c.groups {
		h.Int(int64(g.id))
		h.Int(int64(g.memberNo))
		for i := range g.offsets {
			o := &g.offsets[i]
			h.Int(int64(o.partition))
			h.Int(int64(o.value.Offset))
			h.Int(int64(o.value.LeaderEpoch))
			h.Time(o.value.Committed)
		}
		for i := range g.pending {
			o := &g.pending[i]
			h.Int(int64(o.producer)<<32 | int64(o.partition))
			h.Int(int64(o.value.Offset))
			h.Bool(o.overtaken)
		}
		h.Bool(g.classic != nil)
		if g.classic != nil {
			g.classic.fingerprint(h)
		}
		h.Bool(g.consumer != nil)
		if g.consumer != nil {
			g.consumer.fingerprint(h)
		}
	}
}

func (c *classicGroup) fingerprint(h *node.Hash) {
	h.Int(int64(c.state))
	h.Int(int64(c.generation))
	h.Text(c.leader)
	h.Text(c.protocol)
	h.Bool(c.initial)
	h.Bool(c.grown)
	h.Time(c.joinAt)
	h.Time(c.syncAt)
	h.Int(int64(c.joinDelay))
	h.Int(int64(c.joinLeft))
	if c.state == emptyGroup && c.generation > 0 {
		h.Time(c.emptySince)
	}
	h.Topics(c.topics)
	for i := range c.pending {
		h.Text(c.pending[i].id)
		h.Time(c.pending[i].expires)
	}
	h.Int(int64(len(c.members)))
	for i := range c.members {
		c.members[i].fingerprint(h)
	}
}

func (m *classicMember) fingerprint(h *node.Hash) {
	h.Text(m.ID)
	h.Text(m.InstanceID)
	h.Int(int64(m.Node))
	h.Int(int64(m.SessionTimeout))
	h.Int(int64(m.RebalanceTimeout))
	for i := range m.Protocols {
		h.Protocol(&m.Protocols[i])
	}
	h.Partitions(m.Assignment)
	h.Time(m.expires)
	h.Bool(m.isNew)
	h.Bool(m.owesSync)
	h.Reply(m.join)
	h.Reply(m.sync)
}

func (c *consumerGroup) clone() *consumerGroup {
	n := *c
	n.members = slices.Clone(c.members)
	return &n
}

func (c *consumerGroup) fingerprint(h *node.Hash) {
	h.Int(int64(c.epoch))
	h.Int(c.metadataHash)
	h.Int(int64(c.targetEpoch))
	h.Int(int64(c.changedBy))
	h.Int(int64(len(c.members)))
	for i := range c.members {
		m := &c.members[i]
		h.Text(m.id)
		h.Text(m.spec.InstanceID)
		h.Text(m.spec.Assignor)
		h.Int(int64(m.spec.Node))
		h.Int(int64(m.spec.RebalanceTimeout))
		h.Topics(m.spec.Topics)
		h.Bool(m.target != nil)
		if m.target != nil {
			h.Partitions(m.target.Partitions)
		}
		h.Partitions(m.current.Assigned)
		h.Partitions(m.current.PendingRevocation)
		h.Int(int64(m.current.MemberEpoch))
		h.Int(int64(m.current.PreviousEpoch))
		h.Int(int64(m.current.State))
		h.Time(m.expires)
		h.Time(m.revokeBy)
	}
}
