package metrics

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// play folds events of partition 0, a step each.
func play(settings Partition, events ...event.Event) Metrics {
	f := New([]Partition{settings}, nil)
	for _, e := range events {
		f.Consume(&event.Step{Events: []event.Event{e}})
	}
	return f.Metrics
}

func elected(leader kafka.NodeID, epoch kafka.Epoch, isr ...kafka.NodeID) event.Event {
	return event.Event{Kind: event.LeaderElected, Peer: leader, Epoch: epoch, Value: int64(kafka.SetOf(isr...))}
}

func leads(broker kafka.NodeID, epoch kafka.Epoch) event.Event {
	return event.Event{Kind: event.BecameLeader, Node: broker, Epoch: epoch}
}

func isr(epoch kafka.Epoch, members ...kafka.NodeID) event.Event {
	return event.Event{Kind: event.ISRChanged, Epoch: epoch, Value: int64(kafka.SetOf(members...))}
}

func proposed(members ...kafka.NodeID) event.Event {
	return event.Event{Kind: event.ISRChangeProposed, Value: int64(kafka.SetOf(members...))}
}

// TestGauges are the cases hi-02, hi-16 and hi-26 of hw_isr.json.
func TestGauges(t *testing.T) {
	for _, c := range []struct {
		settings          Partition
		isr               []kafka.NodeID
		under, below, at1 int
	}{
		{Partition{3, 1}, []kafka.NodeID{1}, 1, 0, 1},
		{Partition{3, 1}, []kafka.NodeID{1, 2}, 1, 0, 0},
		{Partition{3, 1}, []kafka.NodeID{1, 2, 3}, 0, 0, 0},
		{Partition{1, 1}, []kafka.NodeID{1}, 0, 0, 1},
		{Partition{3, 2}, []kafka.NodeID{1}, 1, 1, 0},
	} {
		m := play(c.settings, elected(1, 0, c.isr...), leads(1, 0))
		if m.UnderReplicated.End != c.under || m.UnderMinISR.End != c.below || m.AtMinISR.End != c.at1 {
			t.Errorf("ISR %v of %+v: %+v", c.isr, c.settings, m)
		}
	}
}

// TestLeaderlessPartitionLowersUnderReplicated: nobody reports it.
func TestLeaderlessPartitionLowersUnderReplicated(t *testing.T) {
	m := play(Partition{3, 2}, elected(1, 0, 1, 2, 3), leads(1, 0), isr(0, 1),
		event.Event{Kind: event.BrokerCrashed, Node: 1},
		event.Event{Kind: event.PartitionOffline, Epoch: 1, Value: int64(kafka.SetOf(1))})
	if m.UnderReplicated != (Gauge{1, 0}) || m.Offline != (Gauge{1, 1}) {
		t.Errorf("%+v", m)
	}
}

// TestShrinkCountsOnlyWhereTheLeaderAskedForIt: a fencing by the controller is no shrink.
func TestShrinkCountsOnlyWhereTheLeaderAskedForIt(t *testing.T) {
	m := play(Partition{3, 1}, elected(1, 0, 1, 2, 3), leads(1, 0),
		isr(0, 1, 2), // fenced
		proposed(1), isr(0, 1), proposed(1, 2), isr(0, 1, 2))
	if m.ISRShrinks != 1 || m.ISRExpands != 1 {
		t.Errorf("%+v", m)
	}
}

// TestZombieReportsToo: two brokers lead, in two epochs, and both report the partition.
func TestZombieReportsToo(t *testing.T) {
	m := play(Partition{3, 1}, elected(1, 0, 1, 2), leads(1, 0), elected(2, 1, 2), leads(2, 1))
	if m.UnderReplicated.Max != 2 {
		t.Errorf("%+v", m)
	}
}

// TestAroundHasWasAndNow: what begins in one tick is one thing; now is what there was before the next.
func TestAroundHasWasAndNow(t *testing.T) {
	began := func(at kafka.Tick, fault int64) event.Event {
		return event.Event{Kind: event.FaultBegan, At: at, Value: fault}
	}
	m := play(Partition{3, 2}, elected(1, 0, 1, 2, 3), leads(1, 0),
		began(10, 0), began(10, 1), isr(0, 1, 2),
		began(20, 2), proposed(1, 2, 3), isr(0, 1, 2, 3),
		event.Event{Kind: event.RunEnded, At: 30})
	want := []Around{
		{At: 10, Fault: 0, Now: Readings{1, 0, 1}},
		{At: 20, Fault: 2, Was: Readings{1, 0, 1}, Now: Readings{0, 0, 0, 0, 0, 0, 0, 0, 1}},
	}
	if !slices.Equal(m.Around, want) {
		t.Errorf("%+v, want %+v", m.Around, want)
	}
}
