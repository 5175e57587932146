package run

import (
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/scenario"
)

// abortedOnACompactedTopic is four transactions of a record for each of three dishes, the second and the fourth aborted; later
// records of another key close segments and give the cleaner something to do.
const abortedOnACompactedTopic = `
title: "prices that were taken back"
start: "12:00:00"
tick: 10ms
end: "12:30:00"
brokers: {count: 3}
topics:
  prices:
    partitions: 1
    replication.factor: 3
    config: {cleanup.policy: compact, segment.ms: 60000, min.cleanable.dirty.ratio: 0.1, delete.retention.ms: 600000}
producers:
  chef: {client: java-4.0, transactions: {id: prices, records: 3, abort: [2, 4]}}
  clock: {}
loads:
  - {producer: chef, topic: prices, start: "12:00:10", every: 500ms, count: 12, first: 1, key: dish-$(order mod 3)}
  - {name: later, producer: clock, topic: prices, start: "12:03:00", every: 5m, count: 5, first: 101, key: time}
`

// TestCleanerTellsAbortedRecordsFromOldOnes: the last values of the dishes are those of the third transaction. The second and
// the fourth are removed because they were aborted, and make nothing else go; then the markers go, delete.retention.ms after a
// pass that found nothing else of their transactions.
func TestCleanerTellsAbortedRecordsFromOldOnes(t *testing.T) {
	file, err := scenario.Load("here.yaml", []byte(abortedOnACompactedTopic))
	if err != nil {
		t.Fatal(err)
	}
	p, err := file.Plan(file.Variants()[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Do(p, Options{Record: true})
	if err != nil || len(r.Violations) > 0 {
		t.Fatal(err, r.Violations)
	}
	removed := map[event.Kind]kafka.Spans{}
	for i := range r.Log.Len() {
		if e := r.Log.At(i); e.Node == 1 && e.Count > 0 {
			spans := removed[e.Kind]
			spans.Add(e.Offset, e.End())
			removed[e.Kind] = spans
		}
	}
	for kind, want := range map[event.Kind]kafka.Span{
		event.AbortedRecordsRemoved: {From: 4, To: 7}, event.RecordsCompacted: {From: 0, To: 3}, event.MarkersRemoved: {From: 3, To: 4},
	} {
		if got := removed[kind]; len(got) == 0 || got[0] != want {
			t.Errorf("%v: %v, expected %v first", kind, got, want)
		}
	}
	if c := r.Outcome.Compaction; c.OldVersions != 1 {
		t.Errorf("%d old versions are left, expected that of the clock", c.OldVersions)
	}
	for order, want := range map[string]string{
		"1": "order 7 has the same key", "4": "its transaction was aborted", "7": "is stored once", "10": "its transaction was aborted",
	} {
		id := p.Names.FindRecords(order)[0]
		if story := explain.Record(r.Log, p.Names, id); !strings.Contains(story.Verdict, want) {
			t.Errorf("order %s: %s, expected %q", order, story.Verdict, want)
		}
	}
}
