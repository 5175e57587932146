package view

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Apply takes in one event; the kinds that concern no group are ignored.
func (g *Groups) Apply(e *event.Event) {
	switch e.Kind {
	case event.GroupsLoaded, event.BecameFollower, event.ReplicaOffline, event.BrokerCrashed, event.BrokerStopped:
		g.applyToHost(e)
	case event.MemberLoaded, event.OffsetLoaded, event.MemberJoined, event.MemberLeft, event.MemberExpired, event.MemberRemoved,
		event.RebalanceBegan, event.GenerationBegan, event.GroupStable, event.TargetAssigned, event.MemberEpochChanged,
		event.OffsetCommitWritten, event.OffsetPending, event.PendingOffsetEnded, event.OffsetExpired:
		// A broker that does not know that it is replaced still talks of its members; nothing of that is written down.
		if d := g.known(e.Group()); d != nil && d.Host == e.Node {
			g.applyToGroup(d, e)
		}
	case event.GroupJoined, event.PartitionAssigned, event.PartitionRevoked, event.PartitionLost, event.PollIntervalExceeded,
		event.ConsumerStarted, event.ConsumerCrashed, event.ConsumerClosed, event.ConsumerFailed, event.RecordsRead,
		event.EffectHappened, event.EffectRefused:
		if c := g.consumer(e.Node); c != nil {
			g.applyToConsumer(c, e)
		}
	}
}

// applyToHost takes in who coordinates. A coordinator ends with its leadership, or its process. A new one knows of its groups
// what was written down, and says so itself.
func (g *Groups) applyToHost(e *event.Event) {
	ofPartition := e.Kind.Spec().Fields&event.Partition != 0
	for i := range g.groups {
		d := &g.groups[i]
		if ofPartition && g.names.GroupHome(d.ID) != e.Partition {
			continue
		}
		if e.Kind != event.GroupsLoaded {
			if d.Host == e.Node {
				d.Host = kafka.NoNode
			}
			continue
		}
		d.Host, d.Leader, d.Epoch = e.Node, kafka.NoNode, kafka.NoEpoch
		d.become(GroupEmpty, e.At)
		for _, node := range d.members {
			c := g.consumer(node)
			c.entries, c.Listed = 0, false
		}
		for j := range d.parts {
			d.parts[j].reload()
			d.parts[j].Pending = nil
		}
	}
}

// applyToGroup takes in what a coordinator says.
func (g *Groups) applyToGroup(d *group, e *event.Event) {
	switch e.Kind {
	case event.MemberLoaded:
		g.enter(e.Peer, e.Epoch)
		d.recall(e.Peer, e.At)
		d.Epoch = kafka.Epoch(e.Prev)
		d.become(GroupStable, e.At)
		g.converge(d, e.At)
	case event.MemberJoined:
		if c := g.consumer(kafka.NodeID(e.Prev)); c != nil {
			g.unlist(d, c, e.At) // another process has its group.instance.id, and its place
		}
		g.enter(e.Peer, kafka.NoEpoch)
	case event.MemberLeft, event.MemberExpired, event.MemberRemoved:
		g.leave(d, e.Peer, e.At)
	case event.RebalanceBegan:
		d.Begun, d.Epoch = e.Peer, e.Epoch
		d.become(GroupPreparing, e.At)
	case event.GenerationBegan:
		d.Epoch, d.Leader = e.Epoch, e.Peer
		if d.become(GroupCompleting, e.At); e.Count == 0 {
			d.become(GroupEmpty, e.At)
		}
	case event.GroupStable:
		d.Epoch = e.Epoch
		d.become(GroupStable, e.At)
	case event.TargetAssigned:
		d.Server, d.Begun, d.Epoch = true, e.Peer, e.Epoch
		d.become(GroupReconciling, e.At)
		g.converge(d, e.At)
	case event.MemberEpochChanged:
		if c := g.consumer(e.Peer); c != nil {
			c.Epoch = e.Epoch
		}
		g.converge(d, e.At)
	case event.OffsetCommitWritten:
		d.part(e.Partition, e.At).set(e, e.Peer)
	case event.OffsetLoaded:
		d.part(e.Partition, e.At).set(e, kafka.NoNode)
	case event.OffsetPending:
		p := d.part(e.Partition, e.At)
		p.Pending = append(without(p.Pending, e.Producer), PendingOffset{e.Producer, e.Offset})
	case event.PendingOffsetEnded:
		p := d.part(e.Partition, e.At)
		p.Pending = without(p.Pending, e.Producer)
		if e.Prev == 1 {
			p.set(e, kafka.NoNode)
		}
	case event.OffsetExpired:
		d.part(e.Partition, e.At).expire()
	}
}

// without are pending offsets but for those of a producer, in a list of its own.
func without(pending []PendingOffset, producer kafka.ProducerID) []PendingOffset {
	return slices.DeleteFunc(slices.Clone(pending), func(o PendingOffset) bool { return o.Producer == producer })
}

func (d *group) become(s GroupState, now kafka.Tick) {
	if d.State != s {
		d.State, d.Since = s, now
	}
}

func (g *Groups) enter(node kafka.NodeID, epoch kafka.Epoch) {
	if c := g.consumer(node); c != nil {
		c.entries++
		c.Listed, c.Epoch = true, epoch
	}
}

// recall gives a process back what it believes to have: the coordinator that removed it is gone, and had not written that
// down, so the group has it as a member still.
func (d *group) recall(node kafka.NodeID, now kafka.Tick) {
	for i := range d.claims {
		if d.claims[i].Member == node && d.claims[i].Stale {
			d.claims[i].Stale = false
			d.settle(d.claims[i].Partition, now)
		}
	}
}

