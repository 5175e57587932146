package explore

import (
	"fmt"
	"slices"
	"strings"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/view"
)

// Survival is how many brokers a partition can lose for good. A broker that is lost never comes back.
type Survival struct {
	Replicas int `json:"replicas"`
	MinISR   int `json:"min_isr"`
	// Writes: after so many losses, at once or one after the other, a record with acks=all is still acknowledged. The first
	// loss meets an ISR with all replicas in it.
	Writes Bound `json:"accepts_writes"`
	// Safe: after so many losses every acknowledged record is on a live replica, whichever followers had left the ISR before.
	Safe Bound `json:"data_safe"`
	// SafeInSync is Safe where the first loss meets an ISR with all replicas in it.
	SafeInSync Bound `json:"data_safe_in_sync"`
}

// Bound is the most losses with which something held in every schedule.
type Bound struct {
	Lost   int  `json:"lost"`
	Tried  int  `json:"schedules"` // with at most so many losses; it held in each
	Shows  *Run `json:"shows"`     // one with so many; nil for none lost
	Breaks *Run `json:"breaks"`    // one loss more
}

// Run is one schedule, and what it came to.
type Run struct {
	Lag     []kafka.NodeID `json:"lag"`  // followers that fall behind and leave the ISR before the first loss
	Lost    []kafka.NodeID `json:"lost"` // in the order of their losses
	AtOnce  bool           `json:"at_once"`
	Last    string         `json:"last_record"`       // the last one that was sent
	Taken   bool           `json:"last_acknowledged"` // it was acknowledged
	Missing []string       `json:"missing"`           // acknowledged records that no live replica has
	Sets    []string       `json:"set"`               // the values with which the scenario itself makes this run

	tried bool
}

// Survive finds how many brokers the first partition of a plan can lose, where the scenario asks that; else it returns nil. A plan
// that has faults already is one of the schedules, and is not asked.
func Survive(p *plan.Plan, with Planner, o Options) (*Survival, error) {
	if p.Survive == nil || len(p.Faults) > 0 {
		return nil, nil
	}
	all, err := with(everyLoss(p.Partitions[0].Replicas))
	if err != nil {
		return nil, err
	}
	if err := checkFaults(all); err != nil {
		return nil, err
	}
	part := &all.Partitions[0]
	e := &explorer{search: search{Options: o}, plan: all, replicas: part.Replicas, known: map[string]*Run{}}
	inSync := [][]kafka.NodeID{nil}
	anyLag := subsets(part.Replicas[1:])
	// The adversary's strongest means first: a number that does not hold is then found wrong soon.
	slices.Reverse(anyLag)
	s := &Survival{Replicas: len(part.Replicas), MinISR: part.EffectiveMinISR()}
	s.Writes = e.bound(inSync, func(r *Run) bool { return r.Taken })
	s.Safe = e.bound(anyLag, (*Run).safe)
	s.SafeInSync = e.bound(inSync, (*Run).safe)
	return s, e.err
}

// everyLoss switches on the crash of every replica, and the lag of every follower.
func everyLoss(replicas []kafka.NodeID) []string {
	var sets []string
	for i, id := range replicas {
		sets = append(sets, fmt.Sprintf("timeline.lose-%d.when=true", id))
		if i > 0 {
			sets = append(sets, fmt.Sprintf("timeline.lag-%d.when=true", id))
		}
	}
	return sets
}

// checkFaults makes sure that the schedules can be told apart by what their faults concern.
func checkFaults(p *plan.Plan) error {
	for i := range p.Faults {
		if f := &p.Faults[i]; f.Kind != plan.Crash && len(f.Match.To) != 1 {
			return fmt.Errorf("survive: %q is neither the crash of a broker nor a fault of the messages to a single one", p.Names.Fault(int64(i)))
		}
	}
	return nil
}

func (r *Run) safe() bool { return len(r.Missing) == 0 }

