package check_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
)

// says is an event of the group's coordinator.
func (h *history) says(host kafka.NodeID, e event.Event) {
	e.Node = host
	h.happens(e)
}

func (h *history) hosted(host kafka.NodeID) {
	h.happens(event.Event{Kind: event.GroupsLoaded, Node: host, Partition: offsets, Value: 1})
}

func (h *history) joins(member kafka.NodeID) {
	h.happens(event.Event{Kind: event.ConsumerStarted, Node: member})
	h.says(1, event.Event{Kind: event.MemberJoined, Peer: member})
}

func (h *history) generation(epoch kafka.Epoch) {
	h.says(1, event.Event{Kind: event.GenerationBegan, Peer: one, Epoch: epoch, Count: 1})
	h.says(1, event.Event{Kind: event.GroupStable, Epoch: epoch, Count: 1})
}

func (h *history) gets(member kafka.NodeID, epoch kafka.Epoch) {
	h.happens(event.Event{Kind: event.GroupJoined, Node: member, Peer: 1, Epoch: epoch, Count: 1})
	h.happens(event.Event{Kind: event.PartitionAssigned, Node: member, Epoch: epoch})
}

func (h *history) letsGo(kind event.Kind, member kafka.NodeID, epoch kafka.Epoch) {
	h.happens(event.Event{Kind: kind, Node: member, Epoch: epoch})
}

func (h *history) begins(member kafka.NodeID, at kafka.Offset, found int64) {
	h.happens(event.Event{Kind: event.PositionFound, Node: member, Offset: at, Value: found})
}

func (h *history) does(member kafka.NodeID, at kafka.Offset, ids ...kafka.RecordID) {
	h.happens(event.Event{Kind: event.EffectHappened, Node: member, Offset: at}, ids...)
}

// writes has the coordinator write a commit down, commits also tells the member.
func (h *history) writes(host, member kafka.NodeID, at kafka.Offset) {
	h.says(host, event.Event{Kind: event.OffsetCommitWritten, Peer: member, Offset: at, Prev: event.NoPrevious})
}

func (h *history) commits(member kafka.NodeID, at kafka.Offset) {
	h.writes(1, member, at)
	h.learnsOf(member, 1, at)
}

func (h *history) learnsOf(member, host kafka.NodeID, at kafka.Offset) {
	h.happens(event.Event{Kind: event.OffsetCommitted, Node: member, Peer: host, Offset: at})
}

// loads is a step in which a new coordinator tells of the members and the offset that it found; NoOffset for none.
func (h *history) loads(host kafka.NodeID, at kafka.Offset, members ...kafka.NodeID) {
	h.add(event.Event{Kind: event.GroupsLoaded, Node: host, Partition: offsets, Value: 1})
	if at != kafka.NoOffset {
		h.add(event.Event{Kind: event.OffsetLoaded, Node: host, Offset: at})
	}
	for _, m := range members {
		h.add(event.Event{Kind: event.MemberLoaded, Node: host, Peer: m, Epoch: 1, Prev: 1})
	}
	h.flush()
}

// grouped is a history in which three records are committed and packing-1, alone in its group, is at offset 0.
func grouped(sink event.Sink) *history {
	h := opened(sink)
	h.appends(1, 0, 0, 10, 11, 12)
	h.copies(2, 1, 0, 0, 3, 0)
	h.copies(3, 1, 0, 0, 3, 0)
	h.advances(1, 0, 3)
	h.hosted(1)
	h.joins(one)
	h.generation(1)
	h.gets(one, 1)
	h.begins(one, 0, event.FoundEarliest)
	return h
}

// works has a member be handed records and do them.
func (h *history) works(member kafka.NodeID, at kafka.Offset, ids ...kafka.RecordID) {
	h.readsBy(member, 1, at, ids...)
	h.does(member, at, ids...)
}

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
		h := opened(sink)
		h.hosted(1)
		h.joins(one)
		h.says(1, event.Event{Kind: event.TargetAssigned, Peer: one, Epoch: 1})
		h.gets(one, 1)
		h.joins(two)
		h.says(1, event.Event{Kind: event.TargetAssigned, Peer: two, Epoch: 2})
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

