package scenario

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"replog/internal/kafka"
	"replog/internal/plan"
)

// compiler makes a plan of one tree: of a file with the overrides of a variant and of the command line in it. It goes on
// after a mistake, with a value that does no further harm, so that all mistakes are found at once.
type compiler struct {
	*mistakes
	plan           plan.Plan
	names          kafka.Names
	params         params
	clock          clock
	topics         []topic
	topicDefaults  kafka.TopicConfig
	offsets        offsetsTopic
	states         transactionsTopic
	transactionals []tenant        // the first one has the number 1
	groups         []consumerGroup // indexed by kafka.GroupID
	failures       []failure
	clients        []client
	called         map[string]bool // the names of clients and of their workers
	feedings       []feeding
	keys           map[string]kafka.KeyID
	ratios         map[kafka.NodeID]int64 // percent that the compression of a producer leaves
	keySlots       int                    // places in the key tables of the loads so far
	expanded       int                    // bytes that expressions have made so far
	root           *node
}

// compile makes a plan of a tree.
func compile(root *node, scenario, variant string, m *mistakes) *plan.Plan {
	c := newCompiler(root, m)
	c.names.Scenario, c.names.Variant = scenario, variant
	file := c.open(root, fileShape)
	c.readCluster(file)
	c.readTimeline(file)
	c.noteSlowDetection()
	c.readWorking(file.get("working"))
	c.readSurvive(file)
	c.readSweeps(file)
	c.checkAsks(file.get("ask"))
	return &c.plan
}

func newCompiler(root *node, m *mistakes) *compiler {
	c := &compiler{mistakes: m, keys: map[string]kafka.KeyID{}, called: map[string]bool{}, ratios: map[kafka.NodeID]int64{}, root: root}
	c.plan.Names = &c.names
	return c
}

// readCluster reads everything but what goes wrong.
func (c *compiler) readCluster(file block) {
	c.readParams(file.get("params"))
	c.readClock(file)
	c.readWorld(file)
	c.readBrokers(file)
	c.readTopics(file.get("topics"))
	c.readProducers(file.get("producers"))
	c.readReaders(file.get("readers"))
	c.readConsumers(file.get("consumers"))
	c.addFeeds()
	c.addOffsetsTopic()
	c.addTransactionsTopic()
	c.readLoads(file)
	c.addResults()
	c.findFailures()
}

// readClock reads what every other time depends on.
func (c *compiler) readClock(file block) {
	c.clock = clock{tickMicros: millisecond, startMicros: -1}
	if n, ok := c.scalar(file.get("tick"), "tick"); ok {
		micros, ok := parseSpan(n.text)
		if !ok || micros == 0 || micros > day {
			c.report(n, "write 1ms", "tick takes a span of time from 1us to 1d, not %s", quoted(n.text))
		} else {
			c.clock.tickMicros = micros
		}
	}
	if n, ok := c.scalar(file.get("start"), "start"); ok {
		micros, ok := parseClock(n.text)
		if !ok || micros >= day {
			c.report(n, "write 12:39:30", "start takes a time of day, not %s", quoted(n.text))
		} else {
			c.clock.startMicros = micros
		}
	}
	c.names.TickMicros, c.names.StartMicros = c.clock.tickMicros, c.clock.startMicros
	// Without a known end nothing is after it.
	c.plan.End = file.instant("end", kafka.Never)
}

// readWorld reads how messages and records travel, and what chance begins with.
func (c *compiler) readWorld(file block) {
	p := &c.plan
	p.Lesson = file.boolean("lesson", false)
	p.Seed = uint64(file.integer("seed", 1, 0, math.MaxInt64))
	wire := file.choice("wire", "serial", "pipelined")
	replication := file.choice("replication", "fetch", "stream")
	if wire == "pipelined" || wire == "" && p.Lesson {
		p.Wire = kafka.PipelinedWire
	}
	if replication == "stream" || replication == "" && p.Lesson {
		p.Broker.Replication = kafka.ReplicateByStream
	}
	p.Broker.StreamLagTicks = file.span("stream.lag", 0)
	if n := file.get("stream.lag"); n != nil && p.Broker.Replication != kafka.ReplicateByStream {
		c.report(n, "add replication: stream, or leave stream.lag out", "stream.lag has no meaning under replication: fetch")
	}
	p.Controller.DetectAtOnce = p.Lesson
	p.Controller.TakeoverTicks = file.span("takeover", 0)
	p.Controller.FollowerExitTicks = file.span("follower.exit", 0)
	for _, key := range []string{"takeover", "follower.exit"} {
		if n := file.get(key); n != nil && !p.Lesson {
			c.report(n, "Kafka's controller notices a death by broker.session.timeout.ms", "%s belongs to the lesson's world "+
				"(lesson: true)", key)
		}
	}
	p.ConnectionSetup = c.clock.roundUp(10_000 * millisecond)
	c.readLatency(file.get("latency"))
	c.readRules(file)
}

