package cli

import (
	"errors"
	"fmt"
	"slices"

	"replog/internal/explore"
	"replog/internal/plan"
	"replog/internal/report"
	"replog/internal/scenario"
)

// survive answers how many brokers may be lost, where the scenario asks. The sets are those of the command line.
func (a *app) survive(f *scenario.File, p *plan.Plan, sets []scenario.Set, v *report.Variant) error {
	if p.Survive == nil || len(p.Faults) > 0 { // with faults switched on it is one of the schedules, and is told as such
		return nil
	}
	sets = slices.Clone(sets)
	for i, id := range p.Partitions[0].Replicas {
		sets = append(sets, scenario.Set{Path: fmt.Sprintf("timeline.lose-%d.when", id), Value: "true"})
		if i > 0 {
			sets = append(sets, scenario.Set{Path: fmt.Sprintf("timeline.lag-%d.when", id), Value: "true"})
		}
	}
	all, err := f.Plan(v.Variant, sets)
	if err != nil {
		return err
	}
	v.Survive, err = explore.Survive(all, a.stop.asked)
	if errors.Is(err, explore.ErrInterrupted) {
		return errStopped
	}
	if err != nil {
		return mistakef("", "%s, %s: %v", p.Names.Scenario, p.Names.Variant, err)
	}
	return nil
}
