package player

import (
	"testing"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/view"
)

// TestWhatGoesNextIsWhatGoes: whatever a retention check deletes or a pass of the cleaner writes anew was told of before,
// and nothing else was said to go with that look.
func TestWhatGoesNextIsWhatGoes(t *testing.T) {
	for _, c := range []struct{ scenario, variant string }{
		{"segments", "by time"}, {"segments", "by size"}, {"segments", "rolled by time"}, {"segments", "by hand"},
		{"retention-overtakes-reader", "retention of an hour"}, {"menu-prices", "compacted"}, {"tombstone", "missed"},
		{"order-status", "dirty ratio 0.5"}, {"incidents/s08-too-quiet-to-compact", "with a deadline"}, {"incidents/s06-tombstones-that-never-leave", "as it happened"},
	} {
		t.Run(c.scenario+"/"+c.variant, func(t *testing.T) {
			tape := tapeOf(t, c.scenario, c.variant)
			looks := 0
			for i := 0; i < tape.Len(); i++ {
				if e := tape.Log.At(i); goes(e) && e.Node == tape.Plan.Partitions[e.Partition].Replicas[0] {
					i = holdAgainst(t, tape, i)
					looks++
				}
			}
			if looks == 0 {
				t.Error("nothing ever goes")
			}
		})
	}
}

func goes(e *event.Event) bool {
	switch e.Kind {
	case event.SegmentDeletedByTime, event.SegmentDeletedBySize, event.SegmentDeletedBelowLogStart, event.SegmentCleaned:
		return true
	}
	return false
}

// holdAgainst compares what a look did, which begins with event i, with what was said just before it. It returns the last
// event of the look.
func holdAgainst(t *testing.T, tape *Tape, i int) int {
	first := tape.Log.At(i)
	picture := view.New(tape.Names)
	for n := 0; n < i && tape.Log.At(n).At < first.At; n++ {
		picture.Apply(tape.Log.At(n), tape.Log.Records(tape.Log.At(n)))
	}
	taken := map[kafka.Offset]bool{}
	for ; i < tape.Len() && tape.Log.At(i).At == first.At; i++ {
		if e := tape.Log.At(i); goes(e) && e.Node == first.Node && e.Partition == first.Partition {
			for o := e.Offset; o < e.End(); o++ {
				taken[o] = true
			}
		}
	}
	moment := explain.Moment{Picture: picture, Log: &tape.Log, Disk: NewDisk(tape).At(first.At - 1)}
	for _, f := range moment.Segments(first.Partition, first.Node) {
		clean := !f.Dirty && first.Kind == event.SegmentCleaned // it goes through the pass as well
		if f.Goes != taken[f.Base] && !clean {
			t.Errorf("%s: segment %d goes: %v, but it was said: %s", tape.Names.Clock(first.At), f.Base, taken[f.Base], f.Text)
		}
	}
	return i - 1
}
