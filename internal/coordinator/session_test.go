package coordinator

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// generationOf brings two new members to the begin of a generation, before any SyncGroup.
func (b *bench) generationOf(m1, m2 *member) {
	b.t.Helper()
	first, second := m1.join(), m2.join()
	b.to(6000)
	m1.joined(first)
	m2.joined(second)
}

func TestAssignmentOfAnEarlierGenerationCountsForNothing(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	b.generationOf(m1, m2)
	b.held = true
	m1.sync(part(m1, 0), part(m2, 1))
	m2.protocols = m2.protocols[:1] // subscribes otherwise: a rebalance
	second := m2.join()
	b.held = false
	b.commit(kafka.None)
	b.state(preparingRebalance, 1)
	b.unanswered(second)
}

func TestAssignmentThatIsCommittedLateIsNotTheNextGenerations(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	b.generationOf(m1, m2)
	b.held = true
	m1.sync(part(m1, 0), part(m2, 1))
	m2.protocols = m2.protocols[:1]
	second, first := m2.sendJoin(), m1.sendJoin()
	m1.joined(first)
	m2.joined(second)
	b.state(completingRebalance, 2)
	b.held = false
	b.commit(kafka.None)
	b.state(completingRebalance, 2)
}

func TestSessionBeginsAnewWithTheAssignment(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	b.generationOf(m1, m2)
	follower := m2.sync()
	for range 5 {
		b.pass(30 * second) // m2 waits, beyond its session
		m1.beat()
	}
	m1.sync(part(m1, 0), part(m2, 1))
	m2.synced(follower)
	b.kinds()
	b.pass(44 * second)
	m1.beat()
	b.expectKinds()
	b.pass(second)
	b.expectKinds(event.MemberExpired, event.RebalanceBegan)
}

func TestRebalanceForgivesWhoOwesItsSync(t *testing.T) {
	b := newBench(t)
	m1, m2, m3 := b.member(64), b.member(65), b.member(66)
	b.generationOf(m1, m2)
	m1.synced(m1.sync(part(m1, 0), part(m2, 1))) // m2 does not ask for its part
	for range 7 {
		b.pass(30 * second)
		m1.beat()
		m2.beat()
	}
	m3.join() // at 3.5 minutes
	m1.join()
	b.kinds()
	for range 3 {
		b.pass(30 * second)
		m2.beat()
	}
	b.expectKinds()
}

func TestIdThatNobodyComesBackWithEndsEvenTheInitialDelay(t *testing.T) {
	b := newBench(t)
	m1, m2, m3, m4 := b.member(64), b.member(65), b.member(66), b.member(67)
	m2.session = 7 * second
	first := m1.join()
	m2.sendJoin()
	b.to(2 * second)
	m3.join()
	b.to(5 * second)
	m4.join() // the delay lasts to 9 s
	b.to(7*second - 1)
	b.unanswered(first)
	b.to(7 * second)
	m1.joined(first)
}

func TestJoinPhaseEndsWhenTheLastThatIsMissingLeaves(t *testing.T) {
	b := newBench(t)
	m1, m2, m3 := b.member(64), b.member(65), b.member(66)
	b.stableGroupOf(m1, m2)
	third := m3.join()
	m1.join()
	b.unanswered(third)
	m2.leave()
	m3.joined(third)
}

func TestNothingExpiresWhileAGroupRebalances(t *testing.T) {
	b := newBench(t)
	b.setting.Config.OffsetsRetention = minute
	b.outside(4, 5) // of a topic that nobody will read
	m1, m2 := b.member(64), b.member(65)
	m1.maxPoll = 30 * minute
	b.stableGroupOf(m1)
	m2.join()
	for range 20 {
		b.pass(30 * second)
		m1.beat()
	}
	if b.now < 10*minute || b.fetched(4) != 5 {
		t.Errorf("at %d the offset is %d", b.now, b.fetched(4))
	}
}

func TestCommitOfNothingMakesNoGroup(t *testing.T) {
	b := newBench(t)
	b.send(64, &kafka.OffsetCommitRequest{Group: work, Generation: -1})
	if b.find(work) != nil {
		t.Error("there is a group")
	}
}

// revoking is a static member that was told to let go of something, and has ten seconds for it.
func (b *bench) revoking() (m1, m2 *consumer) {
	m1, m2 = b.consumer(64, "m1"), b.consumer(65, "m2")
	m1.instance, m1.maxPoll = "a", 10*second
	m1.join()
	m2.join()
	m1.beat()
	m1.is(1, 0, 1)
	return m1, m2
}

