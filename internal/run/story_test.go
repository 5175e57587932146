package run

import (
	"fmt"
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/scenario"
)

func runWith(t *testing.T, name, variant string, sets ...string) *Result {
	t.Helper()
	var parsed []scenario.Set
	for _, text := range sets {
		set, err := scenario.ParseSet(text)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, set)
	}
	p, err := load(t, name).Plan(variant, parsed)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Do(p, Options{Record: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Violations {
		t.Errorf("broken promise: %s", v.Sentence)
	}
	return r
}

// TestStoredTwiceIsOneRequestAConnection moves everything that could matter in the 12:40 failure: the number of orders
// stored twice stays the number of connections to broker 2 with a stored, unanswered request at its death.
func TestStoredTwiceIsOneRequestAConnection(t *testing.T) {
	for _, workers := range []int{5, 13, 20} {
		for _, held := range []string{"12:39:55.700", "12:39:56", "12:39:56.300"} {
			for _, death := range []string{"12:39:59.940", "12:40:00", "12:40:00.060"} {
				t.Run(fmt.Sprintf("%d workers, held %s, dies %s", workers, held, death), func(t *testing.T) {
					r := runWith(t, "broker-2-dies", "as it was",
						fmt.Sprintf("producers.order-service.workers=%d", workers),
						fmt.Sprintf("timeline.held.at=%q", held), fmt.Sprintf("timeline.death.at=%q", death))
					unanswered := storedUnanswered(r, 2)
					if !slices.Equal(r.Outcome.StoredTwice, unanswered) {
						t.Errorf("stored twice %v, stored and unanswered at the death %v", r.Outcome.StoredTwice, unanswered)
					}
					if workers == 13 && len(unanswered) != 13 {
						t.Errorf("%d orders stored twice, want 13", len(unanswered))
					}
					if len(unanswered) == 0 || len(unanswered) > workers {
						t.Errorf("%d orders for %d connections", len(unanswered), workers)
					}
					if len(r.Outcome.AckedThenLost)+len(r.Outcome.NeverStored) > 0 {
						t.Errorf("lost %v, never stored %v", r.Outcome.AckedThenLost, r.Outcome.NeverStored)
					}
				})
			}
		}
	}
}

// storedUnanswered lists the records that a broker had appended and not answered when it died.
func storedUnanswered(r *Result, broker kafka.NodeID) []kafka.RecordID {
	open := map[kafka.RecordID]bool{}
	for _, e := range r.Log.All() {
		if e.Kind == event.BrokerCrashed && e.Node == broker {
			break
		}
		if e.Kind != event.BatchAppended && e.Kind != event.RecordsAcknowledged || e.Kind == event.BatchAppended && e.Node != broker {
			continue
		}
		for _, id := range r.Log.Records(e) {
			open[id] = e.Kind == event.BatchAppended
		}
	}
	var ids []kafka.RecordID
	for id, still := range open {
		if still {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// TestOrder8812 pins what the story says of order 8812: where and when.
func TestOrder8812(t *testing.T) {
	r := runWith(t, "broker-2-dies", "as it was")
	names := r.Plan.Names
	order := names.FindRecords("8812")[0]
	var shown []string
	for _, e := range r.Log.All() {
		if !slices.Contains(r.Log.Records(e), order) {
			continue
		}
		switch e.Kind {
		case event.RecordsSent:
			if names.Key(kafka.KeyID(e.Value)) != "kitchen-41" || e.Partition != 2 {
				t.Errorf("8812 has key %s and goes to %s", names.Key(kafka.KeyID(e.Value)), names.Partition(e.Partition))
			}
		case event.RecordsRead:
			if names.Group(e.Node) == "packing" {
				shown = append(shown, names.Clock(e.At))
			}
		}
	}
	copies := r.Outcome.Copies(order)
	if len(copies) != 2 || copies[0].Offset != 40117 || copies[1].Offset == 40117 {
		t.Errorf("8812 lies at %+v", copies)
	}
	if len(shown) != 2 || shown[0] > "12:40:00" || shown[1] < "12:40:19.5" || shown[1] > "12:40:20.5" {
		t.Errorf("the packing screen shows 8812 at %v", shown)
	}
}

// TestSenderCannotTell: up to the retry the producer sees the same whether its request or the answer was lost.
func TestSenderCannotTell(t *testing.T) {
	for _, variant := range []string{"retries", "idempotent", "retries off"} {
		answer := whatTheProducerSees(t, runWith(t, "lost-answer", variant))
		request := whatTheProducerSees(t, runWith(t, "lost-request", variant))
		if !slices.Equal(answer, request) {
			t.Errorf("%s: the producer sees\n%v\nwhen the answer is lost, and\n%v\nwhen the request is", variant, answer, request)
		}
	}
}

// whatTheProducerSees lists a producer's own events up to its first retry or failure, without what it cannot know.
func whatTheProducerSees(t *testing.T, r *Result) []string {
	var seen []string
	for _, e := range r.Log.All() {
		if !isProducer(r.Plan, e.Node) || e.Kind == event.MessageDropped {
			continue
		}
		seen = append(seen, fmt.Sprint(e.At, " ", event.Sentence(e, r.Log.Records(e), r.Plan.Names)))
		if e.Kind == event.ProduceSent && e.Value > 1 || e.Kind == event.RecordsFailed {
			return seen
		}
	}
	t.Fatal("no retry and no failure")
	return nil
}

func isProducer(p *plan.Plan, id kafka.NodeID) bool {
	return slices.ContainsFunc(p.Producers, func(q plan.Producer) bool { return q.ID == id })
}
