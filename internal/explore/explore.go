// Package explore runs a plan again and again with other faults, and says what held in all of the runs: how many brokers a
// partition can lose (survive), what a reader counts when something dies at each moment (sweep). Its one rule: each number is found
// by runs, and comes with one that shows it, and the values with which the scenario itself makes that run.
package explore

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"replog/internal/event"
	"replog/internal/plan"
	"replog/internal/run"
)

// ErrInterrupted ends a search that somebody interrupted.
var ErrInterrupted = errors.New("interrupted")

// Planner makes a plan of the same variant of the same scenario with other values, each as path=value.
type Planner func(sets []string) (*plan.Plan, error)

// Options are how a search is made; what it finds does not depend on them.
type Options struct {
	// Interrupted is asked now and then, by several runs at once; true ends the search with ErrInterrupted.
	Interrupted func() bool
	// Progress is told of each run that is over: how many that makes, of how many, 0 where nobody knows. It may be nil.
	Progress func(done, of int)
	// Workers is how many runs are made at once; 0: as many as the machine does.
	Workers int
}

// search is the work on one question.
type search struct {
	Options
	done int
}

// told counts a run that is over.
func (s *search) told(of int) {
	if s.done++; s.Progress != nil {
		s.Progress(s.done, of)
	}
}

// run drives one plan to its end, and hands its events to a sink.
func (s *search) run(p *plan.Plan, sink event.Sink) error {
	result, err := run.Do(p, run.Options{Unchecked: true, Sink: sink, Interrupted: s.Interrupted})
	if err == nil && result.Partial {
		return ErrInterrupted
	}
	return err
}

// inOrder does n things, several at once, and hands what came out to take in their order, until take says that it is enough. What
// take is handed depends neither on the number of workers nor on their speed.
func inOrder[T any](s *search, n int, do func(int) T, take func(int, T) bool) {
	workers := s.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	results := make([]chan outcome[T], n)
	for i := range results {
		results[i] = make(chan outcome[T], 1)
	}
	var next, enough atomic.Int64
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && enough.Load() == 0; i = int(next.Add(1)) - 1 {
				results[i] <- caught(i, do)
			}
		})
	}
	defer group.Wait()
	defer enough.Store(1)
	for i := range n {
		r := <-results[i]
		if r.panicked != "" {
			panic(r.panicked)
		}
		if !take(i, r.value) {
			return
		}
	}
}

// outcome is what came out of one of many things, or how it ended in a panic: that goes on where somebody may catch it.
type outcome[T any] struct {
	value    T
	panicked string
}

func caught[T any](i int, do func(int) T) (o outcome[T]) {
	defer func() {
		if problem := recover(); problem != nil {
			o.panicked = fmt.Sprintf("%v\n%s", problem, debug.Stack())
		}
	}()
	return outcome[T]{value: do(i)}
}

// faultsOf is a plan with other faults: those of its own that move keeps, at the times that it gives them. What it shares with the
// plan no run changes.
func faultsOf(from *plan.Plan, move func(*plan.Fault) (keep bool)) *plan.Plan {
	type entry struct {
		fault plan.Fault
		say   string
		asks  bool
	}
	var entries []entry
	for i, f := range from.Faults {
		if move(&f) {
			entries = append(entries, entry{f, from.Names.Faults[i], slices.Contains(from.Names.Requests, int64(i))})
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.fault.At, b.fault.At) })
	p, names := *from, *from.Names
	p.Names, p.Faults, names.Faults, names.Requests = &names, nil, nil, nil
	for i, one := range entries {
		p.Faults, names.Faults = append(p.Faults, one.fault), append(names.Faults, one.say)
		if one.asks {
			names.Requests = append(names.Requests, int64(i))
		}
	}
	return &p
}
