package sim

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
)

// failing is a cluster of two log directories a broker, of which one of broker 2 fails at tick 1000.
func failing(dir int32) *plan.Plan {
	p := small(6, 400)
	p.Broker.LogDirs, p.Broker.MetadataLogDir, p.Broker.LogDirFailureTimeout = 2, 1, 3000
	p.Faults = []plan.Fault{{Kind: plan.DiskFailure, At: 1000, Node: 2, LogDir: dir}}
	p.Names.Faults = []string{"a disk fails", "", ""}
	p.Loads[0].Keys = []kafka.KeyID{kafka.NoKey} // they spread over all partitions
	p.End = 60_000
	return p
}

func count(log *event.Log, kind event.Kind, of func(*event.Event) bool) int {
	n := 0
	for _, e := range log.All() {
		if e.Kind == kind && (of == nil || of(e)) {
			n++
		}
	}
	return n
}

// TestFailedDirectoryTakesItsReplicasOnly: the broker goes on, and leaves the ISR and the leadership of the partitions on
// that directory and of no others.
func TestFailedDirectoryTakesItsReplicasOnly(t *testing.T) {
	p := failing(2)
	var log event.Log
	c := New(p, &log)
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	if n := count(&log, event.BrokerCrashed, nil); n > 0 {
		t.Error("the broker stopped, though it has a directory left")
	}
	for id, dir := range p.DealLogDirs(2) {
		state := c.Controller().Partition(kafka.PartitionID(id))
		r, _ := c.Broker(2).Replica(kafka.PartitionID(id))
		if gone := dir == 2; state.ISR.Has(2) == gone || gone && state.Leader == 2 || r.Offline != gone {
			t.Errorf("partition %d in directory %d: ISR %s, leader %d, offline %v", id, dir, event.SetText(state.ISR), state.Leader, r.Offline)
		}
	}
	if n := count(&log, event.ProduceRefused, func(e *event.Event) bool { return e.Error == kafka.KafkaStorageError }); n == 0 {
		t.Error("nobody heard KAFKA_STORAGE_ERROR")
	}
}

// TestNewDiskIsFilledFromTheLeaders: after a restart the replicas are empty, catch up and join every ISR again.
func TestNewDiskIsFilledFromTheLeaders(t *testing.T) {
	p := failing(2)
	p.Faults = append(p.Faults, plan.Fault{Kind: plan.Crash, At: 10_000, Node: 2}, plan.Fault{Kind: plan.Restart, At: 11_000, Node: 2})
	var log event.Log
	c := New(p, &log)
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	for id := range p.Partitions {
		one := kafka.PartitionID(id)
		mine, _ := c.Broker(2).Replica(one)
		other, _ := c.Broker(1).Replica(one)
		if mine.Offline || mine.LogEnd != other.LogEnd || c.Controller().Partition(one).ISR.Len() != 3 {
			t.Errorf("partition %d: %+v beside %+v, ISR %s", id, mine, other, event.SetText(c.Controller().Partition(one).ISR))
		}
	}
}

// TestBrokerHaltsWithItsLastDirectoryAndWithTheMetadataLog: and when it could tell nobody for too long.
func TestBrokerHaltsWithItsLastDirectoryAndWithTheMetadataLog(t *testing.T) {
	halts := func(p *plan.Plan) kafka.Tick {
		log := record(p)
		for _, e := range log.All() {
			if e.Kind == event.BrokerCrashed && e.Node == 2 {
				return e.At
			}
		}
		return kafka.Never
	}
	if at := halts(failing(1)); at != 1000 {
		t.Errorf("without the metadata log it stops at %d, want at once", at)
	}
	last := failing(1)
	last.Broker.MetadataLogDir = 0
	last.Faults = append(last.Faults, plan.Fault{Kind: plan.DiskFailure, At: 2000, Node: 2, LogDir: 2})
	if at := halts(last); at != 2000 {
		t.Errorf("without a directory it stops at %d, want 2000", at)
	}
	unheard := failing(2)
	unheard.Faults = append([]plan.Fault{{
		Kind: plan.Cut, At: 900, Until: 20_000,
		Match: plan.Match{Partition: kafka.NoPartition, From: []kafka.NodeID{2}, To: []kafka.NodeID{kafka.ControllerID}},
	}}, unheard.Faults...)
	if at := halts(unheard); at != 4000 {
		t.Errorf("unheard it stops at %d, want after log.dir.failure.timeout.ms at 4000", at)
	}
}
