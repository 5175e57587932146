package view_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
	"replog/internal/view/history"
)

const (
	one = kafka.FirstClientID + 2 + iota
	two
)

// packing is a group of two over partitions 0 and 1; partition 2 is its home.
var packing = &kafka.Names{
	TickMicros: 1000, StartMicros: -1,
	Nodes: []kafka.NodeName{
		{ID: one, Name: "packing-1", Consumes: "packing", Effect: "is on a slip"}, {ID: two, Name: "packing-2", Consumes: "packing"},
	},
	Topics: []kafka.TopicName{
		{Name: "orders", Partitions: 2}, {Name: "__consumer_offsets", Partitions: 1, Numbers: []int{17}, Internal: true},
	},
	Loads:  []kafka.RecordRange{{First: 0, Orders: 100, FirstNumber: 1}},
	Groups: []string{"packing"}, GroupHomes: []kafka.PartitionID{2},
}

// grouped is a run in which both members are in generation 1, each with one partition.
func grouped() *history.Group {
	g := history.New(3, 0, 1, 2).Group(0, 1)
	g.Hosted(1, 2)
	g.Start(one, two)
	g.Join(one)
	g.Rebalance(one, 0)
	g.Join(two)
	g.Now = 10
	g.Generation(one, 1, 2)
	g.Stable(1, 2)
	g.Get(one, 1, 0)
	g.Get(two, 1, 1)
	return g
}

func pictureOf(h *history.History) *view.Cluster {
	c := view.New(packing)
	apply(c, h, 0)
	return c
}

func groupsOf(h *history.History) *view.Groups { return pictureOf(h).Groups() }

func TestGroupComesToBeStable(t *testing.T) {
	g := grouped()
	want := view.Group{State: view.GroupStable, Host: 1, Leader: one, Begun: one, Epoch: 1, Since: 10}
	if diff := cmp.Diff(want, groupsOf(g.History).Group(0)); diff != "" {
		t.Error(diff)
	}
	members := []view.Member{
		{ID: one, Process: view.ProcessUp, Listed: true, Epoch: 1}, {ID: two, Process: view.ProcessUp, Listed: true, Epoch: 1},
	}
	if diff := cmp.Diff(members, groupsOf(g.History).Members(0)); diff != "" {
		t.Error(diff)
	}
	got, _ := groupsOf(g.History).Partition(0, 1)
	part := view.GroupPartition{
		Partition: 1, Owner: two, Former: kafka.NoNode, Stray: kafka.NoNode, Since: 10,
		Commit: view.Commit{Committed: kafka.NoOffset, By: kafka.NoNode, Furthest: kafka.NoOffset},
	}
	if diff := cmp.Diff(part, got); diff != "" {
		t.Error(diff)
	}
}

// TestDeadMemberIsListedUntilItsSessionEnds: its partition stands still from its death on.
func TestDeadMemberIsListedUntilItsSessionEnds(t *testing.T) {
	g := grouped()
	g.Now = 20
	g.Crash(two)
	m, _, _ := groupsOf(g.History).Member(two)
	if diff := cmp.Diff(view.Member{ID: two, Process: view.ProcessCrashed, Listed: true, Epoch: 1, Since: 20}, m); diff != "" {
		t.Error(diff)
	}
	got, _ := groupsOf(g.History).Partition(0, 1)
	if got.Owner != kafka.NoNode || got.Former != two || got.Since != 20 {
		t.Errorf("the partition of the dead: %+v", got)
	}
	g.Now = 65
	g.Out(event.MemberExpired, two)
	g.Rebalance(two, 1)
	if got := groupsOf(g.History).Group(0); got.State != view.GroupPreparing || got.Since != 65 {
		t.Errorf("the group: %+v", got)
	}
	g.LetGo(event.PartitionRevoked, one, 1, 0)
	g.Now = 70
	g.Generation(one, 2, 1)
	g.Stable(2, 1)
	g.Get(one, 2, 0, 1)
	for p, since := range []kafka.Tick{70, 70} {
		if got, _ := groupsOf(g.History).Partition(0, kafka.PartitionID(p)); got.Owner != one || got.Since != since {
			t.Errorf("partition %d: %+v", p, got)
		}
	}
	if m, _, _ := groupsOf(g.History).Member(two); m.Listed {
		t.Errorf("the dead member is still listed: %+v", m)
	}
}

