package view

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Effect is something that an application did with a record outside of Kafka.
type Effect struct {
	Member    kafka.NodeID
	At        kafka.Tick
	Partition kafka.PartitionID
	Offset    kafka.Offset
	Record    kafka.RecordID
	Again     bool // the group had done it before
	Refused   bool // a unique key refused it
}

// effects is everything that the applications of a group did outside of Kafka.
type effects struct {
	all  column[Effect]
	done recordMarks // with doneOnce
}

// doneOnce is the mark of effects.done.
const doneOnce = Sent

// apply takes in what an application did, or was not let do.
func (f *effects) apply(e *event.Event, ids []kafka.RecordID) {
	refused := e.Kind == event.EffectRefused
	for i, id := range ids {
		f.all.append(Effect{
			Member: e.Node, At: e.At, Partition: e.Partition, Offset: e.Offset + kafka.Offset(i), Record: id,
			Refused: refused, Again: f.done.get(id).Has(doneOnce),
		})
	}
	if !refused {
		f.done.add(ids, doneOnce)
	}
}

func (f *effects) clone() effects { return effects{all: f.all.clone(), done: f.done.clone()} }

// applyEffect hands an effect to the group of the process.
func (c *Cluster) applyEffect(e *event.Event, ids []kafka.RecordID) {
	if _, group, member := c.groups.Member(e.Node); member {
		c.effects[group].apply(e, ids)
	}
}

// Effects lists the last effects of a group, or of one member of it, at most n, oldest first; NoNode asks for all members.
func (c *Cluster) Effects(id kafka.GroupID, member kafka.NodeID, n int) []Effect {
	var list []Effect // newest first
	all := &c.effects[id].all
	for i := all.len() - 1; i >= 0 && len(list) < n; i-- {
		if e := all.ref(i); member == kafka.NoNode || e.Member == member {
			list = append(list, *e)
		}
	}
	slices.Reverse(list)
	return list
}
