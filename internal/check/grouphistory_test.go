package check_test

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// This file has what a history of a group is written with.

// says is an event of the group's coordinator.
func (h *history) says(host kafka.NodeID, e event.Event) {
	e.Node = host
	h.happens(e)
}

func (h *history) hosted(host kafka.NodeID) {
	h.happens(event.Event{Kind: event.GroupsLoaded, Node: host, Partition: offsets, Value: 1})
}

func (h *history) joins(member kafka.NodeID) {
	h.happens(event.Event{Kind: event.ConsumerStarted, Node: member})
	h.says(1, event.Event{Kind: event.MemberJoined, Peer: member})
}

// converging is a KIP-848 group in which the first member has the partition and the target gives it to the second.
func converging(sink event.Sink) *history {
	h := opened(sink)
	h.hosted(1)
	h.joins(one)
	h.says(1, event.Event{Kind: event.TargetAssigned, Peer: one, Epoch: 1})
	h.gets(one, 1)
	h.joins(two)
	h.says(1, event.Event{Kind: event.TargetAssigned, Peer: two, Epoch: 2})
	return h
}

func (h *history) generation(epoch kafka.Epoch) {
	h.says(1, event.Event{Kind: event.GenerationBegan, Peer: one, Epoch: epoch, Count: 1})
	h.says(1, event.Event{Kind: event.GroupStable, Epoch: epoch, Count: 1})
}

func (h *history) gets(member kafka.NodeID, epoch kafka.Epoch) {
	h.happens(event.Event{Kind: event.GroupJoined, Node: member, Peer: 1, Epoch: epoch, Count: 1})
	h.happens(event.Event{Kind: event.PartitionAssigned, Node: member, Epoch: epoch})
}

func (h *history) letsGo(kind event.Kind, member kafka.NodeID, epoch kafka.Epoch) {
	h.happens(event.Event{Kind: kind, Node: member, Epoch: epoch})
}

func (h *history) begins(member kafka.NodeID, at kafka.Offset, found int64) {
	h.happens(event.Event{Kind: event.PositionFound, Node: member, Offset: at, Value: found})
}

func (h *history) does(member kafka.NodeID, at kafka.Offset, ids ...kafka.RecordID) {
	h.happens(event.Event{Kind: event.EffectHappened, Node: member, Offset: at}, ids...)
}

// writes has the coordinator write a commit down, commits also tells the member.
func (h *history) writes(host, member kafka.NodeID, at kafka.Offset) {
	h.says(host, event.Event{Kind: event.OffsetCommitWritten, Peer: member, Offset: at, Prev: event.NoPrevious})
}

func (h *history) commits(member kafka.NodeID, at kafka.Offset) {
	h.writes(1, member, at)
	h.learnsOf(member, 1, at)
}

func (h *history) learnsOf(member, host kafka.NodeID, at kafka.Offset) {
	h.happens(event.Event{Kind: event.OffsetCommitted, Node: member, Peer: host, Offset: at})
}

// loads is a step in which a new coordinator tells of the members and the offset that it found; NoOffset for none.
func (h *history) loads(host kafka.NodeID, at kafka.Offset, members ...kafka.NodeID) {
	h.add(event.Event{Kind: event.GroupsLoaded, Node: host, Partition: offsets, Value: 1})
	if at != kafka.NoOffset {
		h.add(event.Event{Kind: event.OffsetLoaded, Node: host, Offset: at})
	}
	for _, m := range members {
		h.add(event.Event{Kind: event.MemberLoaded, Node: host, Peer: m, Epoch: 1, Prev: 1})
	}
	h.flush()
}

// grouped is a history in which three records are committed and packing-1, alone in its group, is at offset 0.
func grouped(sink event.Sink) *history {
	h := opened(sink)
	h.appends(1, 0, 0, 10, 11, 12)
	h.copies(2, 1, 0, 0, 3, 0)
	h.copies(3, 1, 0, 0, 3, 0)
	h.advances(1, 0, 3)
	h.hosted(1)
	h.joins(one)
	h.generation(1)
	h.gets(one, 1)
	h.begins(one, 0, event.FoundEarliest)
	return h
}

// works has a member be handed records and do them.
func (h *history) works(member kafka.NodeID, at kafka.Offset, ids ...kafka.RecordID) {
	h.readsBy(member, 1, at, ids...)
	h.does(member, at, ids...)
}
