package view

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// Role is what a replica's broker takes itself for.
type Role uint8

// The roles.
const (
	NoRole Role = iota // down, or not told yet
	Follower
	Leader
)

var roleNames = [...]string{"none", "follower", "leader"}

// String is the role in a word.
func (r Role) String() string { return roleNames[r] }

// Partition is the controller's truth about a partition.
type Partition struct {
	Leader   kafka.NodeID // NoNode: offline
	Last     kafka.NodeID // who leads, or led last
	Epoch    kafka.Epoch  // leader epoch
	ISR      kafka.BrokerSet
	ELR      kafka.BrokerSet // eligible leader replicas (KIP-966)
	Proposed kafka.BrokerSet // the ISR that the leader asked for and has no answer to; empty when there is none
}

// ReplicaView is one replica as its own broker knows it.
type ReplicaView struct {
	Broker    kafka.NodeID
	Role      Role
	Offline   bool         // its log directory has failed
	Epoch     kafka.Epoch  // leader epoch in which it took its role
	LogStart  kafka.Offset // first offset
	LogEnd    kafka.Offset // log end offset (LEO): behind the last
	HighWater kafka.Offset // high watermark (HW)
	KnownEnd  kafka.Offset // where the leader believes this follower's log ends; NoOffset when it does not know
}

type partition struct {
	Partition
	replicas []ReplicaView
}

func (c *Cluster) partition(p kafka.PartitionID) *partition {
	for int(p) >= len(c.partitions) {
		c.partitions = append(c.partitions, partition{Partition: Partition{Leader: kafka.NoNode, Last: kafka.NoNode}})
	}
	return &c.partitions[p]
}

// apply takes in what the controller decided, or was asked.
func (p *partition) apply(e *event.Event) {
	switch e.Kind {
	case event.ELRChanged:
		p.ELR = e.ISR()
		return
	case event.ISRChangeProposed:
		p.Proposed = e.ISR()
		return
	case event.ISRChangeRefused:
		p.Proposed = 0
		return
	case event.LeaderElected:
		p.Leader, p.Last = e.Peer, e.Peer
	case event.PartitionOffline:
		p.Leader = kafka.NoNode
	}
	p.Epoch, p.ISR, p.Proposed = e.Epoch, e.ISR(), 0
}

// applyToReplica takes in what a broker did with its replica; the logs have it already.
func (c *Cluster) applyToReplica(e *event.Event) {
	p := c.partition(e.Partition)
	r := p.replica(e.Node)
	switch e.Kind {
	case event.ReplicaAppended, event.GapCopied:
		r.HighWater = kafka.Offset(e.Value)
	case event.HighWatermarkAdvanced, event.HighWatermarkLearned:
		r.HighWater = e.Offset
	case event.LogTruncated, event.LogTailLost:
		r.HighWater = min(r.HighWater, e.Offset)
	case event.LogLoaded:
		r.HighWater, r.Offline = kafka.Offset(e.Value), false
	case event.ReplicaOffline:
		r.Role, r.Offline, r.HighWater = NoRole, true, e.Offset
	case event.BecameLeader:
		r.Role, r.Epoch, r.HighWater = Leader, e.Epoch, kafka.Offset(e.Prev)
		for i := range p.replicas { // a new leader has yet to hear of each follower
			p.replicas[i].KnownEnd = kafka.NoOffset
		}
	case event.BecameFollower:
		r.Role, r.Epoch = Follower, e.Epoch
		if e.Peer == kafka.NoNode {
			r.Role = NoRole
		}
	case event.FollowerOffsetLearned:
		p.replica(e.Peer).KnownEnd = e.Offset
	}
}

func (p *partition) find(broker kafka.NodeID) *ReplicaView {
	for i := range p.replicas {
		if p.replicas[i].Broker == broker {
			return &p.replicas[i]
		}
	}
	return nil
}

func (p *partition) replica(broker kafka.NodeID) *ReplicaView {
	if r := p.find(broker); r != nil {
		return r
	}
	at := 0
	for at < len(p.replicas) && p.replicas[at].Broker < broker {
		at++
	}
	p.replicas = append(p.replicas, ReplicaView{})
	copy(p.replicas[at+1:], p.replicas[at:])
	p.replicas[at] = ReplicaView{Broker: broker, Epoch: kafka.NoEpoch, KnownEnd: kafka.NoOffset}
	return &p.replicas[at]
}

// Partitions is the number of partitions that events have spoken of.
func (c *Cluster) Partitions() int { return len(c.partitions) }

// Partition is the controller's truth about a partition.
func (c *Cluster) Partition(p kafka.PartitionID) Partition {
	if p < 0 || int(p) >= len(c.partitions) {
		return Partition{Leader: kafka.NoNode, Last: kafka.NoNode}
	}
	return c.partitions[p].Partition
}

// Replicas lists the replicas of a partition, ordered by broker.
func (c *Cluster) Replicas(p kafka.PartitionID) []ReplicaView {
	if p < 0 || int(p) >= len(c.partitions) {
		return nil
	}
	views := make([]ReplicaView, len(c.partitions[p].replicas))
	for i := range views {
		views[i] = c.withBounds(p, c.partitions[p].replicas[i])
	}
	return views
}

// Replica is one broker's replica of a partition, and whether there is one.
func (c *Cluster) Replica(p kafka.PartitionID, broker kafka.NodeID) (ReplicaView, bool) {
	if p < 0 || int(p) >= len(c.partitions) {
		return ReplicaView{}, false
	}
	r := c.partitions[p].find(broker)
	if r == nil {
		return ReplicaView{}, false
	}
	return c.withBounds(p, *r), true
}

func (c *Cluster) withBounds(p kafka.PartitionID, r ReplicaView) ReplicaView {
	r.LogStart, r.LogEnd = c.logs.Bounds(p, r.Broker)
	return r
}
