package run

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/plan"
	"replog/internal/scenario"
	"replog/internal/sim"
)

// TestIdlePollsMayBeLeftOut: a run that computes its idle polls and one that sends each of them have the same events.
func TestIdlePollsMayBeLeftOut(t *testing.T) {
	everyVariant(t, func(t *testing.T, p *plan.Plan) { samePolls(t, p, true) })
	// Long ways and few orders: many of them come while a poll is on its way.
	file := load(t, "retention-overtakes-reader")
	for _, latency := range []string{"0ms", "70ms", "230ms", "800ms"} {
		p, err := file.Plan("retention of an hour", []scenario.Set{{Path: "latency", Value: latency}, {Path: "loads.0.every", Value: "37130ms"}})
		if err != nil {
			t.Fatal(err)
		}
		t.Run("latency "+latency, func(t *testing.T) { samePolls(t, p, false) })
	}
}

// samePolls compares the events, and their causes too unless a poll and an append may arrive in one tick: the poll then
// counts as the earlier.
func samePolls(t *testing.T, p *plan.Plan, causes bool) {
	every := *p
	every.Broker.IdlePolling = true
	var computed, sent event.Log
	for _, run := range []struct {
		plan *plan.Plan
		log  *event.Log
	}{{p, &computed}, {&every, &sent}} {
		if err := sim.New(run.plan, run.log).Run(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range min(computed.Len(), sent.Len()) {
		a, b := *computed.At(i), *sent.At(i)
		if ids := computed.Records(&a); !slices.Equal(ids, sent.Records(&b)) {
			t.Fatalf("event %d names other records", i)
		}
		if !causes {
			a.Cause, b.Cause = 0, 0
		}
		if a.Records, b.Records = 0, 0; a != b {
			t.Fatalf("event %d is %+v with computed polls, %+v with real ones", i, a, b)
		}
	}
	if computed.Len() != sent.Len() {
		t.Errorf("%d events with computed polls, %d with real ones", computed.Len(), sent.Len())
	}
}
