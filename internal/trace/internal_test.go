package trace

import (
	"bytes"
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// ownHeader names a topic of the application, partition 0, and one of Kafka's own, partition 1.
func ownHeader() Header {
	return Header{Model: "1", Names: &kafka.Names{
		TickMicros: 1000,
		Topics:     []kafka.TopicName{{Name: "orders", Partitions: 1}, {Name: "__consumer_offsets", Partitions: 1, Numbers: []int{17}, Internal: true}},
		Loads:      []kafka.RecordRange{{Orders: 10}},
	}}
}

func TestKafkasOwnRecordsReadBack(t *testing.T) {
	for _, test := range []struct {
		partition kafka.PartitionID
		id        kafka.RecordID
		refused   bool
	}{{0, 3, false}, {1, kafka.NoRecord, false}, {0, kafka.NoRecord, true}, {1, 3, true}} {
		var text bytes.Buffer
		w := NewWriter(&text, ownHeader())
		e := event.Event{Kind: event.BatchAppended, Seq: 1, Partition: test.partition, Count: 1, Producer: -1, Sequence: -1}
		w.Consume(&event.Step{Events: []event.Event{e}, IDs: []kafka.RecordID{test.id}})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := NewReader(&text, "1")
		if err != nil {
			t.Fatal(err)
		}
		step, err := r.Next()
		switch {
		case test.refused && (err == nil || !strings.Contains(err.Error(), "only Kafka's own records")):
			t.Errorf("%+v: %v", test, err)
		case !test.refused && err != nil:
			t.Errorf("%+v: %v", test, err)
		case err == nil && (len(step.IDs) != 1 || step.IDs[0] != test.id):
			t.Errorf("%+v: reads back as %v", test, step.IDs)
		}
	}
}

func TestHeaderNamesOnlyWhatThereIs(t *testing.T) {
	for problem, spoil := range map[string]func(*kafka.Names){
		"numbers of 2":             func(n *kafka.Names) { n.Topics[1].Numbers = []int{17, 18} },
		"partition 2 is its home":  func(n *kafka.Names) { n.GroupHomes = []kafka.PartitionID{1, 2} },
		"partition -1 is its home": func(n *kafka.Names) { n.GroupHomes = []kafka.PartitionID{-1} },
	} {
		h := ownHeader()
		spoil(h.Names)
		if _, err := NewReader(bytes.NewReader(appendHeader(nil, h)), "1"); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("the reader says %v, want %q", err, problem)
		}
	}
}
