package explain_test

import (
	"strings"
	"testing"

	"replog/internal/explain"
)

func storyOf(t *testing.T, scenario, variant, order string) explain.Story {
	t.Helper()
	r := recorded(t, scenario, variant)
	names := r.At(0).Names()
	return explain.Record(&r.Log, names, names.FindRecords(order)[0])
}

// TestVerdictsOfTransactions: what came of an order in a scenario, and why.
func TestVerdictsOfTransactions(t *testing.T) {
	for _, c := range []struct{ scenario, variant, order, want string }{
		{"aggregation", "exactly once", "1011", "stored once, at offset 21 of totals-0, and acknowledged on attempt 2. The copy at offset 11 was aborted"},
		{"aggregation", "at least once", "1011", "twice, at offsets 10 and 19. The processor made it again: how far it had read was not committed when it stopped."},
		{"aggregation", "at least once", "1001", "stored once, at offset 0 of totals-0, and acknowledged.$"},
		{"open-transaction-blocks-readers", "ten seconds", "900", "Its transaction was aborted: readers with read_committed leave it out."},
		{"open-transaction-blocks-readers", "default time-out", "6",
			"Packing screen reads with read_committed and has not got it: the transaction that begins at offset 5 is not decided when the run ends."},
		{"open-transaction-blocks-readers", "default time-out", "5", "Order 5 is stored once, at offset 4 of orders-0, and acknowledged.$"},
		{"hanging-transaction", "before 3.6", "902", "has not got it: the transaction that begins at offset"},
	} {
		story := storyOf(t, c.scenario, c.variant, c.order)
		if !strings.Contains(story.Verdict+"$", c.want) {
			t.Errorf("%s, %s, order %s: %s", c.scenario, c.variant, c.order, story.Verdict)
		}
	}
}

func TestStoryOfAFencedProducerSaysWhoFencedIt(t *testing.T) {
	story := storyOf(t, "zombie-fenced", "one id", "3")
	for _, line := range story.Lines {
		if strings.HasSuffix(line.Text, "nothing is written. It came with producer epoch 0: at 5109 ms data-team-again got the id since, with epoch 2.") {
			return
		}
	}
	t.Errorf("%+v", story.Lines)
}
