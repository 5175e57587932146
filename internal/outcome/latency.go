package outcome

import (
	"slices"

	"replog/internal/kafka"
)

// Latency sums up how long records took until they were acknowledged, in ticks. The percentiles are nearest-rank.
type Latency struct {
	Count              int
	Min, P50, P99, Max kafka.Tick
}

const shortLatency = 1024

// histogram counts latencies tick by tick: exact, and as large as the number of different latencies.
type histogram struct {
	count int
	short []uint32 // indexed by latency, below shortLatency
	long  map[kafka.Tick]uint32
}

func (h *histogram) add(latency kafka.Tick) {
	h.count++
	if latency >= shortLatency {
		if h.long == nil {
			h.long = map[kafka.Tick]uint32{}
		}
		h.long[latency]++
		return
	}
	for int(latency) >= len(h.short) {
		h.short = append(h.short, 0)
	}
	h.short[latency]++
}

// summary is nil when nothing was counted.
func (h *histogram) summary() *Latency {
	if h.count == 0 {
		return nil
	}
	return &Latency{
		Count: h.count,
		Min:   h.rank(1), P50: h.rank((h.count + 1) / 2), P99: h.rank((99*h.count + 99) / 100), Max: h.rank(h.count),
	}
}

// rank is the n-th smallest latency, from 1.
func (h *histogram) rank(n int) kafka.Tick {
	for latency, count := range h.short {
		if n -= int(count); n <= 0 {
			return kafka.Tick(latency)
		}
	}
	var latencies []kafka.Tick
	for latency := range h.long {
		latencies = append(latencies, latency)
	}
	slices.Sort(latencies)
	for _, latency := range latencies {
		if n -= int(h.long[latency]); n <= 0 {
			return latency
		}
	}
	panic("outcome: a rank beyond what was counted")
}
