package until_test

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/until"
)

// TestKafkasOwnRecordsAreNobodysOrder: "something is stored" is about what applications send.
func TestKafkasOwnRecordsAreNobodysOrder(t *testing.T) {
	names := &kafka.Names{TickMicros: 1000, StartMicros: -1, Loads: []kafka.RecordRange{{Orders: 10}}, Topics: []kafka.TopicName{
		{Name: "orders", Partitions: 1}, {Name: "__consumer_offsets", Partitions: 1, Numbers: []int{17}, Internal: true},
	}}
	var log event.Log
	for i := range 2 {
		e := event.Event{Seq: event.Seq(i + 1), Kind: event.BatchAppended, Node: 1, Partition: 1, Offset: kafka.Offset(i), Count: 1}
		log.Append(&e, []kafka.RecordID{kafka.NoRecord})
	}
	log.Append(&event.Event{Seq: 3, Kind: event.BatchAppended, Node: 1, Count: 1}, []kafka.RecordID{4})
	for text, want := range map[string]int{"something is stored": 3, "something is stored twice": 0, "BatchAppended of __consumer_offsets-17": 1} {
		moment, err := until.Parse(text, names)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := moment.Next(&log, 0); n != want {
			t.Errorf("%q comes with event %d, want %d", text, n, want)
		}
	}
	if _, err := until.Parse("p1 has a leader", names); err == nil {
		t.Error("p1 is a partition of Kafka's own, and nobody's orders")
	}
}

// TestDoneTwiceIsOfOneGroup: another group does the same with every record.
func TestDoneTwiceIsOfOneGroup(t *testing.T) {
	names := &kafka.Names{TickMicros: 1000, StartMicros: -1, Loads: []kafka.RecordRange{{Orders: 10, FirstNumber: 1}}, Nodes: []kafka.NodeName{
		{ID: 64, Name: "packing-1", Consumes: "packing"}, {ID: 65, Name: "packing-2", Consumes: "packing"}, {ID: 66, Name: "billing", Consumes: "billing"},
	}}
	var log event.Log
	for i, node := range []kafka.NodeID{64, 66, 65} {
		log.Append(&event.Event{Seq: event.Seq(i + 1), Kind: event.EffectHappened, Node: node, Count: 1}, []kafka.RecordID{4})
	}
	for text, want := range map[string]int{"something is done twice": 3, "order 5 is done twice": 3, "order 5 is done": 1, "order 6 is done": 0} {
		moment, err := until.Parse(text, names)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := moment.Next(&log, 0); n != want {
			t.Errorf("%q comes with event %d, want %d", text, n, want)
		}
	}
}
