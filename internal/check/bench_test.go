package check_test

import (
	"runtime"
	"testing"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
)

// steps is what one record that is sent, stored, copied twice, acknowledged and read leads to: seven steps.
func steps(at kafka.Offset) []event.Step {
	id := []kafka.RecordID{kafka.RecordID(at)}
	of := func(ids []kafka.RecordID, events ...event.Event) event.Step {
		return event.Step{Events: events, IDs: ids}
	}
	return []event.Step{
		of(id, event.Event{Kind: event.BatchAppended, Node: 1, Offset: at, Count: 1}),
		of(nil, event.Event{Kind: event.ReplicaAppended, Node: 2, Peer: 1, Offset: at, Count: 1, Value: int64(at)}),
		of(nil, event.Event{Kind: event.ReplicaAppended, Node: 3, Peer: 1, Offset: at, Count: 1, Value: int64(at)}),
		of(nil, event.Event{Kind: event.FollowerOffsetLearned, Node: 1, Peer: 2, Offset: at + 1}),
		of(nil, event.Event{Kind: event.FollowerOffsetLearned, Node: 1, Peer: 3, Offset: at + 1},
			event.Event{Kind: event.HighWatermarkAdvanced, Node: 1, Offset: at + 1}),
		of(id, event.Event{Kind: event.RecordsAcknowledged, Node: careful, Peer: 1, Offset: at, Count: 1}),
		of(id, event.Event{Kind: event.RecordsRead, Node: screen, Peer: 1, Offset: at, Count: 1}),
	}
}

// BenchmarkRecord is the cost of all promises for one record, about eight events.
func BenchmarkRecord(b *testing.B) {
	c := check.New(ungrouped(), check.Settings{})
	opened(c)
	list := steps(0)
	b.ReportAllocs()
	for at := range kafka.Offset(b.N) {
		for i := range list {
			for j := range list[i].Events {
				e := &list[i].Events[j]
				e.Offset = at
				switch e.Kind {
				case event.HighWatermarkAdvanced, event.FollowerOffsetLearned:
					e.Offset++
				case event.ReplicaAppended:
					e.Value = int64(at)
				}
			}
			if list[i].IDs != nil {
				list[i].IDs[0] = kafka.RecordID(at)
			}
			c.Consume(&list[i])
		}
	}
	if v := c.Violations(); len(v) > 0 {
		b.Fatal(v[0].Sentence)
	}
}

// ungrouped names no group: nearly every run has none.
func ungrouped() *kafka.Names {
	n := names()
	n.Nodes, n.Groups = nil, nil
	return n
}

func TestMemoryPerRecord(t *testing.T) {
	const records = 300_000
	c := check.New(ungrouped(), check.Settings{})
	opened(c)
	before := heap()
	for at := range kafka.Offset(records) {
		for _, step := range steps(at) {
			c.Consume(&step)
		}
	}
	perRecord := float64(heap()-before) / records
	if v := c.Violations(); len(v) > 0 {
		t.Fatal(v[0].Sentence)
	}
	if perRecord > 8 {
		t.Errorf("%.1f bytes a record, want at most 8", perRecord)
	}
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
