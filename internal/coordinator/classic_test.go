package coordinator

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

const work kafka.GroupID = 1

// member is a classic consumer in a test: what it knows of itself.
type member struct {
	*bench
	node       kafka.NodeID
	id         string
	instance   string
	generation int32
	protocols  []kafka.Protocol
	maxPoll    kafka.Tick
	session    kafka.Tick
}

func (b *bench) member(n kafka.NodeID, assignors ...string) *member {
	if len(assignors) == 0 {
		assignors = []string{"range", "cooperative-sticky"}
	}
	m := &member{bench: b, node: n, generation: -1, maxPoll: 4 * minute, session: 45 * second}
	for _, name := range assignors {
		m.protocols = append(m.protocols, kafka.Protocol{Name: name, Topics: []kafka.TopicID{ordersTopic}, Generation: -1})
	}
	return m
}

func (m *member) sendJoin() uint32 {
	client := "packing-" + string(rune('0'+m.node-64))
	return m.send(m.node, &kafka.JoinGroupRequest{
		MemberID: m.id, InstanceID: m.instance, ClientID: client, Protocols: slices.Clone(m.protocols), SessionTimeout: m.session,
		RebalanceTimeout: m.maxPoll, Group: work,
	})
}

// join gets an id first, as a dynamic member does.
func (m *member) join() uint32 {
	if m.id == "" && m.instance == "" {
		r := answer[*kafka.JoinGroupResponse](m.bench, m.sendJoin())
		if r.Error != kafka.MemberIDRequired {
			m.t.Fatalf("a newcomer is answered %+v", r)
		}
		m.id = r.MemberID
	}
	return m.sendJoin()
}

// joined takes in the answer to a JoinGroup.
func (m *member) joined(corr uint32) *kafka.JoinGroupResponse {
	m.t.Helper()
	r := answer[*kafka.JoinGroupResponse](m.bench, corr)
	if r.Error != kafka.None {
		m.t.Fatalf("JoinGroup of node %d: %v", m.node, r.Error)
	}
	m.id, m.generation = r.MemberID, r.Generation
	return r
}

// sync sends a SyncGroup; with parts, as the leader.
func (m *member) sync(parts ...kafka.MemberAssignment) uint32 {
	return m.send(m.node, &kafka.SyncGroupRequest{
		MemberID: m.id, InstanceID: m.instance, Assignments: parts, Group: work, Generation: m.generation,
	})
}

func (m *member) synced(corr uint32) []kafka.PartitionID {
	m.t.Helper()
	r := answer[*kafka.SyncGroupResponse](m.bench, corr)
	if r.Error != kafka.None {
		m.t.Fatalf("SyncGroup of node %d: %v", m.node, r.Error)
	}
	return r.Partitions
}

func (m *member) beat() kafka.ErrorCode {
	m.t.Helper()
	corr := m.send(m.node, &kafka.HeartbeatRequest{MemberID: m.id, InstanceID: m.instance, Group: work, Generation: m.generation})
	return answer[*kafka.HeartbeatResponse](m.bench, corr).Error
}

func (m *member) leave() kafka.ErrorCode {
	m.t.Helper()
	corr := m.send(m.node, &kafka.LeaveGroupRequest{MemberID: m.id, InstanceID: m.instance, Group: work})
	return answer[*kafka.LeaveGroupResponse](m.bench, corr).Error
}

func (m *member) commitOffset(p kafka.PartitionID, at kafka.Offset) kafka.ErrorCode {
	m.t.Helper()
	corr := m.send(m.node, &kafka.OffsetCommitRequest{
		MemberID: m.id, InstanceID: m.instance, Group: work, Generation: m.generation,
		Offsets: []kafka.PartitionOffset{{Partition: p, Offset: at, LeaderEpoch: 0}},
	})
	return answer[*kafka.OffsetCommitResponse](m.bench, corr).Results[0].Error
}

func part(m *member, partitions ...kafka.PartitionID) kafka.MemberAssignment {
	return kafka.MemberAssignment{MemberID: m.id, Partitions: partitions}
}

// stableGroupOf makes members join an empty group and brings it to Stable; the first of them leads. The partitions of
// orders are dealt round.
func (b *bench) stableGroupOf(members ...*member) {
	b.t.Helper()
	var joins []uint32
	for _, m := range members {
		joins = append(joins, m.join())
	}
	b.settle(members, joins)
}