// wellBehaved are histories that look odd and break nothing.
var wellBehaved = []struct {
	story string
	play  func(sink event.Sink)
}{
	{"a member that was removed and does not know it is in no present generation", func(sink event.Sink) {
		h := grouped(sink)
		h.says(1, event.Event{Kind: event.MemberExpired, Peer: one})
		h.joins(two)
		h.generation(2)
		h.gets(two, 2)
		h.begins(two, 0, event.FoundEarliest)
		h.works(two, 0, 10, 11, 12)
		h.works(one, 0, 10) // a zombie
		h.letsGo(event.PartitionLost, one, 1)
		h.late = 40_000
		h.ends()
	}},
	{"a member that starts again quickly has two memberships for a while", func(sink event.Sink) {
		h := grouped(sink)
		h.happens(event.Event{Kind: event.ConsumerCrashed, Node: one})
		h.joins(one)
		h.generation(2)
		h.gets(one, 2)
		h.says(1, event.Event{Kind: event.MemberExpired, Peer: one})
		h.late = 40_000
		h.ends()
	}},
	{"a static member did not join again in time: it stays a member, and what it does is refused by its generation", func(sink event.Sink) {
		h := grouped(sink)
		h.joins(two)
		h.generation(2)
		h.gets(two, 2)
	}},
	{"another process has taken the place of a static member", func(sink event.Sink) {
		h := grouped(sink)
		h.says(1, event.Event{Kind: event.MemberJoined, Peer: two, Prev: int64(one)})
		h.gets(two, 1)
	}},
	{"a group that was empty and is forgotten begins anew", func(sink event.Sink) {
		h := grouped(sink)
		h.letsGo(event.PartitionRevoked, one, 1)
		h.says(1, event.Event{Kind: event.MemberLeft, Peer: one})
		h.says(1, event.Event{Kind: event.GenerationBegan, Peer: kafka.NoNode, Epoch: 2})
		h.joins(one)
		h.generation(1)
		h.gets(one, 1)
	}},
	{"nobody owns the partition, but its last member has just died", func(sink event.Sink) {
		h := grouped(sink)
		h.happens(event.Event{Kind: event.ConsumerCrashed, Node: one})
		h.late = 40_000
		h.ends()
	}},
	{"nobody owns the partition, and a fault acts", func(sink event.Sink) {
		h := grouped(sink)
		h.happens(event.Event{Kind: event.FaultBegan})
		h.letsGo(event.PartitionRevoked, one, 1)
		h.late = 40_000
		h.ends()
	}},
	{"a new coordinator finds a commit that was not answered yet", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 0, 10, 11)
		h.commits(one, 1)
		h.writes(1, one, 2)
		h.loads(2, 2, one)
		h.learnsOf(one, 1, 2)
	}},
	{"a removal that was not written down is none", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 0, 10, 11, 12)
		h.commits(one, 3)
		h.says(1, event.Event{Kind: event.MemberExpired, Peer: one})
		h.loads(2, 3, one)
		h.late = 40_000
		h.ends()
	}},
	{"a commit that was not answered is lost", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 0, 10, 11)
		h.commits(one, 1)
		h.writes(1, one, 2)
		h.loads(2, 1, one)
		h.writes(2, one, 2)
		h.learnsOf(one, 2, 2)
	}},
	{"the last commit wins, also one that goes back", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 0, 10, 11)
		h.commits(one, 2)
		h.commits(one, 1)
		h.loads(2, 1, one)
	}},
	{"a commit that has expired is gone", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 0, 10)
		h.commits(one, 1)
		h.says(1, event.Event{Kind: event.OffsetExpired, Offset: 1})
		h.loads(2, kafka.NoOffset, one)
	}},
	{"a coordinator that is replaced and does not know it says what it likes", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 0, 10, 11)
		h.commits(one, 1)
		h.loads(2, 1, one)
		h.writes(1, one, 2)
		h.says(1, event.Event{Kind: event.GenerationBegan, Epoch: 1})
		h.loads(3, 1, one)
	}},
	{"a broker hears of its election when another one coordinates already", func(sink event.Sink) {
		h := grouped(sink)
		all := int64(kafka.SetOf(1, 2, 3))
		h.add(event.Event{Kind: event.LeaderElected, Partition: offsets, Peer: 1, Epoch: 2, Value: all, Prev: all})
		for _, node := range []kafka.NodeID{1, 2, 3} {
			h.add(event.Event{Kind: event.LogLoaded, Partition: offsets, Node: node})
		}
		h.flush()
		h.works(one, 0, 10, 11)
		h.commits(one, 1)
		h.loads(3, kafka.NoOffset) // elected in epoch 1
		h.commits(one, 2)
		h.generation(2)
		h.gets(one, 2)
	}},
	{"what a dead member had open lies before where the next one begins", func(sink event.Sink) {
		h := grouped(sink)
		h.readsBy(one, 1, 0, 10)
		h.happens(event.Event{Kind: event.ConsumerCrashed, Node: one})
		h.joins(two)
		h.generation(2)
		h.gets(two, 2)
		h.begins(two, 1, event.FoundByDuration)
		h.works(two, 1, 11)
		h.commits(two, 2)
	}},
	{"work that a dead member had open is done by the next", func(sink event.Sink) {
		h := grouped(sink)
		h.readsBy(one, 1, 0, 10, 11)
		h.does(one, 0, 10)
		h.happens(event.Event{Kind: event.ConsumerCrashed, Node: one})
		h.joins(two)
		h.generation(2)
		h.gets(two, 2)
		h.begins(two, 0, event.FoundEarliest)
		h.works(two, 0, 10, 11)
		h.commits(two, 2)
	}},
	{"a unique key refuses what is done: that is done too", func(sink event.Sink) {
		h := grouped(sink)
		h.readsBy(one, 1, 0, 10)
		h.happens(event.Event{Kind: event.EffectRefused, Node: one}, 10)
		h.commits(one, 1)
	}},
	{"a reader that lost its partition may go back", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 0, 10, 11)
		h.letsGo(event.PartitionRevoked, one, 1)
		h.gets(one, 1)
		h.begins(one, 0, event.FoundCommitted)
		h.works(one, 0, 10)
	}},
	{"auto.offset.reset=latest leaves records out", func(sink event.Sink) {
		h := grouped(sink)
		h.acked(careful, 1, 0, 10, 11, 12)
		h.readsBy(screen, 1, 0, 10)
		h.begins(one, 2, event.FoundLatest)
		h.works(one, 2, 12)
		h.ends()
	}},
	{"after an unclean election other records stand where one has read already", func(sink event.Sink) {
		h := grouped(sink)
		h.works(one, 0, 10, 11, 12)
		h.offline(1, kafka.SetOf(1))
		h.happens(event.Event{Kind: event.UncleanLeaderElected, Peer: 3, Epoch: 2, Value: int64(kafka.SetOf(1))})
		h.cuts(3, 3, 1)
		h.elect(3, 2, kafka.SetOf(3), kafka.SetOf(1))
		h.leads(3, 2, 1, 1)
		h.appends(3, 2, 1, 21, 22, 23)
		h.advances(3, 2, 4)
		h.acked(careful, 3, 1, 21, 22, 23)
		h.works(one, 3, 23)
		h.ends()
	}},
	{"a member is at work, so it is handed nothing", func(sink event.Sink) {
		h := grouped(sink)
		h.readsBy(one, 1, 0, 10)
		h.late = 40_000
		h.ends()
	}},
	{"a screen stands before what has only just been committed", func(sink event.Sink) {
		h := committed(sink)
		h.reads(1, 0, 10)
		h.late = 40_000
		h.appends(1, 0, 1, 11)
		h.copies(2, 1, 0, 1, 1, 1)
		h.copies(3, 1, 0, 1, 1, 1)
		h.advances(1, 0, 2)
		h.ends()
	}},
	{"the cleaner has removed what a reader leaves out", func(sink event.Sink) {
		h := fiveKeyed(sink)
		h.reads(1, 0, 10)
		h.cleans(event.RecordsCompacted, 5, 0, 1)
		h.reads(1, 2, 12)
		h.ends()
	}},
	{"a record of an idempotent producer that its application hands over again", func(sink event.Sink) {
		h := opened(sink)
		h.happens(event.Event{Kind: event.RecordsSent, Node: exact}, 10)
		h.happens(event.Event{Kind: event.RecordsResent, Node: exact}, 10)
		h.appends(1, 0, 0, 10, 10)
		h.copies(2, 1, 0, 0, 2, 0)
		h.copies(3, 1, 0, 0, 2, 0)
		h.advances(1, 0, 2)
		h.reads(1, 0, 10, 10)
		h.readsBy(screen+1, 1, 0, 10, 10)
	}},
	{"two readers read one record", func(sink event.Sink) {
		h := committed(sink)
		h.happens(event.Event{Kind: event.RecordsSent, Node: exact}, 10)
		h.reads(1, 0, 10)
		h.readsBy(screen+1, 1, 0, 10)
	}},
}

func TestWellBehavedGroupsBreakNothing(t *testing.T) {
	for _, test := range wellBehaved {
		if diff := cmp.Diff([]check.Violation(nil), judge(test.play).Violations()); diff != "" {
			t.Errorf("%s:\n%s", test.story, diff)
		}
	}
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
