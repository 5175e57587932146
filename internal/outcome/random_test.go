package outcome_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/view/history"
)

// naive computes the lists record by record, from the logs that the writer of the history kept.
func naive(r *history.Random) map[string][]kafka.RecordID {
	copies := map[kafka.RecordID]int{}
	for _, p := range r.Partitions {
		for _, entry := range p.Replicas[p.Last].Entries {
			copies[entry.ID]++
		}
	}
	lists := map[string][]kafka.RecordID{}
	put := func(name string, id kafka.RecordID, when bool) {
		if when {
			lists[name] = append(lists[name], id)
		}
	}
	for id := range kafka.RecordID(r.Sent) {
		acked, stored := r.Acked[id] > 0, copies[id] > 0
		put("lost", id, acked && !stored)
		put("twice", id, copies[id] >= 2)
		put("never", id, !acked && !stored)
		put("failed but stored", id, r.Failed[id] > 0 && stored)
		put("stored unacked", id, stored && !acked)
		put("silent", id, r.Untracked[id] > 0 && !stored)
		put("unknown", id, r.Acked[id]+r.Failed[id]+r.Untracked[id] == 0)
		put("shown twice", id, shownAt(r, id) >= 2)
	}
	return lists
}

// shownAt counts the offsets at which a record was shown.
func shownAt(r *history.Random, id kafka.RecordID) int {
	type place struct {
		p kafka.PartitionID
		o kafka.Offset
	}
	places := map[place]bool{}
	for _, e := range r.Log.All() {
		if e.Kind != event.RecordsRead {
			continue
		}
		for j, shown := range r.Log.Records(e) {
			if shown == id {
				places[place{e.Partition, e.Offset + kafka.Offset(j)}] = true
			}
		}
	}
	return len(places)
}

func TestOutcomeEqualsNaiveCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := history.Draw(rapid.IntRange(1, 60).Draw(t, "steps"), func(label string, n int) int {
			return rapid.IntRange(0, n-1).Draw(t, label)
		})
		o := fold(r.History, outcome.Settings{})
		got := map[string][]kafka.RecordID{
			"lost": o.AckedThenLost, "twice": o.StoredTwice, "never": o.NeverStored, "failed but stored": o.FailedButStored,
			"stored unacked": o.StoredUnacked, "silent": o.Silent, "unknown": o.Unknown,
		}
		for _, shown := range o.ShownTwice {
			got["shown twice"] = shown.Records
		}
		for name, ids := range got {
			if len(ids) == 0 {
				delete(got, name)
			}
		}
		if diff := cmp.Diff(naive(r), got); diff != "" {
			t.Fatal(diff)
		}
		retries := 0
		for _, attempts := range r.Attempts {
			retries += attempts - 1
		}
		if o.Sent != r.Sent || o.Acked != len(r.Acked) || o.Retries != retries {
			t.Fatalf("sent %d acked %d retries %d, want %d %d %d", o.Sent, o.Acked, o.Retries, r.Sent, len(r.Acked), retries)
		}
	})
}

// BenchmarkConsume folds a healthy run of 10,000 records, one a request; a record has eight events, as in a real run.
func BenchmarkConsume(b *testing.B) {
	h := history.New(6, 0, 1, 2, 3)
	for i := range 10_000 {
		p := kafka.PartitionID(i % 6)
		id := kafka.RecordID(i)
		produce := h.Produce(h.Send(producer, p, id), 0, producer, p, id)
		appended := h.Append(produce)
		offset := h.Log.Get(appended).Offset
		h.Follow(appended, 2, p)
		h.Follow(appended, 3, p)
		h.Add(event.Event{Kind: event.HighWatermarkAdvanced, Node: 1, Partition: p, Epoch: 1, Offset: offset + 1, Prev: int64(offset)})
		h.Read(h.Acknowledge(appended, produce, offset), screen, 1, p, offset, 1)
		h.Now++
	}
	steps := make([]event.Step, h.Log.Len())
	for i := range steps {
		e := *h.Log.At(i)
		steps[i].IDs = h.Log.Records(&e)
		e.Records = 0
		steps[i].Events = []event.Event{e}
	}
	b.ReportAllocs()
	for b.Loop() {
		f := outcome.NewFold(names, outcome.Settings{})
		for i := range steps {
			f.Consume(&steps[i])
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(steps)), "ns/event")
}
