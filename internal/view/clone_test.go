package view_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
	"replog/internal/view/history"
)

// all is everything that a picture can answer.
type all struct {
	Tick       kafka.Tick
	Seq        event.Seq
	Brokers    []view.Broker
	Partitions []view.Partition
	Replicas   [][]view.ReplicaView
	Records    [][]kafka.RecordID
	Producers  []view.Producer
	InFlight   [][]view.Flight
	Queued     [][]kafka.RecordID
	Shown      [][]view.Shown
	Positions  []kafka.Offset
	Marks      []view.Marks
	Faults     []view.Fault
}

func everything(c *view.Cluster, records int) all {
	a := all{Tick: c.Tick(), Seq: c.Seq(), Producers: c.Producers()}
	a.Brokers = append(a.Brokers, c.Brokers()...)
	a.Faults = append(a.Faults, c.Faults()...)
	for p := range kafka.PartitionID(c.Partitions()) {
		a.Partitions = append(a.Partitions, c.Partition(p))
		a.Replicas = append(a.Replicas, c.Replicas(p))
		for _, r := range c.Replicas(p) {
			var log []kafka.RecordID
			for o := r.LogStart; o < r.LogEnd; o++ {
				log = append(log, c.RecordAt(p, r.Broker, o))
			}
			a.Records = append(a.Records, log)
		}
		again, fresh := c.Queued(producer, p)
		a.Queued = append(a.Queued, append([]kafka.RecordID{}, again...), append([]kafka.RecordID{}, fresh...))
	}
	for _, p := range a.Producers {
		a.InFlight = append(a.InFlight, append([]view.Flight{}, c.InFlight(p.ID)...))
	}
	for _, r := range c.Readers() {
		a.Shown = append(a.Shown, c.Recent(r, 1000))
		a.Positions = append(a.Positions, c.Position(r, 0), c.Position(r, 1))
	}
	for id := range kafka.RecordID(records) {
		a.Marks = append(a.Marks, c.Marks(id))
	}
	return a
}

func drawn(t *rapid.T) *history.Random {
	return history.Draw(rapid.IntRange(1, 60).Draw(t, "steps"), func(label string, n int) int {
		return rapid.IntRange(0, n-1).Draw(t, label)
	})
}

func TestFoldEqualsTheLogsThatWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawn(t)
		c := picture(r.History)
		for p, want := range r.Partitions {
			for b, log := range want.Replicas {
				got, _ := c.Replica(kafka.PartitionID(p), b)
				if got.LogStart != log.Start || got.LogEnd != log.End() {
					t.Fatalf("partition %d on broker %d spans %d..%d, want %d..%d", p, b, got.LogStart, got.LogEnd, log.Start, log.End())
				}
				for i, entry := range log.Entries {
					o := log.Start + kafka.Offset(i)
					if id := c.RecordAt(kafka.PartitionID(p), b, o); id != entry.ID {
						t.Fatalf("partition %d on broker %d holds %d at %d, want %d", p, b, id, o, entry.ID)
					}
					if epoch := c.Logs().EpochAt(kafka.PartitionID(p), b, o); epoch != entry.Epoch {
						t.Fatalf("partition %d on broker %d has epoch %d at %d, want %d", p, b, epoch, o, entry.Epoch)
					}
				}
			}
		}
	})
}

// A clone that is folded forward, the original that goes on, and a fold from the start agree; and whichever goes on
// first leaves the others as they were.
func TestClonesAgreeAndDoNotDisturbEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawn(t)
		at := rapid.IntRange(0, r.Log.Len()).Draw(t, "cloned after")
		original := view.New(names)
		for i := range at {
			original.Apply(r.Log.At(i), r.Log.Records(r.Log.At(i)))
		}
		kept := original.Clone()
		forward := kept.Clone()
		before := everything(kept, r.Sent)
		apply(original, r.History, at)
		if diff := cmp.Diff(before, everything(kept, r.Sent), ignoreOpen); diff != "" {
			t.Fatal("the original's events changed the clone:", diff)
		}
		apply(forward, r.History, at)
		if diff := cmp.Diff(before, everything(kept, r.Sent), ignoreOpen); diff != "" {
			t.Fatal("the clone of the clone changed it:", diff)
		}
		want := everything(picture(r.History), r.Sent)
		for name, c := range map[string]*view.Cluster{"original": original, "clone": forward} {
			if diff := cmp.Diff(want, everything(c, r.Sent), ignoreOpen); diff != "" {
				t.Fatal(name, "differs from a fold from the start:", diff)
			}
		}
	})
}

var ignoreOpen = cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "InFlight.open" }, cmp.Ignore())

// healthy writes a run without failures: one record a request, eight events a record.
func healthy(records int) *history.History {
	h := history.New(6, 0, 1, 2, 3)
	for i := range records {
		p, id := kafka.PartitionID(i%6), kafka.RecordID(i)
		node := producer + 10 + kafka.NodeID(i%13)
		produce := h.Produce(h.Send(node, p, id), 0, node, p, id)
		appended := h.Append(produce)
		offset := h.Log.Get(appended).Offset
		for _, follower := range []kafka.NodeID{2, 3} {
			h.Add(event.Event{
				Kind: event.ReplicaAppended, Cause: appended, Node: follower, Peer: 1, Partition: p, Epoch: 1, Offset: offset, Count: 1, Value: int64(offset),
			})
		}
		h.Add(event.Event{Kind: event.HighWatermarkAdvanced, Node: 1, Partition: p, Epoch: 1, Offset: offset + 1, Prev: int64(offset)})
		h.Acknowledge(appended, produce, offset)
		h.Read(appended, screen, 1, p, offset, 1)
		h.Now++
	}
	return h
}

func BenchmarkApply(b *testing.B) {
	h := healthy(10_000)
	b.ReportAllocs()
	for b.Loop() {
		picture(h)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*h.Log.Len()), "ns/event")
}

// BenchmarkSeek goes back to a checkpoint and forward over half of the events between two.
func BenchmarkSeek(b *testing.B) {
	h := healthy(100_000)
	checkpoint := view.New(names)
	half := h.Log.Len() / 2
	for i := range half {
		checkpoint.Apply(h.Log.At(i), h.Log.Records(h.Log.At(i)))
	}
	b.ReportAllocs()
	for b.Loop() {
		c := checkpoint.Clone()
		for i := half; i < half+2048; i++ {
			c.Apply(h.Log.At(i), h.Log.Records(h.Log.At(i)))
		}
	}
}
