package outcome_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/view/history"
)

const (
	one = kafka.FirstClientID + 2 + iota
	two
)

// packing is a group of two that prints slips; orders has one partition, and partition 1 is its home.
func packing(effect string) *kafka.Names {
	n := *names
	n.Topics = []kafka.TopicName{{Name: "orders", Partitions: 1}, {Name: "__consumer_offsets", Partitions: 1, Numbers: []int{17}, Internal: true}}
	n.Nodes = append([]kafka.NodeName{}, names.Nodes...)
	for id, name := range map[kafka.NodeID]string{one: "packing-1", two: "packing-2"} {
		n.Nodes = append(n.Nodes, kafka.NodeName{ID: id, Name: name, Consumes: "packing", Effect: effect, Subscribes: []kafka.TopicID{0}})
	}
	n.Groups, n.GroupHomes = []string{"packing"}, []kafka.PartitionID{1}
	return &n
}

// run is a history of a group, with six records in the log, 0 to 5.
type run struct{ *history.Group }

func grouped() run {
	h := history.New(2, 0, 1, 2)
	g := h.Group(0, 1)
	g.Hosted(1, 1)
	g.Start(one, two)
	r := run{g}
	r.store(0, 1, 2, 3, 4, 5)
	g.Join(one)
	g.Rebalance(one, 0)
	g.Generation(one, 1, 1)
	g.Stable(1, 1)
	g.Get(one, 1, 0)
	g.Begin(one, 0, 0, event.FoundEarliest)
	return r
}

// store appends records, and every reader may see them.
func (r run) store(ids ...kafka.RecordID) {
	appended := r.Append(r.Produce(r.Send(producer, 0, ids...), 0, producer, 0, ids...))
	r.Follow(appended, 2, 0)
	leader := r.Partitions[0].Leader
	r.Add(event.Event{Kind: event.HighWatermarkAdvanced, Cause: appended, Node: leader, Epoch: r.Partitions[0].Epoch, Offset: r.Partitions[0].Replicas[leader].End()})
}

// works has a member read some records and do them.
func (r run) works(member kafka.NodeID, offset kafka.Offset, ids ...kafka.RecordID) {
	r.Read(0, member, r.Partitions[0].Leader, 0, offset, len(ids))
	r.Do(member, 0, offset, ids...)
}

// moves gives the partition to another member, which begins at the committed offset.
func (r run) moves(to kafka.NodeID, epoch kafka.Epoch, offset kafka.Offset) {
	r.Join(to)
	r.Get(to, epoch, 0)
	r.Begin(to, 0, offset, event.FoundCommitted)
}

func (r run) group(effect string) outcome.Group {
	f := outcome.NewFold(packing(effect), outcome.Settings{})
	r.Steps(f)
	return f.Outcome().Groups[0]
}

var ids = func(ids ...kafka.RecordID) []kafka.RecordID { return append([]kafka.RecordID{}, ids...) }

