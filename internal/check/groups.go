package check

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// This file follows consumer groups: who coordinates them, who is in them, and in which generation or epoch.

// A group is what the events told about one consumer group.
type group struct {
	pending []pending // the producers with an offset of an open transaction
	id      kafka.GroupID
	host    kafka.NodeID // its coordinator; NoNode while there is none
	epoch   kafka.Epoch  // generation, or group epoch; NoEpoch while nobody has said
	server  bool         // KIP-848
	// targeted: the coordinator has computed the target of the epoch. One that takes over may have to, for the same epoch.
	targeted bool
	vacant   bool     // it has had no members since; the coordinator may have forgotten it, and then it begins anew
	members  []member // every process that may be a member
	held     []holding
	offsets  []commits // by partition
	work     []work    // by partition
	changed  kafka.Tick
}

// A member is a process, and what its coordinator counts it as.
type member struct {
	node    kafka.NodeID
	entries int // memberships: two after a quick restart, until the first one expires
	epoch   kafka.Epoch
	alive   bool
	stuck   bool // max.poll.interval.ms has passed
	effect  bool // its application does something outside of Kafka: reading alone is not doing
}

func newGroups(names *kafka.Names) []*group {
	groups := make([]*group, len(names.Groups))
	for i := range groups {
		groups[i] = &group{id: kafka.GroupID(i), host: kafka.NoNode, epoch: kafka.NoEpoch}
	}
	for i := range names.Nodes {
		n := &names.Nodes[i]
		if at := slices.Index(names.Groups, n.Consumes); at >= 0 && n.Consumes != "" && n.ID.IsClient() {
			groups[at].members = append(groups[at].members, member{node: n.ID, effect: n.Effect != ""})
		}
	}
	return groups
}

// groupOf is the group in which a node is a consumer, or nil.
func (c *Checker) groupOf(node kafka.NodeID) (*group, *member) {
	at := int(node - kafka.FirstClientID)
	if at < 0 || at >= len(c.consumers) || c.consumers[at] == nil {
		return nil, nil
	}
	return c.consumers[at], c.consumers[at].member(node)
}

// byNode has the group of each client that is in one.
func byNode(groups []*group) []*group {
	var of []*group
	for _, g := range groups {
		for i := range g.members {
			at := int(g.members[i].node - kafka.FirstClientID)
			for at >= len(of) {
				of = append(of, nil)
			}
			of[at] = g
		}
	}
	return of
}

func (g *group) member(node kafka.NodeID) *member {
	for i := range g.members {
		if g.members[i].node == node {
			return &g.members[i]
		}
	}
	return nil
}

// takeGroup hands an event to the group that it is about.
func (c *Checker) takeGroup(e *event.Event, ids []kafka.RecordID) {
	switch e.Kind {
	case event.GroupsLoaded, event.BrokerCrashed, event.BrokerStopped:
		c.hostChanged(e)
	case event.MemberLoaded, event.OffsetLoaded, event.MemberJoined, event.MemberLeft, event.MemberExpired, event.MemberRemoved,
		event.MemberAbsent, event.GenerationBegan, event.GroupStable, event.TargetAssigned, event.MemberEpochChanged,
		event.OffsetCommitWritten, event.OffsetPending, event.PendingOffsetEnded, event.OffsetExpired:
		if id := e.Group(); id >= 0 && int(id) < len(c.groups) {
			c.coordinatorSays(c.groups[id], e)
		}
	case event.PositionFound, event.OffsetReset:
		if g, _ := c.groupOf(e.Node); g != nil && jumps(e) {
			g.workOf(e.Partition).leaveOut(e.Offset)
		}
	case event.ConsumerStarted, event.ConsumerCrashed, event.ConsumerClosed, event.ConsumerFailed, event.PollIntervalExceeded,
		event.GroupJoined, event.PartitionAssigned, event.PartitionRevoked, event.PartitionLost, event.OffsetCommitted,
		event.EffectHappened, event.EffectRefused:
		if g, m := c.groupOf(e.Node); g != nil {
			c.memberDoes(g, m, e, ids)
		}
	}
}

// hostChanged notes who coordinates. A new coordinator says itself what it found; until then nothing is known. One that was
// replaced before it heard of its own election coordinates nothing.
func (c *Checker) hostChanged(e *event.Event) {
	if p := c.partition(e.Partition); e.Kind == event.GroupsLoaded && p != nil && p.leader != kafka.NoNode && p.leader != e.Node {
		return
	}
	for _, g := range c.groups {
		switch {
		case e.Kind != event.GroupsLoaded:
			if g.host == e.Node {
				g.host, g.changed = kafka.NoNode, e.At
			}
		case c.names.GroupHome(g.id) == e.Partition:
			g.host, g.changed, g.epoch, g.targeted = e.Node, e.At, kafka.NoEpoch, false
			for i := range g.members {
				g.members[i].entries = 0
			}
			g.load()
			c.loading = append(c.loading, g)
		}
	}
}

