package coordinator

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

const pack kafka.GroupID = 3

// consumer is a KIP-848 member in a test.
type consumer struct {
	*bench
	node     kafka.NodeID
	id       string
	instance string
	assignor string
	topics   []kafka.TopicID
	epoch    int32
	owned    []kafka.PartitionID
	maxPoll  kafka.Tick
}

func (b *bench) consumer(n kafka.NodeID, id string) *consumer {
	return &consumer{bench: b, node: n, id: id, topics: []kafka.TopicID{ordersTopic}, maxPoll: 5 * minute}
}

// request is a heartbeat that says only what it must.
func (c *consumer) request(epoch int32) *kafka.ConsumerGroupHeartbeatRequest {
	return &kafka.ConsumerGroupHeartbeatRequest{MemberID: c.id, InstanceID: c.instance, Group: pack, MemberEpoch: epoch}
}

// full is a heartbeat that says everything.
func (c *consumer) full(epoch int32, owned []kafka.PartitionID) *kafka.ConsumerGroupHeartbeatRequest {
	r := c.request(epoch)
	r.Topics, r.Subscribes, r.Owned, r.Reported = c.topics, true, owned, true
	r.RebalanceTimeout, r.Assignor = c.maxPoll, c.assignor
	return r
}

func (c *consumer) ask(r *kafka.ConsumerGroupHeartbeatRequest) *kafka.ConsumerGroupHeartbeatResponse {
	c.t.Helper()
	return answer[*kafka.ConsumerGroupHeartbeatResponse](c.bench, c.send(c.node, r))
}

// heard takes in an answer; what it says to let go of is let go of.
func (c *consumer) heard(r *kafka.ConsumerGroupHeartbeatResponse) *kafka.ConsumerGroupHeartbeatResponse {
	c.t.Helper()
	if r.Error != kafka.None {
		c.t.Fatalf("%s is answered %v", c.id, r.Error)
	}
	c.epoch = r.MemberEpoch
	if r.Assigned {
		c.owned = r.Assignment
	}
	return r
}

func (c *consumer) join() *kafka.ConsumerGroupHeartbeatResponse {
	c.t.Helper()
	return c.heard(c.ask(c.full(joinEpoch, nil)))
}

// beat says nothing new.
func (c *consumer) beat() *kafka.ConsumerGroupHeartbeatResponse {
	c.t.Helper()
	return c.heard(c.ask(c.request(c.epoch)))
}

// report says what it owns.
func (c *consumer) report() *kafka.ConsumerGroupHeartbeatResponse {
	c.t.Helper()
	r := c.request(c.epoch)
	r.Owned, r.Reported = c.owned, true
	return c.heard(c.ask(r))
}

func (c *consumer) is(epoch int32, owned ...kafka.PartitionID) {
	c.t.Helper()
	if c.epoch != epoch || !slices.Equal(c.owned, owned) {
		c.t.Fatalf("%s is at epoch %d with %v, not at %d with %v", c.id, c.epoch, c.owned, epoch, owned)
	}
}

func TestFirstMemberGetsEverythingAtOnce(t *testing.T) {
	b := newBench(t)
	m := b.consumer(64, "m1")
	if r := m.join(); r.HeartbeatInterval != 5*second {
		t.Errorf("the heartbeat interval is %d", r.HeartbeatInterval)
	}
	m.is(1, 0, 1, 2, 3)
	b.expectKinds(event.MemberJoined, event.TargetAssigned, event.MemberEpochChanged)
	var kinds []kafka.CoordinatorKeyKind
	for _, r := range b.log {
		kinds = append(kinds, r.Key.Kind)
	}
	want := []kafka.CoordinatorKeyKind{
		kafka.ConsumerGroupMemberKey, kafka.ConsumerGroupEpochKey, kafka.TargetAssignmentKey, kafka.TargetAssignmentEpochKey,
		kafka.CurrentAssignmentKey,
	}
	if !slices.Equal(kinds, want) {
		t.Errorf("records %v, not %v", kinds, want)
	}
	if r := m.beat(); r.Assigned || len(b.log) != len(want) {
		t.Errorf("a heartbeat without news is answered %+v, and %d records are written", r, len(b.log)-len(want))
	}
}