// groupFates are hand-made runs of a group, each with what must come out.
var groupFates = []struct {
	name  string
	write func(r run)
	want  outcome.Group // its lists only
}{
	{
		"all is done and committed",
		func(r run) { r.works(one, 0, 0, 1, 2, 3, 4, 5); r.Commit(one, 0, 6, kafka.NoOffset) },
		outcome.Group{},
	},
	{
		"a crash before the commit: everything is read and done again, by another member",
		func(r run) {
			r.works(one, 0, 0, 1)
			r.Commit(one, 0, 1, kafka.NoOffset)
			r.Crash(one)
			r.Out(event.MemberExpired, one)
			r.moves(two, 2, 1)
			r.works(two, 1, 1, 2, 3, 4, 5)
		},
		outcome.Group{EffectsTwice: ids(1), EffectsByTwo: ids(1), Reread: ids(1)},
	},
	{
		"a commit that expires: everything is done again",
		func(r run) {
			r.works(one, 0, 0, 1, 2, 3, 4, 5)
			r.Commit(one, 0, 6, kafka.NoOffset)
			r.Add(event.Event{Kind: event.OffsetExpired, Node: 1, Offset: 6})
			r.moves(one, 2, 0)
			r.works(one, 0, 0, 1, 2, 3, 4, 5)
		},
		outcome.Group{EffectsTwice: ids(0, 1, 2, 3, 4, 5), Reread: ids(0, 1, 2, 3, 4, 5), Unread: ids()},
	},
	{
		"the same member does it again: one packer",
		func(r run) {
			r.works(one, 0, 0, 1)
			r.Crash(one)
			r.Start(one)
			r.moves(one, 2, 1)
			r.works(one, 1, 1, 2, 3, 4, 5)
		},
		outcome.Group{EffectsTwice: ids(1), Reread: ids(1)},
	},
	{
		"stored twice is done twice, and nothing is read again",
		func(r run) { r.store(2); r.works(one, 0, 0, 1, 2, 3, 4, 5, 2) },
		outcome.Group{EffectsTwice: ids(2)},
	},
	{
		"a unique key refuses the second row",
		func(r run) {
			r.works(one, 0, 0, 1, 2, 3, 4, 5)
			r.Begin(one, 0, 4, event.FoundCommitted)
			r.Read(0, one, 1, 0, 4, 2)
			r.Refused(one, 0, 4, 4, 5)
		},
		outcome.Group{EffectsRefused: ids(4, 5), Reread: ids(4, 5)},
	},
	{
		"committed before the work, then a crash: passed over",
		func(r run) {
			r.Read(0, one, 1, 0, 0, 4)
			r.Commit(one, 0, 4, kafka.NoOffset)
			r.Do(one, 0, 0, 0)
			r.Crash(one)
			r.moves(two, 2, 4)
			r.works(two, 4, 4, 5)
		},
		outcome.Group{PassedOver: ids(1, 2, 3)},
	},
	{
		"what is in work when the run ends is not passed over, though it is committed",
		func(r run) { r.Read(0, one, 1, 0, 0, 6); r.Commit(one, 0, 6, kafka.NoOffset); r.Do(one, 0, 0, 0) },
		outcome.Group{},
	},
	{
		"a position that jumps passes records over without any commit",
		func(r run) {
			r.works(one, 0, 0)
			r.Add(event.Event{Kind: event.OffsetReset, Node: one, Peer: 1, Offset: 4, Prev: 1})
			r.works(one, 4, 4, 5)
		},
		outcome.Group{PassedOver: ids(1, 2, 3)},
	},
	{
		"a new owner with auto.offset.reset=latest passes over what came while it joined",
		func(r run) { r.Begin(one, 0, 5, event.FoundLatest); r.works(one, 5, 5) },
		outcome.Group{PassedOver: ids(0, 1, 2, 3, 4)},
	},
	{
		"what a member goes over without having read it, nobody has told it to",
		func(r run) { r.works(one, 0, 0); r.works(one, 4, 4, 5) },
		outcome.Group{PassedOver: ids(1, 2, 3)},
	},
	{
		"what nobody has read yet is still to come, also when nobody is there",
		func(r run) { r.works(one, 0, 0, 1); r.Commit(one, 0, 2, kafka.NoOffset); r.Crash(one) },
		outcome.Group{Unread: ids(2, 3, 4, 5)},
	},
	{
		"what was done and not committed is not to come",
		func(r run) { r.works(one, 0, 0, 1); r.Crash(one) },
		outcome.Group{Unread: ids(2, 3, 4, 5)},
	},
	{
		"read, and then cut off with the leader that had it",
		func(r run) {
			r.works(one, 0, 0, 1, 2, 3, 4, 5)
			r.Partitions[0].Replicas[2].Entries = r.Partitions[0].Replicas[2].Entries[:4]
			r.Add(event.Event{Kind: event.LogTruncated, Node: 2, Peer: 1, Offset: 4, Prev: 6})
			r.Elect(0, 0, 2, kafka.SetOf(2))
			r.store(6)
		},
		outcome.Group{Cut: ids(4, 5), PassedOver: ids(6)},
	},
	{
		"cut off, and something else read from the same offset",
		func(r run) {
			r.works(one, 0, 0, 1, 2, 3, 4, 5)
			r.Partitions[0].Replicas[2].Entries = r.Partitions[0].Replicas[2].Entries[:5]
			r.Add(event.Event{Kind: event.LogTruncated, Node: 2, Peer: 1, Offset: 5, Prev: 6})
			r.Elect(0, 0, 2, kafka.SetOf(2))
			r.store(6)
			r.Begin(one, 0, 5, event.FoundCommitted)
			r.works(one, 5, 6)
		},
		outcome.Group{Cut: ids(5)},
	},
}