// explorer runs schedules, each of them once.
type explorer struct {
	search
	plan     *plan.Plan
	replicas []kafka.NodeID
	known    map[string]*Run
	err      error
}

// bound goes through all schedules with 1, 2, ... losses until one of them breaks what shall hold.
func (e *explorer) bound(lags [][]kafka.NodeID, holds func(*Run) bool) Bound {
	var b Bound
	for lost := 1; lost <= len(e.replicas); lost++ {
		tried := 0
		var first *Run
		e.each(e.schedules(lags, lost), func(r *Run) bool {
			if !holds(r) {
				b.Breaks = r
				return false
			}
			tried++
			if first == nil {
				first = r
			}
			return true
		})
		if e.err != nil {
			return b
		}
		if b.Breaks != nil {
			if b.Lost > 0 {
				e.each([]*Run{b.Breaks.without()}, func(r *Run) bool { b.Shows = r; return false })
			}
			return b
		}
		b.Lost, b.Tried, b.Shows = lost, b.Tried+tried, first
	}
	return b
}

// without is the schedule without its last loss.
func (r *Run) without() *Run {
	lost := r.Lost[:len(r.Lost)-1]
	return &Run{Lag: r.Lag, Lost: lost, AtOnce: r.AtOnce && len(lost) > 1}
}

// schedules are all with so many losses: every set of brokers at once, then in every order.
func (e *explorer) schedules(lags [][]kafka.NodeID, lost int) []*Run {
	var all []*Run
	for _, lag := range lags {
		for _, set := range subsets(e.replicas) {
			if len(set) != lost {
				continue
			}
			if lost > 1 {
				all = append(all, &Run{Lag: lag, Lost: set, AtOnce: true})
			}
			for _, order := range orders(set) {
				all = append(all, &Run{Lag: lag, Lost: order})
			}
		}
	}
	return all
}

// subsets are all subsets of a list, the smaller ones first.
func subsets(list []kafka.NodeID) [][]kafka.NodeID {
	all := make([][]kafka.NodeID, 0, 1<<len(list))
	for bits := range 1 << len(list) {
		var set []kafka.NodeID
		for i, id := range list {
			if bits&(1<<i) != 0 {
				set = append(set, id)
			}
		}
		all = append(all, set)
	}
	slices.SortStableFunc(all, func(a, b []kafka.NodeID) int { return len(a) - len(b) })
	return all
}

func orders(set []kafka.NodeID) [][]kafka.NodeID {
	if len(set) == 0 {
		return [][]kafka.NodeID{nil}
	}
	var all [][]kafka.NodeID
	for i, first := range set {
		for _, rest := range orders(slices.Delete(slices.Clone(set), i, i+1)) {
			all = append(all, append([]kafka.NodeID{first}, rest...))
		}
	}
	return all
}

// each runs schedules, but those that were run before, and shows them in their order.
func (e *explorer) each(schedules []*Run, show func(*Run) bool) {
	if e.err != nil {
		return
	}
	type made struct {
		run *Run
		err error
	}
	for i, r := range schedules {
		if before := e.known[r.key()]; before != nil {
			schedules[i] = before
		}
	}
	inOrder(&e.search, len(schedules), func(i int) made {
		r := *schedules[i]
		if r.tried {
			return made{schedules[i], nil}
		}
		return made{&r, e.try(&r)}
	}, func(_ int, m made) bool {
		e.told(0)
		e.err = m.err
		e.known[m.run.key()] = m.run
		return e.err == nil && show(m.run)
	})
}

func (r *Run) key() string { return fmt.Sprint(r.Lag, r.Lost, r.AtOnce) }

// try runs a schedule.
func (e *explorer) try(r *Run) error {
	r.tried, r.Sets = true, r.sets(e.plan)
	fold := &copies{}
	p := faultsOf(e.plan, func(f *plan.Fault) bool {
		if !r.has(f) {
			return false
		}
		f.At += r.later(f, e.plan)
		return true
	})
	err := e.run(p, fold)
	fold.judge(r, e.plan.Names, e.replicas)
	return err
}

