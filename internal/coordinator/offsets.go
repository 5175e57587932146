package coordinator

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// commitOffsets takes an OffsetCommit (OffsetMetadataManager.commitOffset). Whether the sender owns the partitions, or
// goes back, is not looked at: the last commit wins.
func (s *step) commitOffsets(r *kafka.OffsetCommitRequest) {
	g := s.find(r.Group)
	if code := s.validateCommit(g, r); code != kafka.None {
		s.tellRefused(r.Group, r.Offsets, code)
		s.answer(commitResponse(r, code))
		return
	}
	g = s.obtain(r.Group)
	g.keepSession(r.MemberID, s.now)
	for _, o := range r.Offsets {
		s.commitOffset(g, o)
	}
	s.answerCommitted(commitResponse(r, kafka.None))
}

// tellRefused tells of a commit that is refused.
func (s *step) tellRefused(group kafka.GroupID, offsets []kafka.PartitionOffset, code kafka.ErrorCode) {
	for _, o := range offsets {
		s.out.Emit(event.Event{
			Kind: event.OffsetCommitRefused, Node: s.setting.Host, Peer: s.from, Partition: o.Partition, Offset: o.Offset,
			Value: int64(group), Error: code,
		})
	}
}

// validateCommit says why a commit is refused, if it is.
func (s *step) validateCommit(g *group, r *kafka.OffsetCommitRequest) kafka.ErrorCode {
	switch {
	case !g.exists() && r.Generation < 0:
		return kafka.None // somebody who only stores offsets here
	case !g.exists():
		return kafka.GroupIDNotFound
	case g.consumer != nil:
		return g.consumer.validateCommit(r)
	}
	return g.classic.validateCommit(r)
}

// validateCommit allows a commit to a member at its present epoch, and from outside as long as nobody is a member
// (ConsumerGroup.validateOffsetCommit).
func (c *consumerGroup) validateCommit(r *kafka.OffsetCommitRequest) kafka.ErrorCode {
	if r.Generation < 0 && len(c.members) == 0 {
		return kafka.None
	}
	return c.validateMember(r.MemberID, r.Generation)
}

func (c *consumerGroup) validateMember(id string, epoch int32) kafka.ErrorCode {
	m := c.member(id)
	switch {
	case m == nil:
		return kafka.UnknownMemberID
	case m.current.MemberEpoch != epoch:
		return kafka.StaleMemberEpoch
	}
	return kafka.None
}

// validateCommit allows a commit to a member of this generation, and from outside as long as nobody is a member. Between
// JoinGroup and SyncGroup a member has no partitions to commit (ClassicGroup.validateOffsetCommit).
func (c *classicGroup) validateCommit(r *kafka.OffsetCommitRequest) kafka.ErrorCode {
	if r.Generation < 0 && c.state == emptyGroup {
		return kafka.None
	}
	if r.Generation < 0 && r.MemberID == "" && r.InstanceID == "" {
		return kafka.UnknownMemberID
	}
	code := c.validateGeneration(r.MemberID, r.InstanceID, r.Generation)
	if code == kafka.None && c.state == completingRebalance {
		return kafka.RebalanceInProgress
	}
	return code
}

// keepSession counts a classic member's commit as a sign of life.
func (g *group) keepSession(memberID string, now kafka.Tick) {
	if g.classic == nil {
		return
	}
	if m := g.classic.member(memberID); m != nil {
		m.alive(now)
	}
}

func (s *step) commitOffset(g *group, o kafka.PartitionOffset) {
	prev := event.NoPrevious
	if before := g.offset(o.Partition); before != nil {
		prev = int64(before.Offset)
	}
	value := &kafka.OffsetCommitValue{Offset: o.Offset, LeaderEpoch: o.LeaderEpoch, Committed: s.now}
	s.write(kafka.CoordinatorKey{Kind: kafka.OffsetCommitKey, Group: g.id, Partition: o.Partition}, value)
	g.applyOffset(o.Partition, value)
	s.emit(g, event.Event{
		Kind: event.OffsetCommitWritten, Peer: s.from, Partition: o.Partition, Offset: o.Offset, Prev: prev,
	})
}

func commitResponse(r *kafka.OffsetCommitRequest, code kafka.ErrorCode) *kafka.OffsetCommitResponse {
	results := make([]kafka.PartitionOffset, len(r.Offsets))
	for i := range r.Offsets {
		results[i] = r.Offsets[i]
		results[i].Error = code
	}
	return &kafka.OffsetCommitResponse{Results: results}
}

// fetchOffsets answers with the group's offsets, when they are committed.
func (s *step) fetchOffsets(r *kafka.OffsetFetchRequest) {
	g := s.find(r.Group)
	if code := g.validateFetch(r); code != kafka.None {
		s.fence(r.Group, code)
		s.answer(&kafka.OffsetFetchResponse{Error: code})
		return
	}
	offsets := make([]kafka.PartitionOffset, len(r.Partitions))
	for i, p := range r.Partitions {
		offsets[i] = kafka.PartitionOffset{Partition: p, Offset: kafka.NoOffset, LeaderEpoch: kafka.NoEpoch}
		if r.RequireStable && g.hasPending(p) {
			offsets[i].Error = kafka.UnstableOffsetCommit
		} else if v := g.offset(p); v != nil {
			offsets[i].Offset, offsets[i].LeaderEpoch = v.Offset, v.LeaderEpoch
		}
	}
	s.answerCommitted(&kafka.OffsetFetchResponse{Offsets: offsets})
}

// validateFetch looks at who asks only in a KIP-848 group, and only if it says so (ConsumerGroup.validateOffsetFetch).
func (g *group) validateFetch(r *kafka.OffsetFetchRequest) kafka.ErrorCode {
	if !g.isConsumer() || r.MemberID == "" && r.MemberEpoch <= 0 {
		return kafka.None
	}
	return g.consumer.validateMember(r.MemberID, r.MemberEpoch)
}

func (g *group) offsetIndex(p kafka.PartitionID) (int, bool) {
	return slices.BinarySearchFunc(g.offsets, p, func(o committedOffset, p kafka.PartitionID) int { return int(o.partition - p) })
}

// offset is what was last committed for a partition, or nil.
func (g *group) offset(p kafka.PartitionID) *kafka.OffsetCommitValue {
	if g == nil {
		return nil
	}
	if i, ok := g.offsetIndex(p); ok {
		return g.offsets[i].value
	}
	return nil
}

// setOffset keeps an offset; nil takes it away.
func (g *group) setOffset(p kafka.PartitionID, value *kafka.OffsetCommitValue) {
	i, ok := g.offsetIndex(p)
	switch {
	case value == nil && ok:
		g.offsets = slices.Delete(g.offsets, i, i+1)
	case value == nil:
	case ok:
		g.offsets[i].value = value
	default:
		g.offsets = slices.Insert(g.offsets, i, committedOffset{value: value, partition: p})
	}
}

// applyOffset replays a commit or the end of an offset. A group that nobody has heard of is there from then on.
func (g *group) applyOffset(p kafka.PartitionID, value *kafka.OffsetCommitValue) {
	if value != nil && !g.exists() {
		g.classic = newClassicGroup()
	}
	g.overtake(p, len(g.pending))
	g.setOffset(p, value)
}