// coordinatorSays takes in what the coordinator decided. One that does not know that it is replaced decides nothing.
func (c *Checker) coordinatorSays(g *group, e *event.Event) {
	if g.host == kafka.NoNode {
		g.host = e.Node
	}
	if g.host != e.Node {
		return
	}
	switch e.Kind {
	case event.OffsetCommitWritten:
		c.committing(g, e)
		return
	case event.OffsetPending:
		g.pend(c, e)
		return
	case event.PendingOffsetEnded:
		c.pendingEnded(g, e)
		return
	case event.OffsetLoaded:
		c.offsetLoaded(g, e)
		return
	case event.OffsetExpired:
		g.commits(e.Partition).expire()
		return
	}
	g.changed = e.At
	c.membership(g, e)
	switch e.Kind {
	case event.GenerationBegan:
		c.rises(g, e, e.Epoch)
	case event.TargetAssigned:
		if e.Epoch != g.epoch || g.targeted {
			c.rises(g, e, e.Epoch)
		}
		g.server, g.targeted = true, true
	case event.GroupStable:
		if e.Epoch != g.epoch {
			c.reportOf(validMemberEpoch, kafka.NoPartition, kafka.NoRecord, "group %s is stable in generation %d, but it is in generation %d",
				c.names.ConsumerGroup(g.id), e.Epoch, g.epoch)
		}
	case event.MemberEpochChanged:
		c.memberEpoch(g, e)
	}
}

// membership counts who is in the group.
func (c *Checker) membership(g *group, e *event.Event) {
	m := g.member(e.Peer)
	if m == nil {
		return
	}
	switch e.Kind {
	case event.MemberLoaded:
		m.entries++
		m.epoch, g.epoch = e.Epoch, kafka.Epoch(e.Prev)
		g.recall(m.node)
	case event.MemberJoined:
		if other := g.member(kafka.NodeID(e.Prev)); other != nil {
			other.entries = 0
			g.orphan(other.node, true)
		}
		m.entries++
		m.epoch = 0
	case event.MemberLeft, event.MemberExpired, event.MemberRemoved:
		if m.entries = max(m.entries-1, 0); m.entries == 0 {
			g.orphan(m.node, false)
			g.vacant = g.server && !slices.ContainsFunc(g.members, func(m member) bool { return m.entries > 0 })
		}
	case event.MemberAbsent:
		g.orphan(m.node, false)
	}
}

// rises checks that a group comes to ever higher generations, as long as one broker coordinates it: a new one begins with
// what was written down.
func (c *Checker) rises(g *group, e *event.Event, to kafka.Epoch) {
	if to <= g.epoch && !g.vacant {
		c.reportOf(validMemberEpoch, kafka.NoPartition, kafka.NoRecord, "group %s comes to generation or epoch %d after %d, says its coordinator %s",
			c.names.ConsumerGroup(g.id), to, g.epoch, c.names.Node(e.Node))
	}
	g.epoch, g.vacant = to, e.Kind == event.GenerationBegan && e.Count == 0
}

// memberEpoch checks a member's way to its target (KIP-848): upwards, and never past the group.
func (c *Checker) memberEpoch(g *group, e *event.Event) {
	m := g.member(e.Peer)
	if m == nil {
		return
	}
	if away := e.Epoch <= 0; !away && (e.Epoch <= m.epoch || e.Epoch > g.epoch) {
		c.reportOf(validMemberEpoch, kafka.NoPartition, kafka.NoRecord, "%s comes to member epoch %d after %d; group %s is at epoch %d",
			c.names.Node(e.Peer), e.Epoch, m.epoch, c.names.ConsumerGroup(g.id), g.epoch)
	}
	if e.Epoch < 0 {
		g.orphan(m.node, false) // a static member is away for a while: what it still has, it can not commit
	}
	m.epoch = max(e.Epoch, 0)
}

// memberDoes takes in what a process does, or what befalls it.
func (c *Checker) memberDoes(g *group, m *member, e *event.Event, ids []kafka.RecordID) {
	switch e.Kind {
	case event.OffsetCommitted:
		if !c.names.Exactly(e.Node) { // that is a promise of its transaction
			c.commitHeard(g, e)
		}
		return
	case event.EffectHappened, event.EffectRefused:
		g.workOf(e.Partition).finish(e.Offset, len(ids))
		return
	}
	g.changed = e.At
	switch e.Kind {
	case event.ConsumerStarted:
		m.alive, m.stuck = true, false
	case event.ConsumerCrashed, event.ConsumerClosed, event.ConsumerFailed:
		m.alive = false
		g.dropAll(m.node)
		c.forgetPolls(m.node)
	case event.PollIntervalExceeded:
		m.stuck = true
	case event.GroupJoined:
		m.alive, m.stuck = true, false
		g.joined(m.node, e.Epoch)
	case event.PartitionAssigned:
		c.forgetPoll(m.node, e.Partition)
		c.assigned(g, m, e)
	case event.PartitionRevoked, event.PartitionLost:
		c.forgetPoll(m.node, e.Partition)
		g.drop(e.Partition, m.node)
	}
}
