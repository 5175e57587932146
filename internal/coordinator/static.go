package coordinator

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// replaceStatic gives the place of a static member to the process that comes with its group.instance.id and no member
// id: it has restarted, or somebody else was given the same one (updateStaticMemberThenRebalanceOrCompleteJoin). What
// the earlier life still waits for is refused.
func (s *step) replaceStatic(g *group, r *kafka.JoinGroupRequest) {
	c := g.classic
	m := s.rename(g, c.instance(r.InstanceID), g.newMemberID(r.InstanceID))
	m.alive(s.now) // with the session timeout of before, as in Kafka
	s.park(m, r)
	switch c.state {
	case stableGroup:
		// Its subscription may be another one, but only the choice of the assignor counts (KIP-345).
		if c.selectProtocol() == c.protocol {
			s.writeClassic(g)
			s.answerCommitted(nil)
			return
		}
		s.prepareRebalance(g, s.from)
	case completingRebalance:
		s.prepareRebalance(g, s.from) // the leader may be assigning to the old member id just now
	case preparingRebalance:
		s.maybeCompleteJoin(g)
	}
}

// rename moves a static member, with its assignment, to a new member id (ClassicGroup.replaceStaticMember).
func (s *step) rename(g *group, old *classicMember, id string) *classicMember {
	c := g.classic
	if old.joining() {
		s.out.Answer(old.join, &kafka.JoinGroupResponse{MemberID: old.ID, Generation: -1, Error: kafka.FencedInstanceID})
	}
	if old.syncing() {
		s.out.Answer(old.sync, &kafka.SyncGroupResponse{Error: kafka.FencedInstanceID})
	}
	if old.Node != s.from {
		s.emit(g, event.Event{Kind: event.MemberFenced, Peer: old.Node, Error: kafka.FencedInstanceID})
		s.emit(g, event.Event{Kind: event.MemberJoined, Peer: s.from, Prev: int64(old.Node)})
	}
	m := classicMember{GroupMember: old.GroupMember}
	m.ID = id
	leads := c.leader == old.ID
	c.remove(old.ID)
	c.add(m)
	if leads {
		c.leader = id
	}
	return c.member(id)
}

// replacementCommitted answers a static member that came back into a stable group: nothing moves, and if it is the leader
// it need not assign (KIP-814).
func (s *step) replacementCommitted(r *kafka.JoinGroupRequest, code kafka.ErrorCode) {
	g := s.find(r.Group)
	if !g.isClassic() {
		return
	}
	c := g.classic
	m := c.instance(r.InstanceID)
	if m == nil || !m.joining() || c.state == preparingRebalance { // the join phase answers
		return
	}
	if code != kafka.None {
		s.out.Answer(m.join, &kafka.JoinGroupResponse{Generation: -1, Error: code})
	} else {
		answer := c.joined(m, c.leader == m.ID)
		if s.setting.Config.Rules.StaticLeaderUntold && c.leader == m.ID {
			// Kafka named the member id of its earlier life, so that it would not assign.
			answer.Leader, answer.Members, answer.SkipAssignment = "", nil, false
		}
		s.out.Answer(m.join, answer)
	}
	m.join.Conn = 0
}