// TestQuickRestartHasTwoMemberships: the old one ends by session.timeout.ms, and the new one stays.
func TestQuickRestartHasTwoMemberships(t *testing.T) {
	g := grouped()
	g.Crash(two)
	g.Start(two)
	g.Join(two)
	g.Get(two, 2, 1)
	g.Out(event.MemberExpired, two)
	m, _, _ := groupsOf(g.History).Member(two)
	if !m.Listed || m.Process != view.ProcessUp {
		t.Errorf("%+v", m)
	}
	if got, _ := groupsOf(g.History).Partition(0, 1); got.Owner != two {
		t.Errorf("%+v", got)
	}
	g.Out(event.MemberExpired, two)
	if m, _, _ := groupsOf(g.History).Member(two); m.Listed {
		t.Error("two memberships have ended, and it is still listed")
	}
}

// TestRemovedMemberIsAStray: it believes to have what another has by now.
func TestRemovedMemberIsAStray(t *testing.T) {
	g := grouped()
	g.Now = 50
	g.Out(event.MemberExpired, one)
	if got, _ := groupsOf(g.History).Partition(0, 0); got.Owner != kafka.NoNode || got.Stray != one || got.Since != 50 {
		t.Errorf("after the removal: %+v", got)
	}
	g.Get(two, 2, 0, 1)
	if got, _ := groupsOf(g.History).Partition(0, 0); got.Owner != two || got.Stray != one || got.Former != one {
		t.Errorf("two have it: %+v", got)
	}
	g.LetGo(event.PartitionLost, one, 1, 0)
	if got, _ := groupsOf(g.History).Partition(0, 0); got.Owner != two || got.Stray != kafka.NoNode {
		t.Errorf("the stray has learned of it: %+v", got)
	}
}

// TestAnotherProcessTakesThePlaceOfAStaticMember: the two have one group.instance.id.
func TestAnotherProcessTakesThePlaceOfAStaticMember(t *testing.T) {
	g := grouped()
	g.Add(event.Event{Kind: event.MemberJoined, Node: 1, Peer: two, Prev: int64(one)})
	if m, _, _ := groupsOf(g.History).Member(one); m.Listed {
		t.Errorf("%+v", m)
	}
	if got, _ := groupsOf(g.History).Partition(0, 0); got.Owner != kafka.NoNode || got.Stray != one {
		t.Errorf("%+v", got)
	}
}

// TestServerSideGroupConverges: every member for itself.
func TestServerSideGroupConverges(t *testing.T) {
	g := history.New(3, 0, 1, 2).Group(0, 1)
	g.Hosted(1, 2)
	g.Start(one, two)
	g.Join(one)
	g.Target(one, 1)
	g.Reach(one, 1, 0)
	g.Get(one, 1, 0, 1)
	state := func() string {
		s := groupsOf(g.History).Group(0)
		if !s.Server {
			t.Error("the coordinator assigns, and nobody knows")
		}
		return s.State.String()
	}
	if state() != "Stable" {
		t.Error(state())
	}
	g.Join(two)
	g.Target(two, 2)
	g.Reach(two, 2, 0)
	if state() != "Reconciling" {
		t.Error(state())
	}
	g.LetGo(event.PartitionRevoked, one, 1, 1)
	g.Reach(one, 2, 1)
	if state() != "Stable" {
		t.Error(state())
	}
	g.Out(event.MemberLeft, one)
	if state() != "Assigning" || groupsOf(g.History).Group(0).Epoch != 3 {
		t.Errorf("%s, %+v", state(), groupsOf(g.History).Group(0))
	}
	g.Target(one, 3)
	if state() != "Reconciling" {
		t.Error(state())
	}
	g.Out(event.MemberLeft, two)
	if state() != "Empty" {
		t.Error(state())
	}
}

