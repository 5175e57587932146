package run

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"replog/internal/outcome"
	"replog/internal/scenario"
	"replog/internal/sim"
)

// weekWith runs week-of-orders with other parameters.
func weekWith(t testing.TB, sets ...scenario.Set) *outcome.Outcome {
	t.Helper()
	p, err := load(t, "week-of-orders").Plan("segments of 1 GiB", sets)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Do(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Violations) > 0 {
		t.Errorf("violations: %v", r.Violations)
	}
	return r.Outcome
}

// TestWeekOfOrders runs a hundredth of the week: a day of 400 orders leaves 2,400 events. Nothing that retention took is
// lost, seven days at least are left, and half the orders leave half of everything.
func TestWeekOfOrders(t *testing.T) {
	if testing.Short() {
		t.Skip("fifteen days of heartbeats")
	}
	const eventsADay, kept, size, copies = 400 * 6, 7, 1000, 3
	o := weekWith(t, scenario.Set{Path: "params.orders", Value: "400"})
	if o.Rates.MostInADay != eventsADay {
		t.Errorf("%d events on the busiest day, expected %d", o.Rates.MostInADay, eventsADay)
	}
	if len(o.AckedThenLost) > 0 || len(o.NeverStored) > 0 || o.Acked != o.Sent {
		t.Errorf("sent %d, acknowledged %d, lost %d, never stored %d", o.Sent, o.Acked, len(o.AckedThenLost), len(o.NeverStored))
	}
	if g := &o.Groups[0]; g.Done+len(g.Unread) != o.Sent || len(g.Reread) > 0 || len(g.PassedOver) > 0 {
		t.Errorf("of %d sent, %d done, %d to come, read again %d, passed over %d", o.Sent, g.Done, len(g.Unread), len(g.Reread), len(g.PassedOver))
	}
	one, all := o.Bytes.OneCopy.Records, o.Bytes.AllCopies.Records
	if one != int64(o.Sent-o.Expired)*size || all != copies*one {
		t.Errorf("%d bytes in one copy, %d in all, expected %d and %d times that", one, all, (o.Sent-o.Expired)*size, copies)
	}
	if one < kept*eventsADay*size || one > (kept+2)*eventsADay*size {
		t.Errorf("%d bytes are left, expected the seven days and the one since then", one)
	}
}

func TestHalfTheOrdersLeaveHalfOfEverything(t *testing.T) {
	two := func(orders string) *outcome.Outcome {
		return weekWith(t, scenario.Set{Path: "params.orders", Value: orders}, scenario.Set{Path: "params.days", Value: "2"})
	}
	whole, half := two("400"), two("200")
	if half.Rates.MostInADay*2 != whole.Rates.MostInADay {
		t.Errorf("%d events a day, expected half of %d", half.Rates.MostInADay, whole.Rates.MostInADay)
	}
	// Some steps of the last orders lie beyond the end.
	if off := half.Bytes.OneCopy.Records*2 - whole.Bytes.OneCopy.Records; off < -40_000 || off > 40_000 {
		t.Errorf("%d bytes, expected half of %d", half.Bytes.OneCopy.Records, whole.Bytes.OneCopy.Records)
	}
}

// BenchmarkWeekOfOrders runs the whole of it once, and prints what it took. `go test -bench Week -benchtime 1x ./internal/run` calls it.
func BenchmarkWeekOfOrders(b *testing.B) {
	p, err := load(b, "week-of-orders").Plan("segments of 1 GiB", nil)
	if err != nil {
		b.Fatal(err)
	}
	records := p.Names.RecordCount()
	said := func(what string, start time.Time) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		took := time.Since(start)
		fmt.Printf("%d records x 3 copies, %s: %.1f s, %.0f records a second, %d MB taken from the system\n", records, what,
			took.Seconds(), float64(records)/took.Seconds(), m.Sys>>20)
	}
	for range b.N {
		start := time.Now()
		if err := sim.New(p, nil).Run(); err != nil {
			b.Fatal(err)
		}
		said("the cluster alone", start)
		start = time.Now()
		if _, err := Do(p, Options{}); err != nil {
			b.Fatal(err)
		}
		said("with its outcome and all promises", start)
	}
}
