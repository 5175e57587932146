package scenario

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"replog/internal/kafka"
	"replog/internal/plan"
)

// asks reports whether an entry only asks for something, and does not act from then on: a process to stop or to start, an
// election, other settings, more partitions, fewer records.
func asks(k plan.FaultKind) bool {
	switch k {
	case plan.Shutdown, plan.Start, plan.Elect, plan.Configure, plan.AddPartitions, plan.DeleteRecords:
		return true
	}
	return false
}

// maxFaults bounds the timeline.
const maxFaults = 2000

// faultKinds are the keys of a timeline entry that say what it does; each entry has exactly one of them.
var faultKinds = []struct {
	key  string
	kind plan.FaultKind
	verb string // for the sentence of an entry without one
}{
	{"crash", plan.Crash, "crashes"},
	{"restart", plan.Restart, "comes back"},
	{"hold", plan.Hold, "held back"},
	{"delay", plan.Delay, "delayed"},
	{"drop", plan.Drop, "lost"},
	{"duplicate", plan.Duplicate, "delivered twice"},
	{"reset", plan.Reset, "lost with its connection"},
	{"rewrite", plan.Rewrite, ""},
	{"silence", plan.Silence, ""},
	{"shutdown", plan.Shutdown, "is asked to stop"},
	{"power.loss", plan.PowerLoss, ""},
	{"disk.failure", plan.DiskFailure, ""},
	{"add.partitions", plan.AddPartitions, ""},
	{"cut", plan.Cut, ""},
	{"elect", plan.Elect, ""},
	{"delete.records", plan.DeleteRecords, ""},
	{"pause", plan.Pause, "stands still"},
	{"start", plan.Start, "starts"},
	{"stall", plan.Stall, "works on and does not call poll()"},
	{"set", plan.Configure, ""},
}

// fault is an entry of the timeline on its way into the plan.
type fault struct {
	plan.Fault
	say  string
	node *node // what it does, for messages
	// members are those of a consumer group of which each meets the fault; say is about each of them.
	members []kafka.NodeID
	verb    string
	topic   *topic // AddPartitions
	grown   int    // AddPartitions: to how many
}

func (c *compiler) readTimeline(file block) {
	n := file.get("timeline")
	if n == nil || !c.is(n, sequence, "timeline") {
		return
	}
	if len(n.items) > maxFaults {
		c.report(n, "", "the timeline has more than %d entries", maxFaults)
		return
	}
	var faults []fault
	named := map[string]bool{}
	for _, item := range n.items {
		if name := item.get("name"); name != nil && name.kind == scalar {
			if named[name.text] {
				c.report(name, "names are for paths, as in --set timeline.NAME.at=12:40:01", "another entry is called %s already",
					quoted(name.text))
			}
			named[name.text] = true
		}
		b := c.open(item, faultShape)
		if !b.boolean("when", true) {
			continue
		}
		if f, ok := c.readFault(b); ok {
			faults = append(faults, c.forEachMember(f)...)
		}
	}
	slices.SortStableFunc(faults, func(a, b fault) int { return int(min(1, max(-1, a.At-b.At))) })
	c.checkLives(faults)
	c.grow(faults)
	c.configure(faults)
	for _, f := range faults {
		c.plan.Faults = append(c.plan.Faults, f.Fault)
		if asks(f.Kind) {
			c.names.Requests = append(c.names.Requests, int64(len(c.names.Faults)))
		}
		c.names.Silent = append(c.names.Silent, silences(&f.Fault, int64(len(c.names.Faults)))...)
		c.names.Faults = append(c.names.Faults, f.say)
	}
}

// silences is whom an entry keeps from being heard. A death is an event of its own.
func silences(f *plan.Fault, entry int64) []kafka.Silence {
	switch f.Kind {
	case plan.Pause, plan.Stall:
		return []kafka.Silence{{Fault: entry, From: []kafka.NodeID{f.Node}, Application: f.Kind == plan.Stall}}
	case plan.Hold, plan.Delay, plan.Drop, plan.Reset, plan.Silence, plan.Cut:
		return []kafka.Silence{{Fault: entry, From: f.Match.From, To: f.Match.To, Message: f.Match.Kind}}
	}
	return nil
}

