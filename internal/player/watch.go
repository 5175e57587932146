package player

import (
	"replog/internal/event"
	"replog/internal/metrics"
	"replog/internal/run"
)

// Watch is what an operator sees of the cluster at each place of a tape. It knows where the events are that move a metric, of
// which there are few, so it can be asked for any place. The lag of groups, which moves all the time, is not among them.
type Watch struct {
	tape   *Tape
	places []int // into the log, ascending
}

// NewWatch looks through a tape; nil for a trace, which does not tell how many replicas a partition should have.
func NewWatch(t *Tape) *Watch {
	if t.Plan == nil {
		return nil
	}
	w := &Watch{tape: t}
	for i, e := range t.Log.All() {
		if metrics.Concerns(e.Kind) {
			w.places = append(w.places, i)
		}
	}
	return w
}

// Of reports whether the watch is of the tape.
func (w *Watch) Of(t *Tape) bool { return w != nil && w.tape == t }

// Sight is what an operator sees at one place.
type Sight struct {
	Since   string // the latest fault, with its time; empty before the first
	Metrics []Metric
	Earlier []string // what each fault before that one changed, the latest first
}

// Metric is one metric: before the latest fault, and now.
type Metric struct {
	Name, Meaning string
	Was, Now      int
}

// At is what an operator sees after the first n events.
func (w *Watch) At(n int) Sight {
	m := w.fold(n)
	now := m.Readings()
	was, last := now, len(m.Around)-1
	var sight Sight
	if last >= 0 {
		was, sight.Since = m.Around[last].Was, w.fault(&m.Around[last])
	}
	for i, name := range metrics.Names()[:metrics.OfCluster] {
		sight.Metrics = append(sight.Metrics, Metric{name, metrics.Meanings()[i], was[i], now[i]})
	}
	for i := last - 1; i >= 0; i-- {
		if changes := m.Around[i].Changes(); changes != nil {
			sight.Earlier = append(sight.Earlier, w.fault(&m.Around[i])+": "+metrics.ChangesText(changes))
		}
	}
	return sight
}

func (w *Watch) fault(a *metrics.Around) string {
	text := w.tape.Names.Fault(a.Fault)
	if a.Ended {
		text = "over: " + text
	}
	return w.tape.Names.Clock(a.At) + "  " + text
}

// fold takes in what moved a metric among the first n events. What happens in one tick is taken as one step.
func (w *Watch) fold(n int) metrics.Metrics {
	fold := run.NewClusterMetrics(w.tape.Plan)
	var step event.Step
	for _, i := range w.places {
		if i >= n {
			break
		}
		e := w.tape.Log.At(i)
		if last := len(step.Events) - 1; last >= 0 && step.Events[last].At != e.At {
			fold.Consume(&step)
			step.Events = step.Events[:0]
		}
		step.Events = append(step.Events, *e)
	}
	if len(step.Events) > 0 {
		fold.Consume(&step)
	}
	return fold.Now()
}
