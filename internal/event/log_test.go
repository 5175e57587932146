package event

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"replog/internal/kafka"
)

// numbered is n record ids from first on.
func numbered(first, n int) []kafka.RecordID {
	ids := make([]kafka.RecordID, n)
	for i := range ids {
		ids[i] = kafka.RecordID(first + i)
	}
	return ids
}

func TestLogKeepsEventsAndRecordsInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var log Log
		var want [][]kafka.RecordID
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			var step Step
			for range rapid.IntRange(0, 3).Draw(t, "events") {
				ids := numbered(len(want), rapid.OneOf(rapid.IntRange(0, 5), rapid.IntRange(chunkLen-3, chunkLen)).Draw(t, "ids"))
				step.Events = append(step.Events, Event{
					Seq: Seq(len(want) + 1), Kind: RecordsRead, Records: uint32(len(step.IDs)), Count: int32(len(ids)),
				})
				step.IDs = append(step.IDs, ids...)
				want = append(want, ids)
			}
			log.Consume(&step)
		}
		if log.Len() != len(want) {
			t.Fatalf("%d events, want %d", log.Len(), len(want))
		}
		for i, ids := range want {
			e := log.Get(Seq(i + 1))
			if e != log.At(i) || e.Seq != Seq(i+1) {
				t.Fatalf("event %d: Get and At differ, or its Seq is %d", i, e.Seq)
			}
			if got := log.Records(e); len(ids)+len(got) > 0 && !cmp.Equal(ids, got) {
				t.Fatalf("event %d has %d ids, want %d", i, len(got), len(ids))
			}
		}
	})
}

func TestLogGrowsBeyondAChunkWithoutMoving(t *testing.T) {
	var log Log
	log.Append(Event{Seq: 1, Kind: RunStarted}, nil)
	first := log.At(0)
	for i := range 3 * chunkLen {
		log.Append(Event{Seq: Seq(i + 2), Kind: RunEnded}, nil)
	}
	if log.At(0) != first || log.Len() != 3*chunkLen+1 || log.At(2*chunkLen).Seq != 2*chunkLen+1 {
		t.Error("an event moved, or is not where it was put")
	}
	if log.Get(0) != nil || log.Get(Seq(log.Len()+1)) != nil {
		t.Error("Get knows an event that does not exist")
	}
}

func TestLogKeepsListsLongerThanAChunk(t *testing.T) {
	for _, lengths := range [][]int{
		{chunkLen}, {chunkLen, 1}, {chunkLen + 1}, {1, 3*chunkLen + 7, 2}, {2*chunkLen + 1, 5, chunkLen - 2, 4}, {2 * chunkLen, 3},
	} {
		var log Log
		for i, n := range lengths {
			log.Append(Event{Seq: Seq(i + 1), Kind: RecordsSent, Count: int32(n)}, numbered(100*i, n))
		}
		for i, n := range lengths {
			if diff := cmp.Diff(numbered(100*i, n), log.Records(log.At(i))); diff != "" {
				t.Errorf("lists of %v ids: list %d differs", lengths, i)
			}
		}
	}
}

func TestOnlyKindsWithRecordsHaveRecords(t *testing.T) {
	step := Step{Events: []Event{{Kind: ReplicaAppended, Count: 2}}, IDs: numbered(0, 2)}
	if got := step.Records(&step.Events[0]); got != nil {
		t.Errorf("a ReplicaAppended counts records without naming them, got %v", got)
	}
	var log Log
	log.Consume(&step)
	if got := log.Records(log.At(0)); got != nil {
		t.Errorf("in a log: %v", got)
	}
}

func TestSinksPassEachStepOn(t *testing.T) {
	var a, b Log
	Sinks{&a, &b}.Consume(&Step{Events: []Event{{Kind: RunStarted}}})
	if a.Len() != 1 || b.Len() != 1 {
		t.Errorf("the sinks got %d and %d events, want 1 each", a.Len(), b.Len())
	}
}

func TestEventReadsItsFieldsAsSets(t *testing.T) {
	e := Event{Offset: 7, Count: 3, Value: int64(kafka.SetOf(1, 63)), Prev: int64(kafka.SetOf(2))}
	if e.End() != 10 || e.ISR() != kafka.SetOf(1, 63) || e.PrevISR() != kafka.SetOf(2) {
		t.Errorf("End %d, ISR %v, PrevISR %v", e.End(), e.ISR().Members(), e.PrevISR().Members())
	}
}