// later is how much later than the first loss a loss comes.
func (r *Run) later(f *plan.Fault, p *plan.Plan) kafka.Tick {
	if f.Kind != plan.Crash || r.AtOnce {
		return 0
	}
	return kafka.Tick(slices.Index(r.Lost, f.Node)) * p.Survive.Every
}

func (r *Run) has(f *plan.Fault) bool {
	if f.Kind == plan.Crash {
		return slices.Contains(r.Lost, f.Node)
	}
	return slices.Contains(r.Lag, f.Match.To[0])
}

// copies is which records were sent and acknowledged, and which replica has what. It is an event.Sink.
type copies struct {
	logs  view.Logs
	acked []kafka.RecordID
	last  kafka.RecordID
	taken bool // the last one was acknowledged
}

// Consume implements event.Sink.
func (c *copies) Consume(step *event.Step) {
	for i := range step.Events {
		e := &step.Events[i]
		ids := step.Records(e)
		c.logs.Apply(e, ids)
		switch e.Kind {
		case event.RecordsSent:
			c.last, c.taken = ids[len(ids)-1], false
		case event.RecordsAcknowledged:
			c.acked = append(c.acked, ids...)
			c.taken = c.taken || slices.Contains(ids, c.last)
		}
	}
}

// judge notes what a run came to.
func (c *copies) judge(r *Run, names *kafka.Names, replicas []kafka.NodeID) {
	r.Last, r.Taken, r.Missing = names.Record(c.last), c.taken, []string{}
	live := map[kafka.RecordID]bool{}
	for _, broker := range replicas {
		if slices.Contains(r.Lost, broker) {
			continue
		}
		start, end := c.logs.Bounds(0, broker)
		for _, ids := range c.logs.Slices(0, broker, start, end) {
			for _, id := range ids {
				live[id] = true
			}
		}
	}
	for _, id := range c.acked {
		if !live[id] {
			r.Missing = append(r.Missing, names.Record(id))
		}
	}
}

// String is the schedule in words: brokers 2 and 3 leave the ISR; broker 1 is lost.
func (r *Run) String() string {
	var said []string
	if len(r.Lag) > 0 {
		said = append(said, listed(r.Lag, " and ")+" "+pick(len(r.Lag), "lags", "lag")+" and "+pick(len(r.Lag), "leaves", "leave")+" the ISR")
	}
	switch {
	case r.AtOnce:
		said = append(said, listed(r.Lost, " and ")+" are lost at once")
	case len(r.Lost) > 0:
		said = append(said, listed(r.Lost, ", then ")+" "+pick(len(r.Lost), "is", "are")+" lost")
	}
	return strings.Join(said, ", then ")
}

// sets are the values with which the scenario itself makes the run: timeline.lose-1.when=true.
func (r *Run) sets(p *plan.Plan) []string {
	var sets []string
	for _, id := range r.Lag {
		sets = append(sets, fmt.Sprintf("timeline.lag-%d.when=true", id))
	}
	for _, f := range p.Faults {
		if f.Kind != plan.Crash || !r.has(&f) {
			continue
		}
		sets = append(sets, fmt.Sprintf("timeline.lose-%d.when=true", f.Node))
		if later := r.later(&f, p); later > 0 {
			sets = append(sets, fmt.Sprintf("timeline.lose-%d.at=%sms", f.Node, p.Names.Millis(f.At+later)))
		}
	}
	return sets
}

func listed(ids []kafka.NodeID, last string) string {
	text := pick(len(ids), "broker ", "brokers ")
	for i, id := range ids {
		switch {
		case i == 0:
		case i == len(ids)-1 || last != " and ":
			text += last
		default:
			text += ", "
		}
		text += fmt.Sprint(id)
	}
	return text
}

func pick(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}
