package controller

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// leave takes a broker out of a partition's ISR and leadership. The last member of an ISR stays in it
// (ReplicationControlManager.generateLeaderAndIsrUpdates without ELR).
func (c *Controller) leave(p *kafka.PartitionState, id kafka.NodeID, out *node.Out) {
	isr := p.ISR
	if isr.Has(id) && isr.Len() > 1 {
		isr = isr.Without(id)
	}
	if isr != p.ISR || p.Leader == id {
		c.change(p, isr, out)
	}
}

// change gives a partition a new ISR and, if its leader may not go on, a new leader: the first live member of the ISR
// in assignment order. Every change adds one to the partition epoch, a change of leader also to the leader epoch
// (PartitionChangeBuilder).
func (c *Controller) change(p *kafka.PartitionState, isr kafka.BrokerSet, out *node.Out) {
	before, leaderBefore := p.ISR, p.Leader
	leader := c.elect(p, isr)
	if isr == before && leader == leaderBefore {
		return
	}
	p.ISR, p.Leader = isr, leader
	p.PartitionEpoch++
	kind := event.ISRChanged
	if leader != leaderBefore {
		p.LeaderEpoch++
		kind = event.LeaderElected
		if leader == kafka.NoNode {
			kind = event.PartitionOffline
		}
	}
	c.append(kafka.MetadataRecord{Kind: kafka.PartitionChange, Partition: *p})
	c.emitPartition(kind, p, before, out)
}

// elect chooses the leader of a partition for an ISR: the present one if it still may lead, else by assignment order.
func (c *Controller) elect(p *kafka.PartitionState, isr kafka.BrokerSet) kafka.NodeID {
	if p.Leader != kafka.NoNode && isr.Has(p.Leader) && c.mayLead(p.Leader) {
		return p.Leader
	}
	for _, r := range c.plan.Partitions[p.Partition].Replicas {
		if isr.Has(r) && c.mayLead(r) {
			return r
		}
	}
	return kafka.NoNode
}

func (c *Controller) mayLead(id kafka.NodeID) bool {
	b := &c.brokers[id]
	return b.known && !b.fenced && !b.down
}

// handleAlterPartition commits or refuses the ISR that a leader asks for (ReplicationControlManager.alterPartition).
func (c *Controller) handleAlterPartition(in *node.Input, request *kafka.AlterPartitionRequest, out *node.Out) {
	p := &c.partitions[request.Partition]
	answer := &kafka.AlterPartitionResponse{
		Partition: request.Partition, LeaderEpoch: request.LeaderEpoch, Error: c.objection(p, request),
	}
	if answer.Error == kafka.None {
		c.change(p, request.ISR, out)
		answer.ISR, answer.PartitionEpoch = p.ISR, p.PartitionEpoch
	}
	out.Answer(in.Reply, answer)
	c.publish(out)
}

// objection says why a proposed ISR must not be committed (validateAlterPartitionData).
func (c *Controller) objection(p *kafka.PartitionState, request *kafka.AlterPartitionRequest) kafka.ErrorCode {
	switch {
	case c.brokers[request.Broker].epoch != request.BrokerEpoch:
		return kafka.StaleBrokerEpoch
	case request.LeaderEpoch > p.LeaderEpoch || request.PartitionEpoch > p.PartitionEpoch:
		return kafka.NotController
	case request.LeaderEpoch < p.LeaderEpoch:
		return kafka.FencedLeaderEpoch
	case p.Leader != request.Broker:
		return kafka.InvalidRequest
	case request.PartitionEpoch != p.PartitionEpoch:
		return kafka.InvalidUpdateVersion
	case !request.ISR.Has(request.Broker):
		return kafka.InvalidRequest
	}
	for id := request.ISR.Next(0); id != kafka.NoNode; id = request.ISR.Next(id) {
		if !c.mayLead(id) {
			return kafka.IneligibleReplica
		}
	}
	return kafka.None
}
