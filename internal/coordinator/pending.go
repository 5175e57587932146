package coordinator

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file keeps the offsets that producers commit in transactions (KIP-98, KIP-447). They are records of __consumer_offsets like
// others, in batches of the transaction, and count when its commit marker is written in the partition.

// pendingOffset is an offset of an open transaction.
type pendingOffset struct {
	value     *kafka.OffsetCommitValue
	producer  kafka.ProducerID
	partition kafka.PartitionID
	overtaken bool // a commit that was written later counts already
}

// commitPending takes a TxnOffsetCommit (OffsetMetadataManager.commitTransactionalOffset).
func (s *step) commitPending(r *kafka.TxnOffsetCommitRequest) {
	g := s.find(r.Group)
	code := g.validatePending(r)
	if s.setting.Config.Rules.TransactionOffsetsUnfenced {
		code = kafka.None
	}
	if code != kafka.None {
		s.tellRefused(r.Group, r.Offsets, code)
		s.answer(pendingResponse(r, code))
		return
	}
	g = s.obtain(r.Group)
	s.w.Transaction = r
	for _, o := range r.Offsets {
		value := &kafka.OffsetCommitValue{Offset: o.Offset, LeaderEpoch: o.LeaderEpoch, Committed: s.now}
		s.write(kafka.CoordinatorKey{Kind: kafka.OffsetCommitKey, Group: g.id, Partition: o.Partition}, value)
		g.applyPending(o.Partition, value, r.ProducerID)
		s.emit(g, event.Event{Kind: event.OffsetPending, Peer: s.from, Partition: o.Partition, Offset: o.Offset, Producer: r.ProducerID, ProducerEpoch: r.ProducerEpoch})
	}
	s.answerCommitted(pendingResponse(r, kafka.None))
}

// validatePending looks at the member and its generation only if the producer tells of them (KIP-447); one that does not is fenced
// by its transactional id alone (OffsetMetadataManager.validateTransactionalOffsetCommit, ClassicGroup.validateOffsetCommit). A group
// without members takes offsets from outside of any generation.
func (g *group) validatePending(r *kafka.TxnOffsetCommitRequest) kafka.ErrorCode {
	switch {
	case !g.exists() && r.Generation < 0:
		return kafka.None
	case !g.exists():
		return kafka.IllegalGeneration
	case r.Generation < 0 && (g.empty() || r.MemberID == "" && r.InstanceID == ""):
		return kafka.None
	case g.consumer != nil:
		if code := g.consumer.validateMember(r.MemberID, r.Generation); code != kafka.StaleMemberEpoch {
			return code
		}
		return kafka.IllegalGeneration
	}
	return g.classic.validateGeneration(r.MemberID, r.InstanceID, r.Generation)
}

func pendingResponse(r *kafka.TxnOffsetCommitRequest, code kafka.ErrorCode) *kafka.TxnOffsetCommitResponse {
	results := slices.Clone(r.Offsets)
	for i := range results {
		results[i].Error = code
	}
	return &kafka.TxnOffsetCommitResponse{Results: results}
}

// applyPending replays an offset of a transaction; of a partition that the transaction has already the later one counts.
func (g *group) applyPending(p kafka.PartitionID, value *kafka.OffsetCommitValue, producer kafka.ProducerID) {
	if !g.exists() {
		g.classic = newClassicGroup()
	}
	g.pending = slices.DeleteFunc(g.pending, func(o pendingOffset) bool { return o.producer == producer && o.partition == p })
	g.pending = append(g.pending, pendingOffset{value: value, producer: producer, partition: p})
}

// overtake notes that an offset counts which was written after the first n pending ones.
func (g *group) overtake(p kafka.PartitionID, n int) {
	for i := range g.pending[:n] {
		if g.pending[i].partition == p {
			g.pending[i].overtaken = true
		}
	}
}

// hasPending reports whether a transaction is open that may change a partition's offset.
func (g *group) hasPending(p kafka.PartitionID) bool {
	return g != nil && slices.ContainsFunc(g.pending, func(o pendingOffset) bool { return o.partition == p })
}

// EndTransaction takes in the marker that ends a producer's transaction in the coordinator's partition
// (OffsetMetadataManager.replayEndTransactionMarker).
func (c *Groups) EndTransaction(producer kafka.ProducerID, commit bool, out *node.Out) {
	cause := out.Cause()
	for _, g := range slices.Clone(c.groups) {
		g.endPending(producer, commit, func(o pendingOffset, counts bool) {
			out.BecauseExactly(cause)
			out.Emit(event.Event{
				Kind: event.PendingOffsetEnded, Node: c.setting.Host, Partition: o.partition, Offset: o.value.Offset, Value: int64(g.id),
				Prev: event.Flag(counts), Producer: producer,
			})
		})
		c.forget(g)
	}
	out.BecauseExactly(cause)
}

// endPending ends the offsets of a producer's transaction in the order in which they were written.
func (g *group) endPending(producer kafka.ProducerID, commit bool, tell func(o pendingOffset, counts bool)) {
	for i := 0; i < len(g.pending); {
		o := g.pending[i]
		if o.producer != producer {
			i++
			continue
		}
		counts := commit && !o.overtaken
		if counts {
			g.overtake(o.partition, i)
			g.setOffset(o.partition, o.value)
		}
		g.pending = slices.Delete(g.pending, i, i+1)
		tell(o, counts)
	}
}

// ApplyBatch takes in a batch of the log: records of the coordinator, those of a transaction, or the marker that ends one.
func (c *Groups) ApplyBatch(b *kafka.Batch) {
	for i := range b.Len() {
		r := b.Coordinator(i)
		switch {
		case r == nil:
		case b.IsControl():
			c.replayed++
			for _, g := range slices.Clone(c.groups) {
				g.endPending(b.ProducerID, b.Commits(), func(pendingOffset, bool) {})
				c.forget(g)
			}
		case b.IsTransactional():
			c.replayed++
			value, _ := r.Value.(*kafka.OffsetCommitValue)
			c.obtain(r.Key.Group).applyPending(r.Key.Partition, value, b.ProducerID)
		default:
			c.Apply(r)
		}
	}
}