func (c *compiler) readLatency(n *node) {
	switch {
	case n == nil && c.plan.Lesson:
	case n == nil:
		ticks := c.clock.roundUp(millisecond)
		c.plan.Latency = plan.Latency{Min: ticks, Max: ticks}
	case n.kind == mapping:
		b := c.open(n, latencyShape)
		c.plan.Latency = plan.Latency{Min: b.span("min", 0), Max: b.span("max", 0)}
		if c.plan.Latency.Max < c.plan.Latency.Min {
			c.report(cmp.Or(b.get("max"), n), "", "latency: max is less than min")
		}
	default:
		ticks := c.span(n, "latency", 0)
		c.plan.Latency = plan.Latency{Min: ticks, Max: ticks}
	}
}

// block is a mapping whose keys a shape knows.
type block struct {
	c     *compiler
	node  *node
	shape *shape
}

// open checks that a node is a block of the shape: a mapping without unknown keys and with all required ones. What is no
// mapping opens as an empty block.
func (c *compiler) open(n *node, s *shape) block {
	empty := block{c, &node{kind: mapping, line: n.line, column: n.column, set: n.set}, s}
	if !n.null && !c.is(n, mapping, s.name) {
		return empty
	}
	misspelt := map[string]bool{}
	for _, e := range n.entries {
		if s.find(e.key.text) == nil && !c.full() {
			misspelt[nearest(e.key.text, s.names())] = true
			c.report(e.key, DidYouMean(e.key.text, s.names()), "unknown key %s in %s", quoted(e.key.text), s.name)
		}
	}
	for _, k := range s.keys {
		if k.required && n.get(k.name) == nil && !misspelt[k.name] {
			c.report(n, k.name+": "+k.doc, "%s needs the key %q", s.name, k.name)
		}
	}
	if n.null {
		return empty
	}
	return block{c, n, s}
}

// get is the value of a key, or nil.
func (b block) get(name string) *node {
	if b.shape.find(name) == nil {
		panic("scenario: the schema of " + b.shape.name + " has no key " + name)
	}
	return b.node.get(name)
}

func (b block) text(name string) string {
	n, ok := b.c.scalar(b.get(name), name)
	if !ok {
		return ""
	}
	return strings.TrimSpace(n.text)
}

// prose is words for a person, as they stand.
func (b block) prose(name string) string {
	n := b.get(name)
	if n == nil || n.null || !b.c.is(n, scalar, name) {
		return ""
	}
	return strings.TrimSpace(n.text)
}

// sentence is prose on one line.
func (b block) sentence(name string) string { return strings.Join(strings.Fields(b.prose(name)), " ") }

func (b block) integer(name string, fallback, least, most int64) int64 {
	n, ok := b.c.scalar(b.get(name), name)
	if !ok {
		return fallback
	}
	return b.c.number(n, name, fallback, least, most)
}

func (b block) boolean(name string, fallback bool) bool {
	n, ok := b.c.scalar(b.get(name), name)
	if !ok {
		return fallback
	}
	return b.c.truth(n, name, fallback)
}

// choice is one of the words, or "" without the key.
func (b block) choice(name string, words ...string) string {
	n, ok := b.c.scalar(b.get(name), name)
	if !ok {
		return ""
	}
	if !slices.Contains(words, n.text) {
		b.c.report(n, DidYouMean(n.text, words), "%s can not be %s", name, quoted(n.text))
		return ""
	}
	return n.text
}

