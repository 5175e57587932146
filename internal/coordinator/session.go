package coordinator

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// deadline is when something is due in the group.
func (c *classicGroup) deadline() kafka.Tick {
	next := min(c.joinAt, c.syncAt)
	for i := range c.members {
		next = min(next, c.members[i].expires)
	}
	for i := range c.pending {
		next = min(next, c.pending[i].expires)
	}
	return next
}

func (c *classicGroup) freshSessions(now kafka.Tick) {
	for i := range c.members {
		c.members[i].alive(now)
	}
}

// expireClassic does what is due in a classic group.
func (s *step) expireClassic(g *group) {
	c := g.classic
	for {
		id, found := c.duePending(s.now)
		if !found {
			break
		}
		c.dropPending(id)
		s.completeIfAllJoined(g)
	}
	for {
		m := c.dueMember(s.now)
		if m == nil {
			break
		}
		s.expireMember(g, m)
	}
	if c.joinAt <= s.now {
		s.joinPhaseOver(g)
	}
	if c.syncAt <= s.now {
		s.syncPhaseOver(g)
	}
}

func (c *classicGroup) duePending(now kafka.Tick) (id string, found bool) {
	for i := range c.pending {
		if c.pending[i].expires <= now {
			return c.pending[i].id, true
		}
	}
	return "", false
}

func (c *classicGroup) dueMember(now kafka.Tick) *classicMember {
	for i := range c.members {
		if c.members[i].expires <= now {
			return &c.members[i]
		}
	}
	return nil
}

// expireMember removes a member whose session is over (expireClassicGroupMemberHeartbeat). One that waits for the
// coordinator's answer is alive, unless it is its first: then it may have given up long ago.
func (s *step) expireMember(g *group, m *classicMember) {
	if !m.isNew && (m.joining() || m.syncing()) {
		m.expires = kafka.Never // until the answer
		return
	}
	who := m.Node
	s.emit(g, event.Event{Kind: event.MemberExpired, Peer: who, Prev: int64(m.heard)})
	s.takeOut(g.classic, m.ID)
	switch g.classic.state {
	case stableGroup, completingRebalance:
		s.prepareRebalance(g, who)
	case preparingRebalance:
		s.completeIfAllJoined(g)
	}
}

// completeIfAllJoined ends a join phase, an initial one too, in which only those that are gone now had not joined.
func (s *step) completeIfAllJoined(g *group) {
	if c := g.classic; c.state == preparingRebalance && c.allJoined() {
		s.completeJoin(g)
	}
}

// syncPhaseOver removes whoever has not asked for its part of the assignment in time (expirePendingSync).
func (s *step) syncPhaseOver(g *group) {
	c := g.classic
	c.syncAt = kafka.Never
	because := kafka.NoNode
	for i := 0; i < len(c.members); {
		m := c.members[i]
		if !m.owesSync {
			i++
			continue
		}
		c.remove(m.ID)
		s.emit(g, event.Event{Kind: event.MemberRemoved, Peer: m.Node})
		because = m.Node
	}
	if because != kafka.NoNode {
		s.prepareRebalance(g, because)
	}
}