func TestStaticMemberThatLeavesForAWhileLetsGo(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.revoking()
	m1.ask(m1.request(leaveStaticEpoch))
	m2.beat()
	m2.is(2, 2, 3)
	b.kinds()
	b.pass(40 * second) // the time to let go is over, and means nothing any more
	m2.beat()
	b.expectKinds()
	b.pass(5 * second)
	b.expectKinds(event.MemberExpired)
}

func TestMemberThatHasLetGoStays(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.revoking()
	m1.report()
	m1.is(2, 0, 1)
	b.kinds()
	b.pass(20 * second)
	m2.beat()
	m1.beat()
	if kinds := b.kinds(); slices.Contains(kinds, event.MemberRemoved) {
		t.Errorf("%v", kinds)
	}
	b.pass(40 * second)
	m1.beat()
	b.pass(5 * second)
	if e := b.events[0]; e.Kind != event.MemberExpired || e.Peer != m2.node || e.Prev != int64(20*second) {
		t.Errorf("%+v: m2 was last heard at 20 s", e)
	}
}

func TestNewCoordinatorGivesTimeToLetGoAnew(t *testing.T) {
	b := newBench(t)
	b.revoking()
	b.pass(8 * second)
	b.Groups = b.reload()
	b.step(func(*Write) { b.Loaded(b.now, &b.out) })
	b.kinds()
	b.pass(10*second - 1)
	b.expectKinds()
	b.pass(1)
	b.expectKinds(event.MemberRemoved)
}

func TestMemberWithoutHeartbeatsExpires(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	b.stableGroupOf(m1, m2)
	b.kinds()
	last := b.now
	for b.now < last+45*second-3*second {
		b.pass(3 * second)
		m1.beat()
	}
	b.to(last + 45*second - 1)
	b.expectKinds()
	b.to(last + 45*second)
	if b.events[0].Prev != int64(last) || b.events[0].Peer != m2.node {
		t.Errorf("%+v: it was last heard at %d", b.events[0], last)
	}
	b.expectKinds(event.MemberExpired, event.RebalanceBegan)
	if m2.beat() != kafka.UnknownMemberID {
		t.Error("the expired member is known still")
	}
}

func TestParkedJoinCountsAsAlive(t *testing.T) {
	b := newBench(t)
	m1, m2, m3 := b.member(64), b.member(65), b.member(66)
	b.stableGroupOf(m1, m2)
	third := m3.join()
	m1.join()
	for range 7 {
		b.pass(30 * second) // far beyond the session of m1, which waits
		m2.beat()
	}
	b.unanswered(third)
	if len(b.find(work).classic.members) != 3 {
		t.Error("a member that waits in the join phase was removed")
	}
}

func TestNewMemberMayWaitFiveMinutes(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	m1.maxPoll = 10 * minute
	b.stableGroupOf(m1)
	corr, began := m2.join(), b.now
	for b.now < began+5*minute-30*second {
		b.pass(30 * second)
		m1.beat() // and does not join again
	}
	b.to(began + 5*minute - 1)
	b.unanswered(corr)
	b.pass(1)
	if r := answer[*kafka.JoinGroupResponse](b, corr); r.Error != kafka.UnknownMemberID {
		t.Errorf("its JoinGroup is answered %v", r.Error)
	}
}

func TestPendingIDIsForgottenAfterTheSession(t *testing.T) {
	b := newBench(t)
	m := b.member(64)
	r := answer[*kafka.JoinGroupResponse](b, m.sendJoin())
	b.pass(45 * second)
	m.id = r.MemberID
	if r := answer[*kafka.JoinGroupResponse](b, m.sendJoin()); r.Error != kafka.UnknownMemberID {
		t.Errorf("a member id from long ago is answered %v", r.Error)
	}
}

func TestWhoDoesNotSyncIsRemoved(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	first, second := m1.join(), m2.join()
	b.to(6000)
	m1.joined(first)
	m2.joined(second)
	m1.synced(m1.sync(part(m1, 0), part(m2, 1)))
	b.state(stableGroup, 1)
	b.kinds()
	for b.now < 6000+4*minute {
		b.pass(30_000)
		m1.beat()
		m2.beat()
	}
	b.expectKinds(event.MemberRemoved, event.RebalanceBegan, event.MemberFenced)
	b.state(preparingRebalance, 1)
}
