package check_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
)

// brokenGroups holds counterexamples for the promises about groups and about what readers see.
var brokenGroups = []counterexample{
	{"NoDoubleOwner", "two members in one generation get the same partition", func(sink event.Sink) {
		h := grouped(sink)
		h.joins(two)
		h.gets(two, 1)
	}, "packing-2 gets orders-0 in generation or epoch 1 of group packing, and packing-1 has it since 1"},

	{"NoDoubleOwner", "a cooperative member keeps what another gets", func(sink event.Sink) {
		h := grouped(sink)
		h.joins(two)
		h.generation(2)
		h.happens(event.Event{Kind: event.GroupJoined, Node: one, Peer: 1, Epoch: 2, Count: 1})
		h.gets(two, 2)
	}, "packing-1 has it since 2"},

	{"NoDoubleOwner", "a member of a KIP-848 group has not let go", func(sink event.Sink) {
		h := converging(sink)
		h.gets(two, 2)
	}, "packing-1 has it since 1"},

	{"NoDoubleOwner", "a member was removed, and its generation goes on", func(sink event.Sink) {
		h := grouped(sink)
		h.says(1, event.Event{Kind: event.MemberExpired, Peer: one})
		h.joins(two)
		h.gets(two, 1)
	}, "packing-1 has it since 1"},

	{"ValidMemberEpoch", "a generation comes twice", func(sink event.Sink) {
		h := grouped(sink)
		h.generation(1)
	}, "group packing comes to generation or epoch 1 after 1"},

	{"ValidMemberEpoch", "another generation than the present one is stable", func(sink event.Sink) {
		h := grouped(sink)
		h.says(1, event.Event{Kind: event.GroupStable, Epoch: 3, Count: 1})
	}, "is stable in generation 3, but it is in generation 1"},

	{"ValidMemberEpoch", "a member gets partitions in a generation that has not begun", func(sink event.Sink) {
		h := grouped(sink)
		h.letsGo(event.PartitionRevoked, one, 1)
		h.gets(one, 2)
	}, "packing-1 gets orders-0 in generation or epoch 2 of group packing, which is at 1"},

	{"ValidMemberEpoch", "a member epoch falls", func(sink event.Sink) {
		h := opened(sink)
		h.hosted(1)
		h.joins(one)
		h.says(1, event.Event{Kind: event.TargetAssigned, Peer: one, Epoch: 3})
		h.says(1, event.Event{Kind: event.MemberEpochChanged, Peer: one, Epoch: 3})
		h.says(1, event.Event{Kind: event.MemberEpochChanged, Peer: one, Epoch: 2, Prev: 3})
	}, "packing-1 comes to member epoch 2 after 3"},

	{"ValidMemberEpoch", "a member overtakes its group", func(sink event.Sink) {
		h := opened(sink)
		h.hosted(1)
		h.joins(one)
		h.says(1, event.Event{Kind: event.TargetAssigned, Peer: one, Epoch: 3})
		h.says(1, event.Event{Kind: event.MemberEpochChanged, Peer: one, Epoch: 4})
	}, "group packing is at epoch 3"},

	{"EveryPartitionOwned", "nobody is given the partition", func(sink event.Sink) {
		h := grouped(sink)
		h.letsGo(event.PartitionRevoked, one, 1)
		h.late = 30_001
		h.ends()
	}, "group packing has 1 members, nothing happens, and nobody reads orders-0"},

	{"CommittedOffsetsSurvive", "an answered commit is gone with its coordinator", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 0, 10, 11)
		h.commits(one, 1)
		h.commits(one, 2)
		h.loads(2, 1, one)
	}, "the new coordinator broker 2 of group packing finds offset 1 of orders-0, but 2 was committed and answered"},

	{"CommittedOffsetsSurvive", "the new coordinator knows of no commit", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 0, 10)
		h.commits(one, 1)
		h.loads(2, kafka.NoOffset, one)
	}, "knows no offset of orders-0, but 1 was committed and answered"},

	{"CommittedOffsetsSurvive", "the answer comes when it is lost already", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 0, 10)
		h.commits(one, 1)
		h.works(one, 1, 11)
		h.writes(1, one, 2)
		h.loads(2, 1, one)
		h.learnsOf(one, 1, 2)
	}, "packing-1 hears that offset 2 of orders-0 is committed, which group packing does not have"},

	{"NoRecordSkipped", "a commit overtakes the work", func(sink event.Sink) {
		h := grouped(sink)
		h.readsBy(one, 1, 0, 10, 11)
		h.does(one, 0, 10)
		h.commits(one, 2)
	}, "packing-1 commits offset 2 of orders-0 for group packing, but nobody has done 11 at 1"},

	{"MonotonicPolls", "a poll repeats what the one before brought", func(sink event.Sink) {
		h := grouped(sink)
		h.readsBy(screen, 1, 0, 10, 11)
		h.readsBy(screen, 1, 1, 11)
	}, "is handed 11 from offset 1 of orders-0 on, and stood at 2"},

	{"MonotonicPolls", "a member is handed again what it was handed", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 0, 10, 11)
		h.works(one, 0, 10)
	}, "packing-1 is handed 10"},

	{"NoSkippingPolls", "a poll leaves a record out", func(sink event.Sink) {
		h := grouped(sink)
		h.readsBy(screen, 1, 0, 10)
		h.readsBy(screen, 1, 2, 12)
	}, "goes from offset 1 of orders-0 to 2 and is not handed 11 at 1"},

	{"NoSkippingPolls", "a member begins behind the offset that it found", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 1, 11)
	}, "packing-1 goes from offset 0 of orders-0 to 1 and is not handed 10 at 0"},

	{"NoDuplicateRead", "a retry of the idempotent producer is stored again", func(sink event.Sink) {
		h := opened(sink)
		h.happens(event.Event{Kind: event.RecordsSent, Node: exact}, 10)
		h.appends(1, 0, 0, 10, 10)
		h.copies(2, 1, 0, 0, 2, 0)
		h.copies(3, 1, 0, 0, 2, 0)
		h.advances(1, 0, 2)
		h.reads(1, 0, 10, 10)
	}, "is handed 10 at offset 1 of orders-0, and it was read from another offset before"},

	{"EventuallyRead", "a screen stands before a committed record", func(sink event.Sink) {
		h := committed(sink)
		h.reads(1, 0, 10)
		h.appends(1, 0, 1, 11)
		h.copies(2, 1, 0, 1, 1, 1)
		h.copies(3, 1, 0, 1, 1, 1)
		h.advances(1, 0, 2)
		h.late = 30_001
		h.ends()
	}, "stands at 1, and is not handed 11 at 1"},

	{"EventuallyRead", "a member has done all that it was handed, and is handed nothing more", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 0, 10)
		h.late = 30_001
		h.ends()
	}, "packing-1 reads orders-0 from 0 on, stands at 1, and is not handed 11 at 1"},

	{"EverythingRead", "a record is lost to all readers", func(sink event.Sink) {
		h := grouped(sink)
		h.acked(careful, 1, 0, 10, 11, 12)
		h.readsBy(screen, 1, 0, 10)
		h.readsBy(screen+1, 1, 2, 12)
		h.ends()
	}, "11 at offset 1 of orders-0 was acknowledged and never read, though what is behind it was"},
}

