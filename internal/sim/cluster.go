package sim

import (
	"fmt"
	"math/rand/v2"

	"replog/internal/broker"
	"replog/internal/client"
	"replog/internal/controller"
	"replog/internal/effect"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/network"
	"replog/internal/node"
	"replog/internal/plan"
)

// maxStepsATick bounds the inputs of one tick: a cycle of messages without latency would never end.
const maxStepsATick = 2_000_000

// Cluster is a whole simulated cluster: nodes, network, queue of inputs, tick and chance.
type Cluster struct {
	plan    *plan.Plan
	sink    event.Sink
	members []member       // ordered by node id
	slots   []int16        // node id -> index into members, -1 for none
	clients []kafka.NodeID // in order
	sent    []int32        // records each load has sent
	net     network.Network
	queue   queue
	world   effect.World
	chance  rand.PCG
	out     node.Out
	input   node.Input
	next    event.Seq
	faults  []event.Seq // the FaultBegan of each fault
	steps   int         // inputs taken in this tick
	started bool
	err     error
}

// member is one node and whether its process runs.
type member struct {
	node        node.Node
	id          kafka.NodeID
	up          bool
	paused      kafka.Tick // it takes no input before this tick
	again       bool       // to be started as soon as it has stopped
	begun       bool       // a consumer: it has run before
	incarnation uint32     // counts starts; timers of an earlier one are void
}

// New builds the cluster of a plan. Events go to sink, which may be nil.
func New(p *plan.Plan, sink event.Sink) *Cluster {
	c := &Cluster{
		plan: p, sink: sink, next: 1,
		chance: *rand.NewPCG(p.Seed, 0x7265706c6f67),
		sent:   make([]int32, len(p.Loads)),
		faults: make([]event.Seq, len(p.Faults)),
		world:  effect.New(p),
	}
	c.add(kafka.ControllerID, controller.New(p), true)
	last, lastServer := kafka.ControllerID, kafka.ControllerID
	for i := range p.Brokers {
		b := &p.Brokers[i]
		c.add(b.ID, broker.New(p, b.ID), !b.DeadFromStart)
		last, lastServer = b.ID, b.ID
	}
	for i := range p.Producers {
		c.add(p.Producers[i].ID, client.NewProducer(p, &p.Producers[i]), true)
		last = max(last, p.Producers[i].ID)
	}
	for i := range p.Readers {
		c.add(p.Readers[i].ID, client.NewReader(p, &p.Readers[i]), true)
		last = max(last, p.Readers[i].ID)
	}
	for i := range p.Consumers {
		c.add(p.Consumers[i].ID, client.NewConsumer(p, &p.Consumers[i]), false)
		last = max(last, p.Consumers[i].ID)
	}
	c.net = network.New(p, last, lastServer)
	c.index(last)
	return c
}

func (c *Cluster) add(id kafka.NodeID, n node.Node, up bool) {
	c.members = append(c.members, member{node: n, id: id, up: up})
	if id.IsClient() {
		c.clients = append(c.clients, id)
	}
}

func (c *Cluster) index(last kafka.NodeID) {
	c.slots = make([]int16, last+1)
	for i := range c.slots {
		c.slots[i] = -1
	}
	for i := range c.members {
		c.slots[c.members[i].id] = int16(i)
	}
}

func (c *Cluster) member(id kafka.NodeID) *member { return &c.members[c.slots[id]] }

// Now is the current tick.
func (c *Cluster) Now() kafka.Tick { return c.queue.now }

// Err is the bound that the run met, or nil.
func (c *Cluster) Err() error { return c.err }

// Events is the number of events so far.
func (c *Cluster) Events() int { return int(c.next) - 1 }

// Step takes the next input. It returns false when the run is over.
func (c *Cluster) Step() bool {
	if !c.started {
		c.started = true
		c.start()
		return true
	}
	var it item
	for !c.queue.pop(&it) {
		if c.err != nil || !c.queue.advance(c.plan.End) {
			return false
		}
		c.steps = 0
	}
	if c.steps++; c.steps > maxStepsATick {
		c.err = fmt.Errorf("tick %d takes more than %d inputs: messages without latency go round in a circle, or a "+
			"load sends too much at once", c.queue.now, maxStepsATick)
		return false
	}
	c.take(&it)
	return true
}

// Run takes inputs until the run is over, and closes it with RunEnded.
func (c *Cluster) Run() error {
	for c.Step() {
	}
	c.Finish()
	return c.err
}

// Finish emits RunEnded. Nothing happens after it.
func (c *Cluster) Finish() {
	c.queue.now = max(c.queue.now, c.plan.End)
	c.begin(0)
	c.out.Emit(event.Event{Kind: event.RunEnded})
	c.flush()
}

