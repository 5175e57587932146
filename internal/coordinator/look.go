package coordinator

import "replog/internal/kafka"

// Look is what a coordinator knows of a group, for those who compare it with what the events say.
type Look struct {
	Members []kafka.NodeID // of each membership the node that speaks for it; in the order of their ids
	Epoch   int32          // generation, or group epoch
	State   string         // Kafka's name of it, of a classic group; empty for the other kind
	Offsets map[kafka.PartitionID]kafka.Offset
	Pending map[kafka.PartitionID][]kafka.Offset // of open transactions, in the order in which they were written
}

// Look is what is known of a group; nothing of one that is not there.
func (c *Groups) Look(id kafka.GroupID) Look {
	l := Look{Offsets: map[kafka.PartitionID]kafka.Offset{}, Pending: map[kafka.PartitionID][]kafka.Offset{}}
	g := c.find(id)
	if g == nil {
		return l
	}
	for i := range g.offsets {
		l.Offsets[g.offsets[i].partition] = g.offsets[i].value.Offset
	}
	for i := range g.pending {
		o := &g.pending[i]
		l.Pending[o.partition] = append(l.Pending[o.partition], o.value.Offset)
	}
	if g.classic != nil {
		l.Epoch, l.State = g.classic.generation, g.classic.state.String()
		for i := range g.classic.members {
			l.Members = append(l.Members, g.classic.members[i].Node)
		}
	}
	if g.consumer != nil {
		l.Epoch = g.consumer.epoch
		for i := range g.consumer.members {
			l.Members = append(l.Members, g.consumer.members[i].spec.Node)
		}
	}
	return l
}
