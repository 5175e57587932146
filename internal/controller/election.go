package controller

import "replog/internal/kafka"

// change is what somebody wants of a partition (PartitionChangeBuilder). The zero election is the ordinary one.
type change struct {
	isr      kafka.BrokerSet
	election kafka.Election
	lost     kafka.BrokerSet // who came back after an unclean shutdown
}

// ballot is the outcome of an election.
type ballot struct {
	leader  kafka.NodeID
	unclean bool // the leader may lack what was committed
}

// elect chooses the leader of a partition that will have the ISR of next. A leader that may go on stays, unless the
// preferred replica is asked for and may lead; else assignment order decides (PartitionChangeBuilder.electLeader).
func (c *Controller) elect(next *kafka.PartitionState, election kafka.Election) ballot {
	replicas := c.plan.Partitions[next.Partition].Replicas
	switch {
	case election == kafka.ElectPreferred && c.mayBeElected(next, replicas[0]):
		return ballot{leader: replicas[0]}
	case c.mayBeElected(next, next.Leader):
		return ballot{leader: next.Leader}
	}
	for _, r := range replicas {
		if c.mayBeElected(next, r) {
			return ballot{leader: r}
		}
	}
	if c.mayElectLastKnown(next) {
		return ballot{leader: next.LastKnownLeader, unclean: true}
	}
	if election == kafka.ElectUnclean {
		for _, r := range replicas {
			if c.mayLead(r) && c.hasOnlineDir(next.Partition, r) {
				return ballot{leader: r, unclean: true}
			}
		}
	}
	return ballot{leader: kafka.NoNode}
}

// mayBeElected reports whether a clean election may choose the broker (PartitionChangeBuilder.isValidNewLeader).
func (c *Controller) mayBeElected(next *kafka.PartitionState, id kafka.NodeID) bool {
	complete := next.ISR.Has(id) || next.ELR.Has(id) || c.rules().ElectOutsideISR
	return complete && id != kafka.NoNode && c.mayLead(id) && c.hasOnlineDir(next.Partition, id)
}

// mayLead reports whether the broker is active: registered, unfenced, not on its way out (ClusterControlManager.isActive).
func (c *Controller) mayLead(id kafka.NodeID) bool {
	b := &c.brokers[id]
	return b.known && !b.fenced && !b.down && !b.shuttingDown
}

// anyElection is the election that a partition gets when its leader is gone: unclean where the topic allows it.
func (c *Controller) anyElection(p kafka.PartitionID) kafka.Election {
	if c.plan.Partitions[p].Config.UncleanElection {
		return kafka.ElectUnclean
	}
	return kafka.ElectOnline
}