// start brings every node up in one step.
func (c *Cluster) start() {
	for i := range c.plan.Faults {
		c.queue.push(c.plan.Faults[i].At, classFault, &item{kind: itemFault, index: int32(i)})
	}
	for i := range c.plan.Loads {
		if c.plan.Loads[i].Count > 0 {
			c.queue.push(c.plan.Loads[i].Start, classApplication, &item{kind: itemLoad, index: int32(i)})
		}
	}
	c.scheduleConsumers()
	c.begin(0)
	up := 0
	for i := range c.plan.Brokers {
		if !c.plan.Brokers[i].DeadFromStart {
			up++
		}
	}
	begun := c.out.Emit(event.Event{Kind: event.RunStarted, Count: int32(up)})
	for i := range c.members {
		m := &c.members[i]
		c.out.Because(begun)
		if c.plan.IsConsumer(m.id) {
			if c.consumer(m.id).Starts == 0 {
				c.startConsumer(m)
			}
			continue
		}
		c.input = node.Input{Kind: node.Start, Now: c.queue.now, Cause: begun, From: kafka.NoNode}
		m.node.Handle(&c.input, &c.out)
		if !m.up {
			c.out.Because(begun)
			c.out.Emit(event.Event{Kind: event.BrokerCrashed, Node: m.id})
		}
		c.apply(m)
	}
	c.flush()
}

func (c *Cluster) begin(cause event.Seq) {
	c.out.Begin(c.queue.now, cause, c.next, c.sink != nil)
}

// flush hands the events of the step to the sink.
func (c *Cluster) flush() {
	c.next = c.out.Next()
	if len(c.out.Step.Events) > 0 {
		c.sink.Consume(&c.out.Step)
	}
}

// handle is a step that is no more than an input for a node.
func (c *Cluster) handle(m *member) {
	c.input.Now = c.queue.now
	c.give(m)
	c.flush()
}

// give hands the prepared input to a node and carries out what it asks for. The events of the step so far may have brought it.
func (c *Cluster) give(m *member) {
	c.out.Brought(c.input.Cause)
	m.node.Handle(&c.input, &c.out)
	c.apply(m)
}

// Clone copies the cluster; the copy sends its events to sink and goes on independently.
func (c *Cluster) Clone(sink event.Sink) *Cluster {
	d := *c
	d.sink = sink
	d.members = append([]member(nil), c.members...)
	for i := range d.members {
		d.members[i].node = d.members[i].node.Clone()
	}
	d.sent = append([]int32(nil), c.sent...)
	d.faults = append([]event.Seq(nil), c.faults...)
	d.world = c.world.Clone()
	d.net = c.net.Clone()
	d.queue = c.queue.clone()
	d.out = node.Out{}
	return &d
}

// Fingerprint is a hash of all that decides what the cluster will do next, with times as spans from now.
func (c *Cluster) Fingerprint() uint64 {
	h := node.Hash{Now: c.queue.now}
	for i := range c.members {
		m := &c.members[i]
		h.Int(int64(m.id))
		h.Bool(m.up)
		h.Bool(m.again)
		h.Int(int64(max(0, m.paused-c.queue.now)))
		m.node.Fingerprint(&h)
	}
	for i := range c.sent {
		h.Int(int64(c.sent[i]))
	}
	for word := range c.world.Words {
		h.Int(int64(word))
	}
	c.net.Fingerprint(&h)
	c.queue.fingerprint(&h, c.void, c.lane)
	chance := c.chance
	h.Int(int64(chance.Uint64()))
	return h.Sum()
}

// lane names the connection that an item travels on, by its ends: numbers of connections are no state.
func (c *Cluster) lane(it *item) int64 {
	if it.conn == 0 {
		return 0
	}
	conn := c.net.Conn(it.conn)
	return int64(conn.Client)<<24 | int64(conn.Server)<<8 | int64(conn.Channel) + 1
}

// Broker is the broker with the id, for those who compare what it knows with what the events say.
func (c *Cluster) Broker(id kafka.NodeID) *broker.Broker { return c.member(id).node.(*broker.Broker) }

// Controller is the controller, likewise.
func (c *Cluster) Controller() *controller.Controller {
	return c.member(kafka.ControllerID).node.(*controller.Controller)
}

// Consumer is a member of a group, likewise.
func (c *Cluster) Consumer(id kafka.NodeID) *client.Consumer {
	return c.member(id).node.(*client.Consumer)
}

// Up reports whether the node's process runs.
func (c *Cluster) Up(id kafka.NodeID) bool { return c.member(id).up }
