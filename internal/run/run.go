// Package run drives a plan through the simulator: it connects the sinks that the caller wants, can be interrupted
// between two inputs, and keeps what came out.
package run

import (
	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/metrics"
	"replog/internal/outcome"
	"replog/internal/plan"
	"replog/internal/sim"
)

// Options says what a run keeps besides its outcome.
type Options struct {
	// Record keeps every event.
	Record bool
	// Unchecked leaves out the promises.
	Unchecked bool
	// Sink receives the events too, such as a trace.
	Sink event.Sink
	// Interrupted is asked now and then; true ends the run where it is. Nil never ends it.
	Interrupted func() bool
	// Progress is told now and then how far the run is. It may be nil.
	Progress func(now, end kafka.Tick)
}

// Result is what came out of a run.
type Result struct {
	Plan       *plan.Plan
	Log        *event.Log // nil unless recorded
	Outcome    *outcome.Outcome
	Metrics    metrics.Metrics
	Violations []check.Violation
	Tradeoffs  []check.Tradeoff
	Events     int
	// Partial: the run was interrupted, or met a bound, at Ended.
	Partial bool
	Ended   kafka.Tick
}

// stepsBetweenLooks is how many inputs pass between two looks at Interrupted and Progress.
const stepsBetweenLooks = 1 << 8

// Do runs a plan to its end. The error is the bound that the run met; the result is then partial.
func Do(p *plan.Plan, o Options) (*Result, error) {
	r := &Result{Plan: p}
	fold := outcome.NewFold(p.Names, producersOf(p))
	watched := NewMetrics(p)
	sinks := event.Sinks{fold, watched}
	var checker *check.Checker
	if !o.Unchecked {
		checker = check.New(p.Names, checkSettings(p))
		sinks = append(sinks, checker)
	}
	if o.Record {
		r.Log = &event.Log{}
		sinks = append(sinks, r.Log)
	}
	if o.Sink != nil {
		sinks = append(sinks, o.Sink)
	}
	cluster := sim.New(p, sinks)
	r.Partial = !drive(cluster, p, &o)
	r.Ended = cluster.Now()
	if !r.Partial {
		cluster.Finish()
	} else if checker != nil {
		checker.Finish()
	}
	r.Events, r.Outcome, r.Metrics = cluster.Events(), fold.Outcome(), watched.Result()
	if checker != nil {
		r.Violations, r.Tradeoffs = checker.Violations(), checker.Tradeoffs()
	}
	return r, cluster.Err()
}

// drive takes inputs until the run is over; false when it was ended before.
func drive(c *sim.Cluster, p *plan.Plan, o *Options) bool {
	for steps := 1; c.Step(); steps++ {
		if steps%stepsBetweenLooks != 0 {
			continue
		}
		if o.Interrupted != nil && o.Interrupted() {
			return false
		}
		if o.Progress != nil {
			o.Progress(c.Now(), p.End)
		}
	}
	return c.Err() == nil
}

// NewMetrics starts a fold of what an operator of the plan's cluster and of its consumer groups sees.
func NewMetrics(p *plan.Plan) *metrics.Fold { return metrics.New(settingsOf(p), p.Names) }

// NewClusterMetrics starts one that leaves the lag of the groups out.
func NewClusterMetrics(p *plan.Plan) *metrics.Fold { return metrics.New(settingsOf(p), nil) }

func settingsOf(p *plan.Plan) []metrics.Partition {
	settings := make([]metrics.Partition, len(p.Partitions))
	for i := range p.Partitions {
		settings[i] = metrics.Partition{Replicas: len(p.Partitions[i].Replicas), MinISR: p.Partitions[i].EffectiveMinISR()}
	}
	return settings
}

func producersOf(p *plan.Plan) outcome.Settings {
	var s outcome.Settings
	for i := range p.Producers {
		s.Producers = append(s.Producers, outcome.Producer{ID: p.Producers[i].ID, Config: p.Producers[i].Config})
	}
	return s
}

func idempotent(p *plan.Plan) func(kafka.NodeID) bool {
	return func(id kafka.NodeID) bool {
		for i := range p.Producers {
			if p.Producers[i].ID == id {
				return p.Producers[i].Config.EnableIdempotence
			}
		}
		return false
	}
}

// checkSettings is what the plan has promised.
func checkSettings(p *plan.Plan) check.Settings {
	return check.Settings{Acks: acksOf(p), Idempotent: idempotent(p), MinISR: minISROf(p)}
}

func minISROf(p *plan.Plan) func(kafka.PartitionID) int {
	return func(id kafka.PartitionID) int {
		largest := p.Partitions[id].EffectiveMinISR()
		for i := range p.Faults {
			if after := p.Faults[i].After; after != nil {
				largest = max(largest, after.Partitions[id].EffectiveMinISR())
			}
		}
		return largest
	}
}

func acksOf(p *plan.Plan) func(kafka.NodeID) kafka.Acks {
	return func(id kafka.NodeID) kafka.Acks {
		for i := range p.Producers {
			if p.Producers[i].ID == id {
				return p.Producers[i].Config.Acks
			}
		}
		return kafka.AcksAll
	}
}