func TestNewMemberWaitsUntilAnotherHasLetGo(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.consumer(64, "m1"), b.consumer(65, "m2")
	m1.join()
	m2.join()
	m2.is(2) // nothing is free
	if r := m1.beat(); !r.Assigned {
		t.Error("the owner does not hear what to let go of")
	}
	m1.is(1, 0, 1)
	m2.beat()
	m2.is(2)
	m1.report()
	m1.is(2, 0, 1)
	m2.beat()
	m2.is(2, 2, 3)
}

func TestLeavingFreesThePartitionsForTheNextHeartbeat(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.consumer(64, "m1"), b.consumer(65, "m2")
	m1.join()
	m2.join()
	m1.beat()
	m1.report()
	m2.beat()
	b.kinds()
	if r := m1.ask(m1.request(leaveEpoch)); r.Error != kafka.None || r.MemberEpoch != leaveEpoch {
		t.Errorf("leaving is answered %+v", r)
	}
	b.expectKinds(event.MemberLeft)
	m2.beat()
	m2.is(3, 0, 1, 2, 3)
	if e := b.events[0]; e.Kind != event.TargetAssigned || e.Peer != m1.node {
		t.Errorf("the new target is because of %d, not of the one that left: %v", e.Peer, e.Kind)
	}
	if r := m1.ask(m1.request(1)); r.Error != kafka.UnknownMemberID {
		t.Errorf("who left is answered %v", r.Error)
	}
}

func TestNewCoordinatorAssignsForWhoeverSpeaks(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.consumer(64, "m1"), b.consumer(65, "m2")
	m1.join()
	m2.join()
	m1.ask(m1.request(leaveEpoch))
	b.Groups = b.reload()
	b.step(func(*Write) { b.Loaded(b.now, &b.out) })
	b.kinds()
	m2.beat()
	m2.is(3, 0, 1, 2, 3)
	if e := b.events[0]; e.Kind != event.TargetAssigned || e.Peer != m2.node {
		t.Errorf("%+v", e)
	}
}

func TestSilentMemberIsRemovedAfterItsSession(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.consumer(64, "m1"), b.consumer(65, "m2")
	m1.join()
	m2.join()
	b.pass(40 * second)
	m2.beat()
	b.kinds()
	b.to(45*second - 1)
	b.expectKinds()
	b.to(45 * second)
	if e := b.events[0]; e.Peer != m1.node || e.Prev != 0 { // heard at the beginning
		t.Errorf("%+v", e)
	}
	b.expectKinds(event.MemberExpired)
	m2.beat()
	m2.is(3, 0, 1, 2, 3)
}

func TestMemberThatDoesNotLetGoIsRemoved(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.consumer(64, "m1"), b.consumer(65, "m2")
	m1.join()
	m2.join()
	m1.beat() // hears it, and never confirms
	began := b.now
	for b.now < began+5*minute-30*second {
		b.pass(30 * second)
		m1.beat()
		m2.beat()
	}
	b.kinds()
	b.to(began + 5*minute - 1)
	b.expectKinds()
	b.pass(1)
	b.expectKinds(event.MemberRemoved)
	m2.beat()
	m2.is(3, 0, 1, 2, 3)
}

