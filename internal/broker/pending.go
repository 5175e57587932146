package broker

import (
	"replog/internal/coordinator"
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file writes the offsets that producers commit in their transactions. For the transaction the partition of __consumer_offsets
// is one like any other: the coordinator of the transaction is asked about it first, and it gets a marker.

// commitInTransaction takes a TxnOffsetCommit (GroupCoordinatorService.commitTransactionalOffsets).
func (b *Broker) commitInTransaction(in *node.Input, r *kafka.TxnOffsetCommitRequest, out *node.Out) {
	home := b.plan.Groups[r.Group].Coordinator
	p := b.parts[home]
	if p.groups() == nil {
		out.Answer(in.Reply, coordinator.Refuse(r, kafka.NotLeaderOrFollower))
		return
	}
	if b.config.Rules.TransactionsUnverified {
		b.storePending(in, r, 0, kafka.None, out)
		return
	}
	guard := p.producers.Guard(pendingBatch(r), b.plan.TransactionVersion())
	if guard == 0 {
		b.storePending(in, r, 0, kafka.None, out)
		return
	}
	b.askTransaction(verifying{input: *in, offsets: r, guards: []uint32{guard}}, &kafka.AddPartitionsToTxnRequest{
		TransactionID: r.TransactionID, ProducerID: r.ProducerID, ProducerEpoch: r.ProducerEpoch,
		Partitions: []kafka.PartitionID{home},
	}, out)
}

// pendingBatch is the header of the batch that a request becomes.
func pendingBatch(r *kafka.TxnOffsetCommitRequest) *kafka.Batch {
	return &kafka.Batch{
		ProducerID: r.ProducerID, ProducerEpoch: r.ProducerEpoch, BaseSequence: kafka.NoSequence, Attributes: kafka.Transactional,
	}
}

// storePending hands the offsets to the group's coordinator, unless the transaction's coordinator, or the partition, is against it.
func (b *Broker) storePending(in *node.Input, r *kafka.TxnOffsetCommitRequest, guard uint32, code kafka.ErrorCode, out *node.Out) {
	p := b.parts[b.plan.Groups[r.Group].Coordinator]
	switch {
	case code == kafka.ProducerFenced:
		code = kafka.InvalidProducerEpoch
	case code == kafka.TransactionAbortable && b.plan.TransactionVersion() < 2:
		code = kafka.InvalidTxnState
	case code != kafka.None:
	case p.groups() == nil:
		code = kafka.NotLeaderOrFollower
	case p.underMinISR():
		code = kafka.NotEnoughReplicas
	case !b.config.Rules.TransactionsUnverified && !p.producers.Guarded(pendingBatch(r), guard):
		code = kafka.InvalidTxnState
	default:
		code = p.producers.CheckEpoch(pendingBatch(r))
	}
	if code != kafka.None {
		out.Answer(in.Reply, coordinator.Refuse(r, code))
		return
	}
	b.stepGroups(p, in.Now, handled(in), out)
}

// endPending lets a marker end what a producer has committed in its transaction here.
func (b *Broker) endPending(p *partition, marker *kafka.Batch, out *node.Out) {
	if c := p.groups(); c != nil {
		c.EndTransaction(marker.ProducerID, marker.Commits(), out)
		c.wrote = marker.NextOffset()
	}
}
