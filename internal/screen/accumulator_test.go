package screen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/run"
)

// happens is the number of events up to the nth of a kind.
func happens(t *testing.T, r *run.Recording, kind event.Kind, n int) int {
	t.Helper()
	for i := range r.Len() {
		if r.Log.At(i).Kind == kind {
			if n--; n == 0 {
				return i + 1
			}
		}
	}
	t.Fatalf("%s does not happen so often", kind)
	return 0
}

// TestAccumulator: what fills, what is in flight and what runs out stand in the rows of the producer, and count down.
func TestAccumulator(t *testing.T) {
	r := recorded(t, "batching", "linger 5")
	config := &kafka.ProducerConfig{
		BatchBytes: 1000, LingerTicks: 5, AnswerTimeout: 100, DeliveryTimeout: 300,
	}
	sent := happens(t, r, event.ProduceSent, 3)
	first := r.Log.At(sent - 1).At
	g := NewGrid(120, 36)
	shown := func(n int) (fills, until string) {
		m := modelAt(r, n)
		m.Config = func(kafka.NodeID) *kafka.ProducerConfig { return config }
		Draw(g, m)
		if line, _ := rowOf(t, g, "batch.size 1000"); !strings.Contains(line, "shop  batch.size 1000  linger.ms 5") {
			t.Errorf("the settings: %q", line)
		}
		fills, _ = rowOf(t, g, "fills  ")
		until, _ = rowOf(t, g, "until  ")
		return fills, until
	}
	if fills, until := shown(sent); !strings.Contains(fills, "fills  –") || !strings.Contains(until, "answer 100 ms  delivery 295 ms") {
		t.Errorf("when it was sent: %q %q", fills, until)
	}
	if line, _ := rowOf(t, g, "sent   "); !strings.Contains(line, "p0 records 5") {
		t.Errorf("in flight: %q", line)
	}
	later := sent
	for r.Log.At(later-1).Kind != event.RecordsSent || r.Log.At(later-1).At == first {
		later++
	}
	if fills, until := shown(later); !strings.Contains(fills, "p0 2 new  200 B  linger 4 ms") || !strings.Contains(until, "answer 99 ms  delivery 294 ms") {
		t.Errorf("a tick later: %q %q", fills, until)
	}
}

// TestSequencesInFlight: an idempotent batch shows its sequence numbers, a backoff what is left of it; without the settings,
// as in a trace, the timeouts are not there.
func TestSequencesInFlight(t *testing.T) {
	r := recorded(t, "broker-2-dies", "idempotent")
	n := happens(t, r, event.ProduceSent, 400)
	e := r.Log.At(n - 1)
	m := modelAt(r, n)
	m.Layout, m.Selection.Pane, m.Selection.Producer, m.Selection.Record = LayoutZoom, PaneProducer, e.Node, kafka.NoRecord
	g := NewGrid(120, 36)
	Draw(g, m)
	flights := m.Picture.InFlight(e.Node)
	f := flights[len(flights)-1]
	want := fmt.Sprintf("seq %d", e.Sequence)
	if n := len(f.Records); n > 1 {
		want = fmt.Sprintf("seq %d-%d", e.Sequence, int(e.Sequence)+n-1)
	}
	if line, _ := rowOf(t, g, "sent   "); e.Sequence <= 0 || !strings.Contains(line+" ", want+" ") {
		t.Errorf("no %s: %q", want, line)
	}
	if line, _ := rowOf(t, g, "until  "); !strings.Contains(line, "until  –") {
		t.Errorf("a countdown without settings: %q", line)
	}
}

// TestBackoffCountsDown: the row says how many records wait and how long still.
func TestBackoffCountsDown(t *testing.T) {
	r := recorded(t, "retry-reorders", "default")
	n := happens(t, r, event.ProduceRetryScheduled, 1)
	e := r.Log.At(n - 1)
	m := modelAt(r, n)
	m.Layout, m.Selection.Pane, m.Selection.Producer = LayoutZoom, PaneProducer, e.Node
	m.Config = func(kafka.NodeID) *kafka.ProducerConfig { return &kafka.ProducerConfig{DeliveryTimeout: 9000} }
	g := NewGrid(100, 30)
	Draw(g, m)
	if line, _ := rowOf(t, g, "waits  "); !strings.Contains(line, " again  backoff "+r.Names.Millis(kafka.Tick(e.Value))+" ms") {
		t.Errorf("the backoff of %d ticks: %q", e.Value, line)
	}
	for i := range n {
		if sent := r.Log.At(i); sent.Kind == event.RecordsSent && slices.Contains(r.Log.Records(sent), r.Log.Records(e)[0]) {
			want := "delivery " + r.Names.Millis(9000-(e.At-sent.At)) + " ms"
			if line, _ := rowOf(t, g, "until  "); e.At == sent.At || !strings.Contains(line, want) {
				t.Errorf("no %s: %q", want, line)
			}
		}
	}
}

// TestWaitsForALeader: what is due and has no leader that can take it says so. Broker 1 dies with order 3; order 4 comes
// before the controller knows, order 5 after.
func TestWaitsForALeader(t *testing.T) {
	r := recorded(t, "real/delivery-timeout-2s", "franz-go, stored")
	g := NewGrid(100, 30)
	waits := func(n int) string {
		m := modelAt(r, n)
		m.Layout, m.Selection.Pane, m.Selection.Producer = LayoutZoom, PaneProducer, r.Log.At(n-1).Node
		m.Config = func(kafka.NodeID) *kafka.ProducerConfig { return &kafka.ProducerConfig{} }
		Draw(g, m)
		line, _ := rowOf(t, g, "waits  ")
		return line
	}
	for n, want := range map[int]string{
		happens(t, r, event.ProduceRetryScheduled, 1): "1 again  backoff 250 ms",
		happens(t, r, event.RecordsSent, 4):           "1 again  backoff 0 ms  broker 1 is down",
		happens(t, r, event.RecordsSent, 5):           "1 again  backoff 0 ms  no leader",
	} {
		if line := strings.TrimRight(waits(n), " "); !strings.HasSuffix(line, want) {
			t.Errorf("no %q at the end of %q", want, line)
		}
	}
}