// TestCommitBeforeWorkIsATradeoff: what was in work when the member died is given up; what a member has in work is not.
func TestCommitBeforeWorkIsATradeoff(t *testing.T) {
	early := func(sink event.Sink) *history {
		h := grouped(sink)
		h.letsGo(event.PartitionRevoked, one, 1)
		h.joins(hurried)
		h.generation(2)
		h.gets(hurried, 2)
		h.begins(hurried, 0, event.FoundEarliest)
		h.readsBy(hurried, 1, 0, 10, 11, 12)
		h.commits(hurried, 3)
		h.does(hurried, 0, 10)
		return h
	}
	c := judge(func(sink event.Sink) { early(sink).ends() })
	if len(c.Violations()) > 0 || len(c.Tradeoffs()) > 0 {
		t.Errorf("it is at work: %v %v", c.Violations(), c.Tradeoffs())
	}
	c = judge(func(sink event.Sink) {
		h := early(sink)
		h.happens(event.Event{Kind: event.ConsumerCrashed, Node: hurried})
		h.ends()
	})
	want := []check.Tradeoff{{
		Sentence: "committed before the work on them, which their member did not live to do: 11 12",
		Setting:  "commit after the work", Records: []kafka.RecordID{11, 12},
	}}
	if diff := cmp.Diff(want, c.Tradeoffs()); diff != "" || len(c.Violations()) > 0 {
		t.Error(diff, c.Violations())
	}
}
