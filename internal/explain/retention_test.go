package explain_test

import (
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
)

// TestStoryOfARecordThatRetentionTook tells why it went, who came too late for it, and that it is not lost.
func TestStoryOfARecordThatRetentionTook(t *testing.T) {
	names := &kafka.Names{
		TickMicros: 1000, StartMicros: -1,
		Nodes:  []kafka.NodeName{{ID: 64, Name: "shop"}, {ID: 65, Name: "billing"}},
		Topics: []kafka.TopicName{{Name: "orders", Partitions: 1}},
		Loads:  []kafka.RecordRange{{Orders: 9, FirstNumber: 1}},
	}
	var log event.Log
	add := func(e event.Event, ids ...kafka.RecordID) {
		e.Seq, e.Count = event.Seq(log.Len()+1), max(e.Count, int32(len(ids)))
		e.At = kafka.Tick(e.Seq)
		log.Append(&e, ids)
	}
	add(event.Event{Kind: event.LeaderElected, Peer: 1, Value: int64(kafka.SetOf(1))})
	add(event.Event{Kind: event.RecordsSent, Node: 64, Value: -1}, 0)
	add(event.Event{Kind: event.ProduceSent, Node: 64, Peer: 1, Value: 1}, 0)
	add(event.Event{Kind: event.BatchAppended, Node: 1, Peer: 64, Cause: 3}, 0)
	add(event.Event{Kind: event.RecordsAcknowledged, Node: 64, Peer: 1, About: 3}, 0)
	add(event.Event{Kind: event.HighWatermarkAdvanced, Node: 1, Offset: 4})
	add(event.Event{Kind: event.SegmentDeletedByTime, Node: 1, Count: 4, Value: 2})
	add(event.Event{Kind: event.LogStartAdvanced, Node: 1, Offset: 4})
	add(event.Event{Kind: event.OffsetReset, Node: 65, Peer: 1, Offset: 4})
	story := explain.Record(&log, names, 0)
	var told strings.Builder
	for _, line := range story.Lines {
		told.WriteString(line.Text + "\n")
	}
	for _, want := range []string{
		"Broker 1 deletes the segment that holds it, offsets 0 to 3 of orders-0: its newest record, of 2 ms, is older than retention.ms.",
		"Billing asks for offset 0, which is gone, and goes on from 4: it never sees the order.",
	} {
		if !strings.Contains(told.String(), want) {
			t.Errorf("the story does not say %q:\n%s", want, told.String())
		}
	}
	if !strings.Contains(story.Verdict, "retention deleted it: orders-0 keeps no record") || len(story.Copies) > 0 {
		t.Errorf("verdict %q, copies %v", story.Verdict, story.Copies)
	}
}
