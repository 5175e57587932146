package controller

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// leave takes a broker out of a partition's ISR and leadership (ReplicationControlManager.generateLeaderAndIsrUpdates).
func (c *Controller) leave(p *kafka.PartitionState, id kafka.NodeID, out *node.Out) {
	if p.ISR.Has(id) || p.Leader == id {
		c.change(p, change{isr: p.ISR.Without(id), election: c.anyElection(p.Partition)}, out)
	}
}

// change gives a partition a new ISR and, if its leader may not go on or a better one is asked for, a new leader. Every
// change adds one to the partition epoch, a change of leader also to the leader epoch (PartitionChangeBuilder.build).
func (c *Controller) change(p *kafka.PartitionState, w change, out *node.Out) {
	if p.PartitionEpoch == kafka.NotCreated {
		return
	}
	before, next := *p, *p
	next.ISR = w.isr
	c.keepEligible(&before, &next, w.lost)
	chosen := c.elect(&next, w.election)
	next.Leader = chosen.leader
	c.settleELR(&before, &next, chosen)
	switch {
	case chosen.unclean:
		next.ISR, next.Recovering = 0, true
		next.ISR = next.ISR.With(chosen.leader)
	case next.ISR == 0 && !c.rules().EligibleLeaderReplicas: // the last member stays
		next.ISR = before.ISR
	}
	if next == before {
		return
	}
	next.PartitionEpoch++
	if next.Leader != before.Leader || c.rules().LeaderEpochBumpOnShrink && before.ISR&^next.ISR != 0 {
		next.LeaderEpoch++
	}
	*p = next
	c.append(kafka.MetadataRecord{Kind: kafka.PartitionChange, Partition: *p})
	c.tellChange(p, &before, chosen.unclean, out)
}

// tellChange emits what became of a partition.
func (c *Controller) tellChange(p, before *kafka.PartitionState, unclean bool, out *node.Out) {
	kind := event.ISRChanged
	switch {
	case p.Leader == before.Leader:
	case p.Leader == kafka.NoNode:
		kind = event.PartitionOffline
	default:
		kind = event.LeaderElected
	}
	c.tellELR(p, before, out)
	if unclean {
		out.Emit(event.Event{
			Kind: event.UncleanLeaderElected, Node: kafka.ControllerID, Peer: p.Leader, Partition: p.Partition,
			Epoch: p.LeaderEpoch, Value: int64(before.ISR),
		})
	}
	if kind != event.ISRChanged || p.ISR != before.ISR {
		c.emitPartition(kind, p, before.ISR, out)
	}
}

// handleAlterPartition commits or refuses the ISR that a leader asks for (ReplicationControlManager.alterPartition).
// The request also tells that a leader of an unclean election has recovered (KIP-704).
func (c *Controller) handleAlterPartition(in *node.Input, request *kafka.AlterPartitionRequest, out *node.Out) {
	p := &c.partitions[request.Partition]
	answer := &kafka.AlterPartitionResponse{
		Partition: request.Partition, LeaderEpoch: request.LeaderEpoch, Error: c.objection(p, request),
	}
	if answer.Error == kafka.None {
		p.Recovering = false
		c.change(p, change{isr: request.ISR, election: c.anyElection(p.Partition)}, out)
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
	case request.PartitionEpoch != p.PartitionEpoch && !c.rules().PartitionEpochIgnored:
		return kafka.InvalidUpdateVersion
	case !request.ISR.Has(request.Broker):
		return kafka.InvalidRequest
	}
	if !c.eligible(request) {
		return kafka.IneligibleReplica
	}
	return kafka.None
}

// eligible reports whether every proposed member is active, in the incarnation that the leader has seen (KIP-841, KIP-903;
// ReplicationControlManager.ineligibleReplicasForIsr).
func (c *Controller) eligible(request *kafka.AlterPartitionRequest) bool {
	at := 0
	for id := request.ISR.Next(0); id != kafka.NoNode; id = request.ISR.Next(id) {
		if !c.mayLead(id) && !c.rules().FencedMayJoinISR {
			return false
		}
		if at < len(request.MemberEpochs) && !c.rules().BrokerEpochsIgnored {
			if seen := request.MemberEpochs[at]; seen != 0 && seen != c.brokers[id].epoch {
				return false
			}
		}
		at++
	}
	return true
}

func (c *Controller) rules() *kafka.Rules { return &c.plan.Broker.Rules }

// handleElect does what an operator's kafka-leader-election asks for (ReplicationControlManager.electLeaders). A
// preferred election concerns partitions that somebody else leads, an unclean one those without a leader.
func (c *Controller) handleElect(in *node.Input, out *node.Out) {
	for _, id := range in.Topic {
		p := &c.partitions[id]
		preferred := c.plan.Partitions[id].Replicas[0]
		needed := p.Leader != preferred
		if in.Election == kafka.ElectUnclean {
			needed = p.Leader == kafka.NoNode
		}
		if needed {
			out.BecauseOfInput()
			c.change(p, change{isr: p.ISR, election: in.Election}, out)
		}
	}
	c.publish(out)
}

// rebalance is the periodic preferred election (ReplicationControlManager.maybeBalancePartitionLeaders).
func (c *Controller) rebalance(now kafka.Tick, out *node.Out) {
	if c.config.Rebalance {
		c.electAll(func(p *kafka.PartitionState) bool {
			return p.Leader != kafka.NoNode && p.Leader != c.plan.Partitions[p.Partition].Replicas[0]
		}, kafka.ElectPreferred, out)
	}
	out.BecauseOfInput()
	out.Timer(now+c.config.RebalanceTicks, node.Timer{Kind: timerRebalance})
}

// electUnclean is the periodic look for partitions that have no leader and may take one outside of the ISR
// (ReplicationControlManager.maybeElectUncleanLeaders, since 4.0).
func (c *Controller) electUnclean(now kafka.Tick, out *node.Out) {
	c.electAll(func(p *kafka.PartitionState) bool {
		return p.Leader == kafka.NoNode && c.anyElection(p.Partition) == kafka.ElectUnclean
	}, kafka.ElectUnclean, out)
	out.BecauseOfInput()
	out.Timer(now+c.config.UncleanTicks, node.Timer{Kind: timerUnclean})
}

func (c *Controller) electAll(wanted func(*kafka.PartitionState) bool, election kafka.Election, out *node.Out) {
	for i := range c.partitions {
		if p := &c.partitions[i]; wanted(p) {
			out.BecauseOfInput()
			c.change(p, change{isr: p.ISR, election: election}, out)
		}
	}
}