// settle ends the join phase and hands out the partitions.
func (b *bench) settle(members []*member, joins []uint32) {
	b.t.Helper()
	for range 200 {
		if _, ok := b.answers[joins[0]]; ok {
			break
		}
		b.to(max(b.now, b.Deadline()))
	}
	parts := make([]kafka.MemberAssignment, len(members))
	leader := -1
	for i, m := range members {
		if r := m.joined(joins[i]); r.Leader == r.MemberID {
			leader = i
		}
		parts[i].MemberID = m.id
	}
	for p := range kafka.PartitionID(4) {
		at := &parts[int(p)%len(parts)]
		at.Partitions = append(at.Partitions, p)
	}
	var syncs []uint32
	for i, m := range members {
		if i != leader {
			syncs = append(syncs, m.sync())
		} else {
			syncs = append(syncs, m.sync(parts...))
		}
	}
	for i, m := range members {
		if got := m.synced(syncs[i]); !slices.Equal(got, parts[i].Partitions) {
			b.t.Fatalf("node %d gets %v, not %v", m.node, got, parts[i].Partitions)
		}
	}
}

func (b *bench) state(want classicState, generation int32) {
	b.t.Helper()
	c := b.find(work).classic
	if c.state != want || c.generation != generation {
		b.t.Fatalf("the group is %v in generation %d, not %v in generation %d", c.state, c.generation, want, generation)
	}
}

func (b *bench) expectKinds(want ...event.Kind) {
	b.t.Helper()
	if got := b.kinds(); !slices.Equal(got, want) {
		b.t.Fatalf("events %v, not %v", got, want)
	}
}

func TestFirstGenerationWaitsForTheInitialDelay(t *testing.T) {
	b := newBench(t)
	m := b.member(64)
	corr := m.join()
	b.pass(3*second - 1)
	b.unanswered(corr)
	b.pass(1)
	if r := m.joined(corr); r.Generation != 1 || r.Leader != m.id || r.Protocol != "range" || len(r.Members) != 1 {
		t.Errorf("the leader is answered %+v", r)
	}
	if got := m.synced(m.sync(part(m, 0, 1))); !slices.Equal(got, []kafka.PartitionID{0, 1}) {
		t.Errorf("the leader gets %v", got)
	}
	b.state(stableGroup, 1)
	b.expectKinds(event.MemberJoined, event.RebalanceBegan, event.GenerationBegan, event.GroupStable)
}

func TestEachNewcomerProlongsTheInitialDelay(t *testing.T) {
	b := newBench(t)
	m1, m2, m3 := b.member(64), b.member(65), b.member(66)
	first := m1.join()
	b.pass(2 * second)
	m2.join()
	b.pass(2 * second) // at 4 s: prolonged at 3 s to 6 s
	m3.join()
	b.to(9*second - 1) // prolonged at 6 s to 9 s
	b.unanswered(first)
	b.to(9 * second)
	if r := m1.joined(first); len(r.Members) != 3 {
		t.Errorf("%d members", len(r.Members))
	}
}

func TestInitialDelayEndsAtTheRebalanceTimeout(t *testing.T) {
	b := newBench(t)
	m1 := b.member(64)
	first := m1.join()
	for n := range kafka.NodeID(150) {
		b.pass(2 * second)
		if _, ok := b.answers[first]; ok {
			break
		}
		b.member(65 + n).join()
	}
	if b.now < 4*minute || b.now > 4*minute+3*second {
		t.Errorf("the join phase of a group that grows without end is over at %d", b.now)
	}
}

func TestJoinPhaseEndsWhenAllKnownMembersHaveJoined(t *testing.T) {
	b := newBench(t)
	m1, m2, m3 := b.member(64), b.member(65), b.member(66)
	b.stableGroupOf(m1, m2)
	b.kinds()
	third := m3.join()
	if m1.beat() != kafka.RebalanceInProgress || m2.beat() != kafka.RebalanceInProgress {
		t.Error("a heartbeat in the join phase must say so")
	}
	b.state(preparingRebalance, 1)
	first := m1.join()
	b.unanswered(first)
	second := m2.join()
	b.state(completingRebalance, 2) // generation+1 at the end of the join phase
	b.settle([]*member{m1, m2, m3}, []uint32{first, second, third})
	b.state(stableGroup, 2)
	b.expectKinds(event.MemberJoined, event.RebalanceBegan, event.GenerationBegan, event.GroupStable)
	if m1.beat() != kafka.None {
		t.Error("a heartbeat in a stable group")
	}
}

