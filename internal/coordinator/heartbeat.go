package coordinator

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// heartbeat takes a classic member's Heartbeat: it is alive, and hears whether it must join again
// (classicGroupHeartbeatToClassicGroup).
func (s *step) heartbeat(r *kafka.HeartbeatRequest) {
	g := s.find(r.Group)
	code := kafka.UnknownMemberID
	if g.isClassic() {
		code = g.classic.validateGeneration(r.MemberID, r.InstanceID, r.Generation)
	}
	if code != kafka.None {
		s.fence(r.Group, code)
		s.answer(&kafka.HeartbeatResponse{Error: code})
		return
	}
	g.classic.member(r.MemberID).alive(s.now)
	if g.classic.state == preparingRebalance {
		code = kafka.RebalanceInProgress
	}
	s.answerCommitted(&kafka.HeartbeatResponse{Error: code})
}

// leaveGroup takes a member out at once (classicGroupLeaveToClassicGroup). An operator may name a static member by its
// group.instance.id alone.
func (s *step) leaveGroup(r *kafka.LeaveGroupRequest) {
	g := s.find(r.Group)
	if !g.isClassic() {
		s.fence(r.Group, kafka.UnknownMemberID)
		s.answer(&kafka.LeaveGroupResponse{Error: kafka.UnknownMemberID})
		return
	}
	code := s.leave(g, r)
	if code != kafka.None {
		s.fence(r.Group, code)
	}
	s.answerCommitted(&kafka.LeaveGroupResponse{Error: code})
}

func (s *step) leave(g *group, r *kafka.LeaveGroupRequest) kafka.ErrorCode {
	c, id := g.classic, r.MemberID
	if id == "" && r.InstanceID != "" && c.instance(r.InstanceID) != nil {
		id = c.instance(r.InstanceID).ID
	}
	who := s.from
	if !c.dropPending(id) {
		if code := c.validate(id, r.InstanceID); code != kafka.None {
			return code
		}
		who = c.member(id).Node
		s.emit(g, event.Event{Kind: event.MemberLeft, Peer: who})
		s.takeOut(c, id)
	}
	switch c.state {
	case stableGroup, completingRebalance:
		s.prepareRebalance(g, who)
	case preparingRebalance:
		s.maybeCompleteJoin(g)
	}
	return kafka.None
}

// takeOut removes a member. If its JoinGroup is parked it hears of it, and can begin anew.
func (s *step) takeOut(c *classicGroup, id string) {
	if m := c.member(id); m.joining() {
		s.out.Answer(m.join, &kafka.JoinGroupResponse{Generation: -1, Error: kafka.UnknownMemberID})
	}
	c.remove(id)
}
