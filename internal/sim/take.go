package sim

import (
	"replog/internal/kafka"
	"replog/internal/network"
	"replog/internal/node"
)

// take does one input.
func (c *Cluster) take(it *item) {
	if c.waits(it) {
		return
	}
	switch it.kind {
	case itemFault:
		c.takeFault(int(it.index))
	case itemFaultEnd:
		c.endFault(int(it.index))
	case itemPeerDown, itemPeerUp:
		c.takePeerNews(it)
	case itemDeliver:
		c.deliver(it)
	case itemTake:
		c.takeFromSocket(it)
	case itemConnected, itemReset, itemDisconnected:
		c.takeConnectionNews(it)
	case itemTimer:
		c.takeTimer(it)
	case itemLoad:
		c.takeLoad(int(it.index))
	case itemExit:
		c.takeExit(it)
	case itemStart:
		c.takeStart(it.node)
	case itemWords:
		c.takeWords(it)
	case itemAwaited:
		c.begin(it.cause)
		c.input = node.Input{Kind: node.Awaited, From: kafka.NodeID(it.index), Cause: it.cause}
		c.handle(c.member(it.node))
	case itemAnnounce:
		c.begin(it.cause)
		c.input = node.Input{Kind: node.Metadata, Body: it.body, Cause: it.cause, From: kafka.ControllerID}
		c.handle(c.member(it.node))
	}
}

// waits puts off what comes for a node that is paused until it goes on. There it comes before what arrives in that tick,
// so that connections keep their order.
func (c *Cluster) waits(it *item) bool {
	id := c.taker(it)
	if id == kafka.NoNode {
		return false
	}
	m := c.member(id)
	if m.paused <= c.queue.now {
		return false
	}
	c.queue.push(m.paused, classFault, it)
	return true
}

// taker is the broker that an item is for, or NoNode for what no pause holds up.
func (c *Cluster) taker(it *item) kafka.NodeID {
	switch it.kind {
	case itemTimer, itemAnnounce, itemExit, itemWords:
		return it.node
	case itemDeliver, itemTake, itemConnected, itemReset, itemDisconnected:
		conn := c.net.Conn(it.conn)
		if it.kind == itemTake || it.kind == itemDisconnected || it.kind == itemDeliver && it.toServer {
			return conn.Server
		}
		return conn.Client
	}
	return kafka.NoNode
}

// void reports whether an item will be ignored when its time comes.
func (c *Cluster) void(it *item) bool {
	switch it.kind {
	case itemTimer, itemExit:
		m := c.member(it.node)
		return !m.up || m.incarnation != it.corr
	case itemWords:
		return !c.member(it.node).up || c.member(kafka.NodeID(it.index)).incarnation != it.corr
	case itemDeliver:
		conn := c.net.Conn(it.conn)
		return conn.Dead || !it.toServer && conn.Closed
	case itemTake:
		return c.net.Conn(it.conn).Dead
	case itemReset, itemConnected:
		conn := c.net.Conn(it.conn)
		return !c.net.IsCurrent(conn) || it.kind == itemConnected && conn.Dead
	case itemDisconnected:
		return !c.member(c.net.Conn(it.conn).Server).up
	}
	return false
}

func (c *Cluster) deliver(it *item) {
	if c.void(it) {
		return
	}
	conn := c.net.Conn(it.conn)
	if !it.toServer {
		c.begin(it.cause)
		c.input = node.Input{
			Kind: node.Response, Body: it.body, From: conn.Server, Channel: conn.Channel, Corr: it.corr, Cause: it.cause,
		}
		c.handle(c.member(conn.Client))
		return
	}
	m := network.Message{Body: it.body, Cause: it.cause, Corr: it.corr, Conn: it.conn, ToServer: true}
	if c.net.Admit(conn, &m) {
		c.request(conn, &m)
	}
}

func (c *Cluster) request(conn *network.Conn, m *network.Message) {
	if c.net.Faulty() && c.refuse(conn, m) {
		return
	}
	c.begin(m.Cause)
	c.input = node.Input{
		Kind: node.Request, Body: m.Body, From: conn.Client, Channel: conn.Channel, Cause: m.Cause,
		Reply: node.Reply{Conn: m.Conn, Corr: m.Corr},
	}
	c.handle(c.member(conn.Server))
}

func (c *Cluster) takeFromSocket(it *item) {
	conn := c.net.Conn(it.conn)
	if conn.Dead {
		return
	}
	if m, waiting := conn.Take(); waiting {
		c.request(conn, &m)
	}
}

func (c *Cluster) takeConnectionNews(it *item) {
	if c.void(it) {
		return
	}
	conn := c.net.Conn(it.conn)
	c.begin(it.cause)
	c.input = node.Input{From: conn.Server, Channel: conn.Channel, Cause: it.cause}
	switch it.kind {
	case itemConnected:
		c.input.Kind = node.Connected
	case itemReset:
		c.input.Kind, c.input.Refused = node.Reset, conn.Refused
		c.net.Forget(conn)
	case itemDisconnected:
		c.input.Kind, c.input.From = node.Disconnected, conn.Client
		c.handle(c.member(conn.Server))
		return
	}
	c.handle(c.member(conn.Client))
}

func (c *Cluster) takeTimer(it *item) {
	if c.void(it) {
		return
	}
	c.begin(it.cause)
	c.input = node.Input{
		Kind: node.TimerFired, Timer: node.Timer{Kind: it.timer, Arg: it.index}, Cause: it.cause, From: kafka.NoNode,
	}
	c.handle(c.member(it.node))
}

// takeLoad lets an application send its next record.
func (c *Cluster) takeLoad(index int) {
	l := &c.plan.Loads[index]
	i := int(c.sent[index])
	c.sent[index]++
	if i+1 < l.Count {
		c.queue.push(l.At(i+1), classApplication, &item{kind: itemLoad, index: int32(index)})
	}
	c.begin(0)
	key := l.Keys[i%len(l.Keys)]
	c.input = node.Input{
		Kind: node.Send, Topic: l.Topic, From: kafka.NoNode,
		Record: kafka.Record{
			ID: l.First + kafka.RecordID(i)*kafka.RecordID(l.Stride), Key: key, Size: l.Size, Timestamp: c.queue.now,
			Tombstone: len(l.Tombstones) > 0 && l.Tombstones[i%len(l.Tombstones)],
		},
	}
	if key == kafka.NoKey || c.plan.Names.Keys[key] == "" {
		c.input.Draw = c.chance.Uint64()
	}
	c.handle(c.member(l.Producers[i%len(l.Producers)]))
}

func (c *Cluster) takePeerNews(it *item) {
	c.begin(it.cause)
	c.input = node.Input{Kind: node.PeerDown, From: it.node, Cause: it.cause}
	if it.kind == itemPeerUp {
		c.input.Kind = node.PeerUp
	}
	c.handle(c.member(kafka.ControllerID))
}
