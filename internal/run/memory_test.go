package run

import (
	"regexp"
	"strings"
	"testing"

	"replog/internal/scenario"
)

// TestWindowFits: the part of a run that is offered sends what fits, and is taken by the scenario.
func TestWindowFits(t *testing.T) {
	file := load(t, "week-of-orders")
	p, err := file.Plan("segments of 1 GiB", nil)
	if err != nil {
		t.Fatal(err)
	}
	need := Need(p, true)
	if want := int64(15 * 240_000 * (bytesPerRecorded + bytesPerRecordedAndGroup)); need > want || need < want*9/10 {
		t.Errorf("%d bytes, expected a little less than %d: some steps lie behind the end", need, want)
	}
	for _, have := range []int64{1 << 30, 300 << 20} {
		offer := Window(p, need, have)
		end := regexp.MustCompile(`end=(\S+)`).FindStringSubmatch(offer)
		if end == nil {
			t.Fatalf("%d bytes: %q", have, offer)
		}
		part, err := file.Plan("segments of 1 GiB", []scenario.Set{{Path: "end", Value: end[1]}})
		if err != nil {
			t.Fatal(err)
		}
		if got := Need(part, true); got > have || got < have/4 {
			t.Errorf("%d bytes: %s takes %d", have, offer, got)
		}
	}
	if offer := Window(p, need, 5<<20); !strings.Contains(offer, "fewer orders") {
		t.Errorf("a time before the last load begins is offered as %q", offer)
	}
}
