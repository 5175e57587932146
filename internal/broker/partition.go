package broker

import (
	"replog/internal/commitlog"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// partition is one replica and what its broker knows of the partition (kafka.cluster.Partition).
type partition struct {
	// On disk.
	log        *commitlog.Log
	producers  commitlog.ProducerStates
	checkpoint kafka.Offset // high watermark at the last checkpoint
	dir        int32        // the log directory, from 1
	offline    bool         // that has failed: there is no log until the broker starts again, with a new disk

	id        kafka.PartitionID
	minISR    int // effective min.insync.replicas
	replicas  []kafka.NodeID
	hw        kafka.Offset // high watermark
	hwChanged kafka.Tick   // when it last moved

	leader         kafka.NodeID // NoNode: none known
	leaderEpoch    kafka.Epoch
	partitionEpoch int32

	// While this broker leads.
	followers  []follower
	isr        kafka.BrokerSet // as the controller committed it
	proposed   kafka.BrokerSet // ISR that the controller was asked for, 0 when none is pending
	proposedAt kafka.Tick
	proposal   uint32       // numbers the proposals, so that an answer finds its own
	requested  bool         // the request is on its way, or will be sent again; else metadata must end the proposal
	epochStart kafka.Offset // log end offset when this leader epoch began
	waiting    []waiter     // acks=all batches, ordered by the high watermark they need
	served     int          // waiters before it are done
	leading    bool
	host       *host // the coordinator, where it is a partition of __consumer_offsets or __transaction_state

	aligned bool // a follower under DivergingEpochIgnored: it has asked in this leader epoch where the logs part
}

// waiter is a batch that waits for the high watermark to reach need.
type waiter struct {
	need   kafka.Offset
	slot   int32 // of the request in pendingProduces
	result int32 // which of its results
}

func newPartition(id kafka.PartitionID, p *plan.Partition, self kafka.NodeID) *partition {
	q := &partition{
		id: id, log: commitlog.New(p.StartOffset), replicas: p.Replicas, minISR: p.EffectiveMinISR(),
		hw: p.StartOffset, checkpoint: p.StartOffset,
		leader: kafka.NoNode, leaderEpoch: kafka.NoEpoch,
	}
	q.log.Configure(&p.Config.Log)
	for _, r := range p.Replicas {
		if r != self {
			q.followers = append(q.followers, follower{id: r})
		}
	}
	return q
}

func (p *partition) follower(id kafka.NodeID) *follower {
	for i := range p.followers {
		if p.followers[i].id == id {
			return &p.followers[i]
		}
	}
	return nil
}

// maximalISR is the committed ISR and whoever was proposed: it counts for the high watermark (PartitionState.maximalIsr).
func (p *partition) maximalISR() kafka.BrokerSet { return p.isr | p.proposed }

func (p *partition) underMinISR() bool { return p.isr.Len() < p.minISR }

// setHighWatermark moves the high watermark and keeps the value that the last periodic checkpoint wrote: the one at
// the latest whole period before now (replica.high.watermark.checkpoint.interval.ms).
func (p *partition) setHighWatermark(hw kafka.Offset, now, period kafka.Tick) {
	p.settleCheckpoint(now, period)
	p.hw, p.hwChanged = hw, now
	p.producers.HighWatermarkMoved(hw)
}

func (p *partition) settleCheckpoint(now, period kafka.Tick) {
	if now > 0 && (now-1)/period*period >= p.hwChanged {
		p.checkpoint = p.hw
	}
}

// becomeLeader starts a leader epoch here. The whole log stays, also above the high watermark (Partition.makeLeader).
func (b *Broker) becomeLeader(p *partition, state *kafka.PartitionState, now kafka.Tick, out *node.Out) {
	p.leader, p.leaderEpoch, p.leading = b.id, state.LeaderEpoch, true
	p.epochStart = p.log.EndOffset()
	p.log.AssignEpoch(p.leaderEpoch, p.epochStart)
	p.isr, p.partitionEpoch, p.proposed, p.requested = state.ISR, state.PartitionEpoch, 0, false
	for i := range p.followers {
		p.followers[i].reset(now, p.isr)
	}
	b.emit(out, event.Event{
		Kind: event.BecameLeader, Partition: p.id, Epoch: p.leaderEpoch, Offset: p.epochStart, Prev: int64(p.hw),
	})
	b.maybeIncrementHighWatermark(p, now, out)
	b.streamTail(p, out)
	b.host(p, now, out)
}

// becomeFollower starts to follow, or waits without a leader (Partition.makeFollower).
func (b *Broker) becomeFollower(p *partition, state *kafka.PartitionState, now kafka.Tick, out *node.Out) {
	same := p.leader == state.Leader && !p.leading && b.config.Rules.SameLeaderNotRealigned
	b.failWaiting(p, kafka.NotLeaderOrFollower, now, out)
	b.resign(p, out)
	p.leader, p.leaderEpoch, p.leading = state.Leader, state.LeaderEpoch, false
	p.isr, p.partitionEpoch, p.proposed, p.requested = state.ISR, state.PartitionEpoch, 0, false
	b.wakeFollowers(p, out) // with NOT_LEADER_OR_FOLLOWER, all that were parked here
	b.wakeReaders(p, out)
	p.aligned = p.aligned && same
	b.emit(out, event.Event{Kind: event.BecameFollower, Partition: p.id, Epoch: p.leaderEpoch, Peer: p.leader})
	if b.config.Rules.TruncateToHighWatermark && p.leader != kafka.NoNode {
		b.truncate(p, p.leader, p.hw, now, out)
	}
}
