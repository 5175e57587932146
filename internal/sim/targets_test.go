package sim

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
)

// BenchmarkTargets prints the table of speed and size targets, all taken in one run: each row is the best of some runs
// that take turns, so that a busy moment of the machine falls on all of them. `make bench` calls it once.
func BenchmarkTargets(b *testing.B) {
	if b.N > 1 {
		return // once is enough
	}
	m := measureAll()
	var table strings.Builder
	fmt.Fprintf(&table, "\n%-34s %10s %12s %10s %10s %10s\n", "3 brokers, 6 partitions, acks=all", "ns/record",
		"records/s", "B/record", "allocs", "live B")
	for _, r := range m {
		fmt.Fprintf(&table, "%-34s %10.0f %12.0f %10.0f %10.2f %10.0f\n", r.name, r.nanos, 1e9/r.nanos, r.bytes, r.allocs, r.live)
	}
	fmt.Fprintf(&table, "\n%-62s %8s %8s\n", "target", "bound", "measured")
	for _, t := range targets(m) {
		fmt.Fprintf(&table, "%-62s %8s %8.2f\n", t.name, t.bound, t.value)
	}
	fmt.Print(table.String())
}

// row is one way to run the load, and what a record cost.
type row struct {
	name           string
	records, batch int
	sink           func() event.Sink
	bare           bool
	nanos          float64
	bytes, allocs  float64
	live           float64
}

func checked() event.Sink { return check.New(&kafka.Names{}, check.Settings{}) }

func measureAll() []*row {
	rows := []*row{
		{name: "bare loop, 9 inputs a record", records: 1e6, bare: true},
		{name: "1e5 batch 1 untraced", records: 1e5, batch: 1, sink: untraced},
		{name: "1e5 batch 1 traced", records: 1e5, batch: 1, sink: traced},
		{name: "1e6 batch 1 untraced", records: 1e6, batch: 1, sink: untraced},
		{name: "1e6 batch 1 traced", records: 1e6, batch: 1, sink: traced},
		{name: "1e6 batch 1 all promises", records: 1e6, batch: 1, sink: checked},
		{name: "1e6 batch 100 untraced", records: 1e6, batch: 100, sink: untraced},
		{name: "1e6 batch 100 traced", records: 1e6, batch: 100, sink: traced},
		{name: "1e6 batch 100 all promises", records: 1e6, batch: 100, sink: checked},
	}
	for range 3 {
		for _, r := range rows {
			r.measure()
		}
	}
	long := &row{name: "1e7 batch 1 untraced", records: 1e7, batch: 1, sink: untraced}
	long.measure()
	return append(rows, long)
}

func (r *row) measure() {
	runtime.GC()
	var before, after, kept runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	var held any
	if r.bare {
		bareLoop(r.records)
	} else {
		sink := r.sink()
		c := New(loadPlan(r.records, r.batch), sink)
		if err := c.Run(); err != nil {
			panic(err)
		}
		held = []any{c, sink}
	}
	nanos := float64(time.Since(start)) / float64(r.records)
	runtime.ReadMemStats(&after)
	runtime.GC()
	runtime.ReadMemStats(&kept)
	runtime.KeepAlive(held)
	if r.nanos == 0 || nanos < r.nanos {
		r.nanos = nanos
	}
	n := float64(r.records)
	r.bytes = float64(after.TotalAlloc-before.TotalAlloc) / n
	r.allocs = float64(after.Mallocs-before.Mallocs) / n
	r.live = float64(kept.HeapAlloc-min(kept.HeapAlloc, before.HeapAlloc)) / n
}

type target struct {
	name, bound string
	value       float64
}

// targets compares the rows; the bounds are those that the project has set itself.
func targets(rows []*row) []target {
	by := map[string]*row{}
	for _, r := range rows {
		by[r.name] = r
	}
	nanos := func(name string) float64 { return by[name].nanos }
	return []target{
		{"traced / untraced, batch of 1", "<= 2.0", nanos("1e6 batch 1 traced") / nanos("1e6 batch 1 untraced")},
		{"batch of 1 traced / bare loop", "<= 6.0", nanos("1e6 batch 1 traced") / nanos("bare loop, 9 inputs a record")},
		{"batch of 100 / batch of 1, untraced", "<= 0.3", nanos("1e6 batch 100 untraced") / nanos("1e6 batch 1 untraced")},
		{"1e7 / 1e6 records, untraced", "<= 1.15", nanos("1e7 batch 1 untraced") / nanos("1e6 batch 1 untraced")},
		{"live bytes a record, traced", "<= 900", by["1e6 batch 1 traced"].live},
		{"live bytes a record, untraced", "<= 64", by["1e6 batch 1 untraced"].live},
		{"allocations a record, batch of 1", "<= 8", by["1e6 batch 1 untraced"].allocs},
		{"allocations a record, batch of 100", "<= 0.5", by["1e6 batch 100 untraced"].allocs},
		{"all promises / none, batch of 1", "<= 3.0", nanos("1e6 batch 1 all promises") / nanos("1e6 batch 1 untraced")},
	}
}
