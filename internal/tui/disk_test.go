package tui

import (
	"fmt"
	"testing"
)

// TestSegmentsStayOpenWhileOneMoves: the files of a partition, and what the next look takes.
func TestSegmentsStayOpenWhileOneMoves(t *testing.T) {
	h := open(t, "menu-prices", "compacted")
	h.press("5", "f")
	h.shows("menu-0 on broker 1, segment by segment", "clean; it goes through the next pass again", "active: the cleaner leaves it alone")
	h.shows("last of its key", "compacted away")
	h.press("g")
	h.shows("segment by segment, at 12:00:00.000")
	h.press("f")
	if len(h.dialogs) > 0 {
		t.Error("f does not close what f opened")
	}
}

// TestSegmentsTellAbortedRecordsAndMarkers: neither is the last value of a key.
func TestSegmentsTellAbortedRecordsAndMarkers(t *testing.T) {
	h := open(t, "prices-taken-back", "default").quizOff()
	h.press("1", "f")
	h.shows("○○○M×××M●●●M×××M", "aborted")
	h.press("5")
	h.shows("···M···M●●●M···M", "marker")
}

// TestWhyASegmentStays asks from the pane of offsets.
func TestWhyASegmentStays(t *testing.T) {
	h := open(t, "segments", "by time")
	h.press("5", "tab", "e")
	h.shows("Why is the segment with offset")
}

// TestSegmentsOfKafkasOwnTopics: its records have no ids, and are there all the same.
func TestSegmentsOfKafkasOwnTopics(t *testing.T) {
	h := open(t, "packing-group", "three members")
	h.press("G")
	for range 10 {
		h.press("down") // to the last partition
	}
	h.press("f")
	h.shows("__consumer_offsets-", "segment by segment", "active: the cleaner leaves it alone")
	h.press("f", "tab", "e")
	h.shows("Why is the segment with offset")
}

// Between two events the screen speaks of the time where one stands, not of the last event's: the clock above and the age of
// a segment below are of one moment.
func TestClockBetweenTwoEvents(t *testing.T) {
	h := open(t, "menu-prices", "compacted").quizOff().press("8", "f")
	if last := h.deck.Picture().Tick(); last >= h.deck.Now() {
		t.Fatalf("the last event is of tick %d, which is no time before %d", last, h.deck.Now())
	}
	now := h.deck.Now()
	h.shows(fmt.Sprint("tick ", now, " of"), "segment by segment, at "+h.deck.Tape.Names.Clock(now))
}

// TestGoToWhileTheFilesAreOpen: what is typed behind the colon is no key, and the files stay open at the new place.
func TestGoToWhileTheFilesAreOpen(t *testing.T) {
	h := open(t, "menu-prices", "compacted").quizOff().press("5", "f", ":")
	h.shows("segment by segment, at 12:50:00.000")
	h.press("1", "2", ":", "2", "0", ":", "0", "0", "enter")
	h.shows("segment by segment, at 12:20:00.000")
}
