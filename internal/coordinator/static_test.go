package coordinator

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

func (b *bench) static(n kafka.NodeID, instance string) *member {
	m := b.member(n)
	m.instance = instance
	return m
}

func TestStaticMemberReturnsWithoutARebalance(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.static(64, "a"), b.static(65, "b")
	b.stableGroupOf(m1, m2)
	b.pass(20 * second)
	m1.beat()
	b.kinds()
	old := *m2
	m2.id = "" // it restarts
	b.held = true
	corr := m2.join()
	b.unanswered(corr) // the new member id must be in the log first
	b.held = false
	b.commit(kafka.None)
	r := m2.joined(corr)
	if r.Generation != 1 || r.Leader != m1.id || r.SkipAssignment || m2.id == old.id {
		t.Errorf("it is answered %+v", r)
	}
	if got := m2.synced(m2.sync()); !slices.Equal(got, []kafka.PartitionID{1, 3}) {
		t.Errorf("it gets %v", got)
	}
	b.expectKinds()
	b.state(stableGroup, 1)
	if m1.beat() != kafka.None {
		t.Error("the other one is disturbed")
	}
	b.pass(44 * second)
	if m1.beat() != kafka.None || m2.beat() != kafka.None {
		t.Error("the session does not begin with the return")
	}
	if old.beat() != kafka.FencedInstanceID || old.commitOffset(1, 5) != kafka.FencedInstanceID || old.leave() != kafka.FencedInstanceID {
		t.Error("its earlier life is not fenced")
	}
	if got := b.reload().find(work).classic.instance("b"); got.ID != m2.id {
		t.Errorf("the log has %s", got.ID)
	}
}

func TestStaticLeaderThatReturnsNeedNotAssign(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.static(64, "a"), b.static(65, "b")
	b.stableGroupOf(m1, m2)
	m1.id = ""
	r := m1.joined(m1.join())
	if !r.SkipAssignment || r.Leader != m1.id || len(r.Members) != 2 || r.Generation != 1 {
		t.Errorf("the leader is answered %+v", r)
	}
	if got := m1.synced(m1.sync()); !slices.Equal(got, []kafka.PartitionID{0, 2}) {
		t.Errorf("it gets %v", got)
	}
}

func TestStaticMemberThatChangesTheAssignorRebalances(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.static(64, "a"), b.static(65, "b")
	b.stableGroupOf(m1, m2)
	m2.id, m2.protocols = "", m2.protocols[1:] // no range any more
	corr := m2.join()
	b.state(preparingRebalance, 1)
	m1.join()
	if r := m2.joined(corr); r.Protocol != "cooperative-sticky" || r.Generation != 2 {
		t.Errorf("it is answered %+v", r)
	}
}

func TestSecondUserOfAnInstanceIDFencesTheFirst(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.static(64, "a"), b.static(65, "b")
	b.stableGroupOf(m1, m2)
	b.kinds()
	thief := b.static(66, "b")
	thief.joined(thief.join())
	b.expectKinds(event.MemberFenced, event.MemberJoined)
	if m2.beat() != kafka.FencedInstanceID {
		t.Error("the first user goes on")
	}
	if r := answer[*kafka.SyncGroupResponse](b, m2.sync()); r.Error != kafka.FencedInstanceID {
		t.Errorf("its SyncGroup is answered %v", r.Error)
	}
	if r := answer[*kafka.JoinGroupResponse](b, m2.join()); r.Error != kafka.FencedInstanceID {
		t.Errorf("its JoinGroup is answered %v", r.Error)
	}
}

func TestStaticMemberIsNotRemovedAtTheEndOfTheJoinPhase(t *testing.T) {
	b := newBench(t)
	m1, m2, m3 := b.static(64, "a"), b.static(65, "b"), b.member(66)
	b.stableGroupOf(m1, m2)
	third, began := m3.join(), b.now
	for range 7 {
		b.pass(30 * second)
		m1.beat()
		m2.beat()
	}
	b.to(began + 4*minute)
	if r := m3.joined(third); r.Leader != m3.id || len(r.Members) != 3 {
		t.Errorf("the only one to join leads three: %+v", r)
	}
}

func TestJoinPhaseGoesOnWhileOnlyAbsentStaticMembersAreLeft(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.static(64, "a"), b.static(65, "b")
	b.stableGroupOf(m1, m2)
	m2.leave() // an operator's doing; m1 does not join again
	for range 10 {
		b.pass(30 * second)
		m1.beat()
	}
	b.state(preparingRebalance, 1)
	b.pass(45 * second)
	b.state(emptyGroup, 2)
}

func TestStaticMemberInTheJoinPhaseTakesThePlaceOfItsEarlierLife(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.static(64, "a"), b.static(65, "b")
	first, second := m1.join(), m2.join()
	m2.id = ""
	again := m2.join()
	if r := answer[*kafka.JoinGroupResponse](b, second); r.Error != kafka.FencedInstanceID {
		t.Errorf("the JoinGroup of the earlier life is answered %v", r.Error)
	}
	b.to(6 * 1000)
	if r := m1.joined(first); len(r.Members) != 2 {
		t.Errorf("%d members", len(r.Members))
	}
	m2.joined(again)
}

func TestStaticMemberThatComesBackBeforeTheAssignmentRebalances(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.static(64, "a"), b.static(65, "b")
	first, second := m1.join(), m2.join()
	b.to(6 * 1000)
	m1.joined(first)
	m2.joined(second)
	m2.id = ""
	m2.join()
	b.state(preparingRebalance, 1)
}

func TestOperatorRemovesAStaticMemberByItsInstance(t *testing.T) {
	b := newBench(t)
	m := b.static(64, "a")
	b.stableGroupOf(m)
	m.id = ""
	if m.leave() != kafka.None {
		t.Error("it may not")
	}
	b.state(emptyGroup, 2)
	if m.leave() != kafka.UnknownMemberID {
		t.Error("it is known still")
	}
}
