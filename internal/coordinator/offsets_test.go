package coordinator

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

func (b *bench) fetched(p kafka.PartitionID) kafka.Offset {
	b.t.Helper()
	corr := b.send(64, &kafka.OffsetFetchRequest{Group: work, Partitions: []kafka.PartitionID{p}, RequireStable: true})
	return answer[*kafka.OffsetFetchResponse](b, corr).Offsets[0].Offset
}

// outside commits from outside of the group.
func (b *bench) outside(p kafka.PartitionID, at kafka.Offset) kafka.ErrorCode {
	b.t.Helper()
	corr := b.send(70, &kafka.OffsetCommitRequest{
		Group: work, Generation: -1, Offsets: []kafka.PartitionOffset{{Partition: p, Offset: at, LeaderEpoch: kafka.NoEpoch}},
	})
	return answer[*kafka.OffsetCommitResponse](b, corr).Results[0].Error
}

func TestLastCommitWins(t *testing.T) {
	b := newBench(t)
	m := b.member(64)
	b.stableGroupOf(m)
	b.kinds()
	m.commitOffset(0, 9)
	m.commitOffset(0, 4) // backwards, and nobody minds
	if b.events[0].Prev != event.NoPrevious || b.events[1].Prev != 9 || b.events[1].Offset != 4 {
		t.Errorf("%+v", b.events)
	}
	b.expectKinds(event.OffsetCommitWritten, event.OffsetCommitWritten)
	if got := b.fetched(0); got != 4 {
		t.Errorf("fetched %d", got)
	}
	if got := b.fetched(1); got != kafka.NoOffset {
		t.Errorf("fetched %d where nothing is committed", got)
	}
}

func TestOffsetIsSeenWhenItIsCommitted(t *testing.T) {
	b := newBench(t)
	m := b.member(64)
	b.stableGroupOf(m)
	b.held = true
	commit := b.send(64, &kafka.OffsetCommitRequest{
		MemberID: m.id, Group: work, Generation: 1, Offsets: []kafka.PartitionOffset{{Partition: 0, Offset: 3}},
	})
	fetch := b.send(65, &kafka.OffsetFetchRequest{Group: work, Partitions: []kafka.PartitionID{0}, RequireStable: true})
	beat := b.send(64, &kafka.HeartbeatRequest{MemberID: m.id, Group: work, Generation: 1})
	for _, corr := range []uint32{commit, fetch, beat} {
		b.unanswered(corr)
	}
	b.commit(kafka.None)
	if got := answer[*kafka.OffsetFetchResponse](b, fetch).Offsets[0].Offset; got != 3 {
		t.Errorf("fetched %d", got)
	}
}

func TestCommitThatCanNotBeStoredIsRefused(t *testing.T) {
	b := newBench(t)
	b.held = true
	corr := b.send(64, &kafka.OffsetCommitRequest{Group: work, Generation: -1, Offsets: []kafka.PartitionOffset{{Offset: 3}}})
	b.commit(kafka.NotEnoughReplicas)
	if got := answer[*kafka.OffsetCommitResponse](b, corr).Results[0].Error; got != kafka.CoordinatorNotAvailable {
		t.Errorf("it is answered %v", got)
	}
}

func TestCommitNeedsAMemberOfThisGeneration(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	m1.id, m1.generation = "packing-0-1", 1
	if got := m1.commitOffset(0, 1); got != kafka.GroupIDNotFound {
		t.Errorf("without a group: %v", got)
	}
	m1.id, m1.generation = "", -1
	b.stableGroupOf(m1)
	b.kinds()
	if got := b.outside(0, 1); got != kafka.UnknownMemberID {
		t.Errorf("from outside while there are members: %v", got)
	}
	stranger := b.member(66)
	stranger.id, stranger.generation = "packing-9-9", 1
	if got := stranger.commitOffset(0, 1); got != kafka.UnknownMemberID {
		t.Errorf("by a stranger: %v", got)
	}
	b.expectKinds(event.OffsetCommitRefused, event.OffsetCommitRefused)
	second := m2.join()
	if got := m1.commitOffset(0, 1); got != kafka.None {
		t.Errorf("in the join phase: %v", got)
	}
	first := m1.join()
	m1.joined(first)
	m2.joined(second)
	if got := m1.commitOffset(0, 1); got != kafka.RebalanceInProgress {
		t.Errorf("between JoinGroup and SyncGroup: %v", got)
	}
}

func TestCommitKeepsTheSession(t *testing.T) {
	b := newBench(t)
	m := b.member(64)
	b.stableGroupOf(m)
	b.pass(40 * second)
	m.commitOffset(0, 1)
	b.pass(40 * second)
	if m.beat() != kafka.None {
		t.Error("a member that commits counts as dead")
	}
}

// expiresAt lets time pass until an offset expires, looking each check interval.
func (b *bench) expiresAt(p kafka.PartitionID, limit kafka.Tick) kafka.Tick {
	for b.now < limit {
		b.to(min(limit, max(b.now, b.Deadline())))
		for _, e := range b.events {
			if e.Kind == event.OffsetExpired && e.Partition == p {
				return b.now
			}
		}
	}
	return kafka.Never
}

