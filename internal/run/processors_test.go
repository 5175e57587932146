package run

import (
	"fmt"
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// TestProcessorsAreExact has something die at each moment of the work of a processor: the processor itself, or a broker, which leads
// the results, or coordinates the transactions, or the group. With exactly.once a reader with read_committed gets every result once;
// without, it gets every one, and at some moments one twice. Both versions of transactions keep that.
func TestProcessorsAreExact(t *testing.T) {
	t.Parallel()
	step := 3
	if testing.Short() {
		step = 11
	}
	for _, exactly := range []bool{true, false} {
		twice := 0
		for _, version1 := range []bool{false, true} {
			for _, victim := range []string{"data-team", "broker 1", "broker 2", "broker 3"} {
				for at := 8000; at < 8130; at += step {
					text := processorDies(victim, at, exactly, version1)
					r := replay(t, text)
					missing, again := resultsOf(r, 80)
					if len(r.Violations) > 0 || missing > 0 || exactly && again > 0 {
						t.Fatalf("%d results missing, %d twice, violations %v\n%s", missing, again, r.Violations, text)
					}
					twice += again
				}
			}
		}
		if !exactly && twice == 0 {
			t.Error("at least once, and nothing was ever made twice: the moments are the wrong ones")
		}
	}
}

func processorDies(victim string, at int, exactly, version1 bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "title: dies\nseed: %d\nend: 60s\ntick: 1ms\nlatency: {min: 1ms, max: 3ms}\n", at)
	fmt.Fprintf(&b, "rules: {transaction.version.1: %v}\n", version1)
	fmt.Fprintf(&b, "brokers: {count: 3, config: {broker.session.timeout.ms: 2000, broker.heartbeat.interval.ms: 400}}\n")
	fmt.Fprintf(&b, "topics:\n  orders: {partitions: 2, replicas: [[1, 2, 3], [1, 3, 2]]}\n  totals: {partitions: 2, replicas: [[2, 3, 1], [2, 1, 3]]}\n")
	fmt.Fprintf(&b, "producers:\n  order-service: {}\nconsumers:\n  data-team:\n    topic: orders\n    work: 5ms\n    coordinator: broker 3\n")
	fmt.Fprintf(&b, "    feeds: {topic: totals, exactly.once: %v, first: 1001, coordinator: broker 2, config: {linger.ms: 0}}\n", exactly)
	fmt.Fprintf(&b, "    restarts.after: 1s\n    config: {auto.offset.reset: earliest, session.timeout.ms: 6000, heartbeat.interval.ms: 2000}\n")
	fmt.Fprintf(&b, "readers:\n  report: {topic: totals, config: {isolation.level: read_committed}}\n")
	fmt.Fprintf(&b, "loads:\n  - {producer: order-service, topic: orders, start: 7s, every: 20ms, count: 80, first: 1, key: k-$(order mod 7)}\n")
	fmt.Fprintf(&b, "timeline:\n  - {at: %dms, crash: %s}\n  - {at: %dms, restart: %s}\n", at, victim, at+4000, victim)
	if at%2 == 0 { // its markers are still on their way when the next process asks where to begin
		fmt.Fprintf(&b, "  - {at: %dms, until: %dms, delay: {message: WriteTxnMarkersRequest, by: 8s}}\n", at-30, at+30)
	}
	return b.String()
}

// resultsOf counts the results of so many orders that the reader has not got, and those that it has got from two offsets.
func resultsOf(r *Result, orders int) (missing, again int) {
	type place struct {
		p  kafka.PartitionID
		at kafka.Offset
	}
	seen := map[kafka.RecordID]map[place]bool{}
	reader := r.Plan.Readers[0].ID
	for _, e := range r.Log.All() {
		if e.Kind != event.RecordsRead || e.Node != reader {
			continue
		}
		for j, id := range r.Log.Records(e) {
			if seen[id] == nil {
				seen[id] = map[place]bool{}
			}
			seen[id][place{e.Partition, e.Offset + kafka.Offset(j)}] = true
		}
	}
	for _, places := range seen {
		again += len(places) - 1
	}
	return orders - len(seen), again
}
