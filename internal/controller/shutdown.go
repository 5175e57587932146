package controller

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// beginShutdown takes a broker that wants to stop out of every ISR and leadership, while it still runs
// (ReplicationControlManager.handleBrokerInControlledShutdown).
func (c *Controller) beginShutdown(id kafka.NodeID, out *node.Out) {
	b := &c.brokers[id]
	b.shuttingDown = true
	c.append(kafka.MetadataRecord{Kind: kafka.ControlledShutdown, Broker: id, BrokerEpoch: b.epoch})
	began := out.Emit(event.Event{Kind: event.ControlledShutdownBegan, Node: kafka.ControllerID, Peer: id})
	c.latest = began
	for i := range c.partitions {
		out.Because(began)
		c.leave(&c.partitions[i], id, out)
	}
	b.lastWord = kafka.Offset(len(c.log))
}

// mayStop reports whether a broker in controlled shutdown can go: it leads nothing, and every other active broker has
// read that far in the metadata log (BrokerHeartbeatManager.calculateNextBrokerState).
func (c *Controller) mayStop(id kafka.NodeID) bool {
	for i := range c.partitions {
		if c.partitions[i].Leader == id {
			return false
		}
	}
	for i := range c.plan.Brokers {
		other := c.plan.Brokers[i].ID
		if b := &c.brokers[other]; other != id && c.mayLead(other) && b.applied < c.brokers[id].lastWord {
			return false
		}
	}
	return true
}

// letGo tells the broker to stop, and fences it.
func (c *Controller) letGo(id kafka.NodeID, out *node.Out) {
	b := &c.brokers[id]
	b.fenced = true
	c.append(kafka.MetadataRecord{Kind: kafka.FenceBroker, Broker: id, BrokerEpoch: b.epoch})
	c.latest = out.Emit(event.Event{Kind: event.ShutdownGranted, Node: kafka.ControllerID, Peer: id})
}
