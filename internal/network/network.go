// Package network decides what becomes of each message: when it arrives, whether a fault holds, delays, drops or
// doubles it, and whether the connection it travels on still stands. It moves no time and delivers nothing itself; sim
// asks it and acts.
//
// A connection has two ends, the client that opened it and the server. It keeps its order in both directions, and at
// the server it admits one request at a time on the serial wire (SocketServer mutes the channel).
package network

import (
	"math/bits"
	"math/rand/v2"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// Message is a body on its way along a connection.
type Message struct {
	Body     kafka.Body
	Cause    event.Seq
	Corr     uint32
	Conn     kafka.ConnID
	ToServer bool
}

// lane is one direction of a connection.
type lane struct {
	held    []Message  // stuck inside the sender, in order
	arrival kafka.Tick // of the latest message: the next one cannot overtake it
}

// Conn is one connection.
type Conn struct {
	inbox    []Message // requests in the server's socket, of which it has taken those before taken
	taken    int
	toServer lane
	toClient lane
	ID       kafka.ConnID
	Client   kafka.NodeID
	Server   kafka.NodeID
	Channel  node.Channel
	// Dead: an end of it died, nothing more arrives on either side.
	Dead bool
	// Refused: it never stood, since the server was away.
	Refused bool
	// Closed: its client closed it; requests under way still arrive, answers do not.
	Closed bool
	busy   bool // the server has a request of it in work
	silent bool // it stands, and nothing arrives on either side
}

// Network holds the connections and the message faults of a run.
type Network struct {
	conns   []Conn         // indexed by ConnID-1
	current []kafka.ConnID // the open connection of each (client, server, channel)
	rules   []rule
	latency plan.Latency
	servers int
	serial  bool
}

// New makes a network without connections for nodes up to lastNode, of which those up to lastServer can be servers.
func New(p *plan.Plan, lastNode, lastServer kafka.NodeID) Network {
	servers := int(lastServer) + 1
	return Network{
		current: make([]kafka.ConnID, (int(lastNode)+1)*servers*int(node.Channels)),
		latency: p.Latency,
		servers: servers,
		serial:  p.Wire == kafka.SerialWire,
	}
}

// Configure takes over the latency and the wire of a plan.
func (n *Network) Configure(p *plan.Plan) {
	n.latency, n.serial = p.Latency, p.Wire == kafka.SerialWire
}

// Clone copies the network.
func (n *Network) Clone() Network {
	c := *n
	c.conns = append([]Conn(nil), n.conns...)
	for i := range c.conns {
		conn := &c.conns[i]
		conn.inbox, conn.taken = append([]Message(nil), conn.inbox[conn.taken:]...), 0
		conn.toServer.held = append([]Message(nil), conn.toServer.held...)
		conn.toClient.held = append([]Message(nil), conn.toClient.held...)
	}
	c.current = append([]kafka.ConnID(nil), n.current...)
	c.rules = append([]rule(nil), n.rules...)
	return c
}

func (n *Network) slot(client, server kafka.NodeID, channel node.Channel) *kafka.ConnID {
	return &n.current[(int(client)*n.servers+int(server))*int(node.Channels)+int(channel)]
}

// Conn is the connection with the id.
func (n *Network) Conn(id kafka.ConnID) *Conn { return &n.conns[id-1] }

// Find is the open connection from client to server, or nil.
func (n *Network) Find(client, server kafka.NodeID, channel node.Channel) *Conn {
	id := *n.slot(client, server, channel)
	if id == 0 {
		return nil
	}
	return n.Conn(id)
}

// Open makes a connection from client to server; there must be none.
func (n *Network) Open(client, server kafka.NodeID, channel node.Channel) *Conn {
	id := kafka.ConnID(len(n.conns) + 1)
	n.conns = append(n.conns, Conn{ID: id, Client: client, Server: server, Channel: channel})
	*n.slot(client, server, channel) = id
	return n.Conn(id)
}

// Forget ends the client's use of a connection, so that its next request opens a new one.
func (n *Network) Forget(c *Conn) {
	slot := n.slot(c.Client, c.Server, c.Channel)
	if *slot == c.ID {
		*slot = 0
	}
}

// IsCurrent reports whether the client still uses this connection.
func (n *Network) IsCurrent(c *Conn) bool { return *n.slot(c.Client, c.Server, c.Channel) == c.ID }

// Kill ends every connection of a node that died and returns those that stood.
func (n *Network) Kill(dead kafka.NodeID) []kafka.ConnID {
	var ended []kafka.ConnID
	for i := range n.conns {
		c := &n.conns[i]
		if c.Dead || c.Client != dead && c.Server != dead {
			continue
		}
		n.Break(c)
		ended = append(ended, c.ID)
		if c.Client == dead {
			n.Forget(c)
		}
	}
	return ended
}

// Break ends a connection: what is on it, or waits in the server's socket, is lost.
func (n *Network) Break(c *Conn) {
	c.Dead, c.busy = true, false
	c.inbox, c.taken, c.toServer.held, c.toClient.held = nil, 0, nil, nil
}

// Revive forgets the dead connections to a node that starts again, where no Reset will do it.
func (n *Network) Revive(id kafka.NodeID) {
	for i := range n.conns {
		if c := &n.conns[i]; c.Dead && c.Server == id && c.Channel == node.StreamChannel {
			n.Forget(c)
		}
	}
}

// Admit says whether the server takes the request now; if not, it waits in the socket.
func (n *Network) Admit(c *Conn, m *Message) bool {
	if !n.serial || c.Channel == node.StreamChannel {
		return true
	}
	if c.busy {
		c.inbox = append(c.inbox, *m)
		return false
	}
	c.busy = true
	return true
}

// Answered says that the server is done with a request. It returns whether another one waits in the socket.
func (n *Network) Answered(c *Conn) bool {
	if !n.serial || c.Channel == node.StreamChannel {
		return false
	}
	if len(c.inbox) > c.taken {
		return true
	}
	c.busy = false
	return false
}

// Take is the next request that waits in the socket.
func (c *Conn) Take() (Message, bool) {
	if len(c.inbox) == c.taken {
		c.busy = false
		return Message{}, false
	}
	m := c.inbox[c.taken]
	c.inbox[c.taken] = Message{}
	if c.taken++; c.taken == len(c.inbox) {
		c.inbox, c.taken = c.inbox[:0], 0
	}
	return m, true
}

// delay is the one-way time of the next message.
func (n *Network) delay(chance *rand.PCG) kafka.Tick {
	span := uint64(n.latency.Max - n.latency.Min)
	if span == 0 {
		return n.latency.Min
	}
	drawn, _ := bits.Mul64(chance.Uint64(), span+1)
	return n.latency.Min + kafka.Tick(drawn)
}

// RoundTrip is the time that opening a connection takes: a message there and one back, without jitter.
func (n *Network) RoundTrip() kafka.Tick { return 2 * n.latency.Min }

// OneWay is the time that the news of a closed connection takes.
func (n *Network) OneWay() kafka.Tick { return n.latency.Min }

// Fingerprint writes the state of the connections that stand and of the faults that act.
func (n *Network) Fingerprint(h *node.Hash) {
	for i := range n.conns {
		if c := &n.conns[i]; !c.Dead || n.IsCurrent(c) {
			h.Element(c.hash(h.Now))
		}
	}
	for i := range n.rules {
		r := &n.rules[i]
		h.Int(int64(r.fault))
		h.Int(int64(r.remaining))
	}
}

func (c *Conn) hash(now kafka.Tick) uint64 {
	h := node.Hash{Now: now}
	h.Int(int64(c.Client)<<32 | int64(c.Server)<<16 | int64(c.Channel))
	h.Bool(c.Dead)
	h.Bool(c.Closed)
	h.Bool(c.busy)
	h.Bool(c.silent)
	h.Time(max(now, c.toServer.arrival))
	h.Time(max(now, c.toClient.arrival))
	for _, list := range [][]Message{c.inbox[c.taken:], c.toServer.held, c.toClient.held} {
		h.Int(int64(len(list)))
		for j := range list {
			h.Message(list[j].Body)
		}
	}
	return h.Sum()
}
