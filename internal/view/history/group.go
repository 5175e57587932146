package history

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// Group writes what happens in one consumer group.
type Group struct {
	*History
	ID   kafka.GroupID
	Host kafka.NodeID // its coordinator
}

// Group gives a hand to write a group with.
func (h *History) Group(id kafka.GroupID, host kafka.NodeID) *Group { return &Group{h, id, host} }

// says writes an event of the coordinator.
func (g *Group) says(e event.Event) event.Seq {
	e.Node, e.Value = g.Host, int64(g.ID)
	return g.Add(e)
}

// does writes an event of a member.
func (g *Group) does(member kafka.NodeID, e event.Event) event.Seq {
	e.Node, e.Value = member, int64(g.ID)
	return g.Add(e)
}

// Hosted writes that a broker hosts the group from now on.
func (g *Group) Hosted(host kafka.NodeID, home kafka.PartitionID) event.Seq {
	g.Host = host
	return g.Add(event.Event{Kind: event.GroupsLoaded, Node: host, Partition: home, Value: 1})
}

// Start writes that processes begin.
func (g *Group) Start(members ...kafka.NodeID) {
	for _, m := range members {
		g.Add(event.Event{Kind: event.ConsumerStarted, Node: m})
	}
}

// Crash writes that a process dies.
func (g *Group) Crash(member kafka.NodeID) event.Seq {
	return g.Add(event.Event{Kind: event.ConsumerCrashed, Node: member})
}

// Join writes that a member is new in the group, which rebalances.
func (g *Group) Join(member kafka.NodeID) event.Seq {
	return g.says(event.Event{Kind: event.MemberJoined, Peer: member})
}

// Out writes that a member is one no more: MemberLeft, MemberExpired or MemberRemoved.
func (g *Group) Out(kind event.Kind, member kafka.NodeID) event.Seq {
	return g.says(event.Event{Kind: kind, Peer: member})
}

// Rebalance writes that generation before is over, and a classic group waits for its members.
func (g *Group) Rebalance(because kafka.NodeID, before kafka.Epoch) event.Seq {
	return g.says(event.Event{Kind: event.RebalanceBegan, Peer: because, Epoch: before})
}

// Generation writes that a generation begins.
func (g *Group) Generation(leader kafka.NodeID, epoch kafka.Epoch, members int) event.Seq {
	return g.says(event.Event{Kind: event.GenerationBegan, Peer: leader, Epoch: epoch, Count: int32(members)})
}

// Stable writes that the assignment is made.
func (g *Group) Stable(epoch kafka.Epoch, members int) event.Seq {
	return g.says(event.Event{Kind: event.GroupStable, Epoch: epoch, Count: int32(members)})
}

// Target writes that a KIP-848 coordinator has a new target.
func (g *Group) Target(because kafka.NodeID, epoch kafka.Epoch) event.Seq {
	return g.says(event.Event{Kind: event.TargetAssigned, Peer: because, Epoch: epoch})
}

// Reach writes that a KIP-848 member is at an epoch.
func (g *Group) Reach(member kafka.NodeID, epoch, before kafka.Epoch) event.Seq {
	return g.says(event.Event{Kind: event.MemberEpochChanged, Peer: member, Epoch: epoch, Prev: int64(before)})
}

// Get writes that a member has partitions from now on.
func (g *Group) Get(member kafka.NodeID, epoch kafka.Epoch, partitions ...kafka.PartitionID) {
	g.does(member, event.Event{Kind: event.GroupJoined, Peer: g.Host, Epoch: epoch, Count: int32(len(partitions))})
	for _, p := range partitions {
		g.does(member, event.Event{Kind: event.PartitionAssigned, Partition: p, Epoch: epoch})
	}
}

// LetGo writes that a member gives partitions back: PartitionRevoked or PartitionLost.
func (g *Group) LetGo(kind event.Kind, member kafka.NodeID, epoch kafka.Epoch, partitions ...kafka.PartitionID) {
	for _, p := range partitions {
		g.does(member, event.Event{Kind: kind, Partition: p, Epoch: epoch})
	}
}

// Begin writes where a member will read from.
func (g *Group) Begin(member kafka.NodeID, p kafka.PartitionID, offset kafka.Offset, found int64) event.Seq {
	return g.Add(event.Event{Kind: event.PositionFound, Node: member, Partition: p, Offset: offset, Value: found})
}

// Commit writes that a commit is written down and answered; before is the offset that stood there.
func (g *Group) Commit(member kafka.NodeID, p kafka.PartitionID, offset, before kafka.Offset) event.Seq {
	written := g.says(event.Event{Kind: event.OffsetCommitWritten, Peer: member, Partition: p, Offset: offset, Prev: int64(before)})
	g.does(member, event.Event{Kind: event.OffsetCommitted, Cause: written, Peer: g.Host, Partition: p, Offset: offset})
	return written
}

// Do writes an effect of what a member has read.
func (g *Group) Do(member kafka.NodeID, p kafka.PartitionID, offset kafka.Offset, ids ...kafka.RecordID) event.Seq {
	return g.Add(event.Event{Kind: event.EffectHappened, Node: member, Partition: p, Offset: offset}, ids...)
}

// Refused writes an effect that a unique key refused.
func (g *Group) Refused(member kafka.NodeID, p kafka.PartitionID, offset kafka.Offset, ids ...kafka.RecordID) event.Seq {
	return g.Add(event.Event{Kind: event.EffectRefused, Node: member, Partition: p, Offset: offset}, ids...)
}
