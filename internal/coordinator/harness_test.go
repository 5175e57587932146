package coordinator

import (
	"testing"

	"replog/internal/assign"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// minute and second are spans of ticks of a millisecond.
const (
	second kafka.Tick = 1000
	minute            = 60 * second
)

const ordersTopic, slipsTopic kafka.TopicID = 0, 1

func testSetting() *Setting {
	return &Setting{
		Config: &kafka.GroupConfig{
			InitialRebalanceDelay: 3 * second, NewMemberJoin: 5 * minute, MinSessionTimeout: 6 * second, MaxSessionTimeout: 30 * minute,
			ConsumerSession: 45 * second, ConsumerHeartbeat: 5 * second, ConsumerAssignors: []string{"uniform", "range"},
			OffsetsRetention: 7 * 24 * 60 * minute, OffsetsRetentionCheck: 10 * minute, CommitTimeout: 5 * second,
		},
		Topics: []assign.Topic{
			{Name: "orders", Partitions: []kafka.PartitionID{0, 1, 2, 3}},
			{Name: "slips", Partitions: []kafka.PartitionID{4, 5}},
		},
		Partition: 9, Host: 2,
	}
}

// bench is a coordinator with a log that is committed when the test says so, and what it answers.
type bench struct {
	*Groups
	t       testing.TB
	now     kafka.Tick
	out     node.Out
	log     []kafka.CoordinatorRecord
	waiting []Reply
	answers map[uint32]kafka.Body // by corr
	events  []event.Event
	corr    uint32
	held    bool // records are not committed at once
}

func newBench(t testing.TB) *bench {
	b := &bench{Groups: NewGroups(testSetting()), t: t, answers: map[uint32]kafka.Body{}}
	b.step(func(*Write) { b.Loaded(b.now, &b.out) })
	b.events = nil
	return b
}

func (b *bench) step(do func(*Write)) {
	var w Write
	b.out.Begin(b.now, 0, 1, true)
	do(&w)
	b.events = append(b.events, b.out.Step.Events...)
	for _, e := range b.out.Effects {
		b.answered(e.Reply, e.Body)
	}
	b.log = append(b.log, w.Records...)
	b.waiting = append(b.waiting, w.Replies...)
	if !b.held {
		b.commit(kafka.None)
	}
}

func (b *bench) answered(to node.Reply, body kafka.Body) {
	if before, twice := b.answers[to.Corr]; twice {
		b.t.Fatalf("request %d is answered with %+v and then %+v", to.Corr, before, body)
	}
	b.answers[to.Corr] = body
}

// commit has all that was written committed, or fail.
func (b *bench) commit(code kafka.ErrorCode) {
	waiting := b.waiting
	b.waiting = nil
	for _, r := range waiting {
		switch {
		case r.Body == nil:
			b.step(func(w *Write) { b.Committed(r.Request, code, b.now, &b.out, w) })
		case code != kafka.None:
			b.answered(r.To, Refuse(r.Request, code))
		default:
			b.answered(r.To, r.Body)
		}
	}
}

// send hands in a request and returns its number.
func (b *bench) send(from kafka.NodeID, body kafka.Body) uint32 {
	b.corr++
	corr := b.corr
	in := node.Input{Kind: node.Request, Body: body, Now: b.now, From: from, Reply: node.Reply{Conn: kafka.ConnID(from), Corr: corr}}
	b.step(func(w *Write) { b.Handle(&in, &b.out, w) })
	return corr
}

// to lets time pass, and whatever falls due.
func (b *bench) to(at kafka.Tick) {
	for b.Deadline() <= at {
		b.now = max(b.now, b.Deadline())
		b.step(func(w *Write) { b.Expire(b.now, &b.out, w) })
	}
	b.now = at
}

func (b *bench) pass(span kafka.Tick) { b.to(b.now + span) }

// answer returns the answer to a request, which must be there.
func answer[B kafka.Body](b *bench, corr uint32) B {
	b.t.Helper()
	body, ok := b.answers[corr]
	if !ok {
		b.t.Fatalf("request %d is not answered", corr)
	}
	return body.(B)
}

func (b *bench) unanswered(corr uint32) {
	b.t.Helper()
	if body, ok := b.answers[corr]; ok {
		b.t.Fatalf("request %d is answered already: %+v", corr, body)
	}
}

// kinds lists the kinds of the events since the last call.
func (b *bench) kinds() []event.Kind {
	var kinds []event.Kind
	for i := range b.events {
		kinds = append(kinds, b.events[i].Kind)
	}
	b.events = nil
	return kinds
}

// reload is a coordinator that has read the log.
func (b *bench) reload() *Groups { return b.replay(b.log) }

func (b *bench) replay(log []kafka.CoordinatorRecord) *Groups {
	g := NewGroups(b.setting)
	for i := range log {
		g.Apply(&log[i])
	}
	return g
}