func TestWhatAGroupDidWithEachRecord(t *testing.T) {
	for _, test := range groupFates {
		r := grouped()
		test.write(r)
		got := r.group("is on a slip")
		lists := outcome.Group{
			EffectsTwice: got.EffectsTwice, EffectsByTwo: got.EffectsByTwo, EffectsRefused: got.EffectsRefused, Reread: got.Reread,
			PassedOver: got.PassedOver, Cut: got.Cut, Unread: got.Unread,
		}
		for _, list := range []*[]kafka.RecordID{
			&test.want.EffectsTwice, &test.want.EffectsByTwo, &test.want.EffectsRefused, &test.want.Reread, &test.want.PassedOver, &test.want.Cut, &test.want.Unread,
		} {
			*list = append([]kafka.RecordID{}, *list...)
		}
		if diff := cmp.Diff(test.want, lists, cmpopts.IgnoreUnexported(outcome.Group{})); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

// TestWhatTheConfigurationOfAGroupGivesUp: each loss and each second effect has a setting that would have prevented it.
func TestWhatTheConfigurationOfAGroupGivesUp(t *testing.T) {
	for _, test := range []struct {
		fate, setting string
		early         bool
		records       []kafka.RecordID
	}{
		{"a crash before the commit: everything is read and done again, by another member", "a unique key where the effect is", false, ids(1)},
		{"a commit that expires: everything is done again", "a longer offsets.retention.minutes", false, ids(0, 1, 2, 3, 4, 5)},
		{"stored twice is done twice, and nothing is read again", "", false, nil},
		{"committed before the work, then a crash: passed over", "commit after the work", true, ids(1, 2, 3)},
		{"committed before the work, then a crash: passed over", "", false, nil}, // that must not happen: it is no trade-off
		{"a new owner with auto.offset.reset=latest passes over what came while it joined", "auto.offset.reset=earliest", false, ids(0, 1, 2, 3, 4)},
		{"what a member goes over without having read it, nobody has told it to", "", false, nil},
	} {
		r := grouped()
		for _, fate := range groupFates {
			if fate.name == test.fate {
				fate.write(r)
			}
		}
		n := packing("is on a slip")
		for i := range n.Nodes {
			n.Nodes[i].CommitsEarly = test.early
		}
		f := outcome.NewFold(n, outcome.Settings{})
		r.Steps(f)
		var setting string
		var records []kafka.RecordID
		for _, trade := range f.Outcome().Tradeoffs {
			setting, records = setting+trade.Setting, append(records, trade.Records...)
		}
		if setting != test.setting || !cmp.Equal(records, test.records) {
			t.Errorf("%s: %q for %v, want %q for %v", test.fate, setting, records, test.setting, test.records)
		}
	}
}

// TestReadingIsDoingWithoutAnEffect: an application that only reads has done what it was handed.
func TestReadingIsDoingWithoutAnEffect(t *testing.T) {
	r := grouped()
	r.Read(0, one, 1, 0, 0, 4)
	r.Crash(one)
	if got := r.group(""); len(got.PassedOver) > 0 || !cmp.Equal(got.Unread, ids(4, 5)) {
		t.Errorf("passed over %v, unread %v", got.PassedOver, got.Unread)
	}
}

// TestOlderRecordsAreNoDuty: who starts at the end of a topic, later than its records, has missed nothing.
func TestOlderRecordsAreNoDuty(t *testing.T) {
	h := history.New(2, 0, 1, 2)
	r := run{h.Group(0, 1)}
	r.Hosted(1, 1)
	r.store(0, 1, 2)
	r.Now = 100
	r.Start(one)
	r.store(3)
	r.Join(one)
	r.Get(one, 1, 0)
	r.Begin(one, 0, 4, event.FoundLatest)
	if got := r.group("is on a slip"); !cmp.Equal(got.PassedOver, ids(3)) || len(got.Unread) > 0 {
		t.Errorf("passed over %v, unread %v", got.PassedOver, got.Unread)
	}
}

func TestGroupIsCountedAndMeasured(t *testing.T) {
	r := grouped()
	r.Now = 10
	r.works(one, 0, 0, 1)
	r.Commit(one, 0, 1, kafka.NoOffset)
	r.Crash(one)
	r.Now = 30
	r.Out(event.MemberExpired, one)
	r.Rebalance(two, 1)
	r.Join(two)
	r.Now = 55
	r.Get(two, 2, 0)
	r.Begin(two, 0, 1, event.FoundCommitted)
	r.works(two, 1, 1, 2)
	r.Add(event.Event{Kind: event.OffsetCommitRefused, Node: 1, Peer: one, Offset: 2, Error: kafka.UnknownMemberID})
	r.Add(event.Event{Kind: event.OffsetCommitFailed, Node: one, Peer: 1, Offset: 2, Error: kafka.UnknownMemberID})
	r.Add(event.Event{Kind: event.MemberFenced, Node: 1, Peer: one, Error: kafka.UnknownMemberID})
	r.Now = 60
	r.store(6)
	r.Now = 90
	r.Add(event.Event{Kind: event.RunEnded})
	got := r.group("is on a slip")
	if got.Rebalances != 2 || got.CommitsRefused != 1 || got.CommitsFailed != 1 || got.Fenced != 1 {
		t.Errorf("%+v", got)
	}
	want := []outcome.GroupPartition{{
		Owner: two, Moved: 1, Stops: 1, Standing: 45, End: 7, Unread: 4,
		Committed: outcome.Lag{Offset: 1, Records: 6, Time: 90}, Position: outcome.Lag{Offset: 3, Records: 4, Time: 90},
	}}
	if diff := cmp.Diff(want, got.Partitions); diff != "" {
		t.Error(diff)
	}
}

// TestPartitionWithoutAnOwnerStandsStillToTheEnd.
func TestPartitionWithoutAnOwnerStandsStillToTheEnd(t *testing.T) {
	r := grouped()
	r.Now = 10
	r.Crash(one)
	r.Now = 90
	r.Add(event.Event{Kind: event.RunEnded})
	f := outcome.NewFold(packing(""), outcome.Settings{})
	r.Steps(f)
	o := f.Outcome()
	if p := o.Groups[0].Partitions[0]; p.Standing != 80 || p.Owner != kafka.NoNode || p.Position.Offset != kafka.NoOffset {
		t.Errorf("%+v", p)
	}
	want := []string{"group packing has 6 records to read, of partitions that nobody has (orders-0)"}
	if diff := cmp.Diff(want, o.Stuck[len(o.Stuck)-1:]); diff != "" {
		t.Error(diff)
	}
}

// TestConsumersAreNoScreens: what a member reads twice is a fact of its group.
func TestConsumersAreNoScreens(t *testing.T) {
	r := grouped()
	r.store(2)
	r.works(one, 0, 0, 1, 2, 3, 4, 5, 2)
	f := outcome.NewFold(packing(""), outcome.Settings{})
	r.Steps(f)
	if o := f.Outcome(); o.ShownTwice != nil || o.Skipped != nil {
		t.Errorf("shown twice %v, skipped %v", o.ShownTwice, o.Skipped)
	}
}
