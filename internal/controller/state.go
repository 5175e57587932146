package controller

import (
	"replog/internal/kafka"
	"replog/internal/node"
)

// Clone implements node.Node.
func (c *Controller) Clone() node.Node {
	d := *c
	d.partitions = append([]kafka.PartitionState(nil), c.partitions...)
	d.log = c.log[:len(c.log):len(c.log)] // its next record copies
	d.parked = append([]parkedFetch(nil), c.parked...)
	return &d
}

// Fingerprint implements node.Node.
func (c *Controller) Fingerprint(h *node.Hash) {
	for i := range c.brokers {
		b := &c.brokers[i]
		if !b.known {
			continue
		}
		h.Int(int64(i))
		h.Int(b.epoch)
		h.Int(b.incarnation)
		h.Time(b.lastContact)
		h.Bool(b.fenced)
		h.Bool(b.down)
		h.Bool(b.shuttingDown)
		h.Int(int64(b.offline))
		h.Int(int64(b.applied))
	}
	for i := range c.partitions {
		h.Partition(&c.partitions[i])
	}
	h.Int(int64(len(c.log)))
	for i := range c.parked {
		h.Int(int64(c.parked[i].from))
		h.Int(int64(c.brokers[c.parked[i].from].position))
	}
}

// Partition is the controller's truth about a partition.
func (c *Controller) Partition(p kafka.PartitionID) kafka.PartitionState { return c.partitions[p] }

// Fenced reports whether a broker is fenced.
func (c *Controller) Fenced(id kafka.NodeID) bool { return c.brokers[id].fenced }
