package client

import (
	"slices"

	"replog/internal/assign"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file is the classic protocol (AbstractCoordinator, ConsumerCoordinator): the member lets go of what it must, joins,
// waits for all others, and gets its part from the leader by way of the coordinator. Only poll() joins; heartbeats go on
// beside it.

// cooperative reports whether the member keeps what it owns while the group rebalances: when all its assignors can.
func (c *Consumer) cooperative() bool {
	return !slices.ContainsFunc(c.config.Assignors, func(name string) bool {
		a, _ := assign.ParseClient(name)
		return !a.Cooperative()
	})
}

// keepJoined takes the member as far towards a stable generation as it can come now (ensureActiveGroup).
func (c *Consumer) keepJoined(out *node.Out) bool {
	g := &c.group
	if c.findCoordinator(out); g.coordinator == kafka.NoNode {
		return false
	}
	if g.arrived {
		c.takeIn(out)
	}
	if c.noticePartitions(out); !g.rejoin {
		return g.state == stable
	}
	if g.state == joining || g.state == syncing || out.Now() < g.retryAt {
		return false
	}
	if !g.prepared {
		if !c.prepareJoin(out) {
			return false
		}
		g.prepared, g.prepareEnds = true, 0
	}
	c.sendJoin(out)
	return false
}

// prepareJoin commits where the member stands and lets go of what it must (onJoinPrepare). It reports whether that is done.
func (c *Consumer) prepareJoin(out *node.Out) bool {
	g := &c.group
	if g.prepareEnds == 0 {
		g.prepareEnds = c.later(out.Now(), c.config.RebalanceTimeout)
		if !c.cooperative() && !c.config.ReadsOnBeforeRevoke {
			for _, p := range g.owned {
				c.yield(p)
			}
		}
		if g.state == stable {
			c.commitBeforeRevoke(!c.cooperative(), out)
		}
	}
	if c.committing(commitRebalance) && out.Now() < g.prepareEnds {
		return false
	}
	switch {
	case g.generation == assign.NoGeneration:
		c.loseAll(out)
	case !c.cooperative():
		c.dropRevoked(nil, out)
	}
	return true
}

func (c *Consumer) sendJoin(out *node.Out) {
	g := &c.group
	g.state = joining
	request := &kafka.JoinGroupRequest{
		MemberID: g.member, InstanceID: c.config.InstanceID, ClientID: c.plan.Names.Node(c.id), Group: c.spec.Group,
		SessionTimeout: c.config.SessionTimeout, RebalanceTimeout: c.config.RebalanceTimeout,
	}
	for _, name := range c.config.Assignors {
		offer := kafka.Protocol{Name: name, Topics: c.spec.Topics, Generation: g.generation}
		if c.cooperative() {
			offer.Owned = slices.Clone(g.owned)
		} else if name == assign.Sticky.String() {
			offer.Owned, offer.Generation = g.dealt, g.dealtIn // StickyAssignor.subscriptionUserData
		}
		request.Protocols = append(request.Protocols, offer)
	}
	g.round = c.call(g.coordinator, node.GroupChannel, request, out)
}

// joined takes the answer that opens a generation; the leader assigns.
func (c *Consumer) joined(answer *kafka.JoinGroupResponse, open *call, out *node.Out) {
	g := &c.group
	if g.state != joining || open.corr != g.round {
		return // it has left the group meanwhile
	}
	if answer.Error != kafka.None {
		if answer.Error == kafka.MemberIDRequired {
			g.member, g.state = answer.MemberID, unjoined
			return
		}
		c.rebalanceFailed(answer.Error, out)
		return
	}
	g.member, g.generation, g.protocol = answer.MemberID, answer.Generation, answer.Protocol
	g.state, g.leader = syncing, answer.Leader == answer.MemberID
	g.heartbeatAt = out.Now() + c.config.HeartbeatInterval
	g.sessionEnds = out.Now() + c.config.SessionTimeout
	if g.leader && !answer.SkipAssignment && c.awaitsMetadata(out) {
		g.elected = answer
		return
	}
	c.sendSync(answer, out)
}

// sendSync asks for the member's part; the leader sends everybody's with it.
func (c *Consumer) sendSync(answer *kafka.JoinGroupResponse, out *node.Out) {
	g := &c.group
	if g.leader {
		c.watch(answer)
	}
	request := &kafka.SyncGroupRequest{
		MemberID: g.member, InstanceID: c.config.InstanceID, Group: c.spec.Group, Generation: g.generation,
	}
	if g.leader && !answer.SkipAssignment {
		request.Assignments = c.assignAll(answer)
	}
	g.round = c.call(g.coordinator, node.GroupChannel, request, out)
}

// assignAll is the leader's work: the assignor that the group agreed on deals out the topics that somebody subscribes to.
func (c *Consumer) assignAll(answer *kafka.JoinGroupResponse) []kafka.MemberAssignment {
	assignor, _ := assign.ParseClient(answer.Protocol)
	names := c.plan.Names.Topics
	topics := make([]assign.Topic, len(names))
	members := make([]assign.Member, len(answer.Members))
	subscribed := make([]bool, len(names))
	for i, m := range answer.Members {
		members[i] = assign.Member{
			ID: m.ID, InstanceID: m.InstanceID, Owned: m.Subscription.Owned, Generation: m.Subscription.Generation,
		}
		for _, t := range m.Subscription.Topics {
			subscribed[t] = true
			members[i].Topics = append(members[i].Topics, names[t].Name)
		}
	}
	for p := range c.plan.Partitions {
		t := c.plan.Partitions[p].Topic
		if topics[t].Name = names[t].Name; !c.knowsOf(p) {
			continue
		}
		topics[t].Partitions = append(topics[t].Partitions, kafka.PartitionID(p))
	}
	var dealt []assign.Topic
	for t := range topics {
		if subscribed[t] {
			dealt = append(dealt, topics[t])
		}
	}
	assignments := make([]kafka.MemberAssignment, len(members))
	for i, partitions := range assignor.Assign(members, dealt) {
		assignments[i] = kafka.MemberAssignment{MemberID: members[i].ID, Partitions: partitions}
	}
	return assignments
}

// synced takes the member's assignment. poll() takes it in.
func (c *Consumer) synced(answer *kafka.SyncGroupResponse, open *call, out *node.Out) {
	g := &c.group
	switch {
	case g.state != syncing || open.corr != g.round:
	case answer.Error != kafka.None:
		c.rebalanceFailed(answer.Error, out)
	default:
		g.state, g.rejoin = stable, false
		g.assignment, g.arrived = answer.Partitions, true
	}
}

// rebalanceFailed joins again after an error of JoinGroup or SyncGroup: at once where the error says how to go on, after
// retry.backoff.ms else (joinGroupIfNeeded).
func (c *Consumer) rebalanceFailed(code kafka.ErrorCode, out *node.Out) {
	g := &c.group
	g.state, g.rejoin = unjoined, true
	switch code {
	case kafka.UnknownMemberID, kafka.IllegalGeneration:
		c.resetGeneration(code == kafka.IllegalGeneration)
	case kafka.RebalanceInProgress:
	case kafka.FencedInstanceID, kafka.InconsistentGroupProtocol, kafka.InvalidSessionTimeout:
		c.resetGeneration(false)
		c.fail(code, out)
	default:
		g.retryAt = out.Now() + max(1, c.config.RetryBackoff)
		c.deniesCoordinator(code, out)
	}
}

// takeIn makes a new assignment the member's own (onJoinComplete). A cooperative member that has to let go of something
// joins again at once: only then may somebody else have it (KIP-429).
func (c *Consumer) takeIn(out *node.Out) {
	g := &c.group
	g.arrived, g.prepared = false, false
	if !g.leader {
		g.watched = nil
	}
	if c.cooperative() {
		c.commitRevoked(out)
		g.rejoin = c.dropRevoked(g.assignment, out) || g.rejoin
	}
	if g.protocol == assign.Sticky.String() {
		g.dealt, g.dealtIn = g.assignment, g.generation
	}
	c.takeAssignment(g.assignment, out)
}

// classicHeartbeat keeps the session (AbstractCoordinator.HeartbeatThread).
func (c *Consumer) classicHeartbeat(out *node.Out) {
	g := &c.group
	if g.state != stable && g.state != syncing {
		return
	}
	now := out.Now()
	if g.coordinator != kafka.NoNode && now >= g.sessionEnds {
		c.loseCoordinator(out)
	}
	switch {
	case g.coordinator == kafka.NoNode:
		c.findCoordinator(out)
	case c.pollOverdue(now):
		out.Emit(event.Event{Kind: event.PollIntervalExceeded, Node: c.id, Value: int64(c.spec.Group)})
		c.leave(out)
	case now >= g.heartbeatAt:
		g.heartbeatAt = now + c.config.HeartbeatInterval
		c.call(g.coordinator, node.GroupChannel, &kafka.HeartbeatRequest{
			MemberID: g.member, InstanceID: c.config.InstanceID, Group: c.spec.Group, Generation: g.generation,
		}, out)
	}
}

func (c *Consumer) heartbeatAnswered(code kafka.ErrorCode, open *call, out *node.Out) {
	g := &c.group
	switch code {
	case kafka.None, kafka.RebalanceInProgress:
		g.sessionEnds = out.Now() + c.config.SessionTimeout
		if code == kafka.RebalanceInProgress && g.state == stable {
			g.rejoin = true
		}
	case kafka.UnknownMemberID, kafka.IllegalGeneration, kafka.FencedInstanceID:
		c.removed(code, open, out)
	default:
		g.heartbeatAt = out.Now() + max(1, c.config.RetryBackoff)
		c.deniesCoordinator(code, out)
	}
}

// removed takes the word of the coordinator that the member is none any more. An answer to a request of an earlier
// generation says nothing about this one.
func (c *Consumer) removed(code kafka.ErrorCode, open *call, out *node.Out) {
	if open.generation != c.group.generation || c.group.state == unjoined {
		return
	}
	c.resetGeneration(code == kafka.IllegalGeneration)
	if code == kafka.FencedInstanceID {
		c.fail(code, out)
	}
}
