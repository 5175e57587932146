package metrics

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"replog/internal/event"
	"replog/internal/kafka"
)

const (
	packer = kafka.FirstClientID + iota
	other
)

func lagNames() *kafka.Names {
	return &kafka.Names{
		TickMicros: 1000, Topics: []kafka.TopicName{{Name: "orders", Partitions: 1}}, Groups: []string{"packing"},
		Nodes: []kafka.NodeName{
			{ID: packer, Name: "packing-1", Consumes: "packing", Subscribes: []kafka.TopicID{0}}, {ID: other, Name: "packing-2", Consumes: "packing"},
		},
	}
}

// lagged folds events, a step each, of a group whose first member has the partition.
func lagged(events ...event.Event) Metrics {
	f := New([]Partition{{1, 1}}, lagNames())
	start := []event.Event{
		{Kind: event.MemberJoined, Node: 1, Peer: packer}, {Kind: event.PartitionAssigned, Node: packer, Epoch: 1},
		{Kind: event.PositionFound, Node: packer, Offset: 100, Value: event.FoundEarliest},
		{Kind: event.HighWatermarkAdvanced, Node: 1, Offset: 100},
	}
	for _, e := range append(start, events...) {
		f.Consume(&event.Step{Events: []event.Event{e}})
	}
	return f.Result()
}

func raisedTo(at kafka.Tick, o kafka.Offset) event.Event {
	return event.Event{Kind: event.HighWatermarkAdvanced, Node: 1, At: at, Offset: o}
}

func readTo(at kafka.Tick, from, to kafka.Offset) event.Event {
	return event.Event{Kind: event.RecordsRead, Node: packer, At: at, Offset: from, Count: int32(to - from)}
}

func committedAt(at kafka.Tick, o kafka.Offset) event.Event {
	return event.Event{Kind: event.OffsetCommitWritten, Node: 1, Peer: packer, At: at, Offset: o}
}

// TestLagHasTwoDefinitions: what was handed out and is not committed is lag to the tool and none to the member.
func TestLagHasTwoDefinitions(t *testing.T) {
	m := lagged(raisedTo(10, 150), readTo(20, 100, 150), committedAt(500, 120), raisedTo(600, 160))
	want := []Lag{{Committed: Gauge{50, 40}, MostAt: 10, Oldest: 490, Position: Gauge{50, 10}, Pace: 40}}
	if diff := cmp.Diff(want, m.Lags); diff != "" {
		t.Error(diff)
	}
	if m.GroupLag != (Gauge{50, 40}) || m.RecordsLag != (Gauge{50, 10}) {
		t.Errorf("%+v %+v", m.GroupLag, m.RecordsLag)
	}
}

// TestPartitionWithoutAReaderReportsNoLag: records-lag falls to nothing when its member dies, and the group is ever more behind.
func TestPartitionWithoutAReaderReportsNoLag(t *testing.T) {
	m := lagged(raisedTo(10, 150), event.Event{Kind: event.ConsumerCrashed, Node: packer, At: 20}, raisedTo(30, 400))
	if m.GroupLag != (Gauge{300, 300}) || m.RecordsLag != (Gauge{50, 0}) {
		t.Errorf("%+v %+v", m.GroupLag, m.RecordsLag)
	}
}

// TestPaceOfALag: a lag that shrinks has a time at which it is gone, one that grows has none.
func TestPaceOfALag(t *testing.T) {
	shrinks := lagged(raisedTo(10, 1100), committedAt(15_000, 500), committedAt(20_000, 700))
	if l := shrinks.Lags[0]; l.Committed.End != 400 || l.Pace != -600 || l.Drain(lagNames()) != 6666 {
		t.Errorf("%+v, empty in %d", l, l.Drain(lagNames()))
	}
	grows := lagged(raisedTo(10, 200), raisedTo(15_000, 500), raisedTo(20_000, 700))
	if l := grows.Lags[0]; l.Pace != 500 || l.Drain(lagNames()) != kafka.Never {
		t.Errorf("%+v, empty in %d", l, l.Drain(lagNames()))
	}
}

// TestOnlyANewHighOfALagIsAChange: that a lag goes up and down between two faults is the saw-tooth of batches and commits.
func TestOnlyANewHighOfALagIsAChange(t *testing.T) {
	began := func(at kafka.Tick, fault int64) event.Event {
		return event.Event{Kind: event.FaultBegan, At: at, Value: fault}
	}
	m := lagged(raisedTo(10, 150), readTo(15, 100, 150), began(20, 0), committedAt(30, 150), raisedTo(40, 180), readTo(45, 150, 180),
		began(50, 1), raisedTo(60, 230), committedAt(70, 230),
		event.Event{Kind: event.RunEnded, At: 80})
	if changes := m.Around[0].Changes(); changes != nil {
		t.Errorf("the first fault changes %v", changes)
	}
	want := []Change{{"consumer-group-lag", 50, 80}}
	if diff := cmp.Diff(want, m.Around[1].Changes()); diff != "" {
		t.Error(diff)
	}
	if got := want[0].String(); got != "consumer-group-lag up to 80 (at most 50 before)" {
		t.Error(got)
	}
}

// TestRunsWithoutGroupsHaveNoLag.
func TestRunsWithoutGroupsHaveNoLag(t *testing.T) {
	f := New([]Partition{{1, 1}}, &kafka.Names{TickMicros: 1000})
	f.Consume(&event.Step{Events: []event.Event{raisedTo(10, 50), committedAt(20, 5)}})
	if m := f.Result(); m.Lags != nil || m.GroupLag != (Gauge{}) {
		t.Errorf("%+v", m)
	}
}

// TestOffsetsOfATransactionCountWithItsCommit: pending ones are lag, and so are those of an aborted transaction.
func TestOffsetsOfATransactionCountWithItsCommit(t *testing.T) {
	ended := event.Event{Kind: event.PendingOffsetEnded, Node: 1, At: 30, Offset: 150}
	aborted := lagged(raisedTo(10, 150), event.Event{Kind: event.OffsetPending, Node: 1, At: 20, Offset: 150}, ended)
	ended.Prev = 1
	committed := lagged(raisedTo(10, 150), ended)
	if aborted.GroupLag != (Gauge{50, 50}) || committed.GroupLag != (Gauge{50, 0}) {
		t.Errorf("aborted %+v, committed %+v", aborted.GroupLag, committed.GroupLag)
	}
}
