package sim

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/network"
	"replog/internal/node"
)

// This file ends processes and begins them anew.

// crash stops a node. Its connections reset; the other ends hear of it after the latency of the wire.
func (c *Cluster) crash(id kafka.NodeID, unflushed int32) {
	if m := c.member(id); m.up {
		died := c.out.Emit(event.Event{Kind: ended(id, event.BrokerCrashed, event.ConsumerCrashed), Node: id})
		c.input = node.Input{Kind: node.Crash, Now: c.queue.now, Cause: died, Unflushed: unflushed}
		c.end(m, died)
	}
}

// ended is the kind of event that tells of the end of a process: of a broker, or of a consumer.
func ended(id kafka.NodeID, broker, consumer event.Kind) event.Kind {
	if id.IsClient() {
		return consumer
	}
	return broker
}

// shutdown asks a process to stop. It goes on until it exits by itself.
func (c *Cluster) shutdown(id kafka.NodeID, cause event.Seq) {
	if m := c.member(id); m.up {
		c.input = node.Input{Kind: node.Shutdown, Now: c.queue.now, Cause: cause, From: kafka.NoNode}
		c.give(m)
	}
}

// takeExit ends a process that asked for it, and starts it again where the timeline wanted that meanwhile.
func (c *Cluster) takeExit(it *item) {
	m := c.member(it.node)
	if c.void(it) {
		return
	}
	c.begin(it.cause)
	if node.EffectKind(it.index) == node.Halt {
		c.crash(it.node, 0)
		c.flush()
		return
	}
	stopped := c.out.Emit(event.Event{Kind: ended(it.node, event.BrokerStopped, event.ConsumerClosed), Node: it.node})
	c.input = node.Input{Kind: node.Stop, Now: c.queue.now, Cause: stopped}
	c.end(m, stopped)
	if m.again {
		m.again = false
		c.restart(it.node)
	}
	c.flush()
}

// end carries out the end of a process, of which the node hears by the prepared input.
func (c *Cluster) end(m *member, died event.Seq) {
	id := m.id
	m.up, m.paused = false, 0
	c.give(m)
	for _, ended := range c.net.Kill(id) {
		c.tellOfDeath(c.net.Conn(ended), id, died)
	}
	if other := c.otherHalf(id); other != nil {
		c.endHalf(other, died)
	}
	if c.plan.Controller.DetectAtOnce {
		c.queue.push(c.queue.now, classFault, &item{kind: itemPeerDown, node: id, cause: died})
	}
}

func (c *Cluster) tellOfDeath(conn *network.Conn, dead kafka.NodeID, cause event.Seq) {
	if conn.Client == dead {
		c.queue.push(c.queue.now, classFault, &item{kind: itemDisconnected, conn: conn.ID, cause: cause})
		return
	}
	if c.plan.Lesson && conn.Client.IsClient() {
		return // the lesson's clients learn of a death only with the new leader
	}
	c.queue.push(c.queue.now+c.net.OneWay(), classMessage, &item{kind: itemReset, conn: conn.ID, cause: cause})
}

func (c *Cluster) restart(id kafka.NodeID) {
	m := c.member(id)
	consumer := c.plan.IsConsumer(id)
	if id.IsClient() && !consumer {
		c.restartProducer(m)
		return
	}
	if m.up {
		m.again = true // once it has stopped
		return
	}
	if consumer {
		c.startConsumer(m)
		return
	}
	m.up = true
	m.incarnation++
	c.net.Revive(id)
	began := c.out.Emit(event.Event{Kind: event.BrokerRestarted, Node: id})
	c.input = node.Input{Kind: node.Restart, Now: c.queue.now, Cause: began}
	c.give(m)
	if c.plan.Controller.DetectAtOnce {
		c.queue.push(c.queue.now, classFault, &item{kind: itemPeerUp, node: id, cause: began})
	}
}

// restartProducer ends a producer's process and begins it anew in the same instant.
func (c *Cluster) restartProducer(m *member) {
	began := c.out.Emit(event.Event{Kind: event.ProducerRestarted, Node: m.id})
	m.up = true
	m.incarnation++
	for _, ended := range c.net.Kill(m.id) {
		c.tellOfDeath(c.net.Conn(ended), m.id, began)
	}
	c.input = node.Input{Kind: node.Restart, Now: c.queue.now, Cause: began, From: kafka.NoNode}
	c.give(m)
}
