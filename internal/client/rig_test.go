package client

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// rig stands in the place of the cluster for one client: it hands the client its inputs, lets time pass, and keeps its events
// and timers. What else the client asks for it gives to effect.
type rig struct {
	t      *testing.T
	client interface {
		Handle(in *node.Input, out *node.Out)
	}
	effect func(e *node.Effect)
	out    node.Out
	log    event.Log
	now    kafka.Tick
	timers []node.Effect // that have not fired
}

// give hands the client one input and takes what it asks for.
func (r *rig) give(in node.Input) {
	r.t.Helper()
	in.Now = r.now
	r.out.Begin(r.now, 0, event.Seq(r.log.Len()+1), true)
	r.client.Handle(&in, &r.out)
	for i := range r.out.Step.Events {
		e := r.out.Step.Events[i]
		r.log.Append(&e, r.out.Step.Records(&e))
	}
	effects := slices.Clone(r.out.Effects)
	for i := range effects {
		if effects[i].Kind == node.SetTimer {
			r.timers = append(r.timers, effects[i])
			continue
		}
		r.effect(&effects[i])
	}
}

// until lets time pass up to and including the tick, with the timers that fire on the way.
func (r *rig) until(at kafka.Tick) {
	r.t.Helper()
	for {
		next := -1
		for i := range r.timers {
			if r.timers[i].At <= at && (next < 0 || r.timers[i].At < r.timers[next].At) {
				next = i
			}
		}
		if next < 0 {
			r.now = at
			return
		}
		timer := r.timers[next]
		r.timers = slices.Delete(r.timers, next, next+1)
		r.now = max(r.now, timer.At)
		r.give(node.Input{Kind: node.TimerFired, Timer: timer.Timer})
	}
}

// count is how many events of a kind there were.
func (r *rig) count(kind event.Kind) int {
	n := 0
	for i := range r.log.Len() {
		if r.log.At(i).Kind == kind {
			n++
		}
	}
	return n
}
