package network

import (
	"math/rand/v2"
	"slices"

	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// rule is a message fault of the timeline while it acts.
type rule struct {
	match     plan.Match
	delay     kafka.Tick
	fault     int   // index in the plan
	remaining int32 // messages it still concerns, -1 without limit
	kind      plan.FaultKind
	code      kafka.ErrorCode
}

// Verdict is what becomes of a message.
type Verdict uint8

const (
	// Delivered: it arrives at Fate.At.
	Delivered Verdict = iota
	// Held: it stays inside its sender until the fault ends.
	Held
	// Dropped: it is lost on the way.
	Dropped
	// Doubled: it arrives twice at Fate.At.
	Doubled
	// Delayed: it arrives at Fate.At, by Fate.Extra later than it would have.
	Delayed
	// Broken: its connection breaks, and it is lost.
	Broken
)

// Fate says what becomes of a message.
type Fate struct {
	At      kafka.Tick
	Extra   kafka.Tick
	Verdict Verdict
}

// Begin makes a message fault act.
func (n *Network) Begin(fault int, f *plan.Fault) {
	remaining := f.Count
	if remaining == 0 {
		remaining = -1
	}
	n.rules = append(n.rules, rule{match: f.Match, delay: f.Delay, fault: fault, remaining: remaining, kind: f.Kind, code: f.Error})
}

// Faulty reports whether some fault of messages acts.
func (n *Network) Faulty() bool { return len(n.rules) > 0 }

// End ends a message fault and returns the messages that it held, in order; those that another fault still holds stay.
func (n *Network) End(fault int) []Message {
	n.rules = slices.DeleteFunc(n.rules, func(r rule) bool { return r.fault == fault })
	var released []Message
	for i := range n.conns {
		c := &n.conns[i]
		released = append(released, n.release(c, &c.toServer)...)
		released = append(released, n.release(c, &c.toClient)...)
	}
	return released
}

func (n *Network) release(c *Conn, l *lane) []Message {
	free := 0
	for free < len(l.held) && n.holder(c, &l.held[free]) == nil {
		free++
	}
	released := l.held[:free:free]
	l.held = l.held[free:]
	return released
}

func (n *Network) holder(c *Conn, m *Message) *rule {
	for i := range n.rules {
		r := &n.rules[i]
		if (r.kind == plan.Hold || r.kind == plan.Cut) && r.matches(c, m) {
			return r
		}
	}
	return nil
}

func (r *rule) matches(c *Conn, m *Message) bool {
	from, to := c.Client, c.Server
	if !m.ToServer {
		from, to = to, from
	}
	t := &r.match
	if r.kind == plan.Cut {
		return r.parts(from, to)
	}
	return (t.Kind == kafka.AnyMessage || t.Kind == m.Body.Kind()) &&
		(len(t.From) == 0 || slices.Contains(t.From, from)) &&
		(len(t.To) == 0 || slices.Contains(t.To, to)) &&
		(t.Partition == kafka.NoPartition || m.Body.Concerns(t.Partition))
}

// Rewrites says which error a fault puts in the place of an answer: m is the response before it leaves the broker, or
// the request before the broker has it.
func (n *Network) Rewrites(c *Conn, m *Message) (code kafka.ErrorCode, hit bool) {
	for i := range n.rules {
		r := &n.rules[i]
		if r.kind == plan.Rewrite && r.remaining != 0 && r.matches(c, m) {
			r.use()
			return r.code, true
		}
	}
	return kafka.None, false
}

// Silence makes the data connections that stand between the two sides of a fault carry nothing more, and returns them.
func (n *Network) Silence(match *plan.Match) []kafka.ConnID {
	var silent []kafka.ConnID
	for i := range n.conns {
		c := &n.conns[i]
		if !c.Dead && !c.Closed && !c.silent && c.Channel == node.DataChannel && n.IsCurrent(c) &&
			(len(match.From) == 0 || slices.Contains(match.From, c.Client)) &&
			(len(match.To) == 0 || slices.Contains(match.To, c.Server)) {
			c.silent = true
			silent = append(silent, c.ID)
		}
	}
	return silent
}

// parts reports whether a cut lies between the two.
func (r *rule) parts(a, b kafka.NodeID) bool {
	t := &r.match
	return slices.Contains(t.From, a) && slices.Contains(t.To, b) || slices.Contains(t.From, b) && slices.Contains(t.To, a)
}

// Parted reports whether a cut lies between the two nodes now, so that no connection can be opened.
func (n *Network) Parted(a, b kafka.NodeID) bool {
	for i := range n.rules {
		if r := &n.rules[i]; r.kind == plan.Cut && r.parts(a, b) {
			return true
		}
	}
	return false
}

func (r *rule) use() {
	if r.remaining > 0 {
		r.remaining--
	}
}

// Send decides what becomes of a message that its sender gives to the connection now. span, when not negative, replaces
// the latency of the wire.
func (n *Network) Send(c *Conn, m *Message, now, span kafka.Tick, chance *rand.PCG) Fate {
	l := &c.toClient
	if m.ToServer {
		l = &c.toServer
	}
	if len(l.held) > 0 {
		l.held = append(l.held, *m)
		return Fate{Verdict: Held}
	}
	if span < 0 {
		span = n.delay(chance)
	}
	fate := Fate{At: now + span}
	if c.silent {
		return Fate{Verdict: Dropped}
	}
	if len(n.rules) > 0 && n.bend(c, l, m, &fate) {
		return fate
	}
	if c.Channel != node.StreamChannel {
		fate.At = max(fate.At, l.arrival)
		l.arrival = fate.At
	}
	return fate
}

// bend applies the faults that concern the message; it reports whether the message does not travel at all.
func (n *Network) bend(c *Conn, l *lane, m *Message, fate *Fate) bool {
	for i := range n.rules {
		r := &n.rules[i]
		if r.remaining == 0 || r.kind == plan.Rewrite || !r.matches(c, m) {
			continue
		}
		r.use()
		switch r.kind {
		case plan.Reset:
			fate.Verdict = Broken
			return true
		case plan.Hold, plan.Cut:
			l.held = append(l.held, *m)
			fate.Verdict = Held
			return true
		case plan.Drop:
			fate.Verdict = Dropped
			return true
		case plan.Duplicate:
			fate.Verdict = Doubled
		case plan.Delay:
			fate.Verdict, fate.Extra = Delayed, r.delay
			fate.At += r.delay
		}
	}
	return false
}