func TestWrongEpochIsFenced(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.consumer(64, "m1"), b.consumer(65, "m2")
	m1.join()
	m2.join()
	m1.beat()
	m1.report() // from epoch 1 to 2
	late := m1.request(1)
	late.Owned, late.Reported = []kafka.PartitionID{0, 1}, true
	for _, c := range []struct {
		what string
		r    *kafka.ConsumerGroupHeartbeatRequest
		want kafka.ErrorCode
	}{
		{"a newer epoch", m1.request(3), kafka.FencedMemberEpoch},
		{"the epoch before, without a word about what it owns", m1.request(1), kafka.FencedMemberEpoch},
		{"the epoch before, with too much", m1.full(1, []kafka.PartitionID{0, 1, 2, 3}), kafka.FencedMemberEpoch},
		{"the epoch before, with what it may own", late, kafka.None},
		{"a second life under the same id", m1.full(joinEpoch, nil), kafka.FencedMemberEpoch},
		{"an unknown member", b.consumer(66, "m9").request(2), kafka.UnknownMemberID},
		{"no member id", b.consumer(66, "").full(joinEpoch, nil), kafka.InvalidRequest},
		{"an epoch that means nothing", m1.request(-3), kafka.InvalidRequest},
		{"a dynamic member that leaves for a while", m1.request(leaveStaticEpoch), kafka.InvalidRequest},
		{"a newcomer that owns something", b.consumer(66, "m9").full(joinEpoch, []kafka.PartitionID{1}), kafka.InvalidRequest},
	} {
		if got := m1.ask(c.r); got.Error != c.want {
			t.Errorf("%s is answered %v, not %v", c.what, got.Error, c.want)
		}
	}
	m1.assignor = "sticky"
	if got := m1.ask(m1.full(2, m1.owned)); got.Error != kafka.UnsupportedAssignor {
		t.Errorf("an assignor that the coordinator does not have is answered %v", got.Error)
	}
}

func TestHeartbeatToAGroupThatIsNotThere(t *testing.T) {
	b := newBench(t)
	m := b.consumer(64, "m1")
	for _, epoch := range []int32{1, leaveEpoch} {
		if got := m.ask(m.request(epoch)); got.Error != kafka.GroupIDNotFound {
			t.Errorf("epoch %d is answered %v", epoch, got.Error)
		}
	}
}

func TestFullRequestIsAnsweredWithTheAssignment(t *testing.T) {
	b := newBench(t)
	m := b.consumer(64, "m1")
	m.join()
	if r := m.ask(m.full(1, m.owned)); !r.Assigned || len(r.Assignment) != 4 || r.MemberEpoch != 1 {
		t.Errorf("it is answered %+v", r)
	}
}

func TestNewSubscriptionRaisesTheGroupEpoch(t *testing.T) {
	b := newBench(t)
	m := b.consumer(64, "m1")
	m.join()
	m.topics = []kafka.TopicID{slipsTopic, ordersTopic}
	m.heard(m.ask(m.full(1, m.owned)))
	m.is(2, 0, 1, 2, 3, 4, 5)
	m.topics = []kafka.TopicID{ordersTopic, slipsTopic} // the same
	m.heard(m.ask(m.full(2, m.owned)))
	m.is(2, 0, 1, 2, 3, 4, 5)
}

func TestMembersVoteForTheAssignor(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.consumer(64, "m1"), b.consumer(65, "m2")
	m1.topics = []kafka.TopicID{ordersTopic, slipsTopic}
	m2.topics, m2.assignor = m1.topics, "range"
	m1.join()
	m2.join()
	m1.beat()
	m1.is(1, 0, 1, 4) // range cuts each topic; uniform would leave it 0 1 2
}

func TestStaticMemberFindsItsPartitionsAgain(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.consumer(64, "m1"), b.consumer(65, "m2")
	m1.instance, m2.instance = "a", "b"
	m1.join()
	m2.join()
	m1.beat()
	m1.report()
	m2.beat()
	m2.is(2, 2, 3)
	if r := m2.ask(m2.request(leaveStaticEpoch)); r.Error != kafka.None || r.MemberEpoch != leaveStaticEpoch {
		t.Errorf("leaving for a while is answered %+v", r)
	}
	m1.beat()
	m1.is(2, 0, 1)
	b.kinds()
	again := b.consumer(65, "m2-again")
	again.instance = "b"
	again.join()
	again.is(2, 2, 3)
	b.expectKinds(event.MemberEpochChanged)
	if r := m2.ask(m2.request(2)); r.Error != kafka.FencedInstanceID {
		t.Errorf("its earlier life is answered %v", r.Error)
	}
	if r := m2.ask(m2.request(leaveEpoch)); r.Error != kafka.FencedInstanceID {
		t.Errorf("its earlier life leaves and is answered %v", r.Error)
	}
	again.ask(again.request(leaveStaticEpoch))
	b.kinds()
	other := b.consumer(66, "m3") // another process takes the place
	other.instance = "b"
	other.join()
	b.expectKinds(event.MemberFenced, event.MemberJoined, event.MemberEpochChanged)
}

