package explain_test

import (
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/view/history"
)

// TestStoryOfARunLeavesKafkasOwnRecordsOut: they are stored once each, however many have no id.
func TestStoryOfARunLeavesKafkasOwnRecordsOut(t *testing.T) {
	h := history.New(2, 0, 1)
	for i := range 3 {
		h.Add(event.Event{Kind: event.BatchAppended, Node: 1, Partition: 1, Epoch: 1, Offset: kafka.Offset(i)}, kafka.NoRecord)
	}
	f := outcome.NewFold(names, outcome.Settings{})
	h.Steps(f)
	if text := explain.Text(explain.Run(&h.Log, names, f.Outcome()), names); strings.Contains(text, "second copy") {
		t.Error(text)
	}
}
