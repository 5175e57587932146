package coordinator

import (
	"slices"
	"strings"

	"replog/internal/event"
	"replog/internal/kafka"
)

// What a member says in place of an epoch (ConsumerGroupHeartbeatRequest).
const (
	joinEpoch        int32 = 0
	leaveEpoch       int32 = -1
	leaveStaticEpoch int32 = -2 // a static member that means to come back
)

// consumerGroup is a group of KIP-848 (ConsumerGroup). Three numbers chase each other: whatever changes the group raises
// the group epoch; the next heartbeat has the coordinator compute targets for it, at the target epoch; and each member
// comes to that epoch on its own.
type consumerGroup struct {
	members      []consumerMember // ascending by id
	metadataHash int64            // of the partitions that epoch goes by
	epoch        int32
	targetEpoch  int32
	changedBy    kafka.NodeID // the member, or the coordinator, for whose sake epoch was raised
}

// consumerMember is a member of a KIP-848 group. What it points to comes from the log and never changes.
type consumerMember struct {
	id       string
	spec     *kafka.ConsumerGroupMemberValue
	target   *kafka.TargetAssignmentValue
	current  *kafka.CurrentAssignmentValue
	expires  kafka.Tick // when its session ends
	heard    kafka.Tick // when it last gave a sign of life
	revokeBy kafka.Tick // when it must have let go of what it was told to; kafka.Never if it need not
}

func (c *consumerGroup) index(id string) (int, bool) {
	return slices.BinarySearchFunc(c.members, id, func(m consumerMember, id string) int { return strings.Compare(m.id, id) })
}

// member returns a member, or nil. The pointer is good until a member comes or goes.
func (c *consumerGroup) member(id string) *consumerMember {
	if i, ok := c.index(id); ok {
		return &c.members[i]
	}
	return nil
}

// obtain returns a member, which it makes if there is none.
func (c *consumerGroup) obtain(id string) *consumerMember {
	i, ok := c.index(id)
	if !ok {
		c.members = slices.Insert(c.members, i, consumerMember{
			id: id, current: &kafka.CurrentAssignmentValue{PreviousEpoch: -1}, expires: kafka.Never, revokeBy: kafka.Never,
		})
	}
	return &c.members[i]
}

// instance returns the static member with a group.instance.id, or nil.
func (c *consumerGroup) instance(instanceID string) *consumerMember {
	for i := range c.members {
		if m := &c.members[i]; m.spec != nil && m.spec.InstanceID == instanceID {
			return m
		}
	}
	return nil
}

// owned reports whether a member has a partition or has not let go of it.
func (c *consumerGroup) owned(p kafka.PartitionID) bool {
	return slices.ContainsFunc(c.members, func(m consumerMember) bool {
		return slices.Contains(m.current.Assigned, p) || slices.Contains(m.current.PendingRevocation, p)
	})
}

// consumerGroupHeartbeat takes all that a KIP-848 member says (GroupMetadataManager.consumerGroupHeartbeat).
func (s *step) consumerGroupHeartbeat(r *kafka.ConsumerGroupHeartbeatRequest) {
	if code := s.validateHeartbeat(r); code != kafka.None {
		s.refuseHeartbeat(r, code)
		return
	}
	if r.MemberEpoch < 0 {
		s.leaveConsumerGroup(r)
		return
	}
	g, code := s.consumerGroup(r)
	if code == kafka.None {
		code = s.admit(g, r)
	}
	if code != kafka.None {
		s.fence(r.Group, code)
		s.refuseHeartbeat(r, code)
		return
	}
	had := s.subscribe(g, r)
	s.noticePartitions(g)
	if g.consumer.epoch > g.consumer.targetEpoch {
		s.assignTargets(g)
	}
	s.reconcile(g, r)
	m := g.consumer.member(r.MemberID)
	m.heard, m.expires = s.now, s.now+s.setting.Config.ConsumerSession
	s.answerCommitted(s.heartbeatResponse(m, r, had))
}

// heartbeatResponse has the assignment only when it is news, or when the member said all there is to say: it does so
// when it may have missed something.
func (s *step) heartbeatResponse(m *consumerMember, r *kafka.ConsumerGroupHeartbeatRequest, had []kafka.PartitionID) kafka.Body {
	answer := &kafka.ConsumerGroupHeartbeatResponse{
		MemberID: m.id, MemberEpoch: m.current.MemberEpoch, HeartbeatInterval: s.setting.Config.ConsumerHeartbeat,
	}
	full := r.MemberEpoch == joinEpoch || r.RebalanceTimeout > 0 && r.Subscribes && r.Reported
	if full || !slices.Equal(had, m.current.Assigned) {
		answer.Assignment, answer.Assigned = m.current.Assigned, true
	}
	return answer
}

func (s *step) refuseHeartbeat(r *kafka.ConsumerGroupHeartbeatRequest, code kafka.ErrorCode) {
	s.answer(&kafka.ConsumerGroupHeartbeatResponse{MemberID: r.MemberID, Error: code})
}

// validateHeartbeat says what is wrong with a request in itself (throwIfConsumerGroupHeartbeatRequestIsInvalid).
func (s *step) validateHeartbeat(r *kafka.ConsumerGroupHeartbeatRequest) kafka.ErrorCode {
	joins := r.MemberEpoch == joinEpoch
	switch {
	case r.MemberID == "", r.MemberEpoch < leaveStaticEpoch,
		r.MemberEpoch == leaveStaticEpoch && r.InstanceID == "",
		joins && (r.RebalanceTimeout <= 0 || len(r.Topics) == 0 || !r.Reported || len(r.Owned) > 0):
		return kafka.InvalidRequest
	case r.Assignor != "" && !slices.Contains(s.setting.Config.ConsumerAssignors, r.Assignor):
		return kafka.UnsupportedAssignor
	}
	return kafka.None
}

