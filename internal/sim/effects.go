package sim

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/network"
	"replog/internal/node"
)

// apply carries out what a node asked for in this step.
func (c *Cluster) apply(m *member) {
	// Carrying out an effect may add events but no effects, so the list stays as it is.
	for i := range c.out.Effects {
		e := &c.out.Effects[i]
		switch e.Kind {
		case node.SendRequest:
			c.sendRequest(m, e)
		case node.SendReply:
			c.sendReply(e)
		case node.SetTimer, node.SetArrival:
			when := classTimer
			if e.Kind == node.SetArrival {
				when = classMessage
			}
			c.queue.push(max(e.At, c.queue.now), when, &item{
				kind: itemTimer, node: m.id, timer: e.Timer.Kind, index: e.Timer.Arg, corr: m.incarnation, cause: e.Cause,
			})
		case node.Connect:
			c.connect(m.id, e.Peer, e.Channel, e.Cause)
		case node.CloseConnection:
			c.closeConnection(m, e)
		case node.Await:
			c.queue.push(c.queue.now, classFault, &item{kind: itemAwaited, node: e.Peer, index: int32(m.id), cause: e.Cause})
		case node.Perform:
			c.perform(m, e)
		case node.Tell:
			c.tell(m, e.Peer, e.Body, e.Cause)
		case node.Exit, node.Halt:
			c.queue.push(c.queue.now, classMessage, &item{
				kind: itemExit, node: m.id, index: int32(e.Kind), corr: m.incarnation, cause: e.Cause,
			})
		case node.Announce:
			for _, id := range c.clients {
				c.queue.push(c.queue.now, classApplication, &item{
					kind: itemAnnounce, node: id, body: e.Body, cause: e.Cause,
				})
			}
		}
	}
	c.out.Effects = c.out.Effects[:0]
}

// connect finds or opens a connection. When the server is down the client hears of it after a round
// trip, when no packet gets through after socket.connection.setup.timeout.ms.
func (c *Cluster) connect(from, to kafka.NodeID, channel node.Channel, cause event.Seq) *network.Conn {
	conn := c.net.Find(from, to, channel)
	if conn != nil {
		return conn
	}
	conn = c.net.Open(from, to, channel)
	news := item{kind: itemConnected, conn: conn.ID, cause: cause}
	after := c.net.RoundTrip()
	switch {
	case c.net.Parted(from, to):
		conn.Dead, news.kind, after = true, itemReset, c.plan.ConnectionSetup
	case !c.member(to).up:
		conn.Dead, news.kind = true, itemReset
	}
	c.queue.push(c.queue.now+after, classMessage, &news)
	return conn
}

func (c *Cluster) sendRequest(m *member, e *node.Effect) {
	conn := c.net.Find(m.id, e.Peer, e.Channel)
	if conn == nil {
		conn = c.open(m.id, e)
	}
	if conn.Dead {
		return // the Reset is on its way
	}
	span := kafka.Tick(-1)
	if e.Channel == node.StreamChannel {
		span = e.At
	}
	c.transmit(conn, &network.Message{Body: e.Body, Cause: e.Cause, Corr: e.Corr, Conn: conn.ID, ToServer: true}, span)
}

// open makes a connection for a request that does not wait for the handshake.
func (c *Cluster) open(from kafka.NodeID, e *node.Effect) *network.Conn {
	conn := c.net.Open(from, e.Peer, e.Channel)
	if c.member(e.Peer).up {
		return conn
	}
	conn.Dead, conn.Refused = true, true
	if e.Channel == node.StreamChannel {
		return conn // nobody waits for an answer; Revive opens the way again
	}
	c.queue.push(c.queue.now+c.net.RoundTrip(), classMessage, &item{kind: itemReset, conn: conn.ID, cause: e.Cause})
	return conn
}

func (c *Cluster) sendReply(e *node.Effect) {
	conn := c.net.Conn(e.Reply.Conn)
	if conn.Dead {
		return
	}
	if e.Body != nil {
		m := network.Message{Body: e.Body, Cause: e.Cause, Corr: e.Reply.Corr, Conn: conn.ID}
		if c.net.Faulty() {
			c.rewriteAnswer(conn, &m)
		}
		if c.transmit(conn, &m, -1) == network.Held {
			return // the connection stays busy
		}
	}
	c.freeServer(conn)
}

// freeServer lets the server take the next request of the connection.
func (c *Cluster) freeServer(conn *network.Conn) {
	if c.net.Answered(conn) {
		c.queue.push(c.queue.now, classMessage, &item{kind: itemTake, conn: conn.ID})
	}
}

// transmit puts a message on the wire, or lets a fault have it.
func (c *Cluster) transmit(conn *network.Conn, m *network.Message, span kafka.Tick) network.Verdict {
	fate := c.net.Send(conn, m, c.queue.now, span, &c.chance)
	from, to := conn.Client, conn.Server
	if !m.ToServer {
		from, to = to, from
	}
	if fate.Verdict != network.Delivered {
		m.Cause = c.tellFate(m, from, to, &fate)
	}
	switch fate.Verdict {
	case network.Broken:
		c.breakConnection(conn, m.Cause)
		return fate.Verdict
	case network.Held, network.Dropped:
		return fate.Verdict
	}
	it := item{
		kind: itemDeliver, conn: m.Conn, corr: m.Corr, body: m.Body, cause: m.Cause, toServer: m.ToServer, node: to,
	}
	c.queue.push(fate.At, classMessage, &it)
	if fate.Verdict == network.Doubled {
		c.queue.push(fate.At, classMessage, &it)
	}
	return fate.Verdict
}

// tellFate emits what a fault did to a message.
func (c *Cluster) tellFate(m *network.Message, from, to kafka.NodeID, fate *network.Fate) event.Seq {
	e := event.Event{Node: from, Peer: to, Message: m.Body.Kind(), Cause: m.Cause}
	switch fate.Verdict {
	case network.Held:
		e.Kind, e.About = event.MessageHeld, m.Cause
	case network.Dropped:
		e.Kind = event.MessageDropped
	case network.Delayed:
		e.Kind, e.Value = event.MessageDelayed, int64(fate.Extra)
	case network.Doubled:
		e.Kind = event.MessageDuplicated
	case network.Broken:
		e.Kind = event.ConnectionBroken
	}
	if seq := c.out.Emit(e); seq != 0 {
		return seq
	}
	return m.Cause
}

// closeConnection ends the client's side; the server notices, but has the requests that were on their way.
func (c *Cluster) closeConnection(m *member, e *node.Effect) {
	conn := c.net.Find(m.id, e.Peer, e.Channel)
	if conn == nil {
		return
	}
	conn.Closed = true
	c.net.Forget(conn)
	if !conn.Dead {
		c.queue.push(c.queue.now+c.net.OneWay(), classMessage, &item{kind: itemDisconnected, conn: conn.ID, cause: e.Cause})
	}
}