func TestWhoDoesNotJoinAgainIsRemovedAtTheRebalanceTimeout(t *testing.T) {
	b := newBench(t)
	m1, m2, m3 := b.member(64), b.member(65), b.member(66)
	b.stableGroupOf(m1, m2)
	third, began := m3.join(), b.now
	first := m1.join()
	for b.now+30*second < began+4*minute {
		b.pass(30 * second)
		m2.beat() // its heartbeat thread is well, its application is not
	}
	b.to(began + 4*minute - 1)
	b.unanswered(third)
	b.kinds()
	b.to(began + 4*minute)
	b.expectKinds(event.MemberRemoved, event.GenerationBegan)
	if r := m1.joined(first); len(r.Members) != 2 || r.Generation != 2 {
		t.Errorf("the leader is answered %+v", r)
	}
	if m2.beat() != kafka.UnknownMemberID {
		t.Error("who was removed is known still")
	}
}

func TestLeaderIsTheFirstToJoinAndStaysIt(t *testing.T) {
	b := newBench(t)
	m2, m1 := b.member(65), b.member(64) // the second node is first
	b.stableGroupOf(m2, m1)
	if got := b.find(work).classic.leader; got != m2.id {
		t.Fatalf("%s leads", got)
	}
	m3 := b.member(66)
	joins := []uint32{m3.join(), m1.join(), m2.join()}
	b.settle([]*member{m3, m1, m2}, joins)
	if got := b.find(work).classic.leader; got != m2.id {
		t.Errorf("%s leads, and %s has not left", got, m2.id)
	}
	if m2.leave() != kafka.None {
		t.Error("the leader may not leave")
	}
	joins = []uint32{m3.join(), m1.join()}
	b.settle([]*member{m3, m1}, joins)
}

func TestMemberThatSaysNothingNewGetsThePresentGeneration(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	first, second := m1.join(), m2.join()
	b.to(6000)
	m1.joined(first)
	m2.joined(second)
	if r := m2.joined(m2.sendJoin()); r.Generation != 1 || r.Leader != m1.id || r.Members != nil { // the answer was lost
		t.Errorf("before the assignment it is answered %+v", r)
	}
	if r := m1.joined(m1.sendJoin()); len(r.Members) != 2 {
		t.Errorf("the leader is answered %+v", r)
	}
	m1.synced(m1.sync(part(m1, 0), part(m2, 1)))
	if r := m2.joined(m2.sendJoin()); r.Generation != 1 {
		t.Errorf("in a stable group it is answered %+v", r)
	}
	b.state(stableGroup, 1)
	m2.protocols[0].Topics = []kafka.TopicID{slipsTopic}
	b.unanswered(m2.sendJoin())
	b.state(preparingRebalance, 1)
	m2.protocols = []kafka.Protocol{{Name: "sticky"}}
	if r := answer[*kafka.JoinGroupResponse](b, m2.sendJoin()); r.Error != kafka.InconsistentGroupProtocol {
		t.Errorf("a member that has nothing in common any more is answered %v", r.Error)
	}
}

func TestProtocolIsChosenByVoteAmongThoseThatAllHave(t *testing.T) {
	b := newBench(t)
	m1, m2, m3 := b.member(64, "range", "sticky", "roundrobin"), b.member(65, "sticky", "roundrobin"), b.member(66, "roundrobin", "sticky")
	b.stableGroupOf(m1, m2, m3)
	if got := b.find(work).classic.protocol; got != "sticky" {
		t.Errorf("the group uses %s, but two of three vote for sticky, and one has no range", got)
	}
	odd := b.member(67, "range")
	if r := answer[*kafka.JoinGroupResponse](b, odd.sendJoin()); r.Error != kafka.InconsistentGroupProtocol {
		t.Errorf("who has nothing in common is answered %v", r.Error)
	}
}

func TestStrangerIsRefused(t *testing.T) {
	b := newBench(t)
	m := b.member(64)
	m.id = "packing-0-7"
	for range 2 {
		if r := answer[*kafka.JoinGroupResponse](b, m.sendJoin()); r.Error != kafka.UnknownMemberID || r.MemberID != m.id {
			t.Errorf("it is answered %+v", r)
		}
		b.stableGroupOf(b.member(65)) // and the second time there is a group
	}
	if m.beat() != kafka.UnknownMemberID || m.leave() != kafka.UnknownMemberID {
		t.Error("it is taken for a member")
	}
}

