package run

import (
	"testing"

	"replog/internal/event"
	"replog/internal/scenario"
	"replog/internal/sim"
)

// TestPausedCoordinatorGoesOn: what was due while the coordinator's broker stood still is done later, and what comes after
// it too.
func TestPausedCoordinatorGoesOn(t *testing.T) {
	r := runText(t, `
title: the coordinator stands still for a moment
end: 120s
brokers: {count: 3}
topics: {orders: {partitions: 2, replication.factor: 3}}
producers: {shop: {}}
consumers: {packing: {topic: orders, members: 2, coordinator: broker 2, config: {session.timeout.ms: 6000, heartbeat.interval.ms: 1000}}}
loads: [{producer: shop, topic: orders, every: 1s, count: 100}]
timeline:
  - {at: 20s, pause: broker 2, for: 7s}
  - {at: 60s, crash: packing-1}
`)
	for _, e := range r.Log.All() {
		if e.Kind == event.MemberExpired && r.Plan.Names.Node(e.Peer) == "packing-1" && e.At > 60_000 {
			return
		}
	}
	t.Error("the coordinator never noticed that packing-1 died")
}

// TestCoordinatorHasOneTimer: an idle group takes as many inputs in its second hour as in its first.
func TestCoordinatorHasOneTimer(t *testing.T) {
	f, err := scenario.Load("here.yaml", []byte(`
title: an idle group
end: 2h
brokers: {count: 3}
topics: {orders: {partitions: 2, replication.factor: 3}}
producers: {shop: {}}
consumers: {packing: {topic: orders, members: 3}}
loads: [{producer: shop, topic: orders, every: 10s, count: 700}]
`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Plan(f.Variants()[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	c := sim.New(p, nil)
	var first, second int
	for c.Step() {
		if c.Now() < p.End/2 {
			first++
		} else {
			second++
		}
	}
	if second > first*11/10 {
		t.Errorf("%d inputs in the first hour, %d in the second", first, second)
	}
}
