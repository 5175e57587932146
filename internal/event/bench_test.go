package event

import (
	"testing"

	"replog/internal/kafka"
)

// round is what becomes of one record in a healthy cluster.
func round(i int) []Event {
	p, o := kafka.PartitionID(i%6), kafka.Offset(i/6)
	at := kafka.Tick(i)
	return []Event{
		{Kind: RecordsSent, At: at, Node: 64, Partition: p, Value: int64(i % 6), Count: 1},
		{Kind: ProduceSent, At: at, Node: 64, Peer: 1, Partition: p, Value: 1, Count: 1, Producer: -1, Sequence: -1},
		{Kind: BatchAppended, At: at + 1, Node: 1, Peer: 64, Partition: p, Offset: o, Count: 1, Producer: -1, Sequence: -1},
		{Kind: ReplicaAppended, At: at + 2, Node: 2, Peer: 1, Partition: p, Offset: o, Count: 1},
		{Kind: HighWatermarkLearned, At: at + 2, Node: 2, Peer: 1, Partition: p, Offset: o, Prev: int64(o)},
		{Kind: FollowerOffsetLearned, At: at + 3, Node: 1, Peer: 2, Partition: p, Offset: o + 1, Prev: int64(o)},
		{Kind: HighWatermarkAdvanced, At: at + 3, Node: 1, Partition: p, Offset: o + 1, Prev: int64(o)},
		{Kind: RecordsAcknowledged, At: at + 4, Node: 64, Peer: 1, Partition: p, Offset: o, Value: 4, Count: 1},
	}
}

// events are those of a thousand records.
func events() []Event {
	var all []Event
	for i := range 1000 {
		for _, e := range round(i) {
			e.Seq, e.Cause = Seq(len(all)+1), Seq(max(len(all)-3, 0))
			all = append(all, e)
		}
	}
	return all
}

// filled is a log of n events.
func filled(n int, events []Event) *Log {
	var log Log
	ids := []kafka.RecordID{1}
	for i := range n {
		e := &events[i%len(events)]
		log.Append(e, ids[:e.Count])
	}
	return &log
}

func BenchmarkAppend(b *testing.B) {
	b.ReportAllocs()
	all := events()
	b.ResetTimer()
	filled(b.N, all)
}

func BenchmarkWalk(b *testing.B) {
	b.ReportAllocs()
	log := filled(b.N, events())
	b.ResetTimer()
	for _, e := range log.All() {
		if e.Kind == NoKind {
			b.Fatal("an event of no kind")
		}
	}
}

func BenchmarkAt(b *testing.B) {
	log := filled(1<<20, events())
	b.ResetTimer()
	for i := range b.N {
		log.At(i * 7919 % (1 << 20))
	}
}
