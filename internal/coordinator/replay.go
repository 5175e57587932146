package coordinator

import (
	"slices"
	"strconv"
	"strings"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// Apply takes in a record of the log: what a coordinator before this one wrote. Record by record it comes to know all
// that the others knew, but for what waits for an answer, and for the time of each session.
func (c *Groups) Apply(r *kafka.CoordinatorRecord) {
	c.replayed++
	g := c.obtain(r.Key.Group)
	g.apply(r)
	c.forget(g)
}

func (g *group) apply(r *kafka.CoordinatorRecord) {
	switch r.Key.Kind {
	case kafka.OffsetCommitKey:
		value, _ := r.Value.(*kafka.OffsetCommitValue)
		g.applyOffset(r.Key.Partition, value)
	case kafka.GroupMetadataKey:
		value, _ := r.Value.(*kafka.GroupMetadataValue)
		g.applyClassic(value)
	default:
		g.applyConsumer(r)
	}
}

// Loaded says that Apply has seen the whole log: the coordinator begins its work. Every member gets a fresh session, as
// nobody knows when the coordinator before this one last heard of it (GroupMetadataManager.onLoaded).
func (c *Groups) Loaded(now kafka.Tick, out *node.Out) {
	s := step{Groups: c, now: now, out: out, from: kafka.NoNode}
	c.nextCheck = now + c.setting.Config.OffsetsRetentionCheck
	out.Emit(event.Event{
		Kind: event.GroupsLoaded, Node: c.setting.Host, Partition: c.setting.Partition, Count: c.replayed, Value: int64(len(c.groups)),
	})
	for _, g := range c.groups {
		for i := range g.offsets {
			o := &g.offsets[i]
			s.emit(g, event.Event{Kind: event.OffsetLoaded, Partition: o.partition, Offset: o.value.Offset})
		}
		for i := range g.pending {
			o := &g.pending[i]
			s.emit(g, event.Event{
				Kind: event.OffsetPending, Peer: kafka.NoNode, Partition: o.partition, Offset: o.value.Offset, Producer: o.producer,
			})
		}
		s.tellMembers(g)
		switch {
		case g.classic != nil:
			g.classic.freshSessions(now)
		case g.consumer != nil:
			s.freshSessions(g.consumer)
		}
		g.due = g.deadline()
	}
}

// tellMembers says who is in a group, as the log has it.
func (s *step) tellMembers(g *group) {
	if c := g.classic; c != nil {
		for i := range c.members {
			e := kafka.Epoch(c.generation)
			s.emit(g, event.Event{Kind: event.MemberLoaded, Peer: c.members[i].Node, Epoch: e, Prev: int64(e)})
		}
	}
	if c := g.consumer; c != nil {
		for i := range c.members {
			m := &c.members[i]
			s.emit(g, event.Event{
				Kind: event.MemberLoaded, Peer: m.spec.Node, Epoch: kafka.Epoch(m.current.MemberEpoch), Prev: int64(c.epoch),
			})
		}
	}
}

// forget drops a group of which nothing is left.
func (c *Groups) forget(g *group) {
	if g.exists() || len(g.offsets) > 0 || len(g.pending) > 0 {
		return
	}
	if i, ok := c.index(g.id); ok {
		c.groups = append(c.groups[:i], c.groups[i+1:]...)
	}
}

// applyClassic makes the group what the record says: a group with members is stable, since the record was written with
// their assignment.
func (g *group) applyClassic(v *kafka.GroupMetadataValue) {
	g.classic = nil
	if v == nil {
		return
	}
	g.consumer = nil
	c := newClassicGroup()
	c.leader, c.protocol, c.generation, c.emptySince = v.Leader, v.Protocol, v.Generation, v.EmptySince
	for i := range v.Members {
		c.members = append(c.members, classicMember{GroupMember: v.Members[i], expires: kafka.Never})
		g.memberNo = max(g.memberNo, memberNo(v.Members[i].ID))
	}
	if len(c.members) > 0 {
		c.state = stableGroup
		c.topics = c.subscribed()
	}
	g.classic = c
}

// applyConsumer replays a record of a KIP-848 group. The records of a member may come in any order, when the log was
// compacted; tombstones of what is not there are nothing.
func (g *group) applyConsumer(r *kafka.CoordinatorRecord) {
	if r.Value == nil {
		g.applyTombstone(r.Key)
		return
	}
	if g.consumer == nil {
		g.classic, g.consumer = nil, &consumerGroup{changedBy: kafka.NoNode}
	}
	c := g.consumer
	switch v := r.Value.(type) {
	case *kafka.ConsumerGroupEpochValue:
		c.epoch, c.metadataHash = v.Epoch, v.MetadataHash
	case *kafka.TargetAssignmentEpochValue:
		c.targetEpoch = v.Epoch
	case *kafka.ConsumerGroupMemberValue:
		c.obtain(r.Key.Member).spec = v
	case *kafka.TargetAssignmentValue:
		c.obtain(r.Key.Member).target = v
	case *kafka.CurrentAssignmentValue:
		c.obtain(r.Key.Member).current = v
	}
}

func (g *group) applyTombstone(key kafka.CoordinatorKey) {
	if g.consumer == nil {
		return
	}
	c := g.consumer
	i, known := c.index(key.Member)
	switch {
	case key.Kind == kafka.ConsumerGroupEpochKey:
		g.consumer = nil
	case key.Kind == kafka.ConsumerGroupMemberKey && known:
		c.members = slices.Delete(c.members, i, i+1)
	case key.Kind == kafka.TargetAssignmentKey && known:
		c.members[i].target = nil
	case key.Kind == kafka.CurrentAssignmentKey && known:
		c.members[i].current = &kafka.CurrentAssignmentValue{MemberEpoch: leaveEpoch, PreviousEpoch: leaveEpoch}
	}
}

// memberNo is the number at the end of a member id, so that it is not given out again.
func memberNo(id string) int32 {
	n, err := strconv.ParseInt(id[strings.LastIndexByte(id, '-')+1:], 10, 32)
	if err != nil {
		return 0
	}
	return int32(n)
}
