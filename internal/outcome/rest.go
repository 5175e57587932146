package outcome

import (
	"fmt"
	"strings"

	"replog/internal/event"
	"replog/internal/kafka"
)

// restFold is what one must know of the cluster to say whether it came to rest.
type restFold struct {
	partitions []restPartition
	down       kafka.BrokerSet
	since      [kafka.MaxBrokerID + 1]kafka.Tick
	fenced     kafka.BrokerSet
}

type restPartition struct {
	leader   kafka.NodeID
	isr      kafka.BrokerSet
	offline  kafka.BrokerSet // whose log directory has failed
	replicas kafka.BrokerSet // all that ever were in the ISR; who was down from the start is not waited for
}

func (r *restFold) take(e *event.Event) {
	switch e.Kind {
	case event.BrokerCrashed, event.BrokerStopped:
		r.down, r.since[e.Node] = r.down.With(e.Node), e.At
	case event.BrokerRestarted:
		r.down = r.down.Without(e.Node)
		for i := range r.partitions {
			r.partitions[i].offline = r.partitions[i].offline.Without(e.Node)
		}
	case event.ReplicaOffline:
		r.partitions[e.Partition].offline = r.partitions[e.Partition].offline.With(e.Node)
	case event.BrokerFenced:
		r.fenced = r.fenced.With(e.Peer)
	case event.BrokerUnfenced:
		r.fenced = r.fenced.Without(e.Peer)
	case event.LeaderElected, event.PartitionOffline, event.ISRChanged:
		for int(e.Partition) >= len(r.partitions) {
			r.partitions = append(r.partitions, restPartition{leader: kafka.NoNode})
		}
		p := &r.partitions[e.Partition]
		p.isr, p.replicas = e.ISR(), p.replicas|e.ISR()
		switch e.Kind {
		case event.LeaderElected:
			p.leader = e.Peer
		case event.PartitionOffline:
			p.leader = kafka.NoNode
		}
	}
}

// plight is why a replica is not where it should be.
type plight struct {
	broker kafka.NodeID
	why    string
}

// stuck says who is stuck on what: replicas that are not in the ISR or lack what was acknowledged, and partitions without
// a leader, one sentence for all partitions of which the same is to be said. Nothing means that the cluster is at rest.
func (f *Fold) stuck() []string {
	var plights []plight
	where := map[plight][]kafka.PartitionID{}
	note := func(broker kafka.NodeID, why string, p kafka.PartitionID) {
		key := plight{broker, why}
		if where[key] == nil {
			plights = append(plights, key)
		}
		where[key] = append(where[key], p)
	}
	for i := range f.rest.partitions {
		id, p := kafka.PartitionID(i), &f.rest.partitions[i]
		if p.leader == kafka.NoNode {
			note(kafka.NoNode, "leads: no member of the ISR "+event.SetText(p.isr)+" is there", id)
		}
		for _, broker := range p.replicas.Members() {
			if why := f.plightOf(id, p, broker); why != "" {
				note(broker, why, id)
			}
		}
	}
	var sentences []string
	for _, key := range plights {
		who := "nobody"
		if key.broker != kafka.NoNode {
			who = f.names.Node(key.broker)
		}
		sentences = append(sentences, fmt.Sprintf("%s %s (%s)", who, key.why, f.partitionNames(where[key])))
	}
	return sentences
}

// plightOf is what keeps one replica from being in the ISR with all that was acknowledged.
func (f *Fold) plightOf(id kafka.PartitionID, p *restPartition, broker kafka.NodeID) string {
	in := p.isr.Has(broker)
	switch {
	case f.rest.down.Has(broker) && in:
		return "is down since " + f.names.Clock(f.rest.since[broker]) + ", and still in the ISR"
	case f.rest.down.Has(broker):
		return "is down since " + f.names.Clock(f.rest.since[broker])
	case p.offline.Has(broker):
		return "is up, but the log directory of this replica has failed"
	case p.leader == kafka.NoNode:
		return "" // it can do nothing but wait for a leader
	case f.rest.fenced.Has(broker):
		return "is up, but fenced"
	}
	records, acknowledged := f.lacking(id, p.leader, broker)
	switch {
	case !in && records == 0:
		return "has everything, but is not in the ISR"
	case !in:
		return "is not in the ISR: it is behind its leader"
	case acknowledged > 0:
		return "is in the ISR, but lacks what was acknowledged"
	}
	return ""
}

// lacking counts what a replica has not got of its leader's log, and what of that was acknowledged.
func (f *Fold) lacking(id kafka.PartitionID, leader, broker kafka.NodeID) (records, acknowledged int) {
	_, from := f.logs.Bounds(id, broker)
	start, end := f.logs.Bounds(id, leader)
	if from = max(from, start); from >= end {
		return 0, 0
	}
	for _, ids := range f.logs.Slices(id, leader, from, end) {
		for _, record := range ids {
			records++
			if f.facts.get(record).has(acked) {
				acknowledged++
			}
		}
	}
	return records, acknowledged
}

// partitionNames names a few partitions, and counts many.
func (f *Fold) partitionNames(ids []kafka.PartitionID) string {
	const few = 3
	if len(ids) > few {
		return fmt.Sprintf("%d partitions", len(ids))
	}
	var names []string
	for _, id := range ids {
		names = append(names, f.names.Partition(id))
	}
	return strings.Join(names, ", ")
}
