package controller

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// createPartitions adds partitions to a topic: the first active replica of the assignment leads, and all active ones are in
// sync. Without any there is nothing to begin with (ReplicationControlManager.createPartitions).
func (c *Controller) createPartitions(in *node.Input, out *node.Out) {
	for _, id := range in.Topic {
		p := &c.partitions[id]
		next := kafka.PartitionState{Partition: id, Leader: kafka.NoNode}
		for _, r := range c.plan.Partitions[id].Replicas {
			if !c.mayLead(r) {
				continue
			}
			next.ISR = next.ISR.With(r)
			if next.Leader == kafka.NoNode {
				next.Leader = r
			}
		}
		if p.PartitionEpoch != kafka.NotCreated || next.ISR == 0 {
			continue
		}
		*p = next
		c.append(kafka.MetadataRecord{Kind: kafka.PartitionChange, Partition: next})
		out.BecauseOfInput()
		c.emitPartition(event.LeaderElected, p, 0, out)
	}
	c.publish(out)
}
