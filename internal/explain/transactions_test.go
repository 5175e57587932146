package explain_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"replog/internal/explain"
	"replog/internal/outcome"
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

// TestRunTellsOfTransactions: what is not as it should be, and nothing of those that are.
func TestRunTellsOfTransactions(t *testing.T) {
	for _, c := range []struct {
		scenario, variant string
		want              []string
	}{
		{"zombie-fenced", "one id", []string{
			"a transaction of totals is aborted, as another comes for the id, and its producer has not ended it.",
			"data-team-again gets the transactional.id totals, with producer epoch 2: whoever had it is fenced.",
			"broker 2 refuses broker 1, which comes for totals with an old producer epoch: PRODUCER_FENCED.",
			"broker 2 refuses data-team, which comes for totals with an old producer epoch: PRODUCER_FENCED.",
		}},
		{"museum/c17-late-end-of-the-last-transaction", "transaction version 1", []string{
			"a transaction of totals is committed, which its producer has not asked for.",
		}},
		{"open-transaction-blocks-readers", "ten seconds", []string{
			"a transaction of totals is open for longer than transaction.timeout.ms: broker 2 aborts it, and fences the producer.",
		}},
		{"transaction-coordinator-replaced", "version 2", []string{
			"broker 3 coordinates the transactions of __transaction_state-13 from now on: it has read 3 records of it, 1 transactional id.",
			"broker 1 does not write the marker of producer 2000 to totals-0 that broker 2 sends: TRANSACTION_COORDINATOR_FENCED.",
		}},
		{"aborted-read", "version 2", nil},
	} {
		r := recorded(t, c.scenario, c.variant)
		var got []string
		for _, line := range explain.Run(&r.Log, r.At(0).Names(), &outcome.Outcome{Names: r.At(0).Names()}) {
			for _, word := range []string{" transaction", " totals with", "marker"} {
				if strings.Contains(line.Text, word) && !strings.Contains(line.Text, "akes") {
					got = append(got, strings.ToLower(line.Text[:1])+line.Text[1:])
					break
				}
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s, %s: %s", c.scenario, c.variant, diff)
		}
	}
}
