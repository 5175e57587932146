package run

import (
	"fmt"
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/scenario"
	"replog/internal/sim"
)

// TestIdlePollsMayBeLeftOut: a run that computes its idle polls and one that sends each of them have the same events.
func TestIdlePollsMayBeLeftOut(t *testing.T) {
	t.Parallel()
	everyVariant(t, func(t *testing.T, p *plan.Plan) {
		// Which of two answers in one tick comes first decides what a consumer's application works on first, and from there on
		// the runs differ, both as Kafka could do it. Groups have a test of their own.
		if len(p.Consumers) == 0 {
			samePolls(t, p, true)
		}
	})
	// Long ways and few orders: many of them come while a poll is on its way.
	file := load(t, "retention-overtakes-reader")
	for _, latency := range []string{"0ms", "70ms", "230ms", "800ms"} {
		p, err := file.Plan("retention of an hour", []scenario.Set{{Path: "latency", Value: latency}, {Path: "loads.0.every", Value: "37130ms"}})
		if err != nil {
			t.Fatal(err)
		}
		t.Run("latency "+latency, func(t *testing.T) { samePolls(t, p, false) })
	}
}

// TestIdlePollsOfGroupsMayBeLeftOut: members that join one after the other ask for other partitions while their fetches wait.
func TestIdlePollsOfGroupsMayBeLeftOut(t *testing.T) {
	for _, config := range []string{
		"partition.assignment.strategy: range", "partition.assignment.strategy: cooperative-sticky", "group.protocol: consumer",
	} {
		for _, every := range []string{"40ms", "3701ms", "45007ms"} {
			file, err := scenario.Load("group.yaml", []byte(`
title: members come one after the other
end: 400s
brokers: {count: 3}
topics: {orders: {partitions: 6, replication.factor: 3}}
producers: {shop: {}}
consumers:
  packing: {topic: orders, joins: [0s, 21013ms, 90s, 200011ms], effect: print, config: {auto.offset.reset: earliest, `+config+`}}
loads: [{producer: shop, topic: orders, every: `+every+`, count: 8, key: k-$(order mod 9)}]
`))
			if err != nil {
				t.Fatal(err)
			}
			p, err := file.Plan(file.Variants()[0], nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(config+" "+every, func(t *testing.T) { sameTicks(t, p) })
		}
	}
}

// samePolls compares the events, and their causes too unless a poll and an append may arrive in one tick: the poll then
// counts as the earlier.
func samePolls(t *testing.T, p *plan.Plan, causes bool) {
	computed, sent := bothWays(t, p)
	for i := range min(computed.Len(), sent.Len()) {
		a, b := *computed.At(i), *sent.At(i)
		if ids := computed.Records(&a); !slices.Equal(ids, sent.Records(&b)) {
			t.Fatalf("event %d names other records", i)
		}
		if !causes {
			a.Cause, b.Cause = 0, 0
		}
		if a.Records, b.Records = 0, 0; a != b {
			t.Fatalf("event %d is %+v with computed polls, %+v with real ones", i, a, b)
		}
	}
	if computed.Len() != sent.Len() {
		t.Errorf("%d events with computed polls, %d with real ones", computed.Len(), sent.Len())
	}
}

// bothWays runs a plan with computed polls and with real ones.
func bothWays(t *testing.T, p *plan.Plan) (computed, sent *event.Log) {
	every := *p
	every.Broker.IdlePolling = true
	computed, sent = &event.Log{}, &event.Log{}
	if err := sim.New(p, computed).Run(); err != nil {
		t.Fatal(err)
	}
	if err := sim.New(&every, sent).Run(); err != nil {
		t.Fatal(err)
	}
	return computed, sent
}

// sameTicks compares what happens in each tick, in whatever order. Commits that come in one tick may be written in another
// order, and are answered then in that one: they are left out.
func sameTicks(t *testing.T, p *plan.Plan) {
	computed, sent := bothWays(t, p)
	a, b := byTick(computed, p.Names), byTick(sent, p.Names)
	for tick, events := range a {
		if !slices.Equal(events, b[tick]) {
			t.Errorf("tick %d:\n%v with computed polls\n%v with real ones", tick, events, b[tick])
		}
	}
	if len(a) != len(b) {
		t.Errorf("something happens in %d ticks with computed polls, in %d with real ones", len(a), len(b))
	}
}

func byTick(log *event.Log, names *kafka.Names) map[kafka.Tick][]string {
	ticks := map[kafka.Tick][]string{}
	for i := range log.Len() {
		e := *log.At(i)
		if e.Kind == event.OffsetCommitted || e.Kind == event.OffsetCommitWritten || names.Internal(e.Partition) {
			continue
		}
		ids := log.Records(&e)
		e.Seq, e.Cause, e.About, e.Records = 0, 0, 0, 0
		ticks[e.At] = append(ticks[e.At], fmt.Sprint(e, ids))
	}
	for tick := range ticks {
		slices.Sort(ticks[tick])
	}
	return ticks
}
