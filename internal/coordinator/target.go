package coordinator

import (
	"slices"

	"replog/internal/assign"
	"replog/internal/event"
	"replog/internal/kafka"
)

// assignTargets deals the partitions out to all members anew, and writes down what changes (TargetAssignmentBuilder).
func (s *step) assignTargets(g *group) {
	c := g.consumer
	members := make([]assign.Member, len(c.members))
	for i := range c.members {
		m := &c.members[i]
		members[i] = assign.Member{ID: m.id, InstanceID: m.spec.InstanceID, Topics: s.topicNames(m.spec.Topics)}
		if m.target != nil {
			members[i].Owned = m.target.Partitions
		}
	}
	targets := c.assignor(s.setting.Config.ConsumerAssignors).Assign(members, s.setting.Topics)
	for i, partitions := range targets {
		if m := &c.members[i]; m.target == nil || !slices.Equal(m.target.Partitions, partitions) {
			s.store(g, kafka.TargetAssignmentKey, m.id, &kafka.TargetAssignmentValue{Partitions: partitions})
		}
	}
	s.store(g, kafka.TargetAssignmentEpochKey, "", &kafka.TargetAssignmentEpochValue{Epoch: c.epoch})
	because := c.changedBy
	if because == kafka.NoNode {
		because = s.from // the coordinator before this one knew for whose sake
	}
	s.emit(g, event.Event{Kind: event.TargetAssigned, Peer: because, Epoch: kafka.Epoch(c.epoch)})
}

// assignor is the one that most members want, or the first of group.consumer.assignors when nobody wants any
// (ConsumerGroup.computePreferredServerAssignor).
func (c *consumerGroup) assignor(configured []string) assign.Assignor {
	votes := make([]int, len(configured))
	cast := false
	for i := range c.members {
		if at := slices.Index(configured, c.members[i].spec.Assignor); at >= 0 {
			votes[at]++
			cast = true
		}
	}
	name := configured[0]
	if cast {
		name = mostVotes(configured, votes)
	}
	chosen, _ := assign.ParseServer(name)
	return chosen
}

func (c *Groups) topicNames(topics []kafka.TopicID) []string {
	names := make([]string, len(topics))
	for i, t := range topics {
		names[i] = c.setting.Topics[t].Name
	}
	return names
}

// reconcile takes the member that has just spoken one step towards its target, and writes down how far it is
// (GroupMetadataManager.maybeReconcile).
func (s *step) reconcile(g *group, r *kafka.ConsumerGroupHeartbeatRequest) {
	c := g.consumer
	m := c.member(r.MemberID)
	had := m.assignment()
	said, target := Heartbeat{Owned: r.Owned, Reported: r.Reported}, Target{Epoch: c.targetEpoch}
	if m.target != nil {
		target.Partitions = m.target.Partitions
	}
	if had.rests(target, said) {
		return
	}
	has := had.Reconcile(target, said, s.elsewhere(c))
	value := kafka.CurrentAssignmentValue{
		Assigned: has.Assigned, PendingRevocation: has.PendingRevocation, MemberEpoch: has.MemberEpoch,
		PreviousEpoch: had.MemberEpoch, State: uint8(has.State),
	}
	if sameCurrent(m.current, &value) {
		return
	}
	s.storeCurrent(g, m.id, &value)
	m.revokeBy = kafka.Never
	if has.State == UnrevokedPartitions {
		m.revokeBy = s.now + m.spec.RebalanceTimeout
	}
}

// elsewhere says which partitions a member must wait for.
func (s *step) elsewhere(c *consumerGroup) func(kafka.PartitionID) bool {
	if s.setting.Config.Rules.AssignedBeforeRevoked {
		return func(kafka.PartitionID) bool { return false }
	}
	return c.owned
}

// storeCurrent writes down where a member stands.
func (s *step) storeCurrent(g *group, id string, value *kafka.CurrentAssignmentValue) {
	m := g.consumer.member(id)
	before := m.current.MemberEpoch
	s.store(g, kafka.CurrentAssignmentKey, id, value)
	if value.MemberEpoch != before {
		s.emit(g, event.Event{
			Kind: event.MemberEpochChanged, Peer: m.spec.Node, Epoch: kafka.Epoch(value.MemberEpoch), Prev: int64(before),
		})
	}
}

func (m *consumerMember) assignment() CurrentAssignment {
	return CurrentAssignment{
		Assigned: m.current.Assigned, PendingRevocation: m.current.PendingRevocation, MemberEpoch: m.current.MemberEpoch,
		State: MemberState(m.current.State),
	}
}

func sameCurrent(a, b *kafka.CurrentAssignmentValue) bool {
	return a.MemberEpoch == b.MemberEpoch && a.PreviousEpoch == b.PreviousEpoch && a.State == b.State &&
		slices.Equal(a.Assigned, b.Assigned) && slices.Equal(a.PendingRevocation, b.PendingRevocation)
}
