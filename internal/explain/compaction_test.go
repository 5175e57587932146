package explain_test

import (
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
)

// compactedLog is a run of four records with the keys a, b, a and b, the last one a tombstone, of which the cleaner takes some.
func compactedLog(cleaned ...event.Event) (*event.Log, *kafka.Names) {
	names := &kafka.Names{
		TickMicros: 1000, StartMicros: -1, Keys: []string{"a", "b"},
		Nodes:  []kafka.NodeName{{ID: 64, Name: "shop"}},
		Topics: []kafka.TopicName{{Name: "menu", Partitions: 1}},
		Loads: []kafka.RecordRange{{Orders: 4, FirstNumber: 1, Keyed: []kafka.StepKeys{
			{Keys: []kafka.KeyID{0, 1}, Tombstones: []bool{false, false, false, true}},
		}}},
	}
	log := &event.Log{}
	add := func(e event.Event, ids ...kafka.RecordID) {
		e.Seq, e.Count = event.Seq(log.Len()+1), max(e.Count, int32(len(ids)))
		e.At = kafka.Tick(e.Seq)
		log.Append(&e, ids)
	}
	add(event.Event{Kind: event.LeaderElected, Peer: 1, Value: int64(kafka.SetOf(1))})
	for id := range kafka.RecordID(4) {
		add(event.Event{Kind: event.RecordsSent, Node: 64, Value: int64(id % 2)}, id)
		add(event.Event{Kind: event.ProduceSent, Node: 64, Peer: 1, Value: 1}, id)
		add(event.Event{Kind: event.BatchAppended, Node: 1, Peer: 64, Offset: kafka.Offset(id)}, id)
		add(event.Event{Kind: event.RecordsAcknowledged, Node: 64, Peer: 1, Offset: kafka.Offset(id)}, id)
	}
	for _, e := range cleaned {
		e.Node = 1
		add(e)
	}
	return log, names
}

func TestStoriesOfCompaction(t *testing.T) {
	stamped := event.Event{Kind: event.TombstonesStamped, Offset: 3, Count: 1, Value: 5000}
	for _, c := range []struct {
		what    string
		record  kafka.RecordID
		cleaned []event.Event
		line    string
		verdict string
	}{
		{
			"a newer record", 0, []event.Event{{Kind: event.RecordsCompacted, Count: 2}},
			"The cleaner of broker 1 removes it from menu-0: order 3 has the same key, a, at offset 2, which was not committed then.",
			"Kafka's cleaner ends where what is committed does",
		},
		{
			"a newer record that is committed", 0,
			[]event.Event{{Kind: event.HighWatermarkAdvanced, Offset: 4}, {Kind: event.RecordsCompacted, Count: 2}},
			"The cleaner of broker 1 removes it from menu-0: order 3 has the same key, a, at offset 2.", "That is what cleanup.policy=compact asks for",
		},
		{
			"a tombstone that was taken", 3, []event.Event{stamped, {Kind: event.TombstonesRemoved, Offset: 3, Count: 1, Value: 5000}},
			"finds this tombstone for the first time: from 5000 ms on", "it was a tombstone, and its time was over at 5000 ms",
		},
		{"a tombstone that waits", 3, []event.Event{stamped}, "finds this tombstone", "the first pass of the cleaner at 5000 ms or later removes it"},
		{"a tombstone that nobody has found", 3, nil, "", "no pass of the cleaner has covered it yet"},
		{"a record that stays", 2, []event.Event{{Kind: event.RecordsCompacted, Count: 2}}, "", "is stored once"},
	} {
		log, names := compactedLog(c.cleaned...)
		story := explain.Record(log, names, c.record)
		var told strings.Builder
		for _, line := range story.Lines {
			told.WriteString(line.Text + "\n")
		}
		if !strings.Contains(told.String(), c.line) || !strings.Contains(story.Verdict, c.verdict) {
			t.Errorf("%s: the story does not say %q and %q:\n%s\n%s", c.what, c.line, c.verdict, told.String(), story.Verdict)
		}
	}
}
