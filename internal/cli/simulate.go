package cli

import (
	"fmt"
	"io"
	"strconv"

	"replog/internal/event"
	"replog/internal/model"
	"replog/internal/plan"
	"replog/internal/report"
	"replog/internal/run"
	"replog/internal/scenario"
	"replog/internal/trace"
)

// choice is what the user asked for besides the scenario: the flags that choose and change its runs.
type choice struct {
	variants []string
	sets     []string
	seed     string
}

// runs are the plans of the chosen variants, ready to run.
func (c *choice) runs(f *scenario.File) ([]*plan.Plan, error) {
	variants := c.variants
	if len(variants) == 0 {
		variants = f.Variants()
	}
	sets, err := c.overrides()
	if err != nil {
		return nil, err
	}
	var plans []*plan.Plan
	for _, v := range variants {
		p, err := f.Plan(v, sets)
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	return plans, nil
}

func (c *choice) overrides() ([]scenario.Set, error) {
	var sets []scenario.Set
	for _, text := range c.sets {
		set, err := scenario.ParseSet(text)
		if err != nil {
			return nil, mistakef("", "--set %v", err)
		}
		sets = append(sets, set)
	}
	if c.seed != "" {
		if _, err := strconv.ParseUint(c.seed, 10, 63); err != nil {
			return nil, mistakef("as in --seed 7", "--seed takes a whole number, not %q", c.seed)
		}
		sets = append(sets, scenario.Set{Path: "seed", Value: c.seed})
	}
	return sets, nil
}

// changed: the runs are not those of the scenario as it stands, so what it expects says nothing about them.
func (c *choice) changed() bool { return len(c.sets) > 0 || c.seed != "" }

// simulate drives one run, with its progress on a terminal and an ear for ctrl+c.
func (a *app) simulate(p *plan.Plan, o run.Options) (*run.Result, error) {
	if err := run.Fits(p, o.Record); err != nil {
		return nil, mistakef("", "%v", err)
	}
	show := a.progressOf(p.Names)
	defer show.end()
	o.Progress, o.Interrupted = show.at, a.stop.asked
	r, err := run.Do(p, o)
	if err != nil {
		return r, mistakef("", "%s, %s: %v", p.Names.Scenario, p.Names.Variant, err)
	}
	return r, nil
}

// recorded drives one run and keeps all of its events.
func (a *app) recorded(p *plan.Plan) (*run.Result, error) {
	return a.simulate(p, run.Options{Record: true})
}

// traced drives one run and reports what it came to. The hash of its trace is part of that, also where no file takes it,
// if hashed says so: it takes longer than the run.
func (a *app) traced(f *scenario.File, p *plan.Plan, file *wholeFile, hashed bool) (report.Variant, *event.Log, error) {
	var to io.Writer
	if file != nil {
		to = file
	}
	if !hashed && file == nil {
		r, err := a.simulate(p, run.Options{Record: f.Tell != ""})
		if r == nil {
			return report.Variant{}, nil, err
		}
		v := reportOf(r)
		v.Note = f.VariantNote(v.Variant)
		return v, r.Log, err
	}
	w := trace.NewWriter(to, traceHeader(p))
	r, err := a.simulate(p, run.Options{Sink: w, Record: f.Tell != ""})
	if r == nil {
		return report.Variant{}, nil, err
	}
	v := reportOf(r)
	v.Note = f.VariantNote(v.Variant)
	if closing := w.Close(); err == nil && closing != nil {
		err = fmt.Errorf("cannot write the trace: %w", closing)
	}
	v.TraceSHA256 = w.Sum()
	return v, r.Log, err
}

func reportOf(r *run.Result) report.Variant {
	v := report.Of(r.Outcome, r.Violations)
	v.Seed, v.Events, v.Metrics = &r.Plan.Seed, r.Events, report.Watched(&r.Metrics, r.Plan.Names)
	reckon(&v, r.Plan.Working)
	v.Partial, v.End = r.Partial, r.Plan.Names.Clock(r.Ended)
	return v
}

// reckon adds the working of a scenario to what its run came to.
func reckon(v *report.Variant, lines []plan.Working) {
	for i := range lines {
		line := &lines[i]
		w := report.Working{Say: line.Say, Text: line.Text, Unit: line.Unit, Of: line.Of}
		if line.Reckoned {
			w.Value = &line.Value
		}
		v.Reckon(w, line.Measured)
	}
}

func modelVersion() string { return strconv.Itoa(model.Version) }

func traceHeader(p *plan.Plan) trace.Header {
	h := trace.Header{Model: modelVersion(), Names: p.Names}
	for i := range p.Producers {
		config := &p.Producers[i].Config
		h.Producers = append(h.Producers, trace.Producer{
			ID: p.Producers[i].ID, Acks: config.Acks.String(), Retries: config.Retries > 0, Idempotent: config.EnableIdempotence,
		})
	}
	return h
}
