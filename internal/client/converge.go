package client

import (
	"slices"
	"strconv"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file is the protocol of KIP-848 (ConsumerMembershipManager, ConsumerHeartbeatRequestManager): the coordinator says
// with an answer to a heartbeat what the member shall have, the member lets go of the rest, takes what is new and says so
// with its next heartbeat. It waits for nobody. The member epoch stands in membership.generation.

const (
	joiningEpoch       int32 = 0
	leavingEpoch       int32 = -1
	leavingStaticEpoch int32 = -2 // a static member is away for a while
)

// ownMemberID is the member id that a process makes for itself when it begins.
func (c *Consumer) ownMemberID() string {
	return c.plan.Names.Node(c.id) + "-" + strconv.Itoa(int(c.lives))
}

// convergeHeartbeat sends the next heartbeat when it is due, one at a time.
func (c *Consumer) convergeHeartbeat(out *node.Out) {
	g := &c.group
	if g.stale || c.app.leaving {
		return
	}
	if g.state == stable && c.pollOverdue(out.Now()) {
		out.Emit(event.Event{Kind: event.PollIntervalExceeded, Node: c.id, Value: int64(c.spec.Group)})
		c.leave(out)
		g.stale = true // until the application polls again
		c.loseBeside(out)
		return
	}
	c.findCoordinator(out)
	if g.coordinator == kafka.NoNode || g.round != 0 || out.Now() < g.heartbeatAt {
		return
	}
	g.sentAt = out.Now()
	g.round = c.call(g.coordinator, node.GroupChannel, c.heartbeat(), out)
}

// heartbeat says everything when the member joins and after an error, else only what has changed.
func (c *Consumer) heartbeat() *kafka.ConsumerGroupHeartbeatRequest {
	g := &c.group
	request := &kafka.ConsumerGroupHeartbeatRequest{
		MemberID: g.member, InstanceID: c.config.InstanceID, Group: c.spec.Group, MemberEpoch: g.generation,
	}
	if g.tellsAll || g.generation == joiningEpoch {
		request.Subscribes, request.Topics = true, c.spec.Topics
		request.Assignor, request.RebalanceTimeout = c.config.RemoteAssignor, c.config.RebalanceTimeout
		g.tellsOwned = true
	}
	if g.tellsOwned {
		request.Reported, request.Owned = true, slices.Clone(g.owned)
	}
	g.tellsAll, g.tellsOwned = false, false
	return request
}

// heartbeatHeard takes the answer to a heartbeat: the member's epoch, and what it shall have where that is news.
func (c *Consumer) heartbeatHeard(answer *kafka.ConsumerGroupHeartbeatResponse, open *call, out *node.Out) {
	g := &c.group
	if open.body.(*kafka.ConsumerGroupHeartbeatRequest).MemberEpoch < joiningEpoch {
		c.app.left = true
		return
	}
	if open.corr != g.round {
		return // it has left the group meanwhile
	}
	g.round = 0
	if answer.Error != kafka.None {
		c.heartbeatFailed(answer.Error, out)
		return
	}
	g.generation, g.state = answer.MemberEpoch, stable
	g.heartbeatAt = g.sentAt + answer.HeartbeatInterval
	if answer.Assigned && !c.knows(answer.Assignment) {
		g.assignment, g.arrived = answer.Assignment, true
	}
	if !c.config.AutoCommit && !c.config.CallsBack || c.config.RebalancesBeside {
		c.reconcile(out) // else only poll() knows which positions may be committed, and calls back
	}
}

// knows reports whether an assignment is the one that the member has, or takes over.
func (c *Consumer) knows(assignment []kafka.PartitionID) bool {
	g := &c.group
	switch {
	case g.arrived:
		return false
	case g.prepareEnds != 0:
		return slices.Equal(assignment, g.taking)
	}
	return g.settled && slices.Equal(assignment, g.owned)
}

func (c *Consumer) heartbeatFailed(code kafka.ErrorCode, out *node.Out) {
	g := &c.group
	g.tellsAll = true
	switch code {
	case kafka.FencedMemberEpoch, kafka.UnknownMemberID:
		c.leaveBehind(joiningEpoch)
		g.stale = c.config.CallsBack
		c.loseBeside(out)
	case kafka.FencedInstanceID, kafka.UnreleasedInstanceID, kafka.UnsupportedAssignor, kafka.InvalidRequest:
		c.leaveBehind(leavingEpoch)
		c.fail(code, out)
	default:
		g.heartbeatAt = out.Now() + max(1, c.config.RetryBackoff)
		c.deniesCoordinator(code, out)
	}
}

// loseBeside takes away what the member has lost, unless its application is to be called back for that, inside of poll().
func (c *Consumer) loseBeside(out *node.Out) {
	if !c.config.CallsBack {
		c.loseAll(out)
	}
}

// leaveBehind is the end of a membership: the next one begins with joiningEpoch.
func (c *Consumer) leaveBehind(epoch int32) {
	g := &c.group
	g.generation, g.state, g.arrived, g.settled = epoch, unjoined, false, false
	g.round, g.heartbeatAt, g.prepareEnds = 0, 0, 0
}

// keepConverging is what poll() does: it joins again where the member left for not being polled, and takes over what the
// coordinator wants.
func (c *Consumer) keepConverging(out *node.Out) bool {
	g := &c.group
	if g.stale {
		g.stale = false
		c.leaveBehind(joiningEpoch)
		c.loseAll(out)
	}
	c.reconcile(out)
	c.convergeHeartbeat(out)
	return g.state == stable
}

// reconcile takes the member to what it shall have: with auto-commit it commits first, lets go, takes what is new, and
// says so at once (AbstractMembershipManager.maybeReconcile).
func (c *Consumer) reconcile(out *node.Out) {
	g := &c.group
	if g.prepareEnds == 0 {
		if !g.arrived {
			return
		}
		g.arrived, g.taking = false, g.assignment
		g.prepareEnds = c.later(out.Now(), c.config.RebalanceTimeout)
		for _, p := range g.owned {
			if !slices.Contains(g.taking, p) {
				c.yield(p)
			}
		}
		c.commitBeforeRevoke(true, out)
	}
	if c.committing(commitRebalance) && out.Now() < g.prepareEnds {
		return
	}
	g.prepareEnds = 0
	c.dropRevoked(g.taking, out)
	c.takeAssignment(g.taking, out)
	g.tellsOwned, g.heartbeatAt = true, out.Now()
}

// leaveConverging tells the coordinator that the member leaves, a static one that it will be back.
func (c *Consumer) leaveConverging(out *node.Out) (told bool) {
	g := &c.group
	if told = g.coordinator != kafka.NoNode && g.generation > joiningEpoch; told {
		epoch := leavingEpoch
		if c.static() {
			epoch = leavingStaticEpoch
		}
		c.call(g.coordinator, node.GroupChannel, &kafka.ConsumerGroupHeartbeatRequest{
			MemberID: g.member, InstanceID: c.config.InstanceID, Group: c.spec.Group, MemberEpoch: epoch,
		}, out)
	}
	c.leaveBehind(leavingEpoch)
	return told
}
