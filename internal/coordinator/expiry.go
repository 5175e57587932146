package coordinator

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// expireOffsets drops what has not been needed for offsets.retention.minutes, and with the last offset an empty group
// (GroupCoordinatorShard.cleanupGroupMetadata).
func (s *step) expireOffsets() {
	for _, g := range slices.Clone(s.groups) {
		s.expireGroup(g)
		if g.exists() && len(g.offsets) == 0 && len(g.pending) == 0 && g.empty() {
			s.deleteGroup(g)
		}
		s.forget(g)
	}
}

// expireGroup drops the offsets of one group that are old enough and of no topic that a member subscribes to (KIP-211).
func (s *step) expireGroup(g *group) {
	for _, o := range slices.Clone(g.offsets) {
		since, may := s.expiresFrom(g, o.partition, o.value)
		if !may || g.hasPending(o.partition) || s.now-since < s.setting.Config.OffsetsRetention {
			continue
		}
		s.write(kafka.CoordinatorKey{Kind: kafka.OffsetCommitKey, Group: g.id, Partition: o.partition}, nil)
		g.applyOffset(o.partition, nil)
		s.emit(g, event.Event{Kind: event.OffsetExpired, Partition: o.partition, Offset: o.value.Offset})
	}
}

// expiresFrom is from when on the retention of an offset counts, where it may expire at all.
func (s *step) expiresFrom(g *group, p kafka.PartitionID, v *kafka.OffsetCommitValue) (since kafka.Tick, may bool) {
	switch {
	case s.setting.Config.Rules.OffsetsExpireFromCommit:
		return v.Committed, true
	case g.subscribes(s.topicOf(p)):
		return 0, false
	}
	return g.unusedSince(v)
}

// unusedSince is from when on an offset's retention counts: for a group that had members, from its becoming empty; else
// from the commit. While a classic group rebalances nothing expires (ClassicGroup.offsetExpirationCondition).
func (g *group) unusedSince(v *kafka.OffsetCommitValue) (since kafka.Tick, may bool) {
	switch c := g.classic; {
	case c == nil:
		return v.Committed, true
	case c.state == emptyGroup && c.generation > 0:
		return c.emptySince, true
	case c.state == emptyGroup, c.state == stableGroup:
		return v.Committed, true
	}
	return 0, false
}

// subscribes reports whether a member of the group reads a topic.
func (g *group) subscribes(topic kafka.TopicID) bool {
	switch {
	case g.classic != nil:
		return slices.Contains(g.classic.topics, topic)
	case g.consumer != nil:
		return slices.ContainsFunc(g.consumer.members, func(m consumerMember) bool { return slices.Contains(m.spec.Topics, topic) })
	}
	return false
}

// deleteGroup writes the tombstones of an empty group; its offsets stay.
func (s *step) deleteGroup(g *group) {
	if g.consumer == nil {
		s.store(g, kafka.GroupMetadataKey, "", nil)
		return
	}
	s.store(g, kafka.TargetAssignmentEpochKey, "", nil)
	s.store(g, kafka.ConsumerGroupEpochKey, "", nil)
}

// topicOf finds a partition's topic; -1 for a partition of no topic that one may subscribe to.
func (c *Groups) topicOf(p kafka.PartitionID) kafka.TopicID {
	for i := range c.setting.Topics {
		if slices.Contains(c.setting.Topics[i].Partitions, p) {
			return kafka.TopicID(i)
		}
	}
	return -1
}
