package explore

import (
	"fmt"
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
)

// maxMoments bounds the runs of one sweep.
const maxMoments = 5000

// Swept is what a reader counts when a fault comes at each moment of a span. Right is what it shows in the run without the fault:
// each of those records, from as many offsets as there.
type Swept struct {
	Fault   string `json:"fault"`
	Reader  string `json:"reader"`
	From    string `json:"from"`
	To      string `json:"to"`
	Moments int    `json:"moments"`
	Tally
	// First is the first moment at which the count is wrong, and Worst the one at which it is most so; nil where it never is.
	First  *Moment      `json:"first"`
	Worst  *Moment      `json:"worst"`
	Stages []StageTally `json:"stages"` // where the scenario has a processor: its work at the moment of the fault
}

// Tally is at how many moments a count is right. It can be too high and too low at once, of different records.
type Tally struct {
	Right    int `json:"right"`
	TooHigh  int `json:"too_high"`
	TooLow   int `json:"too_low"`
	MostHigh int `json:"most_too_high"` // records that were counted too often, at the worst moment for that
	MostLow  int `json:"most_too_low"`
}

// StageTally is the tally of the moments in one stage.
type StageTally struct {
	Stage   Stage `json:"stage"`
	Moments int   `json:"moments"`
	Tally
}

// Moment is one run of a sweep.
type Moment struct {
	At      string   `json:"at"`
	Stage   *Stage   `json:"stage,omitempty"`
	TooHigh int      `json:"too_high"` // records that were counted too often, each time counted
	TooLow  int      `json:"too_low"`
	Sets    []string `json:"set"` // the values with which the scenario itself makes this run
}

// Sweep tries the faults that a scenario has swept, each at every moment. A plan in which somebody has given a swept entry a time of
// his own is one of these runs, and is not to be asked.
func Sweep(p *plan.Plan, with Planner, o Options) ([]Swept, error) {
	if len(p.Sweeps) == 0 {
		return nil, nil
	}
	calm, err := with(onlyEntries(p, nil))
	if err != nil {
		return nil, err
	}
	s := &sweep{search: search{Options: o}, plan: p}
	stages, right := newStages(calm), newCount(calm)
	if err := s.run(calm, event.Sinks{stages, right}); err != nil {
		return nil, err
	}
	for i := range p.Sweeps {
		if n := len(stages.moments(p.Sweeps[i].From, p.Sweeps[i].To)); n > maxMoments {
			return nil, fmt.Errorf("sweep: something happens at %d moments from %s to %s, and it tries %d at most", n,
				p.Names.Clock(p.Sweeps[i].From), p.Names.Clock(p.Sweeps[i].To), maxMoments)
		} else {
			s.of += n
		}
	}
	var all []Swept
	for i := range p.Sweeps {
		one := &p.Sweeps[i]
		swept, err := s.sweep(one, stages.moments(one.From, one.To), right, with)
		if err != nil {
			return nil, err
		}
		all = append(all, *swept)
	}
	return all, nil
}

// sweep is the work on all sweeps of one plan.
type sweep struct {
	search
	plan *plan.Plan
	of   int // runs in all
}

// onlyEntries switches on the entries of one sweep, and those of the others off.
func onlyEntries(p *plan.Plan, on *plan.Sweep) []string {
	var sets []string
	for i := range p.Sweeps {
		for _, name := range p.Sweeps[i].Entries {
			if on == nil || !slices.Contains(on.Entries, name) {
				sets = append(sets, "timeline."+name+".when=false")
			}
		}
	}
	if on != nil {
		for _, name := range on.Entries {
			sets = append(sets, "timeline."+name+".when=true")
		}
	}
	return sets
}

// sweep tries one fault.
func (s *sweep) sweep(one *plan.Sweep, moments []stageAt, right *count, with Planner) (*Swept, error) {
	p, err := with(onlyEntries(s.plan, one))
	if err != nil {
		return nil, err
	}
	first := slices.IndexFunc(p.Faults, func(f plan.Fault) bool { return f.Entry == one.Entries[0] })
	if err := checkAlone(p, one); err != nil {
		return nil, err
	}
	w := &Swept{
		Fault: p.Names.Faults[first], Reader: p.Names.Node(one.Counts), From: p.Names.Clock(one.From), To: p.Names.Clock(one.To),
		Moments: len(moments),
	}
	if len(newStages(p).processors) > 0 {
		for stage := range Stages {
			w.Stages = append(w.Stages, StageTally{Stage: stage})
		}
	}
	type made struct {
		moment *Moment
		err    error
	}
	inOrder(&s.search, len(moments), func(i int) made {
		later := moments[i].tick - p.Faults[first].At
		moved := faultsOf(p, func(f *plan.Fault) bool {
			if slices.Contains(one.Entries, f.Entry) {
				f.At += later
			}
			return true
		})
		shown := newCount(p)
		err := s.run(moved, shown)
		m := &Moment{At: p.Names.Clock(moments[i].tick), Sets: s.sets(moved, one)}
		if w.Stages != nil {
			m.Stage = &moments[i].stage
		}
		m.TooHigh, m.TooLow = shown.against(right, one.Counts)
		return made{m, err}
	}, func(_ int, m made) bool {
		s.told(s.of)
		if err = m.err; err == nil {
			w.add(m.moment)
		}
		return err == nil
	})
	w.Stages = slices.DeleteFunc(w.Stages, func(t StageTally) bool { return t.Moments == 0 })
	return w, err
}

