package coordinator

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// syncGroup takes a SyncGroup (classicGroupSyncToClassicGroup). The leader's has the assignment of all; nobody gets an
// answer before that is committed.
func (s *step) syncGroup(r *kafka.SyncGroupRequest) {
	g := s.find(r.Group)
	code := kafka.UnknownMemberID
	if g.isClassic() && g.classic.state != emptyGroup {
		code = g.classic.validateGeneration(r.MemberID, r.InstanceID, r.Generation)
	}
	if code != kafka.None {
		s.fence(r.Group, code)
		s.answer(&kafka.SyncGroupResponse{Error: code})
		return
	}
	c, m := g.classic, g.classic.member(r.MemberID)
	switch c.state {
	case preparingRebalance:
		s.answer(&kafka.SyncGroupResponse{Error: kafka.RebalanceInProgress})
	case completingRebalance:
		m.sync = s.reply
		c.synced(m)
		if c.leader == m.ID {
			s.write(kafka.CoordinatorKey{Kind: kafka.GroupMetadataKey, Group: g.id}, c.value(r.Assignments))
			s.answerCommitted(nil)
		}
	case stableGroup:
		c.synced(m)
		s.answer(&kafka.SyncGroupResponse{Partitions: m.Assignment})
	}
}

// synced notes that a member's SyncGroup has come; nobody is removed for it once all have.
func (c *classicGroup) synced(m *classicMember) {
	m.owesSync = false
	for i := range c.members {
		if c.members[i].owesSync {
			return
		}
	}
	c.syncAt = kafka.Never
}

// assignmentCommitted gives every member its part of what the leader assigned, or begins a new rebalance if it could not
// be stored. If one has begun in between, the assignment is out of date.
func (s *step) assignmentCommitted(r *kafka.SyncGroupRequest, code kafka.ErrorCode) {
	g := s.find(r.Group)
	if !g.isClassic() || g.classic.state != completingRebalance || g.classic.generation != r.Generation {
		return
	}
	c := g.classic
	if code != kafka.None {
		s.propagate(g, code)
		s.prepareRebalance(g, c.nodeOf(r.MemberID))
		return
	}
	for i := range c.members {
		c.members[i].Assignment = assigned(r.Assignments, c.members[i].ID)
	}
	c.state = stableGroup
	s.emit(g, event.Event{Kind: event.GroupStable, Epoch: kafka.Epoch(c.generation), Count: int32(len(c.members))})
	s.propagate(g, kafka.None)
}

func (c *classicGroup) nodeOf(memberID string) kafka.NodeID {
	if m := c.member(memberID); m != nil {
		return m.Node
	}
	return kafka.NoNode
}

// assigned is a member's part of an assignment; a member that the leader left out has nothing.
func assigned(assignments []kafka.MemberAssignment, memberID string) []kafka.PartitionID {
	for i := range assignments {
		if assignments[i].MemberID == memberID {
			return assignments[i].Partitions
		}
	}
	return nil
}

// propagate answers the parked SyncGroups, with the assignment or with an error. Sessions begin anew: while a SyncGroup is
// parked, their end is not looked at.
func (s *step) propagate(g *group, code kafka.ErrorCode) {
	c := g.classic
	for i := range c.members {
		m := &c.members[i]
		if !m.syncing() {
			continue
		}
		answer := &kafka.SyncGroupResponse{Error: code}
		if code == kafka.None {
			answer.Partitions = m.Assignment
		}
		s.out.Answer(m.sync, answer)
		m.sync.Conn = 0
		m.alive(s.now)
	}
}

// refuseAll answers every parked request with an error.
func (c *classicGroup) refuseAll(out *node.Out, code kafka.ErrorCode) {
	for i := range c.members {
		m := &c.members[i]
		if m.joining() {
			out.Answer(m.join, &kafka.JoinGroupResponse{MemberID: m.ID, Generation: -1, Error: code})
		}
		if m.syncing() {
			out.Answer(m.sync, &kafka.SyncGroupResponse{Error: code})
		}
		m.join.Conn, m.sync.Conn = 0, 0
	}
}

// writeClassic writes the group down as it is.
func (s *step) writeClassic(g *group) {
	s.write(kafka.CoordinatorKey{Kind: kafka.GroupMetadataKey, Group: g.id}, g.classic.value(nil))
}

// value is what the log keeps of the group: of each member the subscription for the assignor that was chosen, and its
// part of the assignment, or without one the part that it has.
func (c *classicGroup) value(assignments []kafka.MemberAssignment) *kafka.GroupMetadataValue {
	v := &kafka.GroupMetadataValue{Leader: c.leader, Protocol: c.protocol, Generation: c.generation}
	if c.state == emptyGroup {
		v.EmptySince = c.emptySince
	}
	for i := range c.members {
		m := c.members[i].GroupMember
		m.Protocols = []kafka.Protocol{*c.members[i].subscription(c.protocol)}
		if assignments != nil {
			m.Assignment = assigned(assignments, m.ID)
		}
		v.Members = append(v.Members, m)
	}
	return v
}
