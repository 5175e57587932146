package client

import (
	"slices"

	"replog/internal/assign"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

const (
	timerConsumer         uint8 = iota // something of nextDue is due
	timerConsumerMetadata              // ask for metadata again
	timerConsumerFetch                 // arg: the broker to fetch from again
)

// Consumer is one member of a consumer group: a process with a consumer (KafkaConsumer) and the application that polls it.
// The application's thread is in poll(), at work or waits for a commit (application.go); beside it the client's own thread
// keeps the session with the coordinator (background). What one poll() does stands in poll.
type Consumer struct {
	fetcher
	plan    *plan.Plan
	spec    *plan.Consumer
	config  *kafka.ConsumerConfig
	group   membership
	calls   []call    // requests without an answer, in the order of sending
	commits []commit  // that are being tried, in the order of asking
	buffer  []fetched // answers to fetches that poll() has not handed out, in the order of arrival
	known   []bool    // by partition: metadata has told of it; nil in a run in which no topic grows
	app     application
	corr    uint32
	lives   int32        // processes so far
	armed   []kafka.Tick // when the timers for what is due fire, the next one last
	running bool
}

// NewConsumer builds a consumer whose process has not started.
func NewConsumer(p *plan.Plan, spec *plan.Consumer) *Consumer {
	c := &Consumer{}
	c.forget(p, spec)
	return c
}

// forget is what a process that begins knows: nothing.
func (c *Consumer) forget(p *plan.Plan, spec *plan.Consumer) {
	var partitions []kafka.PartitionID
	for i := range p.Partitions {
		if slices.Contains(spec.Topics, p.Partitions[i].Topic) {
			partitions = append(partitions, kafka.PartitionID(i))
		}
	}
	*c = Consumer{
		plan: p, spec: spec, config: &spec.Config, fetcher: newFetcher(p, spec.ID, partitions), lives: c.lives,
		group: membership{coordinator: kafka.NoNode, generation: assign.NoGeneration},
	}
	c.isolation = c.config.Isolation
	for i := range c.positions {
		c.positions[i].held = newHeld(unassigned)
	}
	if addedLater(p) != nil {
		c.known = make([]bool, len(p.Partitions))
	}
}

// Handle implements node.Node.
func (c *Consumer) Handle(in *node.Input, out *node.Out) {
	switch in.Kind {
	case node.Start, node.Restart:
		c.begin(out)
	case node.Crash, node.Stop:
		c.forget(c.plan, c.spec)
	case node.Reconfigure:
		c.reconfigure(in.Plan)
	}
	if !c.running {
		return
	}
	switch in.Kind {
	case node.Response:
		c.handleResponse(in, out)
	case node.TimerFired:
		c.handleTimer(in, out)
	case node.Reset:
		c.connectionLost(in.Channel, in.From, in.Refused, out)
	case node.Metadata:
		c.handleMetadata(in.Body.(*kafka.MetadataResponse), out)
	case node.Stall:
		c.stall(in.Until, out)
	case node.Told:
		c.told(in.Body.(*node.Words), out)
	case node.Shutdown:
		c.app.closing, c.app.exits = true, true
		if c.app.state == ended { // it waits to start anew
			out.Exit()
		}
	}
	c.background(out)
	c.run(out)
	c.arm(out)
}

// begin starts the process.
func (c *Consumer) begin(out *node.Out) {
	if c.running {
		return
	}
	c.forget(c.plan, c.spec)
	c.lives++
	c.running = true
	c.join(out.Now())
	c.askMetadata(out)
}

// reconfigure takes over the settings of a plan. How a running process is a member of its group stays: that changes only
// with the next one.
func (c *Consumer) reconfigure(p *plan.Plan) {
	c.plan = p
	for i := range p.Consumers {
		if p.Consumers[i].ID == c.id {
			c.spec = &p.Consumers[i]
		}
	}
	config := c.spec.Config
	if c.running {
		config.Protocol, config.InstanceID, config.Assignors = c.config.Protocol, c.config.InstanceID, c.config.Assignors
	}
	c.config = &config
}

func (c *Consumer) handleTimer(in *node.Input, out *node.Out) {
	switch in.Timer.Kind {
	case timerConsumer:
		for len(c.armed) > 0 && c.armed[len(c.armed)-1] <= in.Now {
			c.armed = c.armed[:len(c.armed)-1]
		}
	case timerConsumerMetadata:
		// Whatever is on its way at this instant: a fetch to a broker that is away must not keep the question back.
		c.metadata.timer = 0
		c.askMetadata(out)
	case timerConsumerFetch:
		c.session(kafka.NodeID(in.Timer.Arg)).blocked = false
	}
}

// background is the client's own thread: it keeps the session with the coordinator, whatever the application does.
func (c *Consumer) background(out *node.Out) {
	out.BecauseOfInput()
	c.expireCalls(out)
	if c.staleAt() <= out.Now() {
		c.askMetadata(out)
	}
	c.keepSession(out)
	if c.commitsBeside() && c.app.state != ended {
		c.autoCommit(out)
	}
	c.tryCommits(out)
	if c.config.RebalancesBeside && c.app.state != polling && c.app.state != ended && !c.app.closing {
		c.keepPlace(out)
	}
	if c.app.state == ended && c.app.again > 0 && out.Now() >= c.app.again {
		out.Emit(event.Event{Kind: event.ConsumerStarted, Node: c.id})
		c.running = false
		c.begin(out)
		if c.spec.Feeds != nil {
			out.Tell(c.spec.Feeds.Producer, &node.Words{Say: node.SayAnew})
		}
	}
}

// keepPlace keeps the member in the group and its positions known; the Java client commits here what it has read.
func (c *Consumer) keepPlace(out *node.Out) {
	if c.keepMembership(out) {
		if c.config.Covers == kafka.CoversPolled {
			c.autoCommit(out)
		}
		c.findPositions(out)
	}
}

// poll is one turn of KafkaConsumer.poll(). It reports whether the application has something to do now.
func (c *Consumer) poll(out *node.Out) bool {
	if c.app.closing && !c.backlog() {
		c.close(out)
		return false
	}
	c.storePolled()
	c.keepPlace(out)
	if c.app.closing && !c.backlog() {
		return true // after an error
	}
	var handed []piece
	if !c.backlogFull() {
		handed = c.collect(out)
	}
	c.fetchAll(out)
	if len(handed) == 0 {
		return false
	}
	c.takeRecords(handed, out)
	return true
}

// fail ends the consumer with an error that poll() throws; the application closes it, and ends or starts anew.
func (c *Consumer) fail(code kafka.ErrorCode, out *node.Out) {
	if c.app.closing || c.app.state == ended {
		return
	}
	out.Emit(event.Event{Kind: event.ConsumerFailed, Node: c.id, Error: code})
	c.app.closing, c.app.exits = true, c.config.RejoinTicks == 0
	c.app.work, c.app.state, c.app.until = nil, polling, 0
}

// ticks is a span of milliseconds that no setting has.
func (c *Consumer) ticks(millis int64) kafka.Tick {
	return kafka.Tick(millis * 1000 / max(1, c.plan.Names.TickMicros))
}

// arm sets a timer for what is due next, unless one will fire by then.
func (c *Consumer) arm(out *node.Out) {
	d := due{now: out.Now(), next: kafka.Never}
	c.whenDue(&d)
	if n := len(c.armed); c.running && d.next < kafka.Never && (n == 0 || d.next < c.armed[n-1]) {
		c.armed = append(c.armed, d.next)
		out.Timer(d.next, node.Timer{Kind: timerConsumer})
	}
}

// due finds the earliest of several times that are still to come. What is past waits for something else than time.
type due struct{ now, next kafka.Tick }

func (d *due) at(t kafka.Tick) {
	if t > d.now {
		d.next = min(d.next, t)
	}
}

func (c *Consumer) whenDue(d *due) {
	for i := range c.calls {
		d.at(c.calls[i].deadline)
	}
	for i := range c.commits {
		d.at(c.commits[i].retryAt)
		d.at(c.commits[i].deadline)
	}
	for i := range c.sessions {
		if c.sessions[i].InFlight {
			d.at(c.sessions[i].deadline)
		}
	}
	for i := range c.positions {
		if p := &c.positions[i]; p.state != unassigned && p.state != standing {
			d.at(p.retryAt)
		}
	}
	if c.metadata.inFlight {
		d.at(c.metadata.deadline)
	}
	d.at(c.staleAt())
	c.app.whenDue(d)
	c.membershipDue(d)
	looks := c.app.state == polling || c.commitsBeside()
	if looks && c.config.AutoCommit && c.hasMoved() {
		d.at(c.group.nextCommit)
	}
}
