package outcome_test

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/view/history"
)

// TestExpiredRecordsAreNotLost: retention takes an acknowledged record before a reader comes to it.
func TestExpiredRecordsAreNotLost(t *testing.T) {
	f := outcome.NewFold(names, settings(kafka.AcksAll, true, 9))
	h := history.New(2, 0, 1, 2)
	for id := range kafka.RecordID(3) {
		h.Acknowledge(0, store(h, id, 2), kafka.Offset(id))
	}
	h.Steps(f)
	f.Apply(&event.Event{Kind: event.SegmentRolled, Node: 1, Offset: 2}, nil)
	f.Apply(&event.Event{Kind: event.SegmentDeletedByTime, Node: 1, Count: 2}, nil)
	f.Apply(&event.Event{Kind: event.LogStartAdvanced, Node: 1, Offset: 2}, nil)
	f.Apply(&event.Event{Kind: event.OffsetReset, Node: screen, Peer: 1, Offset: 2, Prev: 1}, nil)
	o := f.Outcome()
	if o.Expired != 2 || len(o.AckedThenLost) > 0 || len(o.NeverStored) > 0 {
		t.Errorf("expired %d, lost %v, never stored %v; expected 2 and none", o.Expired, o.AckedThenLost, o.NeverStored)
	}
	if len(o.Skipped) != 1 || !slices.Equal(o.Skipped[0].Records, []kafka.RecordID{1}) {
		t.Errorf("skipped %v, expected record 1", o.Skipped)
	}
	if one, all := o.Bytes.OneCopy.Batches, o.Bytes.AllCopies.Batches; one != 1 || all != 4 {
		t.Errorf("%d batches on the leader and %d in all, expected 1 and 4", one, all)
	}
}
