package kafka

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func testNames() *Names {
	return &Names{
		TickMicros: 5000, StartMicros: -1,
		Nodes:  []NodeName{{ID: 64, Name: "worker 1", Group: "order service"}, {ID: 65, Name: "packing screen"}},
		Topics: []TopicName{{Name: "orders", Partitions: 6}, {Name: "parcels", Partitions: 2}},
		Keys:   []string{"kitchen-41"},
		Loads: []RecordRange{
			{First: 0, Orders: 10, FirstNumber: 8800},
			{First: 10, Orders: 3, FirstNumber: 1, Steps: []string{"placed", "paid"}},
		},
		Faults: []string{"broker 2 dies"},
	}
}

func TestRecordsAreFoundByTheirNames(t *testing.T) {
	names := testNames()
	for id := range RecordID(names.RecordCount()) {
		if diff := cmp.Diff([]RecordID{id}, names.FindRecords(names.Record(id))); diff != "" {
			t.Errorf("record %d is named %q: %s", id, names.Record(id), diff)
		}
	}
	for text, want := range map[string][]RecordID{
		"8800": {0}, " 8809 ": {9}, "1": {10, 11}, "3 paid": {15}, "3 refunded": nil, "8800 paid": nil, "8810": nil, "0": nil, "x": nil, "": nil,
	} {
		if diff := cmp.Diff(want, names.FindRecords(text)); diff != "" {
			t.Errorf("FindRecords(%q): %s", text, diff)
		}
	}
}

func TestNamesReadWell(t *testing.T) {
	names := testNames()
	for _, test := range []struct{ got, want string }{
		{names.Node(64), "worker 1"}, {names.Node(2), "broker 2"}, {names.Node(ControllerID), "the controller"},
		{names.Node(NoNode), "nobody"}, {names.Node(99), "client 99"},
		{names.Group(64), "order service"}, {names.Group(65), "packing screen"}, {names.Group(2), "broker 2"},
		{names.Partition(0), "orders-0"}, {names.Partition(5), "orders-5"}, {names.Partition(7), "parcels-1"},
		{names.Partition(8), "partition 8"},
		{names.Record(0), "8800"}, {names.Record(15), "3 paid"}, {names.Record(16), "record 16"},
		{names.Key(0), "kitchen-41"}, {names.Key(NoKey), "no key"}, {names.Key(1), "no key"},
		{names.Fault(0), "broker 2 dies"}, {names.Fault(1), "fault 1"}, {names.Fault(-1), "fault -1"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
	if names.RecordCount() != 16 {
		t.Errorf("%d records, want 16", names.RecordCount())
	}
}

func TestClock(t *testing.T) {
	const noon = 12 * 3600 * 1_000_000
	for _, test := range []struct {
		tick, start int64
		at          Tick
		clock       string
		millis      string
	}{
		{5000, -1, 3, "15 ms", "15"},
		{250, -1, 3, "0.75 ms", "0.75"},
		{5000, noon - 2_095_000, 0, "11:59:57.905", "0"},
		{5000, noon - 2_095_000, 419, "12:00:00.000", "2095"},
		{250, noon, 1, "12:00:00.000250", "0.25"},
		{1_000_000, noon, 12 * 3600, "day 2 00:00:00.000", "43200000"},
		{1_000_000, noon, 6*24*3600 + 61, "day 7 12:01:01.000", "518461000"},
	} {
		names := Names{TickMicros: test.tick, StartMicros: test.start}
		if got := names.Clock(test.at); got != test.clock {
			t.Errorf("Clock(%d) = %q, want %q", test.at, got, test.clock)
		}
		if got := names.Millis(test.at); got != test.millis {
			t.Errorf("Millis(%d) = %q, want %q", test.at, got, test.millis)
		}
	}
}
