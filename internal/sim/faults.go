package sim

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/network"
	"replog/internal/node"
	"replog/internal/plan"
)

// This file carries out the timeline: what befalls the cluster, and what its operators do.

// asked is the node that a fault wants something of, which it can do only once it goes on; nil for the others.
func (c *Cluster) asked(f *plan.Fault) *member {
	switch f.Kind {
	case plan.Shutdown, plan.Stall, plan.DiskFailure:
		return c.member(f.Node)
	case plan.Elect, plan.AddPartitions:
		return c.member(kafka.ControllerID)
	}
	return nil
}

// pause stops a node until a tick.
func (c *Cluster) pause(f *plan.Fault, index int) {
	if m := c.member(f.Node); m.up {
		m.paused = f.Until
		if other := c.otherHalf(f.Node); other != nil {
			other.paused = f.Until
		}
	}
	c.queue.push(f.Until, classFault, &item{kind: itemFaultEnd, index: int32(index)})
}

func (c *Cluster) takeFault(index int) {
	f := &c.plan.Faults[index]
	if m := c.asked(f); m != nil && m.paused > c.queue.now {
		c.queue.push(m.paused, classFault, &item{kind: itemFault, index: int32(index)})
		return
	}
	c.begin(0)
	c.faults[index] = c.out.Emit(event.Event{Kind: event.FaultBegan, Value: int64(index)})
	switch f.Kind {
	case plan.Crash, plan.PowerLoss:
		c.crash(f.Node, f.Unflushed)
	case plan.Shutdown:
		c.shutdown(f.Node, c.faults[index])
	case plan.Restart, plan.Start:
		c.restart(f.Node)
	case plan.Configure:
		c.reconfigure(f.After, c.faults[index])
	case plan.Elect:
		c.askController(node.Elect, f, c.faults[index])
	case plan.AddPartitions:
		c.askController(node.CreatePartitions, f, c.faults[index])
	case plan.DeleteRecords:
		c.deleteRecords(f, c.faults[index])
	case plan.Silence:
		c.silence(f, c.faults[index])
	case plan.Pause:
		c.pause(f, index)
	case plan.Stall:
		c.stall(f, index)
	case plan.DiskFailure:
		c.failDisk(f, c.faults[index])
	default:
		c.net.Begin(index, f)
		if f.Until < kafka.Never {
			c.queue.push(f.Until, classFault, &item{kind: itemFaultEnd, index: int32(index)})
		}
	}
	c.flush()
}

func (c *Cluster) endFault(index int) {
	c.begin(c.faults[index])
	ended := c.out.Emit(event.Event{Kind: event.FaultEnded, Value: int64(index), About: c.faults[index]})
	released := c.net.End(index)
	for i := range released {
		m := &released[i]
		conn := c.net.Conn(m.Conn)
		from, to := conn.Client, conn.Server
		if !m.ToServer {
			from, to = to, from
		}
		c.out.Because(ended)
		m.Cause = c.out.Emit(event.Event{
			Kind: event.MessageReleased, Node: from, Peer: to, Message: m.Body.Kind(), About: m.Cause,
		})
		if c.transmit(conn, m, -1) != network.Held && !m.ToServer {
			c.freeServer(conn)
		}
	}
	if f := &c.plan.Faults[index]; f.Kind == plan.Pause && f.Node == kafka.ControllerID {
		c.input = node.Input{Kind: node.Restart, Now: c.queue.now, Cause: ended, From: kafka.NoNode}
		m := c.member(f.Node)
		c.give(m)
	}
	c.flush()
}

// failDisk takes a log directory of a broker, which notices it at once.
func (c *Cluster) failDisk(f *plan.Fault, cause event.Seq) {
	if m := c.member(f.Node); m.up {
		c.input = node.Input{Kind: node.DiskFailure, Now: c.queue.now, LogDir: f.LogDir, Cause: cause, From: kafka.NoNode}
		c.give(m)
	}
}

// askController hands an operator's wish to the controller.
func (c *Cluster) askController(wish node.InputKind, f *plan.Fault, cause event.Seq) {
	m := c.member(kafka.ControllerID)
	c.input = node.Input{
		Kind: wish, Now: c.queue.now, Topic: f.Partitions, Election: f.Election, Cause: cause, From: kafka.NoNode,
	}
	c.give(m)
}

// deleteRecords asks the leader that the controller has for each partition; without one there is nobody to ask.
func (c *Cluster) deleteRecords(f *plan.Fault, cause event.Seq) {
	for i, id := range f.Partitions {
		leader := c.Controller().Partition(id).Leader
		if leader == kafka.NoNode || !c.member(leader).up {
			c.out.Emit(event.Event{
				Kind: event.DeleteRecordsRefused, Node: leader, Partition: id, Offset: f.Before, Error: kafka.LeaderNotAvailable,
			})
			continue
		}
		m := c.member(leader)
		c.input = node.Input{
			Kind: node.DeleteRecords, Now: c.queue.now, Topic: f.Partitions[i : i+1], Before: f.Before, Cause: cause, From: kafka.NoNode,
		}
		c.give(m)
	}
}

// reconfigure hands every node its new settings, also those that are down: they start with them.
func (c *Cluster) reconfigure(after *plan.Plan, cause event.Seq) {
	c.net.Configure(after)
	for i := range c.members {
		m := &c.members[i]
		c.input = node.Input{Kind: node.Reconfigure, Now: c.queue.now, Plan: after, Cause: cause, From: kafka.NoNode}
		c.give(m)
	}
}
