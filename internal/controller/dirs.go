package controller

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// noteOfflineDirs takes in the failed log directories that a heartbeat tells of: the broker leaves the ISR and the leadership
// of the partitions on them, and of no others (ReplicationControlManager.handleDirectoriesOffline, KIP-858).
func (c *Controller) noteOfflineDirs(request *kafka.BrokerHeartbeatRequest, out *node.Out) {
	b := &c.brokers[request.Broker]
	news := request.OfflineLogDirs &^ b.offline
	if news == 0 {
		return
	}
	b.offline |= news
	c.append(kafka.MetadataRecord{Kind: kafka.DirectoriesOffline, Broker: request.Broker, BrokerEpoch: b.epoch})
	dirs := c.plan.DealLogDirs(request.Broker)
	for dir := int32(1); dir <= kafka.MaxLogDirs; dir++ {
		if !news.Has(dir) {
			continue
		}
		out.BecauseOfInput()
		heard := out.Emit(event.Event{
			Kind: event.LogDirReported, Node: kafka.ControllerID, Peer: request.Broker, Value: int64(dir),
		})
		c.latest = heard
		for i := range c.partitions {
			if dirs[i] == dir {
				out.Because(heard)
				c.leave(&c.partitions[i], request.Broker, out)
			}
		}
	}
}

// hasOnlineDir reports whether the broker's replica of the partition lies on a log directory that works
// (BrokerRegistration.hasOnlineDir).
func (c *Controller) hasOnlineDir(p kafka.PartitionID, id kafka.NodeID) bool {
	offline := c.brokers[id].offline
	return offline == 0 || !offline.Has(c.plan.DealLogDirs(id)[p])
}
