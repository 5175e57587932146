package event

import (
	"slices"
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

// logged is an event with the records it speaks of, as it was given to a log.
type logged struct {
	event Event
	ids   []kafka.RecordID
}

// anyEvent draws an event with any values in its fields, and as many ids as its kind may have.
var anyEvent = rapid.Custom(func(t *rapid.T) logged {
	e := logged{event: rapid.Make[Event]().Draw(t, "event")}
	e.event.Kind = Kind(rapid.IntRange(0, int(kindCount)-1).Draw(t, "kind"))
	if e.event.Kind.Spec().Fields&Records != 0 {
		n := rapid.OneOf(rapid.IntRange(0, 5), rapid.IntRange(chunkLen-3, chunkLen+3)).Draw(t, "ids")
		e.ids, e.event.Count = numbered(n, n), int32(n)
	}
	return e
})

// is reports whether a log gives back what it was given.
func (want *logged) is(l *Log, e *Event) bool {
	ids, got := l.Records(e), *e
	got.Records = want.event.Records
	return got == want.event && slices.Equal(ids, want.ids)
}

// TestLogGivesBackWhatItWasGiven looks at any events in every way that a log has.
func TestLogGivesBackWhatItWasGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var log Log
		want := rapid.SliceOfN(anyEvent, 0, 3*blockLen).Draw(t, "events")
		for i := range want {
			if kept := log.Append(&want[i].event, want[i].ids); !slices.Equal(kept, want[i].ids) {
				t.Fatalf("event %d: %d ids are kept of %d", i, len(kept), len(want[i].ids))
			}
		}
		if log.Len() != len(want) {
			t.Fatalf("%d events, want %d", log.Len(), len(want))
		}
		check := func(how string, i int, e *Event) {
			if !want[i].is(&log, e) {
				t.Fatalf("%s: event %d is %+v, want %+v", how, i, *e, want[i].event)
			}
		}
		for i := range want {
			check("At", i, log.At(i))
			check("Get", i, log.Get(Seq(i+1)))
		}
		for i, e := range log.All() {
			check("All", i, e)
		}
		for i, e := range log.Backward(log.Len()) {
			check("Backward", i, e)
		}
		r := log.Reader()
		for range 10 * min(len(want), 1) {
			i := rapid.IntRange(0, len(want)-1).Draw(t, "place")
			check("Reader", i, r.At(i))
		}
	})
}

// ended is a log of n events that are alike but for their number.
func ended(n int) *Log {
	var log Log
	for i := range n {
		log.Append(&Event{Seq: Seq(i + 1), Kind: RunEnded}, nil)
	}
	return &log
}

func TestLogGivesBackAPart(t *testing.T) {
	log := ended(3*blockLen + 7)
	for _, from := range []int{0, 1, blockLen - 1, blockLen, 3 * blockLen, log.Len()} {
		for _, to := range []int{0, from, blockLen, log.Len()} {
			next := from
			for i, e := range log.Span(from, to) {
				if i != next || e.Seq != Seq(i+1) {
					t.Fatalf("from %d to %d: event %d at %d", from, to, e.Seq, i)
				}
				next++
			}
			if next != max(from, to) {
				t.Errorf("from %d to %d ends at %d", from, to, next)
			}
		}
		before := from
		for i, e := range log.Backward(from) {
			if before--; i != before || e.Seq != Seq(i+1) {
				t.Fatalf("back from %d: event %d at %d", from, e.Seq, i)
			}
		}
		if before != 0 {
			t.Errorf("back from %d ends at %d", from, before)
		}
	}
	if log.Get(0) != nil || log.Get(Seq(log.Len()+1)) != nil {
		t.Error("Get knows an event that does not exist")
	}
}

// TestLogStaysWhileItGrows: what was read before stays, and a reader sees what comes behind it.
func TestLogStaysWhileItGrows(t *testing.T) {
	log := ended(1)
	r := log.Reader()
	first := r.At(0)
	for i := range 3 * blockLen {
		log.Append(&Event{Seq: Seq(i + 2), Kind: RunStarted}, nil)
		if e := r.At(i + 1); e.Seq != Seq(i+2) || e.Kind != RunStarted {
			t.Fatalf("event %d is %+v", i+1, *e)
		}
	}
	if *first != (Event{Seq: 1, Kind: RunEnded}) {
		t.Errorf("the first event has become %+v", *first)
	}
}

func TestSameCountsTheEventsBeforeTwoLogsPart(t *testing.T) {
	a, b := ended(2*blockLen), ended(blockLen+3)
	if n := Same(a, b); n != b.Len() {
		t.Errorf("one is the beginning of the other: %d are the same, want %d", n, b.Len())
	}
	a.Append(&Event{Seq: 1, Kind: RecordsRead, Count: 2}, numbered(1, 2))
	b = ended(2 * blockLen)
	b.Append(&Event{Seq: 1, Kind: RecordsRead, Count: 2}, numbered(2, 2))
	if n := Same(a, b); n != 2*blockLen {
		t.Errorf("other records in the last: %d are the same, want %d", n, 2*blockLen)
	}
}

// TestLogIsSmall: an event like those that a run has most of takes a fraction of what it takes as a value.
func TestLogIsSmall(t *testing.T) {
	var log Log
	for i := range 100 * blockLen {
		log.Append(&Event{
			Seq: Seq(i + 1), Cause: Seq(i), At: kafka.Tick(i / 10), Kind: HighWatermarkLearned, Node: kafka.NodeID(i % 3), Peer: 2,
			Partition: kafka.PartitionID(i % 6), Offset: kafka.Offset(i / 6), Prev: int64(i / 7),
		}, nil)
	}
	size := 0
	for _, b := range log.blocks {
		size += len(b)
	}
	if per := size / log.Len(); per > 16 {
		t.Errorf("an event takes %d bytes", per)
	}
}

func TestLogKeepsListsLongerThanAChunk(t *testing.T) {
	for _, lengths := range [][]int{
		{chunkLen}, {chunkLen, 1}, {chunkLen + 1}, {1, 3*chunkLen + 7, 2}, {2*chunkLen + 1, 5, chunkLen - 2, 4}, {2 * chunkLen, 3},
	} {
		var log Log
		for i, n := range lengths {
			log.Append(&Event{Seq: Seq(i + 1), Kind: RecordsSent, Count: int32(n)}, numbered(100*i, n))
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