func (b block) span(name string, fallback kafka.Tick) kafka.Tick {
	return b.c.span(b.get(name), name, fallback)
}

func (b block) instant(name string, fallback kafka.Tick) kafka.Tick {
	return b.c.instant(b.get(name), name, fallback)
}

// is reports a node of the wrong kind.
func (c *compiler) is(n *node, want kind, what string) bool {
	if n.kind == want {
		return true
	}
	got := n.kind.String()
	if n.null {
		got = "nothing"
	}
	c.report(n, "", "%s takes %s, not %s", what, want, got)
	return false
}

// scalar is a single value with its expressions worked out; ok is false where there is none, or a wrong one.
func (c *compiler) scalar(n *node, what string) (expanded *node, ok bool) {
	if n == nil {
		return nil, false
	}
	if !c.is(n, scalar, what) {
		return n, false
	}
	if n, ok = c.expand(n); !ok {
		return n, false
	}
	if n.null {
		c.report(n, "leave the key out for its default", "%s has no value", what)
		return n, false
	}
	return n, true
}

func (c *compiler) number(n *node, what string, fallback, least, most int64) int64 {
	v, err := strconv.ParseInt(n.text, 10, 64)
	if err != nil {
		c.report(n, "", "%s takes a whole number, not %s", what, quoted(n.text))
		return fallback
	}
	if v < least || v > most {
		wanted := bounds(least, most)
		if v > most && most >= math.MaxInt32 {
			wanted = fmt.Sprintf("at most %d", most)
		}
		c.report(n, "", "%s must be %s, not %d", what, wanted, v)
		return fallback
	}
	return v
}

func bounds(least, most int64) string {
	switch {
	case most >= math.MaxInt32:
		return fmt.Sprintf("at least %d", least)
	case most == least:
		return strconv.FormatInt(least, 10)
	}
	return fmt.Sprintf("from %d to %d", least, most)
}

func (c *compiler) truth(n *node, what string, fallback bool) bool {
	switch n.text {
	case "true":
		return true
	case "false":
		return false
	}
	c.report(n, "", "%s takes true or false, not %s", what, quoted(n.text))
	return fallback
}

// span is a span of time in ticks.
func (c *compiler) span(n *node, what string, fallback kafka.Tick) kafka.Tick {
	n, ok := c.scalar(n, what)
	if !ok {
		return fallback
	}
	micros, ok := parseSpan(n.text)
	if !ok {
		c.report(n, spanHint(n.text), "%s takes a span of time, not %s", what, quoted(n.text))
		return fallback
	}
	return c.ticks(n, what, micros, fallback)
}

// ticks is a span that somebody wrote as a whole number of ticks; there is no rounding of what an author chose.
func (c *compiler) ticks(n *node, what string, micros int64, fallback kafka.Tick) kafka.Tick {
	ticks, exact := c.clock.exact(micros)
	if !exact {
		c.report(n, fmt.Sprintf("a tick of %s would fit", c.clock.fitting(micros)),
			"%s is %s, which is not a whole number of ticks of %s", what, formatSpan(micros), formatSpan(c.clock.tickMicros))
		return fallback
	}
	return ticks
}

// instant is a point in time: a time of day, or a span since the start.
func (c *compiler) instant(n *node, what string, fallback kafka.Tick) kafka.Tick {
	n, ok := c.scalar(n, what)
	if !ok {
		return fallback
	}
	if micros, ok := parseSpan(n.text); ok {
		return c.ticks(n, what, micros, fallback)
	}
	micros, ok := parseClock(n.text)
	switch {
	case !ok && looksLikeSpan(n.text):
		c.report(n, spanHint(n.text), "%s takes a time, not %s", what, quoted(n.text))
	case !ok:
		c.report(n, "write 12:40:00, or a span since the start such as 70ms", "%s takes a time, not %s", what, quoted(n.text))
	case c.clock.startMicros < 0:
		c.report(n, `add start: "12:00:00", or write a span since the start`, "%s is a time of day, but the scenario has no "+
			"start", what)
	case micros < c.clock.startMicros:
		c.report(n, "the next day is written: day 2 "+clip(n.text, 20), "%s is before the start", what)
	default:
		return c.ticks(n, what, micros-c.clock.startMicros, fallback)
	}
	return fallback
}