// checkAlone makes sure that no other entry stops or starts a process that a swept one does: wherever that is moved, it then finds
// the process as in the timeline.
func checkAlone(p *plan.Plan, one *plan.Sweep) error {
	for i := range p.Faults {
		f := &p.Faults[i]
		if !slices.Contains(one.Entries, f.Entry) {
			continue
		}
		for j := range p.Faults {
			g := &p.Faults[j]
			if g.Node == f.Node && !slices.Contains(one.Entries, g.Entry) {
				return fmt.Errorf("sweep: %q is about %s too, and is not one of the entries that are moved", p.Names.Faults[j], p.Names.Node(f.Node))
			}
		}
	}
	return nil
}

// sets are the values with which the scenario itself makes a run: timeline.death.at=8014ms.
func (s *sweep) sets(moved *plan.Plan, one *plan.Sweep) []string {
	var sets []string
	for i := range s.plan.Faults {
		name := s.plan.Faults[i].Entry
		swept := slices.ContainsFunc(s.plan.Sweeps, func(w plan.Sweep) bool { return slices.Contains(w.Entries, name) })
		off := "timeline." + name + ".when=false"
		if swept && !slices.Contains(one.Entries, name) && !slices.Contains(sets, off) {
			sets = append(sets, off)
		}
	}
	for _, name := range one.Entries {
		at := slices.IndexFunc(moved.Faults, func(f plan.Fault) bool { return f.Entry == name })
		if !slices.ContainsFunc(s.plan.Faults, func(f plan.Fault) bool { return f.Entry == name }) {
			sets = append(sets, "timeline."+name+".when=true")
		}
		sets = append(sets, "timeline."+name+".at="+moved.Names.Millis(moved.Faults[at].At)+"ms")
	}
	return sets
}

// At is at how many moments the processor was in a stage, and at how many of those the count is right.
func (w *Swept) At(stage Stage) (moments int, t Tally) {
	for i := range w.Stages {
		if w.Stages[i].Stage == stage {
			return w.Stages[i].Moments, w.Stages[i].Tally
		}
	}
	return 0, Tally{}
}

// add takes in a run.
func (w *Swept) add(m *Moment) {
	w.Tally.add(m)
	if m.Stage != nil {
		stage := &w.Stages[*m.Stage]
		stage.Moments++
		stage.add(m)
	}
	if m.wrong() == 0 {
		return
	}
	if w.First == nil {
		w.First, w.Worst = m, m
	}
	if m.wrong() > w.Worst.wrong() {
		w.Worst = m
	}
}

func (m *Moment) wrong() int { return m.TooHigh + m.TooLow }

func (t *Tally) add(m *Moment) {
	if m.wrong() == 0 {
		t.Right++
	}
	if m.TooHigh > 0 {
		t.TooHigh++
	}
	if m.TooLow > 0 {
		t.TooLow++
	}
	t.MostHigh, t.MostLow = max(t.MostHigh, m.TooHigh), max(t.MostLow, m.TooLow)
}

// count is from how many offsets each reader was shown each record. It is an event.Sink.
type count struct {
	readers []kafka.NodeID
	shown   [][]int // by reader, then by record
	seen    map[showing]bool
}

// showing is a record at an offset: read from there again, it is counted once.
type showing struct {
	reader    kafka.NodeID
	partition kafka.PartitionID
	offset    kafka.Offset
	record    kafka.RecordID
}

func newCount(p *plan.Plan) *count {
	c := &count{seen: map[showing]bool{}}
	for i := range p.Readers {
		c.readers = append(c.readers, p.Readers[i].ID)
	}
	c.shown = make([][]int, len(c.readers))
	return c
}

// Consume implements event.Sink.
func (c *count) Consume(step *event.Step) {
	for i := range step.Events {
		e := &step.Events[i]
		if e.Kind != event.RecordsRead {
			continue
		}
		reader := slices.Index(c.readers, e.Node)
		if reader < 0 {
			continue
		}
		for j, id := range step.Records(e) {
			at := showing{e.Node, e.Partition, e.Offset + kafka.Offset(j), id}
			if id == kafka.NoRecord || c.seen[at] {
				continue
			}
			c.seen[at] = true
			for int(id) >= len(c.shown[reader]) {
				c.shown[reader] = append(c.shown[reader], 0)
			}
			c.shown[reader][id]++
		}
	}
}

// against says by how much a reader counts more than in another run, and by how much less.
func (c *count) against(right *count, reader kafka.NodeID) (tooHigh, tooLow int) {
	at := slices.Index(c.readers, reader)
	got, want := c.shown[at], right.shown[at]
	for id := range max(len(got), len(want)) {
		have, due := 0, 0
		if id < len(got) {
			have = got[id]
		}
		if id < len(want) {
			due = want[id]
		}
		tooHigh, tooLow = tooHigh+max(have-due, 0), tooLow+max(due-have, 0)
	}
	return tooHigh, tooLow
}
