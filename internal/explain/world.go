package explain

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// world is what must be known of the cluster to tell why something happened to a record.
type world struct {
	down       map[kafka.NodeID]kafka.Tick // since when a broker is dead
	partitions []place                     // indexed by kafka.PartitionID
	faults     []int64                     // faults on messages that act at present
}

// place is the controller's truth about one partition.
type place struct {
	leader  kafka.NodeID // who leads, or led last
	isr     kafka.BrokerSet
	open    []*event.Event // what began the transactions that are open in it, in the order of their beginnings
	readers []kafka.NodeID // who has read from it, without a group
}

// firstOpen is what began the transaction at whose first offset readers with read_committed stop; nil without one.
func (p *place) firstOpen() *event.Event {
	if len(p.open) == 0 {
		return nil
	}
	return slices.MinFunc(p.open, func(a, b *event.Event) int { return int(a.Offset - b.Offset) })
}

func newWorld() world { return world{down: map[kafka.NodeID]kafka.Tick{}} }

func (w *world) partition(p kafka.PartitionID) *place {
	for int(p) >= len(w.partitions) {
		w.partitions = append(w.partitions, place{leader: kafka.NoNode})
	}
	return &w.partitions[p]
}

func (w *world) apply(e *event.Event, log *event.Log) {
	switch e.Kind {
	case event.BrokerCrashed:
		w.down[e.Node] = e.At
		w.endInstant(e, log)
	case event.BrokerRestarted:
		delete(w.down, e.Node)
		w.endInstant(e, log)
	case event.LeaderElected:
		p := w.partition(e.Partition)
		p.leader, p.isr = e.Peer, e.ISR()
	case event.ISRChanged, event.PartitionOffline:
		w.partition(e.Partition).isr = e.ISR()
	case event.TransactionOpened:
		p := w.partition(e.Partition)
		p.open = append(p.open, e)
	case event.TransactionMarked:
		p := w.partition(e.Partition)
		p.open = slices.DeleteFunc(p.open, func(began *event.Event) bool { return began.Producer == e.Producer })
	case event.RecordsRead:
		if p := w.partition(e.Partition); !slices.Contains(p.readers, e.Node) {
			p.readers = append(p.readers, e.Node)
		}
	case event.FaultBegan:
		w.faults = append(w.faults, e.Value)
	case event.FaultEnded:
		w.endFault(e.Value)
	}
}

// endInstant takes a crash or a restart off the faults: it lasts no time.
func (w *world) endInstant(e *event.Event, log *event.Log) {
	if began := log.Get(e.Cause); began != nil && began.Kind == event.FaultBegan {
		w.endFault(began.Value)
	}
}

func (w *world) endFault(entry int64) {
	w.faults = slices.DeleteFunc(w.faults, func(f int64) bool { return f == entry })
}

// deadIn is the dead brokers of a set.
func (w *world) deadIn(set kafka.BrokerSet) kafka.BrokerSet {
	var dead kafka.BrokerSet
	for _, id := range set.Members() {
		if _, is := w.down[id]; is {
			dead = dead.With(id)
		}
	}
	return dead
}
