package controller

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// createPartitions adds partitions to a topic, those that it has not got yet: all of them or, if for one no replica of its
// assignment is active, none (ReplicationControlManager.createPartitions).
func (c *Controller) createPartitions(in *node.Input, out *node.Out) {
	var created []kafka.PartitionState
	for _, id := range in.Topic {
		if c.partitions[id].PartitionEpoch != kafka.NotCreated {
			continue
		}
		p := c.newPartition(id)
		if p.ISR == 0 {
			return
		}
		created = append(created, p)
	}
	for _, next := range created {
		p := &c.partitions[next.Partition]
		*p = next
		c.append(kafka.MetadataRecord{Kind: kafka.PartitionChange, Partition: next})
		out.BecauseOfInput()
		c.emitPartition(event.LeaderElected, p, 0, out)
	}
	c.publish(out)
}

// newPartition is led by the first active replica of its assignment, and all active ones are in sync.
func (c *Controller) newPartition(id kafka.PartitionID) kafka.PartitionState {
	p := kafka.PartitionState{Partition: id, Leader: kafka.NoNode}
	for _, r := range c.plan.Partitions[id].Replicas {
		if !c.mayLead(r) {
			continue
		}
		p.ISR = p.ISR.With(r)
		if p.Leader == kafka.NoNode {
			p.Leader = r
		}
	}
	return p
}
