package screen

import (
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/run"
)

// partitionScreen is the screen after so many events, with a partition selected.
func partitionScreen(r *run.Recording, n, w, h int, partition string) *Grid {
	m := modelAt(r, n)
	m.Selection = NoRecord
	for p := range m.Picture.Partitions() {
		if m.Picture.Names().Partition(kafka.PartitionID(p)) == partition {
			m.Selection.Partition = kafka.PartitionID(p)
		}
	}
	g := NewGrid(w, h)
	Draw(g, m)
	return g
}

// TestOpenTransactionIsSeen: which partition it holds back and from where on, and who is kept waiting by it.
func TestOpenTransactionIsSeen(t *testing.T) {
	r := recorded(t, "open-transaction-blocks-readers", "ten seconds")
	opened := after(t, r, event.RecordsRead, func(e *event.Event) bool { return e.Offset == 7 })
	for _, size := range [][2]int{{160, 48}, {80, 24}} {
		g := partitionScreen(r, opened, size[0], size[1], "orders-0")
		for _, want := range []string{"▸ p0? ", "LSO 5 ──", "? in an open transaction"} {
			if !strings.Contains(g.Plain(), want) {
				t.Errorf("%v does not say %q:\n%s", size, want, g.Plain())
			}
		}
	}
	g := partitionScreen(r, opened, 160, 48, "orders-0")
	rowOf(t, g, "LSO 5 ┘")
	rowOf(t, g, "packing screen read_committed, has shown")
	rowOf(t, g, "debug screen read_uncommitted, has shown")
	decided := after(t, r, event.TransactionCompleted, nil)
	if text := partitionScreen(r, decided, 160, 48, "orders-0").Plain(); strings.Contains(text, "p0?") || strings.Count(text, "LSO") > 1 {
		t.Errorf("nothing holds p0 back any more:\n%s", text)
	}
}

// TestAbortedRecordsAreLeftOut by the reader with read_committed, and nobody sees a marker.
func TestAbortedRecordsAreLeftOut(t *testing.T) {
	r := recorded(t, "aborted-read", "version 2")
	g := partitionScreen(r, r.Len(), 160, 48, "totals-0")
	for name, want := range map[string]string{"dashboard": "✓✓✓×××✓✓✓next", "debug screen": "✓✓✓✓✓✓✓✓✓next", "transact.": "✓✓✓C×××A✓✓✓C│"} {
		row, _ := rowOf(t, g, "   "+name+" ")
		row, _, _ = strings.Cut(strings.ReplaceAll(row, " ", ""), "└")
		if !strings.Contains(row, strings.ReplaceAll(name, " ", "")+want) {
			t.Errorf("%s: the row is %q", name, row)
		}
	}
	rowOf(t, g, "✓ committed  × aborted  C commit marker  A abort marker")
}

// TestPendingOffsetsStandBesideTheCommitted in a group whose offsets are part of transactions, with or without room for a column.
func TestPendingOffsetsStandBesideTheCommitted(t *testing.T) {
	r := recorded(t, "aggregation", "exactly once")
	pending := after(t, r, event.OffsetPending, nil)
	g := partitionScreen(r, pending, 160, 48, "orders-0")
	rowOf(t, g, "committed  pending read to  lag")
	rowOf(t, g, "–      10?      10    –")
	g = partitionScreen(r, after(t, r, event.PendingOffsetEnded, nil), 160, 48, "orders-0")
	rowOf(t, g, "10               10   10")
	m := modelAt(r, pending)
	m.Selection.Pane = PaneReader
	for _, w := range []int{44, 30} {
		g := NewGrid(w, 24)
		Draw(g, m)
		if !strings.Contains(g.Plain(), "?") {
			t.Errorf("%d wide:\n%s", w, g.Plain())
		}
	}
}
