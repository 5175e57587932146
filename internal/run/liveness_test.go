package run

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/scenario"
)

// runText runs the only variant of a scenario that is written out here.
func runText(t *testing.T, text string) *Result {
	t.Helper()
	f, err := scenario.Load("here.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Plan(f.Variants()[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Do(p, Options{Record: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Violations {
		t.Errorf("broken promise: %s", v.Sentence)
	}
	return r
}

// isrAtTheEnd is the ISR that the controller last committed for a partition.
func isrAtTheEnd(r *Result, p kafka.PartitionID) kafka.BrokerSet {
	var isr kafka.BrokerSet
	for _, e := range r.Log.All() {
		if (e.Kind == event.ISRChanged || e.Kind == event.LeaderElected) && e.Partition == p {
			isr = e.ISR()
		}
	}
	return isr
}

// TestEmptyLeaderEpochIsForgotten: a leader that died before its first append comes back, follows and joins the ISR.
func TestEmptyLeaderEpochIsForgotten(t *testing.T) {
	r := runText(t, `
title: an empty leader epoch
end: 120s
brokers: {count: 3}
topics: {orders: {partitions: 1, replication.factor: 3}}
producers: {shop: {}}
loads:
  - {producer: shop, topic: orders, start: 500ms, every: 50ms, count: 20}
  - {producer: shop, topic: orders, start: 90s, every: 50ms, count: 5}
timeline:
  - {at: 5s, crash: broker 1}
  - {at: 20s, crash: broker 2}
  - {at: 60s, restart: broker 2}
`)
	if isr := isrAtTheEnd(r, 0); isr != kafka.SetOf(2, 3) {
		t.Errorf("the ISR is %s at the end, want 2,3", event.SetText(isr))
	}
}

// TestLostFetchIsFetchedAnew: a follower and a reader that lose one fetch, or the answer to one, go on after a while.
func TestLostFetchIsFetchedAnew(t *testing.T) {
	for _, drop := range []string{
		"{message: FetchResponse, from: broker 1, to: broker 2, count: 1}",
		"{message: FetchRequest, from: broker 2, to: broker 1, count: 1}",
		"{message: FetchResponse, from: broker 1, to: screen, count: 1}",
		"{message: FetchRequest, from: screen, to: broker 1, count: 1}",
	} {
		r := runText(t, `
title: one fetch is lost
end: 300s
brokers: {count: 2}
topics: {orders: {replication.factor: 2}}
producers: {shop: {}}
readers: {screen: {topic: orders}}
loads: [{producer: shop, topic: orders, every: 1s, count: 200}]
timeline: [{at: 10s, drop: `+drop+`}]
`)
		if isr := isrAtTheEnd(r, 0); isr != kafka.SetOf(1, 2) {
			t.Errorf("%s: the ISR is %s at the end", drop, event.SetText(isr))
		}
		shown := 0
		for _, e := range r.Log.All() {
			if e.Kind == event.RecordsRead {
				shown += int(e.Count)
			}
		}
		if shown != 200 || r.Outcome.Acked != 200 {
			t.Errorf("%s: %d orders acknowledged and %d shown, want 200", drop, r.Outcome.Acked, shown)
		}
	}
}

// TestLostMetadataIsAskedForAgain: whatever of a broker's talk with the controller is lost or cut short, it hears of the
// election all the same.
func TestLostMetadataIsAskedForAgain(t *testing.T) {
	for _, trouble := range []string{
		"reset: {message: BrokerHeartbeatRequest, from: broker 1, count: 1}",
		"reset: {message: MetadataFetchResponse, to: broker 1, count: 1}",
		"drop: {message: MetadataFetchResponse, to: broker 1, count: 1}",
		"drop: {message: MetadataFetchRequest, from: broker 1, count: 1}",
	} {
		r := runText(t, `
title: news that are lost
end: 200s
brokers: {count: 3}
topics: {orders: {partitions: 3, replication.factor: 3}}
producers: {shop: {}}
loads: [{producer: shop, topic: orders, start: 500ms, every: 500ms, count: 100}]
timeline:
  - {at: 5s, crash: broker 2}
  - {at: 9542ms, `+trouble+`}
`)
		if r.Outcome.Acked != 100 {
			t.Errorf("%s: %d of 100 orders acknowledged", trouble, r.Outcome.Acked)
		}
	}
}
