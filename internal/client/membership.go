package client

import (
	"slices"

	"replog/internal/assign"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// memberState is how far a member is on its way into a generation (AbstractCoordinator.MemberState).
type memberState uint8

const (
	unjoined memberState = iota
	joining              // JoinGroup is on its way (PREPARING_REBALANCE)
	syncing              // SyncGroup is on its way (COMPLETING_REBALANCE)
	stable
)

// membership is what a consumer knows of its place in the group.
type membership struct {
	member      string // member id, empty before the coordinator gave one
	protocol    string // the assignor of the generation
	owned       []kafka.PartitionID
	assignment  []kafka.PartitionID      // the new one, while arrived
	taking      []kafka.PartitionID      // KIP-848: the one that is being taken over
	watched     []kafka.TopicID          // of a leader: the topics that it dealt out
	elected     *kafka.JoinGroupResponse // of a leader that waits for metadata before it assigns
	dealt       []kafka.PartitionID      // what the sticky assignor dealt last, which it tells the next leader
	coordinator kafka.NodeID
	round       uint32 // number of the JoinGroup or SyncGroup (KIP-848: heartbeat) under way
	generation  int32  // -1 in none; with KIP-848 the member epoch
	dealtIn     int32  // the generation of dealt
	ownedIn     int32  // the generation of owned
	counted     int32  // how many partitions of watched it dealt out

	findAt      kafka.Tick // not to look for the coordinator earlier
	retryAt     kafka.Tick // not to join earlier
	heartbeatAt kafka.Tick // the next heartbeat
	sentAt      kafka.Tick // KIP-848: the latest heartbeat
	sessionEnds kafka.Tick // without an answer to a heartbeat
	nextCommit  kafka.Tick // auto.commit.interval.ms
	prepareEnds kafka.Tick // when it joins again even without its commit; 0 while it is not about to

	state    memberState
	leader   bool
	rejoin   bool // it has to join (again)
	prepared bool // and has revoked what it had to
	arrived  bool // an assignment has come that poll() has not taken in

	// KIP-848:
	settled    bool // it has taken over an assignment since it joined
	tellsAll   bool // the next heartbeat tells everything
	tellsOwned bool // the next heartbeat tells what the member owns
	stale      bool // its membership is over, and its next poll() begins another
}

// join makes the next poll() join the group.
func (c *Consumer) join(now kafka.Tick) {
	c.group.rejoin = true
	c.group.nextCommit = now + c.config.AutoCommitTicks
	if c.config.Protocol == kafka.ConsumerProtocol {
		c.group.member, c.group.generation = c.ownMemberID(), joiningEpoch
	}
}

// keepSession is what the client's own thread does for the membership.
func (c *Consumer) keepSession(out *node.Out) {
	if c.app.state == ended {
		return
	}
	if c.config.Protocol == kafka.ConsumerProtocol {
		c.convergeHeartbeat(out)
	} else {
		c.classicHeartbeat(out)
	}
}

// keepMembership is what poll() does for the membership. It reports whether the member is in the group and need not join.
func (c *Consumer) keepMembership(out *node.Out) bool {
	if c.config.Protocol == kafka.ConsumerProtocol {
		return c.keepConverging(out)
	}
	return c.keepJoined(out)
}

func (c *Consumer) membershipDue(d *due) {
	g := &c.group
	if c.app.state == ended {
		return
	}
	if g.coordinator == kafka.NoNode {
		d.at(g.findAt)
	}
	d.at(g.retryAt)
	d.at(g.prepareEnds)
	if g.state >= syncing || c.config.Protocol == kafka.ConsumerProtocol {
		d.at(g.heartbeatAt)
	}
	if g.state >= syncing && c.config.Protocol == kafka.ClassicProtocol {
		d.at(g.sessionEnds)
	}
	if g.state != unjoined && c.app.state != polling {
		d.at(c.later(c.app.leftPoll, c.config.MaxPollInterval))
	}
}

// pollOverdue reports whether the application has not called poll() for max.poll.interval.ms.
func (c *Consumer) pollOverdue(now kafka.Tick) bool {
	return c.app.state != polling && now >= c.later(c.app.leftPoll, c.config.MaxPollInterval)
}

// static reports whether the member has a group.instance.id (KIP-345).
func (c *Consumer) static() bool { return c.config.InstanceID != "" }

// change makes partitions the member's own, and takes others from it; kind says how those go.
func (c *Consumer) change(to []kafka.PartitionID, kind event.Kind, out *node.Out) {
	generation := c.group.generation
	if kind == event.PartitionLost {
		generation = c.group.ownedIn
	}
	for _, p := range c.group.owned {
		if !slices.Contains(to, p) {
			out.Emit(event.Event{
				Kind: kind, Node: c.id, Partition: p, Value: int64(c.spec.Group), Epoch: kafka.Epoch(generation),
			})
			c.release(p)
		}
	}
	before := c.group.owned
	c.group.owned = slices.Clone(to)
	slices.Sort(c.group.owned)
	for _, p := range c.group.owned {
		if slices.Contains(before, p) {
			continue
		}
		out.Emit(event.Event{
			Kind: event.PartitionAssigned, Node: c.id, Partition: p, Value: int64(c.spec.Group), Epoch: kafka.Epoch(c.group.generation),
		})
		if at := c.position(p); at != nil {
			at.held = newHeld(unknown)
			at.offset = kafka.NoOffset
		}
	}
}

// loseAll is the end of a membership that is over already: others may be at work on what it has (onPartitionsLost).
func (c *Consumer) loseAll(out *node.Out) { c.change(nil, event.PartitionLost, out) }

// dropRevoked takes away what the assignment no longer has.
func (c *Consumer) dropRevoked(assignment []kafka.PartitionID, out *node.Out) (any bool) {
	kept := slices.DeleteFunc(slices.Clone(c.group.owned), func(p kafka.PartitionID) bool { return !slices.Contains(assignment, p) })
	any = len(kept) < len(c.group.owned)
	c.change(kept, event.PartitionRevoked, out)
	return any
}

// release ends the reading of a partition.
func (c *Consumer) release(partition kafka.PartitionID) {
	if p := c.position(partition); p != nil {
		c.yield(partition)
		p.held = newHeld(unassigned)
		c.dropWork(partition)
	}
}

// yield hands out nothing more of a partition that is about to be revoked; what was fetched of it is dropped. Where the
// member stands can still be committed.
func (c *Consumer) yield(partition kafka.PartitionID) {
	p := c.position(partition)
	if p == nil {
		return
	}
	p.state = yielding
	if s := c.session(p.leader); s != nil {
		s.Remove(partition)
	}
	c.dropFetched(partition)
}

// takeAssignment tells of the generation and takes over what is new in it.
func (c *Consumer) takeAssignment(assignment []kafka.PartitionID, out *node.Out) {
	g := &c.group
	out.Emit(event.Event{
		Kind: event.GroupJoined, Node: c.id, Peer: g.coordinator, Value: int64(c.spec.Group),
		Epoch: kafka.Epoch(g.generation), Count: int32(len(assignment)),
	})
	c.change(assignment, event.PartitionRevoked, out)
	g.ownedIn, g.settled = g.generation, true
	g.nextCommit = out.Now() + c.config.AutoCommitTicks
}

// leave takes the member out of its group, as far as the group is to hear of it at once.
func (c *Consumer) leave(out *node.Out) (told bool) {
	g := &c.group
	if c.config.Protocol == kafka.ConsumerProtocol {
		return c.leaveConverging(out)
	}
	told = !c.static() && g.coordinator != kafka.NoNode && g.state != unjoined && g.member != ""
	if told {
		c.call(g.coordinator, node.GroupChannel, &kafka.LeaveGroupRequest{MemberID: g.member, Group: c.spec.Group}, out)
	}
	c.resetGeneration(false)
	return told
}

// resetGeneration is the end of the membership: what the member owned is lost, as the next poll() will find.
func (c *Consumer) resetGeneration(keepMember bool) {
	g := &c.group
	g.generation, g.state, g.arrived = assign.NoGeneration, unjoined, false
	g.rejoin, g.prepared, g.prepareEnds = true, false, 0
	if !keepMember {
		g.member = ""
	}
}