// readFault reads one entry of the timeline.
func (c *compiler) readFault(b block) (f fault, ok bool) {
	at, verb := "", ""
	for _, k := range faultKinds {
		n := b.get(k.key)
		switch {
		case n == nil:
		case at != "":
			c.report(cmp.Or(n.key, n), "make it an entry of its own", "an entry does one thing; this one has %s already", at)
			return f, false
		default:
			at, verb, f.Kind, f.node = k.key, k.verb, k.kind, n
		}
	}
	if at == "" {
		c.report(b.node, faultKeys(), "the entry does not say what happens")
		return f, false
	}
	f.Entry = b.text("name")
	f.At, f.Until, f.Node, f.Match.Partition = b.instant("at", 0), kafka.Never, kafka.NoNode, kafka.NoPartition
	if n := b.get("at"); n != nil && f.At > c.plan.End {
		c.report(n, "", "this is after the end of the run")
	}
	switch f.Kind {
	case plan.DiskFailure:
		f.say = c.readDiskFailure(b, &f)
	case plan.AddPartitions:
		f.say = c.readGrowth(b, &f)
	case plan.PowerLoss:
		f.say = c.readPowerLoss(b, &f)
	case plan.Crash, plan.Restart, plan.Shutdown, plan.Start:
		f.say = c.readProcessFault(b, &f, at) + " " + verb
	case plan.Pause, plan.Stall:
		f.say = c.readPause(b, &f, at) + " " + verb
	case plan.Configure:
		f.say = c.readSettings(b, &f)
	case plan.Rewrite:
		f.say = c.readRewrite(b, &f)
	case plan.Silence:
		f.say = c.readSilence(b, &f)
	case plan.DeleteRecords:
		f.say = c.readDeleteRecords(b, &f)
	case plan.Elect:
		f.say = c.readElection(b, &f)
	case plan.Cut:
		f.say = c.readCut(b, &f)
	default:
		f.say = c.readMessageFault(b, &f, at) + " " + verb
	}
	f.verb = verb
	if say := b.text("say"); say != "" {
		f.say = strings.Join(strings.Fields(say), " ")
		f.verb = ""
	}
	return f, true
}

func faultKeys() string {
	var keys []string
	for _, k := range faultKinds {
		keys = append(keys, k.key)
	}
	last := len(keys) - 1
	return strings.Join(keys[:last], ", ") + " or " + keys[last]
}

// readMessageFault reads which messages a fault concerns and for how long, and returns them in words.
func (c *compiler) readMessageFault(b block, f *fault, what string) string {
	m := c.open(f.node, matchShape)
	f.Match.From, f.Match.To = c.nodes(m.get("from"), "from"), c.nodes(m.get("to"), "to")
	f.Match.Kind = c.messageKind(m.get("message"))
	if n, ok := c.scalar(m.get("partition"), "partition"); ok {
		f.Match.Partition = c.partition(n)
	}
	f.Count = int32(m.integer("count", 0, 1, math.MaxInt32))
	switch by := m.get("by"); {
	case f.Kind == plan.Delay && by == nil:
		c.report(f.node, "by: 200ms", "a delay needs the key %q", "by")
	case f.Kind != plan.Delay && by != nil:
		c.report(by, "", "by is for delay; %s does not take it", what)
	}
	f.Delay = m.span("by", 0)
	c.readEnd(b, f)
	words := f.Match.Kind.String()
	for _, key := range []string{"from", "to"} {
		if n := m.get(key); n != nil {
			words += " " + key + " " + c.joined(n)
		}
	}
	return words
}

// readEnd reads how long a fault lasts.
func (c *compiler) readEnd(b block, f *fault) {
	until, span := b.get("until"), b.get("for")
	if until != nil && span != nil {
		c.report(span, "keep one of the two", "until says already when it ends")
	}
	switch {
	case until != nil:
		f.Until = b.instant("until", kafka.Never)
	case span != nil:
		f.Until = f.At + b.span("for", 1)
	}
	if f.Until <= f.At {
		end := until
		if end == nil {
			end = span
		}
		c.report(end, "", "the fault ends before it begins")
	}
}

func (c *compiler) messageKind(n *node) kafka.MessageKind {
	name, ok := c.scalar(n, "message")
	if !ok {
		return kafka.AnyMessage
	}
	kind, ok := kafka.ParseMessageKind(name.text)
	if !ok || kind == kafka.AnyMessage {
		c.report(name, DidYouMean(name.text, kafka.MessageKindNames()[1:]), "there is no message %s", quoted(name.text))
	}
	return kind
}

// joined is a list of names in words.
func (c *compiler) joined(n *node) string {
	var names []string
	for _, item := range oneOrMore(n) {
		if item.kind == scalar {
			if text, ok := c.expand(item); ok {
				names = append(names, text.text)
			}
		}
	}
	return strings.Join(names, " and ")
}

// noteSlowDetection warns of a crash that the controller may notice only after producers gave up waiting: then requests
// fail, and are sent again, on partitions too that the dead broker did not lead.
func (c *compiler) noteSlowDetection() {
	crash := slices.ContainsFunc(c.plan.Faults, func(f plan.Fault) bool { return f.Kind == plan.Crash })
	if !crash || c.plan.Lesson {
		return
	}
	noticed := c.plan.Controller.SessionTimeout + c.plan.Controller.SessionCheck
	for _, p := range c.plan.Producers {
		if p.Config.RequestTimeout <= noticed && p.Config.Acks == kafka.AcksAll {
			c.note("a death is noticed broker.session.timeout.ms after the last heartbeat, when requests with acks=all have " +
				"met request.timeout.ms")
			return
		}
	}
}
