package view_test

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view/history"
)

// TestKafkasOwnRecordsFillALogAndNothingElse: the records of an internal topic have no ids.
func TestKafkasOwnRecordsFillALogAndNothingElse(t *testing.T) {
	h := history.New(2, 0, 1, 2)
	h.Send(producer, 0, 0)
	h.Add(event.Event{Kind: event.BatchAppended, Node: 1, Peer: kafka.NoNode, Partition: 1, Epoch: 1}, kafka.NoRecord, kafka.NoRecord)
	h.Add(event.Event{Kind: event.ReplicaAppended, Node: 2, Peer: 1, Partition: 1, Epoch: 1, Count: 2})
	c := picture(h)
	if r, _ := c.Replica(1, 2); r.LogEnd != 2 {
		t.Errorf("the follower's log ends at %d, want 2", r.LogEnd)
	}
	if c.RecordAt(1, 2, 1) != kafka.NoRecord || c.Marks(kafka.NoRecord) != 0 {
		t.Errorf("record %d at 1, marks %b", c.RecordAt(1, 2, 1), c.Marks(kafka.NoRecord))
	}
}
