package outcome_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/view/history"
)

// TestKafkasOwnTopicsAreInNoList: the same run with and without records of an internal topic comes to the same.
func TestKafkasOwnTopicsAreInNoList(t *testing.T) {
	write := func(own bool) outcome.Report {
		with := *names
		with.Topics = append([]kafka.TopicName{{Name: "orders", Partitions: 1}},
			kafka.TopicName{Name: "__consumer_offsets", Partitions: 1, Numbers: []int{17}, Internal: true})
		with.Loads = []kafka.RecordRange{{Orders: 100, FirstNumber: 1, Size: 50}}
		h := history.New(2, 0, 1)
		p := store(h, 0)
		h.Acknowledge(p, p, 0)
		if own {
			e := event.Event{Kind: event.BatchAppended, Node: 1, Peer: kafka.NoNode, Partition: 1, Epoch: 1}
			h.Add(e, kafka.NoRecord, kafka.NoRecord)
			e.Offset = 2
			h.Add(e, kafka.NoRecord)
			h.Add(event.Event{Kind: event.SegmentRolled, Node: 1, Partition: 1, Offset: 3})
			h.Add(event.Event{Kind: event.LogStartAdvanced, Node: 1, Partition: 1, Offset: 2})
		}
		f := outcome.NewFold(&with, outcome.Settings{})
		h.Steps(f)
		return f.Outcome().Report()
	}
	if diff := cmp.Diff(write(false), write(true)); diff != "" {
		t.Error(diff)
	}
}
