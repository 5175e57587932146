package run

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
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

// TestPausedTransactionCoordinatorGoesOn: a transaction that is too old while the coordinator's broker stands still is aborted when that
// goes on, and one that is too old later as well.
func TestPausedTransactionCoordinatorGoesOn(t *testing.T) {
	r := runText(t, `
title: the coordinator stands still when a transaction is too old
end: 120s
brokers: {count: 3}
topics: {orders: {partitions: 1, replicas: [[1, 3, 2]]}}
producers:
  first: {config: {transaction.timeout.ms: 10000}, transactions: {every: 1s, hang: 1, coordinator: broker 2}}
  second: {config: {transaction.timeout.ms: 10000}, transactions: {every: 1s, hang: 1, coordinator: broker 2}}
loads:
  - {producer: first, topic: orders, start: 5s, count: 1}
  - {producer: second, topic: orders, start: 60s, count: 1, first: 2}
timeline:
  - {at: 18s, pause: broker 2, for: 7s}
`)
	var aborted []kafka.Tick
	for _, e := range r.Log.All() {
		if e.Kind == event.TransactionTimedOut {
			aborted = append(aborted, e.At)
		}
	}
	if len(aborted) != 2 || aborted[0] != 25_000 || aborted[1] != 80_000 {
		t.Errorf("the transactions were aborted at %v, and were due at 20000, while the broker stood still until 25000, and at 80000", aborted)
	}
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