// leave ends one membership of a process. A process that was started again quickly has a second one.
func (g *Groups) leave(d *group, node kafka.NodeID, now kafka.Tick) {
	c := g.consumer(node)
	if c == nil {
		return
	}
	if c.entries = max(c.entries-1, 0); c.entries == 0 {
		g.unlist(d, c, now)
	}
	if !d.Server {
		return // the rebalance that follows says how it goes on, also without members
	}
	d.Epoch++ // the group has changed, and its target is out of date
	d.become(GroupAssigning, now)
	if !slices.ContainsFunc(d.members, func(id kafka.NodeID) bool { return g.consumer(id).Listed }) {
		d.become(GroupEmpty, now)
	}
}

// unlist takes a process out of its group: what it believes to have is not its own any more.
func (g *Groups) unlist(d *group, c *process, now kafka.Tick) {
	c.Listed, c.entries = false, 0
	for i := range d.claims {
		if d.claims[i].Member == c.ID {
			d.claims[i].Stale = true
			d.settle(d.claims[i].Partition, now)
		}
	}
}

// converge finds a KIP-848 group stable when every member has reached the group's epoch.
func (g *Groups) converge(d *group, now kafka.Tick) {
	if !d.Server {
		return
	}
	for _, id := range d.members {
		if c := g.consumer(id); c.Listed && c.Epoch != d.Epoch {
			d.become(GroupReconciling, now)
			return
		}
	}
	d.become(GroupStable, now)
}

// applyToConsumer takes in what a process does, and what befalls it.
func (g *Groups) applyToConsumer(c *process, e *event.Event) {
	d := &g.groups[c.group]
	switch e.Kind {
	case event.ConsumerStarted:
		c.Process, c.Since, c.Stuck, c.Epoch = ProcessUp, e.At, false, kafka.NoEpoch
	case event.ConsumerCrashed, event.ConsumerClosed, event.ConsumerFailed:
		c.Process, c.Since, c.Stuck = endOf(e.Kind), e.At, false
		d.dropAll(c.ID, e.At)
	case event.GroupJoined:
		if c.Process == ProcessFailed {
			c.Process, c.Since = ProcessUp, e.At
		}
		c.Epoch, c.Stuck = e.Epoch, false
	case event.PartitionAssigned:
		d.claim(Claim{Partition: e.Partition, Member: c.ID, Epoch: e.Epoch, Since: e.At, Stale: !c.Listed}, e.At)
	case event.PartitionRevoked, event.PartitionLost:
		d.drop(e.Partition, c.ID, e.At)
	case event.PollIntervalExceeded:
		c.Stuck = true
	case event.RecordsRead:
		c.Stuck = false
	case event.EffectHappened:
		c.Done += int(e.Count)
	case event.EffectRefused:
		c.Refused += int(e.Count)
	}
}

// endOf says how a process is after an event that ends it.
func endOf(k event.Kind) Process {
	switch k {
	case event.ConsumerCrashed:
		return ProcessCrashed
	case event.ConsumerClosed:
		return ProcessClosed
	}
	return ProcessFailed
}

func (d *group) find(p kafka.PartitionID) (at int, found bool) {
	return slices.BinarySearchFunc(d.parts, p, func(q GroupPartition, p kafka.PartitionID) int { return int(q.Partition - p) })
}

// part is a partition of the group, made when it is new.
func (d *group) part(p kafka.PartitionID, now kafka.Tick) *GroupPartition {
	at, found := d.find(p)
	if !found {
		d.parts = slices.Insert(d.parts, at, GroupPartition{
			Partition: p, Owner: kafka.NoNode, Former: kafka.NoNode, Stray: kafka.NoNode, Since: now, Commit: uncommitted,
		})
	}
	return &d.parts[at]
}

func (d *group) claim(c Claim, now kafka.Tick) {
	d.forget(c.Partition, c.Member)
	at := 0
	for at < len(d.claims) && d.claims[at].Partition <= c.Partition {
		at++
	}
	d.claims = slices.Insert(d.claims, at, c)
	d.settle(c.Partition, now)
}

func (d *group) drop(p kafka.PartitionID, member kafka.NodeID, now kafka.Tick) {
	d.forget(p, member)
	d.settle(p, now)
}

func (d *group) forget(p kafka.PartitionID, member kafka.NodeID) {
	d.claims = slices.DeleteFunc(d.claims, func(c Claim) bool { return c.Partition == p && c.Member == member })
}

func (d *group) dropAll(member kafka.NodeID, now kafka.Tick) {
	for i := len(d.claims) - 1; i >= 0; i-- {
		if d.claims[i].Member == member {
			d.drop(d.claims[i].Partition, member, now)
		}
	}
}

// settle says who has a partition, of those who believe it: the one with the newest claim that the group knows of.
func (d *group) settle(p kafka.PartitionID, now kafka.Tick) {
	part := d.part(p, now)
	owner, stray, best := kafka.NoNode, kafka.NoNode, kafka.NoEpoch
	for i := range d.claims {
		switch c := &d.claims[i]; {
		case c.Partition != p:
		case !c.Stale && (owner == kafka.NoNode || c.Epoch >= best):
			if owner != kafka.NoNode {
				stray = owner
			}
			owner, best = c.Member, c.Epoch
		default:
			stray = c.Member
		}
	}
	part.Stray = stray
	if owner == part.Owner {
		return
	}
	if part.Owner != kafka.NoNode {
		part.Former = part.Owner
	}
	part.Owner, part.Since = owner, now
}
