package check_test

import (
	"testing"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
)

// expires moves the log start of a broker.
func (h *history) expires(node kafka.NodeID, from, to kafka.Offset) {
	h.happens(event.Event{Kind: event.LogStartAdvanced, Node: node, Offset: to, Prev: int64(from)})
}

// TestWhatRetentionTookIsNotLost: acknowledged and read records may go, on the leader first or on a follower.
func TestWhatRetentionTookIsNotLost(t *testing.T) {
	c := judge(func(sink event.Sink) {
		h := committed(sink)
		h.acked(careful, 1, 0, 10)
		h.reads(1, 0, 10)
		h.expires(2, 0, 1)
		h.expires(1, 0, 1)
		h.crashes(1)
		h.elect(2, 1, kafka.SetOf(2, 3), all)
		h.leads(2, 1, 1, 1)
		h.ends()
	})
	if got := c.Violations(); len(got) > 0 {
		t.Errorf("violations: %v", got)
	}
}

// TestFollowerMayBeginAnewAtTheLeadersLogStart: what it had missed is gone on the leader too.
func TestFollowerMayBeginAnewAtTheLeadersLogStart(t *testing.T) {
	play := func(leaderStart kafka.Offset) *check.Checker {
		return judge(func(sink event.Sink) {
			h := opened(sink)
			h.isr(kafka.SetOf(1, 2), all)
			h.appends(1, 0, 0, 10, 11)
			h.copies(2, 1, 0, 0, 2, 0)
			h.advances(1, 0, 2)
			h.acked(careful, 1, 0, 10, 11)
			if leaderStart > 0 {
				h.expires(1, 0, leaderStart)
			}
			h.happens(event.Event{Kind: event.LogLoaded, Node: 3, Offset: 2, Prev: 2, Value: 2})
			h.ends()
		})
	}
	if got := play(2).Violations(); len(got) > 0 {
		t.Errorf("violations: %v", got)
	}
	if play(1).Count("LogStartBelowHighWatermark") == 0 {
		t.Error("nothing is said of a follower that skips what its leader has")
	}
}

// TestWhatRetentionTookTooEarlyIsLost: what was not committed nobody had the right to delete, and its acknowledgement is a lie,
// whether the leader answers or a follower that has begun anew behind it.
func TestWhatRetentionTookTooEarlyIsLost(t *testing.T) {
	for _, follower := range []bool{false, true} {
		c := judge(func(sink event.Sink) {
			h := opened(sink)
			h.isr(kafka.SetOf(1, 2), all)
			h.appends(1, 0, 0, 10, 11)
			h.expires(1, 0, 2)
			h.happens(event.Event{Kind: event.LogLoaded, Node: 2, Offset: 2, Prev: 2, Value: 0})
			h.advances(1, 0, 2)
			if follower {
				h.crashes(1)
				h.elect(2, 1, kafka.SetOf(2), kafka.SetOf(1, 2))
				h.leads(2, 1, 2, 2)
			}
			h.acked(careful, 1, 0, 10, 11)
			h.ends()
		})
		if early, lost := c.Count("LogStartBelowHighWatermark"), c.Count("NoAcknowledgedRecordLost"); early != 1 || lost != 2 {
			t.Errorf("asked of a follower %t: %d log starts, %d records lost: %v", follower, early, lost, c.Violations())
		}
	}
}
