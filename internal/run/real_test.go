package run

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// TestRealOrder holds the order of a partition after a refused request against what the clients did (real/reorder).
func TestRealOrder(t *testing.T) {
	overtaken := map[string]bool{"librdkafka 2.0": true, "librdkafka 2.11": true}
	for _, variant := range load(t, "real/reorder").Variants() {
		log := runWith(t, "real/reorder", variant).Outcome.FinalLog(0)
		if inOrder := slices.IsSorted(log); inOrder == overtaken[variant] {
			t.Errorf("%s: the log holds %v", variant, log)
		}
	}
}

// TestRetryReorders: order 2 is refused, and those behind it are accepted.
func TestRetryReorders(t *testing.T) {
	for variant, want := range map[string][]kafka.RecordID{
		"default":       {0, 2, 3, 4, 5, 6, 7, 1},
		"one in flight": {0, 1, 2, 3, 4, 5, 6, 7},
		"idempotent":    {0, 1, 2, 3, 4, 5, 6, 7},
	} {
		if got := runWith(t, "retry-reorders", variant).Outcome.FinalLog(0); !slices.Equal(got, want) {
			t.Errorf("%s: the log holds %v, want %v", variant, got, want)
		}
	}
}

// TestBatchingSendsFewerRequests: the records a request of scenario batching, near what librdkafka had at this rate.
func TestBatchingSendsFewerRequests(t *testing.T) {
	for variant, want := range map[string]struct{ least, most int }{
		"linger 0": {1, 1}, "linger 5": {5, 7}, "linger 20": {18, 22}, "linger 50": {48, 52},
	} {
		r := runWith(t, "batching", variant)
		requests := 0
		for i := range r.Log.Len() {
			if r.Log.At(i).Kind == event.ProduceSent {
				requests++
			}
		}
		if each := r.Outcome.Sent / requests; each < want.least || each > want.most {
			t.Errorf("%s: %d records a request, want %d to %d", variant, each, want.least, want.most)
		}
	}
}

// TestRealKilledConsumer holds what a killed consumer had done and did again against what librdkafka and franz-go did
// (real/killed-consumer): 764 done, 473 committed and 291 done again; 772 done and as many again.
func TestRealKilledConsumer(t *testing.T) {
	for variant, want := range map[string]struct{ done, again int }{
		"librdkafka": {764, 291}, "librdkafka, SIGTERM": {773, 0}, "librdkafka, 2 s of work": {2, 0}, "franz-go": {772, 772},
	} {
		done, again := 0, 0
		seen := map[kafka.RecordID]bool{}
		log := runWith(t, "real/killed-consumer", variant).Log
		died := false
		for _, e := range log.All() {
			died = died || e.Kind == event.ConsumerCrashed || e.Kind == event.ConsumerClosed
			if e.Kind != event.EffectHappened {
				continue
			}
			id := log.Records(e)[0]
			if !died {
				done++
			} else if seen[id] {
				again++
			}
			seen[id] = true
		}
		if near := func(a, b int) bool { return a >= b*97/100-1 && a <= b*103/100+1 }; !near(done, want.done) || !near(again, want.again) {
			t.Errorf("%s: %d done and %d again, measured %d and %d", variant, done, again, want.done, want.again)
		}
	}
}