// consumerGroup finds the group; the first to join founds it. An empty classic group makes room
// (getOrMaybeCreateConsumerGroup).
func (s *step) consumerGroup(r *kafka.ConsumerGroupHeartbeatRequest) (*group, kafka.ErrorCode) {
	g := s.find(r.Group)
	switch {
	case g.isConsumer():
		return g, kafka.None
	case r.MemberEpoch != joinEpoch, g.exists() && !g.empty():
		return nil, kafka.GroupIDNotFound
	case g.exists():
		s.deleteGroup(g)
	}
	g = s.obtain(r.Group)
	g.consumer = &consumerGroup{changedBy: kafka.NoNode}
	return g, kafka.None
}

// admit says why a member is refused, if it is; somebody with a new member id may come in, and in the place of a static
// member that has left.
func (s *step) admit(g *group, r *kafka.ConsumerGroupHeartbeatRequest) kafka.ErrorCode {
	c := g.consumer
	m := c.member(r.MemberID)
	if r.InstanceID != "" {
		m = c.instance(r.InstanceID)
	}
	joins := r.MemberEpoch == joinEpoch
	switch {
	case m == nil && joins:
		return kafka.None
	case m == nil:
		return kafka.UnknownMemberID
	case r.InstanceID == "":
		return m.validateEpoch(r)
	case joins && m.current.MemberEpoch != leaveStaticEpoch:
		return kafka.UnreleasedInstanceID
	case joins:
		s.replaceMember(g, m, r.MemberID)
		return kafka.None
	case m.id != r.MemberID:
		return kafka.FencedInstanceID
	}
	return m.validateEpoch(r)
}

// validateEpoch lets in who knows the member's epoch, or the one before while it owns nothing that it may not own: the
// answer with the new epoch may be lost. A member that begins anew under its old id is refused like this until its session
// is over (throwIfConsumerGroupMemberEpochIsInvalid; KAFKA-19233 lets it in, from 4.2 on).
func (m *consumerMember) validateEpoch(r *kafka.ConsumerGroupHeartbeatRequest) kafka.ErrorCode {
	if r.MemberEpoch == m.current.MemberEpoch {
		return kafka.None
	}
	late := r.MemberEpoch == m.current.PreviousEpoch && r.MemberEpoch < m.current.MemberEpoch
	if !late || !r.Reported || !subset(r.Owned, m.current.Assigned) {
		return kafka.FencedMemberEpoch
	}
	return kafka.None
}

func subset(part, whole []kafka.PartitionID) bool {
	return !slices.ContainsFunc(part, func(p kafka.PartitionID) bool { return !slices.Contains(whole, p) })
}

// subscribe writes down what a member says of itself, if that is news. Another subscription raises the group epoch. It
// returns what the member had.
func (s *step) subscribe(g *group, r *kafka.ConsumerGroupHeartbeatRequest) (had []kafka.PartitionID) {
	c := g.consumer
	before := c.obtain(r.MemberID)
	had = before.current.Assigned
	spec, resubscribed := updatedSpec(before.spec, r, s.from)
	if before.spec == nil {
		s.emit(g, event.Event{Kind: event.MemberJoined, Peer: s.from, Prev: event.NoPrevious})
	}
	if spec != before.spec {
		s.store(g, kafka.ConsumerGroupMemberKey, r.MemberID, spec)
	}
	if resubscribed {
		s.raiseEpoch(g, s.from)
	}
	return had
}

// updatedSpec is what is known of a member after a heartbeat: the same pointer if that is nothing new.
func updatedSpec(before *kafka.ConsumerGroupMemberValue, r *kafka.ConsumerGroupHeartbeatRequest, from kafka.NodeID) (
	spec *kafka.ConsumerGroupMemberValue, resubscribed bool,
) {
	var old, now kafka.ConsumerGroupMemberValue
	if before != nil {
		old, now = *before, *before
	}
	now.Node = from
	if r.InstanceID != "" {
		now.InstanceID = r.InstanceID
	}
	if r.RebalanceTimeout > 0 {
		now.RebalanceTimeout = r.RebalanceTimeout
	}
	if r.Assignor != "" {
		now.Assignor = r.Assignor
	}
	if r.Subscribes {
		resubscribed = !sameTopics(old.Topics, r.Topics)
	}
	if resubscribed {
		now.Topics = slices.Sorted(slices.Values(r.Topics))
	}
	same := old.Node == now.Node && old.InstanceID == now.InstanceID && old.RebalanceTimeout == now.RebalanceTimeout &&
		old.Assignor == now.Assignor && !resubscribed
	if before != nil && same {
		return before, false
	}
	news := now // a copy, so that a heartbeat without news allocates nothing
	return &news, resubscribed
}

// sameTopics compares a list in ascending order with one in any.
func sameTopics(sorted, topics []kafka.TopicID) bool {
	return len(sorted) == len(topics) && !slices.ContainsFunc(topics, func(t kafka.TopicID) bool { return !slices.Contains(sorted, t) })
}

// raiseEpoch says that the group has changed; targets are out of date until the next heartbeat.
func (s *step) raiseEpoch(g *group, because kafka.NodeID) {
	g.consumer.changedBy = because
	hash, _ := s.metadataOf(g)
	s.store(g, kafka.ConsumerGroupEpochKey, "", &kafka.ConsumerGroupEpochValue{Epoch: g.consumer.epoch + 1, MetadataHash: hash})
}
