package sim

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/network"
	"replog/internal/node"
	"replog/internal/plan"
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
	m := network.Message{Body: it.body, Cause: it.cause, Corr: it.corr, Conn: it.conn, ToServer: it.toServer}
	if !it.toServer {
		c.begin(it.cause)
		c.input = node.Input{
			Kind: node.Response, Body: it.body, From: conn.Server, Channel: conn.Channel, Corr: it.corr, Cause: it.cause,
		}
		c.handle(c.member(conn.Client))
		return
	}
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
		m.node.Handle(&c.input, &c.out)
		c.apply(m)
	}
	c.flush()
}

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
		m.node.Handle(&c.input, &c.out)
		c.apply(m)
	}
}

// failDisk takes a log directory of a broker, which notices it at once.
func (c *Cluster) failDisk(f *plan.Fault, cause event.Seq) {
	if m := c.member(f.Node); m.up {
		c.input = node.Input{Kind: node.DiskFailure, Now: c.queue.now, LogDir: f.LogDir, Cause: cause, From: kafka.NoNode}
		m.node.Handle(&c.input, &c.out)
		c.apply(m)
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
	m.node.Handle(&c.input, &c.out)
	c.apply(m)
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
	m.node.Handle(&c.input, &c.out)
	c.apply(m)
	if c.plan.Controller.DetectAtOnce {
		c.queue.push(c.queue.now, classFault, &item{kind: itemPeerUp, node: id, cause: began})
	}
}

// askController hands an operator's wish to the controller.
func (c *Cluster) askController(wish node.InputKind, f *plan.Fault, cause event.Seq) {
	m := c.member(kafka.ControllerID)
	c.input = node.Input{
		Kind: wish, Now: c.queue.now, Topic: f.Partitions, Election: f.Election, Cause: cause, From: kafka.NoNode,
	}
	m.node.Handle(&c.input, &c.out)
	c.apply(m)
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
		m.node.Handle(&c.input, &c.out)
		c.apply(m)
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
	m.node.Handle(&c.input, &c.out)
	c.apply(m)
}

// reconfigure hands every node its new settings, also those that are down: they start with them.
func (c *Cluster) reconfigure(after *plan.Plan, cause event.Seq) {
	c.net.Configure(after)
	for i := range c.members {
		m := &c.members[i]
		c.out.Because(cause)
		c.input = node.Input{Kind: node.Reconfigure, Now: c.queue.now, Plan: after, Cause: cause, From: kafka.NoNode}
		m.node.Handle(&c.input, &c.out)
		c.apply(m)
	}
}