const week = 7 * 24 * 60 * minute

func TestOffsetsOfAnEmptyGroupExpire(t *testing.T) {
	b := newBench(t)
	m := b.member(64)
	b.stableGroupOf(m)
	m.commitOffset(0, 5)
	for range 90 {
		b.pass(40 * second)
		m.beat()
	}
	m.leave()
	emptySince := b.now
	at := b.expiresAt(0, 3*week)
	if at < emptySince+week || at >= emptySince+week+10*minute {
		t.Errorf("the offset expires at %d, the group is empty since %d", at, emptySince)
	}
	if b.find(work) != nil || b.reload().find(work) != nil {
		t.Error("the group is there still, without members and offsets")
	}
	last := b.log[len(b.log)-2:]
	if last[0].Key.Kind != kafka.OffsetCommitKey || last[0].Value != nil || last[1].Key.Kind != kafka.GroupMetadataKey || last[1].Value != nil {
		t.Errorf("no tombstones: %+v", last)
	}
}

func TestOffsetsOfASimpleGroupExpireAWeekAfterTheCommit(t *testing.T) {
	b := newBench(t)
	b.pass(minute)
	b.outside(0, 5)
	b.pass(week / 2)
	b.outside(1, 5)
	if at := b.expiresAt(0, 3*week); at < minute+week || at >= minute+week+10*minute {
		t.Errorf("partition 0 expires at %d", at)
	}
	if at := b.expiresAt(1, 3*week); at < minute+week+week/2 || at >= minute+week+week/2+10*minute {
		t.Errorf("partition 1 expires at %d", at)
	}
}

func TestOffsetsOfWhatIsReadDoNotExpire(t *testing.T) {
	b := newBench(t)
	m := b.member(64) // reads orders
	c := b.consumer(65, "m1")
	c.join()
	b.outside(4, 5) // of slips, which nobody reads
	corr := b.send(65, &kafka.OffsetCommitRequest{
		MemberID: "m1", Group: pack, Generation: 1, Offsets: []kafka.PartitionOffset{{Partition: 0, Offset: 1}, {Partition: 5, Offset: 1}},
	})
	answer[*kafka.OffsetCommitResponse](b, corr)
	b.stableGroupOf(m)
	m.commitOffset(0, 5)
	b.kinds()
	var expired []kafka.PartitionID
	reloaded := false
	for b.now < week+20*minute {
		b.pass(40 * second)
		m.beat()
		c.beat()
		if b.now >= week/2 && !reloaded { // a new coordinator knows who reads what
			reloaded = true
			b.Groups = b.reload()
			b.step(func(*Write) { b.Loaded(b.now, &b.out) })
			b.kinds()
		}
	}
	for _, e := range b.events {
		expired = append(expired, e.Partition)
	}
	if slices.Sort(expired); !slices.Equal(expired, []kafka.PartitionID{4, 5}) {
		t.Errorf("expired are %v", expired)
	}
}

// TestOffsetsOnceExpiredUnderALiveGroup: before KIP-211 the retention counted from the commit, whoever was there.
func TestOffsetsOnceExpiredUnderALiveGroup(t *testing.T) {
	for _, before := range []bool{false, true} {
		b := newBench(t)
		b.setting.Config.Rules.OffsetsExpireFromCommit = before
		m := b.member(64)
		b.stableGroupOf(m)
		m.commitOffset(0, 5)
		for committed := b.now; b.now < committed+week+10*minute; {
			b.pass(40 * second)
			m.beat()
		}
		if gone := b.fetched(0) == kafka.NoOffset; gone != before {
			t.Errorf("counting from the commit %t: the offset is gone %t", before, gone)
		}
	}
}

func TestNewCoordinatorKnowsTheOffsetsAndTheMembers(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	b.stableGroupOf(m1, m2)
	m1.commitOffset(0, 12)
	b.pass(40 * second)
	m1.beat()
	m2.beat()
	b.Groups = b.reload()
	b.kinds()
	b.step(func(*Write) { b.Loaded(b.now, &b.out) })
	if e := b.events[0]; e.Count != int32(len(b.log)) || e.Value != 1 || e.Partition != 9 || e.Node != 2 {
		t.Errorf("%+v", e)
	}
	if e := b.events[1]; e.Partition != 0 || e.Offset != 12 || e.Group() != work {
		t.Errorf("%+v", e)
	}
	b.expectKinds(event.GroupsLoaded, event.OffsetLoaded, event.MemberLoaded, event.MemberLoaded)
	b.pass(44 * second) // a fresh session for everybody
	if m1.beat() != kafka.None || m2.beat() != kafka.None || b.fetched(0) != 12 {
		t.Error("the new coordinator does not know them")
	}
	newcomer := b.member(64) // with the client.id of m1
	newcomer.join()
	if newcomer.id == m1.id || newcomer.id == m2.id {
		t.Errorf("%s is given out twice", newcomer.id)
	}
}