func TestInstanceInUseIsNotReleased(t *testing.T) {
	b := newBench(t)
	m1, thief := b.consumer(64, "m1"), b.consumer(65, "m2")
	m1.instance, thief.instance = "a", "a"
	m1.join()
	if r := thief.ask(thief.full(joinEpoch, nil)); r.Error != kafka.UnreleasedInstanceID {
		t.Errorf("a second user of a group.instance.id is answered %v", r.Error)
	}
	b.pass(45 * second)
	thief.join()
	thief.is(3, 0, 1, 2, 3)
}

func TestStaticMemberThatStaysAwayIsRemoved(t *testing.T) {
	b := newBench(t)
	m := b.consumer(64, "m1")
	m.instance = "a"
	m.join()
	m.ask(m.request(leaveStaticEpoch))
	b.kinds()
	b.pass(45 * second)
	b.expectKinds(event.MemberExpired)
	if n := len(b.find(pack).consumer.members); n != 0 {
		t.Errorf("%d members", n)
	}
}

func TestCommitOfAConsumerGroupNeedsTheMemberEpoch(t *testing.T) {
	b := newBench(t)
	m := b.consumer(64, "m1")
	commit := func(id string, epoch int32) kafka.ErrorCode {
		corr := b.send(64, &kafka.OffsetCommitRequest{
			MemberID: id, Group: pack, Generation: epoch, Offsets: []kafka.PartitionOffset{{Partition: 1, Offset: 7}},
		})
		return answer[*kafka.OffsetCommitResponse](b, corr).Results[0].Error
	}
	fetch := func(id string, epoch int32) *kafka.OffsetFetchResponse {
		corr := b.send(64, &kafka.OffsetFetchRequest{
			MemberID: id, Group: pack, MemberEpoch: epoch, Partitions: []kafka.PartitionID{0, 1}, RequireStable: true,
		})
		return answer[*kafka.OffsetFetchResponse](b, corr)
	}
	if got := commit("m1", 1); got != kafka.GroupIDNotFound {
		t.Errorf("before there is a group: %v", got)
	}
	m.join()
	for _, c := range []struct {
		id    string
		epoch int32
		want  kafka.ErrorCode
	}{{"m1", 1, kafka.None}, {"m1", 0, kafka.StaleMemberEpoch}, {"m2", 1, kafka.UnknownMemberID}, {"", -1, kafka.UnknownMemberID}} {
		if got := commit(c.id, c.epoch); got != c.want {
			t.Errorf("commit of %q at epoch %d: %v, not %v", c.id, c.epoch, got, c.want)
		}
	}
	if got := fetch("m1", 1); got.Error != kafka.None || got.Offsets[0].Offset != kafka.NoOffset || got.Offsets[1].Offset != 7 {
		t.Errorf("fetched %+v", got)
	}
	if got := fetch("m1", 2); got.Error != kafka.StaleMemberEpoch {
		t.Errorf("a fetch at another epoch is answered %v", got.Error)
	}
	if got := fetch("m2", 1); got.Error != kafka.UnknownMemberID {
		t.Errorf("a fetch of a stranger is answered %v", got.Error)
	}
	m.ask(m.request(leaveEpoch))
	if got := commit("", -1); got != kafka.None {
		t.Errorf("from outside of the empty group: %v", got)
	}
}

