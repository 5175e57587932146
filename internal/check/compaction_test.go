package check_test

import (
	"testing"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
)

// cleans removes single offsets from broker 1 and ends the pass.
func (h *history) cleans(kind event.Kind, end kafka.Offset, gone ...kafka.Offset) {
	for _, o := range gone {
		h.happens(event.Event{Kind: kind, Node: 1, Offset: o, Count: 1})
	}
	h.happens(event.Event{Kind: event.LogCleaned, Node: 1, Offset: end, Count: int32(len(gone))})
}

// fiveKeyed is a run in which the records 10 to 14 are committed and acknowledged.
func fiveKeyed(sink event.Sink) *history {
	h := opened(sink)
	h.isr(kafka.SetOf(1, 2), all)
	h.appends(1, 0, 0, 10, 11, 12, 13, 14)
	h.copies(2, 1, 0, 0, 5, 0)
	h.advances(1, 0, 5)
	h.acked(careful, 1, 0, 10, 11, 12, 13, 14)
	return h
}

func TestOldVersionsAndTombstonesMayGo(t *testing.T) {
	c := judge(func(sink event.Sink) {
		h := fiveKeyed(sink)
		h.cleans(event.RecordsCompacted, 5, 0, 1)
		h.cleans(event.TombstonesRemoved, 5, 4)
		h.ends()
	})
	if got := c.Violations(); len(got) > 0 {
		t.Errorf("violations: %v", got)
	}
}

// TestFollowerMayCopyAGap: what is gone on the leader never comes to it, and a record that it does not get must be gone.
func TestFollowerMayCopyAGap(t *testing.T) {
	gap := func(from kafka.Offset, count int32) *check.Checker {
		c := check.New(names(), check.Settings{Acks: acksOf})
		h := fiveKeyed(c)
		h.cleans(event.RecordsCompacted, 5, 0, 1)
		h.happens(event.Event{Kind: event.GapCopied, Node: 3, Peer: 1, Offset: from, Count: count})
		h.copies(3, 1, 0, from+kafka.Offset(count), 5-int32(from)-count, 0)
		h.happens(event.Event{Kind: event.LogCleaned, Node: 3, Offset: 5})
		h.ends()
		return c
	}
	if got := gap(0, 2).Violations(); len(got) > 0 {
		t.Errorf("violations: %v", got)
	}
	if gap(0, 3).Count("LatestValueKept") != 1 {
		t.Error("nothing is said of a follower that misses the last value of a key")
	}
}
