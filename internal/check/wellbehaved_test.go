package check_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
)

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
	{"a static member is away for a while, and does not know what it has lost", func(sink event.Sink) {
		h := converging(sink)
		h.says(1, event.Event{Kind: event.MemberEpochChanged, Peer: one, Epoch: -2, Prev: 1})
		h.gets(two, 2)
	}},
	{"a member that was removed hears late what it was to have", func(sink event.Sink) {
		h := converging(sink)
		h.says(1, event.Event{Kind: event.MemberExpired, Peer: two})
		h.gets(two, 2)
	}},
	{"nobody reads what waits for the session of a member's life before", func(sink event.Sink) {
		h := grouped(sink)
		h.letsGo(event.PartitionLost, one, 1)
		h.joins(one)
		h.late = 40_000
		h.ends()
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
