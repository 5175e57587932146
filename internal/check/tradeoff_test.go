package check_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
)

func TestLossesThatTheConfigurationAllows(t *testing.T) {
	tests := []struct {
		story string
		play  func(sink event.Sink)
		want  []check.Tradeoff
	}{
		{"acks=1 and a dead leader: the lesson's orders 11 12 13", func(sink event.Sink) {
			h := opened(sink)
			h.appends(1, 0, 0, 10)
			h.acked(hasty, 1, 0, 10)
			h.copies(2, 1, 0, 0, 1, 0)
			h.appends(1, 0, 1, 11, 12)
			h.acked(hasty, 1, 1, 11, 12)
			h.appends(1, 0, 3, 13)
			h.crashes(1)
			h.elect(2, 1, kafka.SetOf(2, 3), all)
			h.acked(hasty, 1, 3, 13) // the answer was on its way
			h.leads(2, 1, 1, 0)
			h.ends()
		}, []check.Tradeoff{{
			Sentence: "acknowledged with acks=1 by a leader that stopped leading before a follower had them: 11 12 13",
			Setting:  "acks=all", Records: []kafka.RecordID{11, 12, 13},
		}}},

		{"a record on its way to the elected follower is not lost yet", func(sink event.Sink) {
			h := opened(sink)
			h.appends(1, 0, 0, 10)
			h.acked(hasty, 1, 0, 10)
			h.elect(2, 1, kafka.SetOf(2, 3), all)
			h.copies(2, 1, 0, 0, 1, 0)
			h.leads(2, 1, 1, 0)
			h.ends()
		}, nil},

		{"a record that was written a second time is not lost", func(sink event.Sink) {
			h := opened(sink)
			h.appends(1, 0, 0, 10)
			h.acked(hasty, 1, 0, 10)
			h.crashes(1)
			h.elect(2, 1, kafka.SetOf(2, 3), all)
			h.appends(2, 1, 0, 9, 10)
			h.leads(2, 1, 2, 0)
			h.ends()
		}, nil},

		{"acks=0: nobody tells what became of it", func(sink event.Sink) {
			h := opened(sink)
			h.untracked(10)
			h.appends(1, 0, 0, 10)
			h.untracked(12, 11)
			h.ends()
		}, []check.Tradeoff{{
			Sentence: "sent with acks=0, so nobody noticed that they were not stored or not kept: 11 12",
			Setting:  "acks=all", Records: []kafka.RecordID{11, 12},
		}}},

		{"unclean election", func(sink event.Sink) {
			h := opened(sink)
			h.isr(kafka.SetOf(1, 2), all)
			h.appends(1, 0, 0, 10)
			h.copies(2, 1, 0, 0, 1, 0)
			h.advances(1, 0, 1)
			h.learns(2, 1)
			h.acked(careful, 1, 0, 10)
			h.reads(1, 0, 10)
			h.offline(1, kafka.SetOf(1, 2))
			h.happens(event.Event{Kind: event.UncleanLeaderElected, Peer: 3, Epoch: 2, Value: int64(kafka.SetOf(1, 2))})
			h.elect(3, 2, kafka.SetOf(3), kafka.SetOf(1, 2))
			h.leads(3, 2, 0, 0)
			h.readsBy(screen+1, 1, 0, 10) // an answer that was on its way
			h.appends(3, 2, 0, 11)
			h.advances(3, 2, 1)
			h.stands(screen, 3, 1, 0)
			h.reads(3, 0, 11)
			h.acked(careful, 3, 0, 11)
			h.restarts(1, 1, 1)
			h.cuts(1, 1, 0)
			h.copies(1, 3, 2, 0, 1, 1)
			h.ends()
		}, []check.Tradeoff{{
			Sentence: "acknowledged, and given up by the election of a broker outside of the ISR: 10",
			Setting:  "unclean.leader.election.enable=false", Records: []kafka.RecordID{10},
		}}},
	}
	for _, test := range tests {
		t.Run(test.story, func(t *testing.T) {
			c := judge(test.play)
			if diff := cmp.Diff([]check.Violation(nil), c.Violations()); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.want, c.Tradeoffs()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAcknowledgementWithoutOffsetIsLookedUp(t *testing.T) {
	c := judge(func(sink event.Sink) {
		h := committed(sink)
		h.acked(careful, 1, kafka.NoOffset, 10)
		h.cuts(1, 1, 0)
	})
	if c.Count("NoAcknowledgedRecordLost") != 1 {
		t.Errorf("violations %v, want one lost record", c.Violations())
	}
}
