package outcome

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// TestShownEarly: a later step of an order counts only when an earlier one was not shown before it.
func TestShownEarly(t *testing.T) {
	names := &kafka.Names{TickMicros: 1000, StartMicros: -1, Loads: []kafka.RecordRange{
		{Orders: 3, FirstNumber: 1, Steps: []string{"placed", "paid"}},
		{First: 6, Orders: 2, FirstNumber: 10},
	}}
	f := NewFold(names, Settings{})
	offset := kafka.Offset(0)
	show := func(ids ...kafka.RecordID) {
		f.Apply(&event.Event{Kind: event.BatchAppended, Node: 1, Offset: offset, Count: int32(len(ids))}, ids)
		f.Apply(&event.Event{Kind: event.RecordsRead, Node: 64, Peer: 1, Offset: offset, Count: int32(len(ids))}, ids)
		offset += kafka.Offset(len(ids))
	}
	show(0, 1)    // 1 placed, 1 paid
	show(3, 2)    // 2 paid before 2 placed
	show(5, 6, 7) // 3 paid, and two orders without steps
	early := f.Outcome().ShownEarly
	if len(early) != 1 || !slices.Equal(early[0].Records, []kafka.RecordID{3, 5}) {
		t.Errorf("shown early: %+v, want 2 paid and 3 paid", early)
	}
}
