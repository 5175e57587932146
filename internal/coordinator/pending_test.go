package coordinator

import (
	"math/rand/v2"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// pend commits an offset in the transaction of a producer; member nil is one that tells nothing of itself.
func (b *bench) pend(m *member, producer kafka.ProducerID, p kafka.PartitionID, at kafka.Offset) kafka.ErrorCode {
	b.t.Helper()
	r := &kafka.TxnOffsetCommitRequest{
		Group: work, Generation: -1, ProducerID: producer, Offsets: []kafka.PartitionOffset{{Partition: p, Offset: at}},
	}
	if m != nil {
		r.MemberID, r.Generation = m.id, 1
	}
	return answer[*kafka.TxnOffsetCommitResponse](b, b.send(64, r)).Results[0].Error
}

func (b *bench) ends(producer kafka.ProducerID, commit bool) {
	b.step(func(*Write) { b.EndTransaction(producer, commit, &b.out) })
}

func (b *bench) stability(p kafka.PartitionID) kafka.ErrorCode {
	b.t.Helper()
	corr := b.send(64, &kafka.OffsetFetchRequest{Group: work, Partitions: []kafka.PartitionID{p}, RequireStable: true})
	return answer[*kafka.OffsetFetchResponse](b, corr).Offsets[0].Error
}

func TestOffsetOfATransactionCountsWithItsCommitMarker(t *testing.T) {
	b := newBench(t)
	m := b.member(64)
	b.stableGroupOf(m)
	m.commitOffset(0, 3)
	b.kinds()
	if code := b.pend(m, 7, 0, 9); code != kafka.None {
		t.Fatal(code)
	}
	if b.stability(0) != kafka.UnstableOffsetCommit || b.stability(1) != kafka.None {
		t.Error("an offset that may still change is handed out, or one that can not change is not")
	}
	b.ends(8, true)
	b.ends(7, false)
	if got := b.fetched(0); got != 3 {
		t.Errorf("after the abort the offset is %d", got)
	}
	b.pend(m, 7, 0, 9)
	b.ends(7, true)
	if got := b.fetched(0); got != 9 {
		t.Errorf("after the commit the offset is %d", got)
	}
	b.expectKinds(event.OffsetPending, event.PendingOffsetEnded, event.OffsetPending, event.PendingOffsetEnded)
}

func TestTransactionsOffsetThatWasWrittenLastCounts(t *testing.T) {
	b := newBench(t)
	m := b.member(64)
	b.stableGroupOf(m)
	b.pend(m, 7, 0, 5)
	b.pend(m, 8, 0, 6)
	b.ends(8, true)
	b.ends(7, true)
	if got := b.fetched(0); got != 6 {
		t.Errorf("%d: the marker that came last has won", got)
	}
	b.pend(m, 7, 0, 7)
	m.commitOffset(0, 8)
	b.ends(7, true)
	if got := b.fetched(0); got != 8 {
		t.Errorf("%d: a commit was undone by an earlier one, whose marker came later", got)
	}
}

func TestTransactionOfAFormerOwnerIsRefused(t *testing.T) {
	b := newBench(t)
	m := b.member(64)
	b.stableGroupOf(m)
	if code := b.pend(nil, 7, 0, 5); code != kafka.None {
		t.Errorf("a producer that tells nothing of its group is fenced by its id alone: %v", code)
	}
	m.id = "nobody"
	if code := b.pend(m, 7, 0, 5); code != kafka.UnknownMemberID {
		t.Error(code)
	}
	r := &kafka.TxnOffsetCommitRequest{Group: work, Generation: 4, MemberID: "x", Offsets: []kafka.PartitionOffset{{}}}
	if code := (*group)(nil).validatePending(r); code != kafka.IllegalGeneration {
		t.Error(code)
	}
}

func TestEmptyGroupTakesOffsetsFromOutsideOfAnyGeneration(t *testing.T) {
	b := newBench(t)
	m := b.member(64)
	b.stableGroupOf(m)
	r := &kafka.TxnOffsetCommitRequest{Group: work, Generation: -1, MemberID: "once a member", Offsets: []kafka.PartitionOffset{{}}}
	if code := b.find(work).validatePending(r); code != kafka.UnknownMemberID {
		t.Error(code)
	}
	b.send(64, &kafka.LeaveGroupRequest{Group: work, MemberID: m.id})
	if code := b.find(work).validatePending(r); code != kafka.None {
		t.Error(code)
	}
}

// TestPendingOffsetsAreRebuilt takes random steps and holds a coordinator that reads the log against the one that wrote it.
func TestPendingOffsetsAreRebuilt(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		b := newBench(t)
		var log []kafka.Batch
		for range 30 {
			producer, p, at := kafka.ProducerID(7+rng.IntN(3)), kafka.PartitionID(rng.IntN(2)), kafka.Offset(rng.IntN(100))
			switch rng.IntN(4) {
			case 0:
				commit := rng.IntN(2) == 0
				b.ends(producer, commit)
				log = append(log, kafka.NewMarker(producer, 0, 0, commit, b.now))
			case 1:
				b.outside(p, at)
				log = append(log, kafka.Batch{ProducerID: kafka.NoProducerID, Records: kafka.CoordinatorRecords(b.log[len(b.log)-1:], b.now, 100)})
			default:
				b.pend(nil, producer, p, at)
				log = append(log, kafka.Batch{
					ProducerID: producer, Attributes: kafka.Transactional, Records: kafka.CoordinatorRecords(b.log[len(b.log)-1:], b.now, 100),
				})
			}
		}
		again := NewGroups(b.setting)
		for i := range log {
			again.ApplyBatch(&log[i])
		}
		again.nextCheck = b.nextCheck
		if fingerprint(b.Groups) != fingerprint(again) {
			t.Fatalf("seed %d: the coordinator that reads the log knows something else", seed)
		}
	}
}

func fingerprint(c *Groups) uint64 {
	var h node.Hash
	c.Fingerprint(&h)
	return h.Sum()
}
