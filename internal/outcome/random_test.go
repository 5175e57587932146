package outcome_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/view/history"
)

// naive is an outcome computed record by record, from the logs that the writer of the history kept.
type naive struct {
	acked, failed, untracked, attempts map[kafka.RecordID]int
}

// randomRun writes a run of random sends, retries, copies, elections and answers.
func randomRun(t *rapid.T) (*history.History, *naive, int) {
	h := history.New(2, 100, 1, 2, 3)
	n := &naive{map[kafka.RecordID]int{}, map[kafka.RecordID]int{}, map[kafka.RecordID]int{}, map[kafka.RecordID]int{}}
	var produced []event.Seq
	sent := 0
	for range rapid.IntRange(1, 60).Draw(t, "steps") {
		h.Now += kafka.Tick(rapid.IntRange(0, 3).Draw(t, "ticks"))
		p := kafka.PartitionID(rapid.IntRange(0, 1).Draw(t, "partition"))
		switch action := rapid.IntRange(0, 6).Draw(t, "action"); {
		case action <= 1 || len(produced) == 0:
			id := kafka.RecordID(sent)
			sent++
			produced = append(produced, h.Produce(h.Send(producer, p, id), 0, producer, p, id))
			n.attempts[id]++
		case action == 2:
			n.settle(h, rapid.SampledFrom(produced).Draw(t, "settled"), rapid.IntRange(0, 2).Draw(t, "how"))
		case action == 3:
			before := rapid.SampledFrom(produced).Draw(t, "again")
			e := h.Log.Get(before)
			ids := slices.Clone(h.Log.Records(e))
			produced = append(produced, h.Produce(before, before, producer, e.Partition, ids...))
			n.attempts[ids[0]]++
		case action == 4:
			h.Follow(0, kafka.NodeID(rapid.IntRange(1, 3).Draw(t, "follower")), p)
		case action == 5:
			h.Elect(0, p, kafka.NodeID(rapid.IntRange(1, 3).Draw(t, "leader")), kafka.SetOf(1, 2, 3))
		default:
			h.Append(rapid.SampledFrom(produced).Draw(t, "stored"))
		}
	}
	return h, n, sent
}

func (n *naive) settle(h *history.History, produce event.Seq, how int) {
	e := h.Log.Get(produce)
	ids := slices.Clone(h.Log.Records(e))
	id := ids[0]
	if n.acked[id]+n.failed[id]+n.untracked[id] > 0 {
		return
	}
	switch how {
	case 0:
		h.Acknowledge(produce, produce, 0)
		n.acked[id]++
	case 1:
		h.Fail(produce, producer, e.Partition, kafka.NetworkException, id)
		n.failed[id]++
	default:
		h.Add(event.Event{Kind: event.RecordsUntracked, Cause: produce, Node: producer, Partition: e.Partition}, id)
		n.untracked[id]++
	}
}

func (n *naive) lists(h *history.History, sent int) map[string][]kafka.RecordID {
	copies := map[kafka.RecordID]int{}
	for _, p := range h.Partitions {
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
	for id := range kafka.RecordID(sent) {
		acked, stored := n.acked[id] > 0, copies[id] > 0
		put("lost", id, acked && !stored)
		put("twice", id, copies[id] >= 2)
		put("never", id, !acked && !stored)
		put("failed but stored", id, n.failed[id] > 0 && stored)
		put("stored unacked", id, stored && !acked)
		put("silent", id, n.untracked[id] > 0 && !stored)
		put("unknown", id, n.acked[id]+n.failed[id]+n.untracked[id] == 0)
	}
	return lists
}

func TestOutcomeEqualsNaiveCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, n, sent := randomRun(t)
		o := fold(h, outcome.Settings{})
		got := map[string][]kafka.RecordID{
			"lost": o.AckedThenLost, "twice": o.StoredTwice, "never": o.NeverStored, "failed but stored": o.FailedButStored,
			"stored unacked": o.StoredUnacked, "silent": o.Silent, "unknown": o.Unknown,
		}
		for name, ids := range got {
			if len(ids) == 0 {
				delete(got, name)
			}
		}
		if diff := cmp.Diff(n.lists(h, sent), got); diff != "" {
			t.Fatal(diff)
		}
		retries := 0
		for _, attempts := range n.attempts {
			retries += attempts - 1
		}
		if o.Sent != sent || o.Acked != len(n.acked) || o.Retries != retries {
			t.Fatalf("sent %d acked %d retries %d, want %d %d %d", o.Sent, o.Acked, o.Retries, sent, len(n.acked), retries)
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
