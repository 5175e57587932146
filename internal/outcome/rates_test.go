package outcome_test

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/outcome"
)

// TestRatesOfARunThatWasLeft: what was found in a day counts, also when the run never came to its end.
func TestRatesOfARunThatWasLeft(t *testing.T) {
	const hour = 3600 * 200 // ticks of 5 ms
	f := outcome.NewFold(names, settings(kafka.AcksAll, true, 9))
	for id := range kafka.RecordID(24) {
		f.Apply(&event.Event{Kind: event.RecordsSent, Node: producer, At: kafka.Tick(id) * hour, Count: 1}, []kafka.RecordID{id})
	}
	if o := f.Outcome(); o.Rates != nil {
		t.Errorf("rates of less than a day: %+v", o.Rates)
	}
	f.Apply(&event.Event{Kind: event.RecordsSent, Node: producer, At: 24 * hour, Count: 1}, []kafka.RecordID{24})
	if o := f.Outcome(); o.Rates == nil || o.Rates.MostInADay != 24 {
		t.Errorf("%+v, expected 24 records in the first day", o.Rates)
	}
}
