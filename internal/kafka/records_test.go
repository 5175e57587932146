package kafka

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSequencesWrapAsInKafka(t *testing.T) {
	for _, test := range []struct{ sequence, n, want int32 }{
		{0, 0, 0}, {0, 5, 5}, {math.MaxInt32 - 1, 1, math.MaxInt32}, {math.MaxInt32, 0, math.MaxInt32},
		{math.MaxInt32, 1, 0}, {math.MaxInt32 - 2, 5, 2}, {math.MaxInt32, math.MaxInt32, math.MaxInt32 - 1},
	} {
		if got := AddSequence(test.sequence, test.n); got != test.want {
			t.Errorf("AddSequence(%d, %d) = %d, want %d", test.sequence, test.n, got, test.want)
		}
	}
}

func TestSequencesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int32Range(0, math.MaxInt32)
		start, a := n.Draw(t, "start"), n.Draw(t, "a")
		b := rapid.Int32Range(0, math.MaxInt32-a).Draw(t, "b")
		if got, want := AddSequence(AddSequence(start, a), b), AddSequence(start, a+b); got != want || got < 0 {
			t.Fatalf("%d + %d + %d = %d, want %d", start, a, b, got, want)
		}
	})
}

func TestColumnsKeepWhatWasAppended(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := NewColumns(rapid.IntRange(0, 4).Draw(t, "room"))
		var views []Records
		var want [][]Record
		for range rapid.IntRange(1, 10).Draw(t, "appends") {
			records := rapid.SliceOfN(rapid.Custom(randomRecord), 0, 5).Draw(t, "records")
			views, want = append(views, columns.Append(records...)), append(want, records)
		}
		for i, view := range views { // after all appends: a view never changes
			checkView(t, view, want[i])
		}
	})
}

func randomRecord(t *rapid.T) Record {
	return Record{
		ID: RecordID(rapid.Int32Range(0, 9).Draw(t, "id")), Key: KeyID(rapid.Int32Range(-1, 3).Draw(t, "key")),
		Size: rapid.SampledFrom([]int32{100, 100, 100, 7}).Draw(t, "size"), Timestamp: Tick(rapid.Int64Range(0, 9).Draw(t, "time")),
		Tombstone: rapid.IntRange(0, 7).Draw(t, "tombstone") == 0,
	}
}

func checkView(t *rapid.T, view Records, want []Record) {
	var bytes int64
	for i := range want {
		bytes += int64(want[i].Size)
		if diff := cmp.Diff(want[i], view.At(i)); diff != "" {
			t.Fatal(diff)
		}
		if view.IDs()[i] != want[i].ID {
			t.Fatalf("id %d is %d, want %d", i, view.IDs()[i], want[i].ID)
		}
	}
	if view.Len() != len(want) || len(view.IDs()) != len(want) || view.Bytes() != bytes {
		t.Fatalf("%d records of %d bytes, want %d of %d", view.Len(), view.Bytes(), len(want), bytes)
	}
}

func TestBatchKnowsItsLastRecord(t *testing.T) {
	records := NewColumns(3).Append(Record{Timestamp: 4}, Record{Timestamp: 9}, Record{Timestamp: 7})
	b := Batch{Records: records, BaseOffset: 40117, ProducerID: 5, BaseSequence: math.MaxInt32 - 1}
	if b.NextOffset() != 40120 || b.LastOffset() != 40119 || b.LastSequence() != 0 || b.MaxTimestamp() != 9 || !b.Idempotent() {
		t.Errorf("next %d, last %d, sequence %d, timestamp %d, idempotent %t",
			b.NextOffset(), b.LastOffset(), b.LastSequence(), b.MaxTimestamp(), b.Idempotent())
	}
	plain := Batch{Records: records, ProducerID: NoProducerID, BaseSequence: NoSequence}
	if plain.LastSequence() != NoSequence || plain.Idempotent() {
		t.Error("a batch without a producer id has a sequence")
	}
	if (&Batch{}).Bytes() != 0 || (&Batch{}).IDs() != nil || (&Batch{}).MaxTimestamp() != 0 {
		t.Error("an empty batch holds something")
	}
}
