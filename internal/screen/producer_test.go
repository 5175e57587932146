package screen

import (
	"slices"
	"strings"
	"testing"

	"replog/internal/event"
)

// TestTruthIsThatOfTheRecord: a retry that no broker has stored yet is of a record that an earlier attempt did get stored.
func TestTruthIsThatOfTheRecord(t *testing.T) {
	r := recorded(t, "broker-2-dies", "as it was")
	id := r.Names.FindRecords("8812")[0]
	retry := after(t, r, event.ProduceSent, func(e *event.Event) bool { return e.Value == 2 && slices.Contains(r.Log.Records(e), id) })
	for layout, want := range map[Layout]string{LayoutAuto: "stored at 40117", LayoutZoom: "this try not, stored at 40117"} {
		m := modelAt(r, retry)
		m.Selection.Record, m.Selection.Pane, m.Layout = id, PaneProducer, layout
		g := NewGrid(160, 48)
		Draw(g, m)
		row := ""
		for line := range strings.Lines(g.Plain()) {
			if strings.Contains(line, "8812+") && strings.Contains(line, "→3") {
				row = line
			}
		}
		if !strings.Contains(row, want) || strings.Contains(row, "not stored") {
			t.Errorf("layout %v: %q, want %q", layout, row, want)
		}
	}
}
