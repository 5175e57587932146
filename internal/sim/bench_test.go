package sim

import (
	"strconv"
	"testing"

	"replog/internal/client/partition"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
)

// The numbers that these benchmarks print are per record: ns/op is the time of one record, from the application to the
// acknowledgement, on 3 brokers with 6 partitions, replication factor 3 and acks=all.

func loadPlan(records, batch int) *plan.Plan {
	p := small(6, records)
	p.Names.Keys = nil
	// One key for each partition in turn: no connection gets more than its broker can take.
	var keys []kafka.KeyID
	for want := range int32(6) {
		for i := 0; ; i++ {
			key := "kitchen-" + strconv.Itoa(i)
			if partition.Choose(kafka.ConsistentRandom, []byte(key), true, 6, 0) == want {
				p.Names.Keys = append(p.Names.Keys, key)
				break
			}
		}
		for range batch {
			keys = append(keys, kafka.KeyID(want))
		}
	}
	p.Readers = nil
	l := &p.Loads[0]
	l.Keys, l.Burst, l.Every = keys, batch, 1
	p.End = l.Start + kafka.Tick(records/batch) + 100
	if batch > 1 {
		p.Producers[0].Config.LingerTicks = 1
	}
	return p
}

func benchmarkRun(b *testing.B, batch int, sink func() event.Sink) {
	b.ReportAllocs()
	c := New(loadPlan(b.N, batch), sink())
	if err := c.Run(); err != nil {
		b.Fatal(err)
	}
}

func untraced() event.Sink { return nil }

func traced() event.Sink { return &event.Log{} }

func BenchmarkBatchOf1Untraced(b *testing.B)   { benchmarkRun(b, 1, untraced) }
func BenchmarkBatchOf1Traced(b *testing.B)     { benchmarkRun(b, 1, traced) }
func BenchmarkBatchOf100Untraced(b *testing.B) { benchmarkRun(b, 100, untraced) }
func BenchmarkBatchOf100Traced(b *testing.B)   { benchmarkRun(b, 100, traced) }

func BenchmarkBareLoop(b *testing.B) { b.ReportAllocs(); bareLoop(b.N) }

// bareLoop is the event queue alone: as many inputs a record as a batch of one takes, with empty handlers.
func bareLoop(records int) {
	const inputsARecord = 9
	var q queue
	for range inputsARecord {
		q.push(1, classMessage, &item{})
	}
	var it item
	for left := records * inputsARecord; left > 0; left-- {
		for !q.pop(&it) {
			q.advance(kafka.Never)
		}
		q.push(q.now+1, classMessage, &it)
	}
}
