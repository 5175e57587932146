package coordinator

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// leaveConsumerGroup takes a heartbeat that says good-bye: for good, or for a while.
func (s *step) leaveConsumerGroup(r *kafka.ConsumerGroupHeartbeatRequest) {
	g := s.find(r.Group)
	code := s.mayLeave(g, r)
	if code != kafka.None {
		s.fence(r.Group, code)
		s.refuseHeartbeat(r, code)
		return
	}
	m := g.consumer.member(r.MemberID)
	if r.MemberEpoch == leaveStaticEpoch {
		s.leaveForAWhile(g, m)
	} else {
		s.emit(g, event.Event{Kind: event.MemberLeft, Peer: m.spec.Node})
		s.removeMember(g, m)
	}
	s.answerCommitted(&kafka.ConsumerGroupHeartbeatResponse{MemberID: r.MemberID, MemberEpoch: r.MemberEpoch})
}

func (s *step) mayLeave(g *group, r *kafka.ConsumerGroupHeartbeatRequest) kafka.ErrorCode {
	if !g.isConsumer() {
		return kafka.GroupIDNotFound
	}
	m := g.consumer.member(r.MemberID)
	if r.InstanceID != "" {
		m = g.consumer.instance(r.InstanceID)
	}
	switch {
	case m == nil:
		return kafka.UnknownMemberID
	case m.id != r.MemberID:
		return kafka.FencedInstanceID
	}
	return kafka.None
}

// leaveForAWhile keeps a static member's partitions for it until its session is over.
func (s *step) leaveForAWhile(g *group, m *consumerMember) {
	value := *m.current
	value.MemberEpoch, value.PendingRevocation = leaveStaticEpoch, nil
	s.storeCurrent(g, m.id, &value)
}

// replaceMember gives what a static member has to its next life, under another member id; that one begins at epoch 0.
func (s *step) replaceMember(g *group, old *consumerMember, id string) {
	spec, target, current := old.spec, old.target, *old.current
	if spec.Node != s.from {
		s.emit(g, event.Event{Kind: event.MemberFenced, Peer: spec.Node, Error: kafka.FencedInstanceID})
		s.emit(g, event.Event{Kind: event.MemberJoined, Peer: s.from, Prev: int64(spec.Node)})
	}
	s.tombstones(g, old.id)
	s.store(g, kafka.ConsumerGroupMemberKey, id, spec)
	if target == nil {
		target = &kafka.TargetAssignmentValue{}
	}
	s.store(g, kafka.TargetAssignmentKey, id, target)
	current.MemberEpoch, current.PreviousEpoch = joinEpoch, joinEpoch
	s.store(g, kafka.CurrentAssignmentKey, id, &current)
}

// removeMember takes a member out. What it had is free, and goes to others with their next heartbeats
// (GroupMetadataManager.consumerGroupFenceMember).
func (s *step) removeMember(g *group, m *consumerMember) {
	who := m.spec.Node
	s.tombstones(g, m.id)
	s.raiseEpoch(g, who)
}

// tombstones delete a member; the order matters to whoever replays them.
func (s *step) tombstones(g *group, id string) {
	s.store(g, kafka.CurrentAssignmentKey, id, nil)
	s.store(g, kafka.TargetAssignmentKey, id, nil)
	s.store(g, kafka.ConsumerGroupMemberKey, id, nil)
}

// freshSession begins the sessions of all members, and the time of those that are to let go of something.
func (s *step) freshSessions(c *consumerGroup) {
	for i := range c.members {
		m := &c.members[i]
		m.heard, m.expires = s.now, s.now+s.setting.Config.ConsumerSession
		if MemberState(m.current.State) == UnrevokedPartitions {
			m.revokeBy = s.now + m.spec.RebalanceTimeout
		}
	}
}

func (c *consumerGroup) deadline() kafka.Tick {
	next := kafka.Never
	for i := range c.members {
		next = min(next, c.members[i].expires, c.members[i].revokeBy)
	}
	return next
}

// expireConsumer removes members that were silent for group.consumer.session.timeout.ms, and those that have not let go
// of a partition within their rebalance timeout.
func (s *step) expireConsumer(g *group) {
	c := g.consumer
	for i := 0; i < len(c.members); {
		m := &c.members[i]
		switch {
		case m.expires <= s.now:
			s.emit(g, event.Event{Kind: event.MemberExpired, Peer: m.spec.Node, Prev: int64(m.heard)})
			s.removeMember(g, m)
		case m.revokeBy <= s.now && m.current.MemberEpoch >= 0:
			s.emit(g, event.Event{Kind: event.MemberRemoved, Peer: m.spec.Node})
			s.removeMember(g, m)
		case m.revokeBy <= s.now: // it has left for a while, and let go of everything with that
			m.revokeBy = kafka.Never
		default:
			i++
		}
	}
}
