package explore

import (
	"strings"
	"testing"

	"replog/internal/scenario"
)

// swept is what a variant of the scenario aggregation comes to with its sweeps.
func swept(t *testing.T, variant string, sets ...scenario.Set) []Swept {
	t.Helper()
	p, with := planned(t, "aggregation", variant, sets...)
	all, err := Sweep(p, with, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestExactlyOnceIsRightAtEveryMoment(t *testing.T) {
	for _, version := range []string{"true", "false"} {
		for _, w := range swept(t, "exactly once", scenario.Set{Path: "rules.transaction.version.1", Value: version}) {
			if w.Right != w.Moments || w.First != nil {
				t.Errorf("%s: right at %d of %d moments, first wrong %+v", w.Fault, w.Right, w.Moments, w.First)
			}
			for stage := range Stages {
				if n, _ := w.At(stage); n == 0 {
					t.Errorf("%s: no moment %s", w.Fault, stage)
				}
			}
		}
	}
}

func TestAtLeastOnceIsTooHighBetweenSendAndCommit(t *testing.T) {
	w := swept(t, "at least once")[0]
	for _, stage := range w.Stages {
		high := 0
		if stage.Stage == NothingCommitted {
			high = 10 // as many as a poll has
		}
		if stage.MostHigh != high || stage.TooLow > 0 || stage.Right+stage.TooHigh != stage.Moments {
			t.Errorf("%s: %+v", stage.Stage, stage)
		}
	}
}

// TestSweepShowsItsNumbers makes the runs that a sweep names, from the scenario itself.
func TestSweepShowsItsNumbers(t *testing.T) {
	for i, w := range swept(t, "read uncommitted") {
		if i > 0 {
			continue // right everywhere
		}
		for _, m := range []*Moment{w.First, w.Worst} {
			p, with := planned(t, "aggregation", "read uncommitted")
			shown, err := with(m.Sets)
			if err != nil {
				t.Fatal(err)
			}
			got, want := newCount(p), newCount(p)
			calm, err := with(onlyEntries(p, nil))
			s := search{}
			if err != nil || s.run(shown, got) != nil || s.run(calm, want) != nil {
				t.Fatal("a run failed", err)
			}
			if high, low := got.against(want, p.Sweeps[0].Counts); high != m.TooHigh || low != m.TooLow {
				t.Errorf("%v: too high by %d, too low by %d, and the sweep says %d and %d", m.Sets, high, low, m.TooHigh, m.TooLow)
			}
		}
	}
}

func TestSweptProcessBelongsToTheSweepAlone(t *testing.T) {
	p, with := planned(t, "aggregation", "at least once", scenario.Set{Path: "sweep.0.entries", Value: "[death]"},
		scenario.Set{Path: "sweep.1.entries", Value: "[lose-2]"}, scenario.Set{Path: "sweep.2.entries", Value: "[lose-3]"})
	_, err := Sweep(p, with, Options{})
	if err == nil || !strings.Contains(err.Error(), "begins anew") {
		t.Errorf("the sweep ended with %v", err)
	}
}

func TestInterruptedSweepSaysSo(t *testing.T) {
	p, with := planned(t, "aggregation", "at least once")
	if _, err := Sweep(p, with, Options{Interrupted: func() bool { return true }}); err != ErrInterrupted {
		t.Errorf("the sweep ended with %v", err)
	}
}