func TestSessionTimeoutIsBounded(t *testing.T) {
	b := newBench(t)
	for _, timeout := range []kafka.Tick{6*second - 1, 30*minute + 1} {
		corr := b.send(64, &kafka.JoinGroupRequest{Group: work, ClientID: "packing", SessionTimeout: timeout})
		if r := answer[*kafka.JoinGroupResponse](b, corr); r.Error != kafka.InvalidSessionTimeout {
			t.Errorf("a session of %d ms is answered %v", timeout, r.Error)
		}
	}
}

func TestNobodyGetsItsPartBeforeTheAssignmentIsCommitted(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	first, second := m1.join(), m2.join()
	b.to(6000)
	m1.joined(first)
	m2.joined(second)
	b.held = true
	follower := m2.sync()
	leader := m1.sync(part(m1, 0), part(m2, 1))
	b.unanswered(follower)
	b.unanswered(leader)
	b.state(completingRebalance, 1)
	b.held = false
	b.commit(kafka.None)
	b.state(stableGroup, 1)
	if got := m2.synced(follower); !slices.Equal(got, []kafka.PartitionID{1}) {
		t.Errorf("the follower gets %v", got)
	}
	m1.synced(leader)
}

func TestAssignmentThatCanNotBeStoredBeginsARebalance(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	first, second := m1.join(), m2.join()
	b.to(6000)
	m1.joined(first)
	m2.joined(second)
	b.held = true
	syncs := []uint32{m2.sync(), m1.sync(part(m1, 0), part(m2, 1))}
	b.commit(kafka.RequestTimedOut)
	for _, corr := range syncs {
		if r := answer[*kafka.SyncGroupResponse](b, corr); r.Error != kafka.CoordinatorNotAvailable || r.Partitions != nil {
			t.Errorf("SyncGroup is answered %+v", r)
		}
	}
	b.state(preparingRebalance, 1)
}

func TestRebalanceRefusesTheSyncsThatWait(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	first, second := m1.join(), m2.join()
	b.to(6000)
	m1.joined(first)
	m2.joined(second)
	corr := m2.sync()
	m1.leave()
	if r := answer[*kafka.SyncGroupResponse](b, corr); r.Error != kafka.RebalanceInProgress {
		t.Errorf("SyncGroup is answered %v", r.Error)
	}
	if r := answer[*kafka.SyncGroupResponse](b, m2.sync()); r.Error != kafka.RebalanceInProgress {
		t.Errorf("a SyncGroup in the join phase is answered %v", r.Error)
	}
}

func TestJoinPhaseWaitsForWhoWasGivenAnID(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	b.stableGroupOf(m1)
	m2.sendJoin()     // and is never seen again
	corr := m1.join() // a leader that joins again begins a rebalance
	b.unanswered(corr)
	b.pass(45 * second)
	m1.joined(corr)
}

func TestLastMemberLeavesAnEmptyGroup(t *testing.T) {
	b := newBench(t)
	m := b.member(64)
	b.stableGroupOf(m)
	b.kinds()
	if m.leave() != kafka.None {
		t.Error("it may not leave")
	}
	b.state(emptyGroup, 2)
	b.expectKinds(event.MemberLeft, event.RebalanceBegan, event.GenerationBegan)
	v := b.log[len(b.log)-1].Value.(*kafka.GroupMetadataValue)
	if v.Generation != 2 || len(v.Members) != 0 || v.EmptySince != b.now || v.Leader != "" {
		t.Errorf("written is %+v", v)
	}
	if m.leave() != kafka.UnknownMemberID || m.beat() != kafka.UnknownMemberID {
		t.Error("it is known still")
	}
}

func TestOldGenerationIsRefused(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.member(64), b.member(65)
	b.stableGroupOf(m1)
	joins := []uint32{m2.join(), m1.join()}
	b.settle([]*member{m2, m1}, joins)
	m1.generation = 1
	if m1.beat() != kafka.IllegalGeneration {
		t.Error("a heartbeat of an old generation")
	}
	if r := answer[*kafka.SyncGroupResponse](b, m1.sync()); r.Error != kafka.IllegalGeneration {
		t.Errorf("a SyncGroup of an old generation: %v", r.Error)
	}
	if m1.commitOffset(0, 5) != kafka.IllegalGeneration {
		t.Error("a commit of an old generation")
	}
}

func TestResigningCoordinatorAnswersWhoeverWaits(t *testing.T) {
	b := newBench(t)
	m := b.member(64)
	corr := m.join()
	b.step(func(*Write) { b.Resign(&b.out) })
	if r := answer[*kafka.JoinGroupResponse](b, corr); r.Error != kafka.NotCoordinator {
		t.Errorf("JoinGroup is answered %v", r.Error)
	}
}