// TestNewCoordinatorKnowsWhatWasWritten: what the old one had not written down is gone, and its further words count nothing.
func TestNewCoordinatorKnowsWhatWasWritten(t *testing.T) {
	g := grouped()
	g.Commit(one, 0, 5, kafka.NoOffset)
	g.Commit(two, 1, 7, kafka.NoOffset)
	g.Rebalance(two, 1)
	old := *g
	g.Now = 30
	g.Hosted(2, 2)
	g.Add(event.Event{Kind: event.MemberLoaded, Node: 2, Peer: one, Epoch: 1, Prev: 1})
	g.Add(event.Event{Kind: event.OffsetLoaded, Node: 2, Partition: 0, Offset: 4})
	old.Commit(two, 1, 9, 7)
	old.Out(event.MemberExpired, one)
	c := groupsOf(g.History)
	if got := c.Group(0); got.State != view.GroupStable || got.Host != 2 || got.Epoch != 1 {
		t.Errorf("the group: %+v", got)
	}
	a, _ := c.Partition(0, 0)
	b, _ := c.Partition(0, 1)
	if a.Committed != 4 || b.Committed != kafka.NoOffset {
		t.Errorf("committed %d and %d, want 4 and nothing", a.Committed, b.Committed)
	}
	listed := []bool{}
	for _, m := range c.Members(0) {
		listed = append(listed, m.Listed)
	}
	if diff := cmp.Diff([]bool{true, false}, listed); diff != "" {
		t.Error(diff)
	}
	g.Add(event.Event{Kind: event.BrokerCrashed, Node: 2})
	if got := groupsOf(g.History).Group(0); got.Host != kafka.NoNode {
		t.Errorf("a dead broker coordinates: %+v", got)
	}
}

// TestRemovalThatWasNotWrittenDownIsNone: the next coordinator has the member still, and so has it its partition.
func TestRemovalThatWasNotWrittenDownIsNone(t *testing.T) {
	g := grouped()
	g.Out(event.MemberExpired, two)
	g.Hosted(2, 2)
	for _, m := range []kafka.NodeID{one, two} {
		g.Add(event.Event{Kind: event.MemberLoaded, Node: 2, Peer: m, Epoch: 1, Prev: 1})
	}
	if got, _ := groupsOf(g.History).Partition(0, 1); got.Owner != two || got.Stray != kafka.NoNode {
		t.Errorf("%+v", got)
	}
}

// TestEffectsOfTheWholeGroupCount: two members, one record, two slips.
func TestEffectsOfTheWholeGroupCount(t *testing.T) {
	g := grouped()
	g.Do(one, 0, 0, 3, 4)
	g.Do(two, 0, 0, 3)
	g.Refused(two, 0, 1, 4)
	c := pictureOf(g.History)
	want := []view.Effect{{Member: two, At: 10, Record: 3, Again: true}, {Member: two, At: 10, Offset: 1, Record: 4, Again: true, Refused: true}}
	if diff := cmp.Diff(want, c.Effects(0, two, 10)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[1:], c.Effects(0, kafka.NoNode, 1)); diff != "" {
		t.Error(diff)
	}
	if m, _, _ := c.Groups().Member(two); m.Done != 1 || m.Refused != 1 {
		t.Errorf("%+v", m)
	}
}

// TestConsumersForgetTheirPositions: a process that dies, or lets go, has to look them up again.
func TestConsumersForgetTheirPositions(t *testing.T) {
	g := grouped()
	g.Append(g.Produce(g.Send(producer, 0, 1), 0, producer, 0, 1))
	g.Begin(one, 0, 0, event.FoundEarliest)
	g.Read(0, one, 1, 0, 0, 1)
	at := func() kafka.Offset {
		return pictureOf(g.History).Position(one, 0)
	}
	if at() != 1 {
		t.Errorf("it stands at %d, want 1", at())
	}
	g.LetGo(event.PartitionRevoked, one, 1, 0)
	if at() != kafka.NoOffset {
		t.Errorf("it stands at %d, and has let go", at())
	}
	g.Begin(one, 0, 1, event.FoundCommitted)
	g.Crash(one)
	if at() != kafka.NoOffset {
		t.Errorf("it stands at %d, and is dead", at())
	}
}

// TestStuckMemberPollsAgain: max.poll.interval.ms ends with the next poll().
func TestStuckMemberPollsAgain(t *testing.T) {
	g := grouped()
	g.Add(event.Event{Kind: event.PollIntervalExceeded, Node: one})
	if m, _, _ := groupsOf(g.History).Member(one); !m.Stuck {
		t.Errorf("%+v", m)
	}
	g.Get(one, 2, 0)
	if m, _, _ := groupsOf(g.History).Member(one); m.Stuck {
		t.Errorf("%+v", m)
	}
}
