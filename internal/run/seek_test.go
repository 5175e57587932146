package run

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"replog/internal/scenario"
	"replog/internal/sim"
)

// BenchmarkSeek records a run of a million records once and goes about in it: a step back from anywhere, and a seek to
// anywhere. `make bench` prints the 99th percentiles beside their bounds.
func BenchmarkSeek(b *testing.B) {
	if b.N > 1 {
		return // once is enough
	}
	f, err := scenario.Load("seek.yaml", []byte(`
title: a million records
end: 1100s
brokers: {count: 3}
topics: {orders: {partitions: 6, replication.factor: 3, config: {min.insync.replicas: 2}}}
producers: {shop: {client: librdkafka, workers: 6, config: {linger.ms: 0}}}
loads: [{producer: shop, topic: orders, start: 1s, every: 1ms, count: 1000000, key: kitchen-$(order mod 100)}]
`))
	if err != nil {
		b.Fatal(err)
	}
	p, err := f.Plan(f.Variants()[0], nil)
	if err != nil {
		b.Fatal(err)
	}
	r := NewRecording(p.Names)
	if err := sim.New(p, r).Run(); err != nil {
		b.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	seeks, steps := make([]time.Duration, 500), make([]time.Duration, 500)
	for i := range seeks {
		n := 1 + chance.IntN(r.Len()-1)
		seeks[i] = timed(func() { r.At(n) })
		steps[i] = timed(func() { r.At(n - 1) })
	}
	fmt.Printf("\n%d events of 1e6 records: seek p99 %v (bound 50ms), step back p99 %v (bound 1ms)\n",
		r.Len(), percentile99(seeks), percentile99(steps))
}

func timed(work func()) time.Duration {
	start := time.Now()
	work()
	return time.Since(start)
}

func percentile99(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)*99/100]
}
