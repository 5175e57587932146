package coordinator

import (
	"strconv"

	"replog/internal/assign"
	"replog/internal/event"
	"replog/internal/kafka"
)

// joinGroup takes a JoinGroup (GroupMetadataManager.classicGroupJoin). The answer comes at the end of the join phase,
// unless it is an error.
func (s *step) joinGroup(r *kafka.JoinGroupRequest) {
	config := s.setting.Config
	if r.SessionTimeout < config.MinSessionTimeout || r.SessionTimeout > config.MaxSessionTimeout {
		s.refuseJoin(r.MemberID, kafka.InvalidSessionTimeout)
		return
	}
	g, existed := s.classicGroup(r)
	if g == nil {
		return
	}
	written := len(s.w.Records)
	if r.MemberID == "" {
		s.joinNew(g, r)
	} else {
		s.joinKnown(g, r)
	}
	if !existed && len(s.w.Records) == written { // the log is to know of the group from the beginning
		s.write(kafka.CoordinatorKey{Kind: kafka.GroupMetadataKey, Group: g.id}, &kafka.GroupMetadataValue{EmptySince: s.now})
	}
}

// classicGroup returns the group that somebody wants to join, or answers and returns nil. A newcomer may found it, but not
// while members of the other protocol are there.
func (s *step) classicGroup(r *kafka.JoinGroupRequest) (g *group, existed bool) {
	g = s.find(r.Group)
	switch {
	case g.isClassic():
		return g, true
	case g.exists() && !g.empty():
		s.refuseJoin("", kafka.InconsistentGroupProtocol)
		return nil, false
	case r.MemberID != "":
		s.fence(r.Group, kafka.UnknownMemberID)
		s.refuseJoin(r.MemberID, kafka.UnknownMemberID)
		return nil, false
	case g.exists():
		s.deleteGroup(g) // an empty one of KIP-848 makes room
	}
	g = s.obtain(r.Group)
	g.classic = newClassicGroup()
	g.classic.emptySince = s.now
	return g, false
}

func (s *step) refuseJoin(memberID string, code kafka.ErrorCode) {
	s.answer(&kafka.JoinGroupResponse{MemberID: memberID, Generation: assign.NoGeneration, Error: code})
}

// joinNew takes in somebody without a member id. A static member may take the place of its earlier life; a dynamic one
// gets an id and is to come back with it, so that a lost answer leaves no member behind (KIP-394).
func (s *step) joinNew(g *group, r *kafka.JoinGroupRequest) {
	c := g.classic
	if !c.supports(r.Protocols) {
		s.refuseJoin("", kafka.InconsistentGroupProtocol)
		return
	}
	switch {
	case r.InstanceID == "":
		id := g.newMemberID(r.ClientID)
		c.addPending(pendingMember{id: id, expires: s.now + r.SessionTimeout})
		s.refuseJoin(id, kafka.MemberIDRequired)
	case c.instance(r.InstanceID) != nil:
		s.replaceStatic(g, r)
	default:
		s.addMember(g, r, g.newMemberID(r.InstanceID))
	}
}

// newMemberID makes an id that nobody in the group has had.
func (g *group) newMemberID(prefix string) string {
	g.memberNo++
	return prefix + "-" + strconv.Itoa(int(g.memberNo))
}

// joinKnown takes in somebody who has a member id already.
func (s *step) joinKnown(g *group, r *kafka.JoinGroupRequest) {
	c := g.classic
	if !c.supports(r.Protocols) {
		s.refuseJoin(r.MemberID, kafka.InconsistentGroupProtocol)
		return
	}
	if _, pending := c.pendingIndex(r.MemberID); pending {
		s.addMember(g, r, r.MemberID)
		return
	}
	if code := c.validate(r.MemberID, r.InstanceID); code != kafka.None {
		s.fence(g.id, code)
		s.refuseJoin(r.MemberID, code)
		return
	}
	m := c.member(r.MemberID)
	switch c.state {
	case completingRebalance:
		if m.matches(r.Protocols) { // it has not got the answer, perhaps
			s.answer(c.joined(m, false))
			return
		}
	case stableGroup:
		// The leader may have seen something change that no subscription shows, such as new partitions.
		if c.leader != m.ID && m.matches(r.Protocols) {
			s.answer(c.joined(m, false))
			return
		}
	}
	s.park(m, r)
	s.rebalanceOrComplete(g, s.from)
}

// park notes what a member says now, and where its answer goes (ClassicGroup.updateMember).
func (s *step) park(m *classicMember, r *kafka.JoinGroupRequest) {
	m.Protocols, m.SessionTimeout, m.RebalanceTimeout = r.Protocols, r.SessionTimeout, r.RebalanceTimeout
	m.Node, m.join = s.from, s.reply
}

// addMember takes a new member in and has the group rebalance.
func (s *step) addMember(g *group, r *kafka.JoinGroupRequest, id string) {
	c := g.classic
	if c.state == preparingRebalance && c.initial {
		c.grown = true
	}
	m := classicMember{isNew: true, heard: s.now, expires: kafka.Never}
	if longest := s.setting.Config.NewMemberJoin; longest > 0 {
		m.expires = s.now + longest
	}
	m.ID, m.InstanceID = id, r.InstanceID
	s.park(&m, r)
	c.add(m)
	s.emit(g, event.Event{Kind: event.MemberJoined, Peer: s.from, Prev: event.NoPrevious})
	s.rebalanceOrComplete(g, s.from)
}

// joined is the answer to a JoinGroup in the present generation.
func (c *classicGroup) joined(m *classicMember, skipAssignment bool) *kafka.JoinGroupResponse {
	answer := &kafka.JoinGroupResponse{
		MemberID: m.ID, Leader: c.leader, Protocol: c.protocol, Generation: c.generation, SkipAssignment: skipAssignment,
	}
	if c.leader == m.ID {
		answer.Members = make([]kafka.JoinedMember, len(c.members))
		for i := range c.members {
			other := &c.members[i]
			answer.Members[i] = kafka.JoinedMember{
				ID: other.ID, InstanceID: other.InstanceID, Subscription: *other.subscription(c.protocol),
			}
		}
	}
	return answer
}