func TestGroupRefusesMembersOfTheOtherProtocolUnlessItIsEmpty(t *testing.T) {
	b := newBench(t)
	classic, modern := b.member(64), b.consumer(65, "m1")
	b.stableGroupOf(classic)
	r := modern.full(joinEpoch, nil)
	r.Group = work
	if got := modern.ask(r); got.Error != kafka.GroupIDNotFound {
		t.Errorf("a KIP-848 member of a classic group is answered %v", got.Error)
	}
	classic.leave()
	if got := modern.ask(r); got.Error != kafka.None || got.MemberEpoch != 1 {
		t.Errorf("a KIP-848 member of an empty classic group is answered %+v", got)
	}
	classic.id = ""
	if got := answer[*kafka.JoinGroupResponse](b, classic.sendJoin()); got.Error != kafka.InconsistentGroupProtocol {
		t.Errorf("a classic member of a KIP-848 group is answered %v", got.Error)
	}
	leave := modern.request(leaveEpoch)
	leave.Group = work
	modern.ask(leave)
	if got := answer[*kafka.JoinGroupResponse](b, classic.sendJoin()); got.Error != kafka.MemberIDRequired {
		t.Errorf("a classic member of an empty KIP-848 group is answered %v", got.Error)
	}
	var kinds []kafka.CoordinatorKeyKind
	for _, r := range b.log[len(b.log)-3:] {
		kinds = append(kinds, r.Key.Kind)
	}
	if want := []kafka.CoordinatorKeyKind{kafka.TargetAssignmentEpochKey, kafka.ConsumerGroupEpochKey, kafka.GroupMetadataKey}; !slices.Equal(kinds, want) {
		t.Errorf("the last records are %v, not %v", kinds, want)
	}
	if again := b.reload().find(work); again.classic == nil || again.consumer != nil {
		t.Error("the log does not have the group as a classic one")
	}
}

// more tells the coordinator that orders has a partition more, as its broker learns it.
func (b *bench) more(partition kafka.PartitionID) {
	topics := slices.Clone(b.setting.Topics)
	topics[ordersTopic].Partitions = append(slices.Clone(topics[ordersTopic].Partitions), partition)
	b.Know(topics)
}

func TestNewPartitionIsDealtOutWithTheNextHeartbeat(t *testing.T) {
	b := newBench(t)
	m1, m2 := b.consumer(64, "m1"), b.consumer(65, "m2")
	m2.topics = []kafka.TopicID{slipsTopic}
	m1.join()
	m2.join()
	m1.beat()
	written := len(b.log)
	b.kinds()
	b.more(6)
	b.pass(second)
	b.expectKinds()
	if len(b.log) != written {
		t.Error("the coordinator acts before anybody speaks")
	}
	m2.beat() // of whose topics nothing has changed: it is one group
	if e := b.events[0]; e.Kind != event.PartitionsNoticed || e.Count != 7 {
		t.Errorf("%+v", e)
	}
	b.expectKinds(event.PartitionsNoticed, event.TargetAssigned, event.MemberEpochChanged)
	m1.beat()
	m1.is(3, 0, 1, 2, 3, 6)
	m1.beat()
	b.expectKinds(event.MemberEpochChanged)
}

func TestNewCoordinatorSeesThatPartitionsAreMissing(t *testing.T) {
	b := newBench(t)
	m := b.consumer(64, "m1")
	m.join()
	again := b.reload()
	b.Groups = again
	b.more(6) // its broker knew before it became the coordinator
	b.step(func(*Write) { b.Loaded(b.now, &b.out) })
	m.beat()
	m.is(2, 0, 1, 2, 3, 6)
	m.beat()
	m.is(2, 0, 1, 2, 3, 6)
}

func TestNewPartitionOfAnotherTopicIsNoNews(t *testing.T) {
	b := newBench(t)
	m := b.consumer(64, "m1")
	m.topics = []kafka.TopicID{slipsTopic}
	m.join()
	b.kinds()
	b.more(6)
	m.beat()
	m.is(1, 4, 5)
	b.expectKinds()
}
