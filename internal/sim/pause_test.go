package sim

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
)

// TestPausedBrokerDoesNothingAndLosesNothing: what came meanwhile is done at the end of the pause, and every record is
// acknowledged.
func TestPausedBrokerDoesNothingAndLosesNothing(t *testing.T) {
	const from, until = 1000, 3000
	p := small(3, 400)
	p.Faults = []plan.Fault{{Kind: plan.Pause, At: from, Until: until, Node: 1, Match: plan.Match{Partition: kafka.NoPartition}}}
	p.Names.Faults = []string{"broker 1 stands still"}
	p.End = 20_000
	acked, late := 0, 0
	log := record(p)
	for _, e := range log.All() {
		if e.Node == 1 && from < e.At && e.At < until {
			t.Fatalf("broker 1 is paused and does %s at %d", e.Kind.Spec().Name, e.At)
		}
		if e.Node == 1 && e.At == until && e.Kind == event.BatchAppended {
			late++
		}
		if e.Kind == event.RecordsAcknowledged {
			acked += int(e.Count)
		}
	}
	if acked != 400 || late == 0 {
		t.Errorf("%d of 400 records acknowledged, %d batches appended when the pause ended", acked, late)
	}
}

// TestCrashEndsAPause: a broker that is started again does not wait for the end of a pause that its dead process was in.
func TestCrashEndsAPause(t *testing.T) {
	p := small(1, 400)
	p.Faults = []plan.Fault{
		{Kind: plan.Pause, At: 1000, Until: 60_000, Node: 2},
		{Kind: plan.Crash, At: 2000, Node: 2},
		{Kind: plan.Restart, At: 15_000, Node: 2},
	}
	p.Names.Faults = []string{"pause", "crash", "restart"}
	p.End = 40_000
	log := record(p)
	for _, e := range log.All() {
		if e.Kind == event.ReplicaAppended && e.Node == 2 && e.At > 15_000 && e.At < 40_000 {
			return
		}
	}
	t.Error("broker 2 copies nothing after its restart")
}

// TestNextControllerGivesWholeSessions: whoever is alive is not fenced for what nobody could hear, and an election waits.
func TestNextControllerGivesWholeSessions(t *testing.T) {
	p := small(1, 400)
	p.Faults = []plan.Fault{
		{Kind: plan.Pause, At: 1000, Until: 40_000, Node: kafka.ControllerID},
		{Kind: plan.Crash, At: 2000, Node: 1},
	}
	p.Names.Faults = []string{"no controller", "crash"}
	p.End = 60_000
	log := record(p)
	var fenced []kafka.NodeID
	for _, e := range log.All() {
		if e.Kind == event.BrokerFenced {
			fenced = append(fenced, e.Peer)
		}
		if (e.Kind == event.BrokerFenced || e.Kind == event.LeaderElected && e.At > 0) && e.At <= 40_000+p.Controller.SessionTimeout {
			t.Errorf("%s at %d", e.Kind.Spec().Name, e.At)
		}
	}
	if len(fenced) != 1 || fenced[0] != 1 {
		t.Errorf("fenced: %v, want broker 1 alone", fenced)
	}
}
