package commitlog

import (
	"runtime"
	"testing"

	"replog/internal/kafka"
)

func liveBytes() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkAppendAndReplicate appends batches of one record as a leader and fetches each by two followers. The live
// bytes are those of all three logs, without the records' columns.
func BenchmarkAppendAndReplicate(b *testing.B) {
	batch := records(1)
	before := liveBytes()
	leader, followers := New(0), [2]*Log{New(0), New(0)}
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		leader.AppendAsLeader(batch, 0)
		for _, f := range followers {
			f.AppendAsFollower(leader.Read(f.EndOffset(), leader.EndOffset(), 1<<20))
		}
	}
	b.StopTimer()
	b.ReportMetric(float64(liveBytes()-before)/float64(b.N), "live-B/record")
	runtime.KeepAlive(followers)
	runtime.KeepAlive(leader)
}

// BenchmarkAppendAsLeader begins a new log now and then, so that it measures the log and not the growth of the heap.
func BenchmarkAppendAsLeader(b *testing.B) {
	batch, l := records(1), New(0)
	b.ReportAllocs()
	for i := range b.N {
		if i%100_000 == 0 {
			l = New(0)
		}
		l.AppendAsLeader(batch, 0)
	}
}

func BenchmarkReadAnywhere(b *testing.B) {
	batch, l := records(1), New(0)
	for range 1_000_000 {
		l.AppendAsLeader(batch, 0)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		at := kafka.Offset(i * 7919 % 1_000_000)
		l.Read(at, at+1, 1)
	}
}

// BenchmarkCloneAndAppend is a step of a search: a clone of a log and an append to it.
func BenchmarkCloneAndAppend(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"10", 10}, {"100000", 100_000}} {
		b.Run(c.name, func(b *testing.B) {
			batch, l := records(1), New(0)
			for range c.n {
				l.AppendAsLeader(batch, 0)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				l.Clone().AppendAsLeader(batch, 0)
			}
		})
	}
}

func BenchmarkProducerStates(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"1", 1}, {"1000", 1000}} {
		b.Run(c.name, func(b *testing.B) {
			var s ProducerStates
			batch, offset := idempotent(0, 0, 0, 1), kafka.Offset(0)
			b.ReportAllocs()
			for i := range b.N {
				batch.ProducerID = kafka.ProducerID(i * 7919 % c.n)
				batch.BaseSequence, batch.BaseOffset = int32(i/c.n), offset
				if v := s.Check(&batch); v.Error != kafka.None {
					b.Fatal(v.Error)
				}
				s.Update(&batch)
				offset++
			}
		})
	}
}
