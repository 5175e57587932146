package coordinator

import (
	"slices"

	"replog/internal/kafka"
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
	hashText(h, c.leader)
	hashText(h, c.protocol)
	h.Bool(c.initial)
	h.Bool(c.grown)
	h.Time(c.joinAt)
	h.Time(c.syncAt)
	h.Int(int64(c.joinDelay))
	h.Int(int64(c.joinLeft))
	if c.state == emptyGroup && c.generation > 0 {
		h.Time(c.emptySince)
	}
	for _, t := range c.topics {
		h.Int(int64(t))
	}
	for i := range c.pending {
		hashText(h, c.pending[i].id)
		h.Time(c.pending[i].expires)
	}
	h.Int(int64(len(c.members)))
	for i := range c.members {
		c.members[i].fingerprint(h)
	}
}

func (m *classicMember) fingerprint(h *node.Hash) {
	hashText(h, m.ID)
	hashText(h, m.InstanceID)
	h.Int(int64(m.Node))
	h.Int(int64(m.SessionTimeout))
	h.Int(int64(m.RebalanceTimeout))
	for i := range m.Protocols {
		p := &m.Protocols[i]
		hashText(h, p.Name)
		h.Int(int64(p.Generation))
		for _, t := range p.Topics {
			h.Int(int64(t))
		}
		hashPartitions(h, p.Owned)
	}
	hashPartitions(h, m.Assignment)
	h.Time(m.expires)
	h.Bool(m.isNew)
	h.Bool(m.owesSync)
	hashReply(h, m.join)
	hashReply(h, m.sync)
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
		hashText(h, m.id)
		hashText(h, m.spec.InstanceID)
		hashText(h, m.spec.Assignor)
		h.Int(int64(m.spec.Node))
		h.Int(int64(m.spec.RebalanceTimeout))
		for _, t := range m.spec.Topics {
			h.Int(int64(t))
		}
		h.Bool(m.target != nil)
		if m.target != nil {
			hashPartitions(h, m.target.Partitions)
		}
		hashPartitions(h, m.current.Assigned)
		hashPartitions(h, m.current.PendingRevocation)
		h.Int(int64(m.current.MemberEpoch))
		h.Int(int64(m.current.PreviousEpoch))
		h.Int(int64(m.current.State))
		h.Time(m.expires)
		h.Time(m.revokeBy)
	}
}

func hashReply(h *node.Hash, r node.Reply) {
	h.Int(int64(r.Conn))
	if r.Conn != 0 {
		h.Int(int64(r.Corr))
	}
}

func hashPartitions(h *node.Hash, list []kafka.PartitionID) {
	h.Int(int64(len(list)))
	for _, p := range list {
		h.Int(int64(p))
	}
}

func hashText(h *node.Hash, s string) {
	h.Int(int64(len(s)))
	for i := range len(s) {
		h.Int(int64(s[i]))
	}
}
