package controller

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// keepEligible works out the eligible leader replicas of a change: who leaves the ISR while it is below
// min.insync.replicas still holds everything that was committed, since nothing is committed below it. Whoever lost data in
// an unclean shutdown is out (KIP-966, PartitionChangeBuilder.maybePopulateTargetElr).
func (c *Controller) keepEligible(before, next *kafka.PartitionState, lost kafka.BrokerSet) {
	if !c.rules().EligibleLeaderReplicas {
		return
	}
	if next.ISR.Len() >= c.plan.Partitions[next.Partition].EffectiveMinISR() {
		next.ELR, next.LastKnownLeader = 0, 0
		return
	}
	next.ELR = (before.ELR | before.ISR) &^ next.ISR &^ lost
}

// settleELR makes the ELR of a change fit the leader that was elected, and remembers the last leader of a partition that
// loses its whole ISR.
func (c *Controller) settleELR(before, next *kafka.PartitionState, chosen ballot) {
	switch {
	case !c.rules().EligibleLeaderReplicas:
	case chosen.unclean:
		next.ELR, next.LastKnownLeader = 0, 0
	case next.ELR.Has(chosen.leader):
		next.ISR, next.ELR, next.LastKnownLeader = next.ISR.With(chosen.leader), next.ELR.Without(chosen.leader), 0
	case next.Leader != kafka.NoNode:
		next.LastKnownLeader = 0
	case next.ISR == 0 && before.Leader != kafka.NoNode:
		next.LastKnownLeader = before.Leader
	}
}

// mayElectLastKnown reports whether the last leader may lead again: nobody is left who surely has everything
// (PartitionChangeBuilder.canElectLastKnownLeader).
func (c *Controller) mayElectLastKnown(next *kafka.PartitionState) bool {
	return c.rules().EligibleLeaderReplicas && next.ISR == 0 && next.ELR == 0 && next.LastKnownLeader != 0 &&
		c.mayLead(next.LastKnownLeader) && c.hasOnlineDir(next.Partition, next.LastKnownLeader)
}

// returnedUnclean takes a broker that cannot prove a clean shutdown out of every ISR and ELR
// (ReplicationControlManager.handleUncleanBrokerShutdown).
func (c *Controller) returnedUnclean(id kafka.NodeID, out *node.Out) {
	cause := out.Cause()
	for i := range c.partitions {
		if p := &c.partitions[i]; p.ISR.Has(id) || p.ELR.Has(id) {
			out.Because(cause)
			lost := kafka.SetOf(id)
			c.change(p, change{isr: p.ISR &^ lost, lost: lost, election: c.anyElection(p.Partition)}, out)
		}
	}
}

func (c *Controller) tellELR(p, before *kafka.PartitionState, out *node.Out) {
	if p.ELR != before.ELR {
		c.latest = out.Emit(event.Event{
			Kind: event.ELRChanged, Node: kafka.ControllerID, Partition: p.Partition, Epoch: p.LeaderEpoch,
			Value: int64(p.ELR), Prev: int64(before.ELR),
		})
	}
}
