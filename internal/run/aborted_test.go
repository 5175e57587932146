package run

import (
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
)

// TestCleanerTellsAbortedRecordsFromOldOnes: the last values of the dishes are those of the third transaction. The second and
// the fourth are removed because they were aborted, and make nothing else go; then the markers go, delete.retention.ms after a
// pass that found nothing else of their transactions.
func TestCleanerTellsAbortedRecordsFromOldOnes(t *testing.T) {
	file := load(t, "prices-taken-back")
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
