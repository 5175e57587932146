package kafka

import (
	"slices"
	"testing"
)

func batchOf(n int) Batch {
	columns := NewColumns(n)
	b := Batch{BaseOffset: 100, BaseSequence: 7, ProducerID: 1}
	for i := range n {
		b.Records = columns.Extend(b.Records, &Record{ID: RecordID(i), Key: KeyID(i), Size: 10, Timestamp: Tick(i), Tombstone: i == 3})
	}
	return b
}

func TestCleanedBatchKeepsItsOffsetsAndSequences(t *testing.T) {
	whole := batchOf(6)
	b := whole.Clean([]int{1, 2, 4}, 50)
	if b.BaseOffset != 100 || b.LastOffset() != 105 || b.NextOffset() != 106 || b.LastSequence() != 12 || b.Len() != 3 {
		t.Errorf("offsets %d to %d, last sequence %d, %d records", b.BaseOffset, b.LastOffset(), b.LastSequence(), b.Len())
	}
	var offsets []Offset
	for i := range b.Len() {
		offsets = append(offsets, b.OffsetOf(i))
	}
	if !slices.Equal(offsets, []Offset{101, 102, 104}) || b.DeleteHorizon() != 50 || b.Bytes() != 30 {
		t.Errorf("offsets %v, delete horizon %d, %d bytes", offsets, b.DeleteHorizon(), b.Bytes())
	}
	again := b.Clean([]int{2}, Never)
	if again.OffsetOf(0) != 104 || again.ID(0) != 4 || again.LastOffset() != 105 || again.DeleteHorizon() != Never {
		t.Errorf("cleaned again: offset %d, record %d", again.OffsetOf(0), again.ID(0))
	}
	empty := again.Clean(nil, Never)
	if empty.Len() != 0 || empty.LastSequence() != 12 || empty.NextOffset() != 106 || empty.MaxTimestamp() != 4 {
		t.Errorf("emptied: %d records, last sequence %d, next offset %d, largest timestamp %d", empty.Len(), empty.LastSequence(),
			empty.NextOffset(), empty.MaxTimestamp())
	}
	if whole.Len() != 6 || whole.DeleteHorizon() != Never || whole.OffsetOf(5) != 105 {
		t.Error("the batch that was cleaned has changed")
	}
}

func TestStretchesAreWhatLiesSideBySide(t *testing.T) {
	whole := batchOf(6)
	for _, c := range []struct {
		kept []int
		from Offset
		want [][2]int
	}{
		{[]int{1, 2, 4}, 0, [][2]int{{0, 2}, {2, 3}}},
		{[]int{1, 2, 4}, 102, [][2]int{{1, 2}, {2, 3}}},
		{[]int{1, 2, 4}, 103, [][2]int{{2, 3}}},
		{[]int{1, 2, 4}, 105, nil},
		{nil, 0, nil},
	} {
		b := whole.Clean(c.kept, Never)
		var got [][2]int
		b.Stretches(b.IndexFrom(c.from), func(from, to int) bool {
			got = append(got, [2]int{from, to})
			return true
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("kept %v, from %d: %v, expected %v", c.kept, c.from, got, c.want)
		}
	}
	if i := whole.IndexFrom(103); i != 3 {
		t.Errorf("offset 103 has the index %d in a whole batch, expected 3", i)
	}
}
