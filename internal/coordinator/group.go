package coordinator

import "replog/internal/kafka"

// group is one group, classic or of KIP-848, with the offsets that are committed for it. One that only holds offsets
// counts as an empty classic group, as in Kafka.
type group struct {
	classic  *classicGroup
	consumer *consumerGroup
	offsets  []committedOffset // ascending by partition
	pending  []pendingOffset   // of open transactions, in the order in which they were written
	due      kafka.Tick        // when Expire has something to do here
	id       kafka.GroupID
	memberNo int32 // of the last member id that was given out
}

// committedOffset is the last offset that was committed for a partition.
type committedOffset struct {
	value     *kafka.OffsetCommitValue
	partition kafka.PartitionID
}

// exists reports whether Kafka would know of such a group.
func (g *group) exists() bool { return g.isClassic() || g.isConsumer() }

func (g *group) isClassic() bool  { return g != nil && g.classic != nil }
func (g *group) isConsumer() bool { return g != nil && g.consumer != nil }

// empty reports whether a group that exists has no members.
func (g *group) empty() bool {
	if g.consumer != nil {
		return len(g.consumer.members) == 0
	}
	return g.classic.state == emptyGroup
}

func (g *group) deadline() kafka.Tick {
	switch {
	case g.classic != nil:
		return g.classic.deadline()
	case g.consumer != nil:
		return g.consumer.deadline()
	}
	return kafka.Never
}

func (g *group) clone() *group {
	c := *g
	c.offsets = append([]committedOffset(nil), g.offsets...)
	c.pending = append([]pendingOffset(nil), g.pending...)
	if g.classic != nil {
		c.classic = g.classic.clone()
	}
	if g.consumer != nil {
		c.consumer = g.consumer.clone()
	}
	return &c
}
