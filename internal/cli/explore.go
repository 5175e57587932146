package cli

import (
	"errors"
	"slices"
	"strings"

	"replog/internal/explore"
	"replog/internal/plan"
	"replog/internal/report"
	"replog/internal/scenario"
)

// explore answers what a scenario asks of many runs: how many brokers may be lost, what is counted when something dies at each
// moment. The sets are those of the command line.
func (a *app) explore(f *scenario.File, p *plan.Plan, sets []scenario.Set, v *report.Variant) error {
	show := a.progressOf(p.Names)
	defer show.end()
	o := explore.Options{Interrupted: a.stop.asked, Progress: show.runs}
	with := func(more []string) (*plan.Plan, error) {
		all := slices.Clone(sets)
		for _, text := range more {
			set, err := scenario.ParseSet(text)
			if err != nil {
				return nil, err
			}
			all = append(all, set)
		}
		return f.Plan(v.Variant, all)
	}
	var err error
	if v.Survive, err = explore.Survive(p, with, o); err == nil && !moves(p, sets) {
		v.Sweeps, err = explore.Sweep(p, with, o)
	}
	var mistakes scenario.Errors
	switch {
	case errors.Is(err, explore.ErrInterrupted):
		return errStopped
	case err == nil, errors.As(err, &mistakes):
		return err
	}
	return mistakef("", "%s, %s: %v", p.Names.Scenario, p.Names.Variant, err)
}

// moves reports whether somebody has moved a swept entry himself: then the run is one of those that a sweep makes.
func moves(p *plan.Plan, sets []scenario.Set) bool {
	for i := range p.Sweeps {
		for _, name := range p.Sweeps[i].Entries {
			if slices.ContainsFunc(sets, func(s scenario.Set) bool { return strings.HasPrefix(s.Path, "timeline."+name+".") }) {
				return true
			}
		}
	}
	return false
}
