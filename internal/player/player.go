package player

import (
	"errors"
	"fmt"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/until"
	"replog/internal/view"
)

// Unit is what counts as one step: what changed in it is marked.
type Unit uint8

// The units.
const (
	Event Unit = iota // one event
	Tick              // all events of the tick that were shown so far
)

// Player is a place on a tape.
type Player struct {
	Tape *Tape
	at   int        // events shown
	now  kafka.Tick // not before the last event shown, and before the next
	unit Unit
	part int64 // microseconds of the present tick that have passed while playing

	pictures        pictures
	picture, before *view.Cluster // of the place; nil when they have to be made
}

// New is a player at the beginning of a tape: everything that happens before the first tick is over is shown.
func New(t *Tape) *Player {
	p := &Player{Tape: t, pictures: pictures{tape: t}}
	p.ToTick(0)
	return p
}

// At is the number of events shown.
func (p *Player) At() int { return p.at }

// Now is the time of the playhead.
func (p *Player) Now() kafka.Tick { return p.now }

// Unit is what counts as one step here.
func (p *Player) Unit() Unit { return p.unit }

// AtEnd reports whether there is nothing left to show.
func (p *Player) AtEnd() bool { return p.at == p.Tape.Len() }

// Picture is the cluster at this place. It never changes.
func (p *Player) Picture() *view.Cluster {
	if p.picture == nil {
		p.picture = p.pictures.at(p.at)
	}
	return p.picture
}

// Before is the cluster before the step that led here. It never changes.
func (p *Player) Before() *view.Cluster {
	if p.before == nil {
		p.before = p.pictures.at(p.StepFrom())
	}
	return p.before
}

// StepFrom is the number of events shown before the step that led here.
func (p *Player) StepFrom() int {
	if p.unit == Event {
		return max(0, p.at-1)
	}
	return p.Tape.Find(p.Tape.TickAt(p.at) - 1)
}

// place moves the playhead.
func (p *Player) place(n int, unit Unit) {
	n = max(0, min(n, p.Tape.Len()))
	p.at, p.unit, p.part = n, unit, 0
	p.now = p.Tape.TickAt(n)
	p.picture, p.before = nil, nil
}

// To goes to a place, however far.
func (p *Player) To(n int) { p.place(n, Tick) }

// ToTick goes to the end of a tick.
func (p *Player) ToTick(t kafka.Tick) {
	t = max(0, min(t, p.Tape.End))
	p.place(p.Tape.Find(t), Tick)
	p.now = max(p.now, t)
}

// NextEvent shows one event more.
func (p *Player) NextEvent() { p.place(p.at+1, Event) }

// PreviousEvent shows one event less.
func (p *Player) PreviousEvent() { p.place(max(1, p.at-1), Event) }

// NextTick goes to the end of the present tick, or of the next in which something happens.
func (p *Player) NextTick() {
	if p.AtEnd() {
		return
	}
	p.place(p.Tape.Find(p.Tape.TickAt(p.at+1)), Tick)
}

// PreviousTick goes to the end of the tick before in which something happened.
func (p *Player) PreviousTick() {
	if n := p.Tape.Find(p.Tape.TickAt(p.at) - 1); n > 0 {
		p.place(n, Tick)
	}
}

// NextMark goes to the next mark and reports whether there is one.
func (p *Player) NextMark() bool {
	m, ok := p.Tape.NextMark(p.at)
	if ok {
		p.place(m.Event, Tick)
	}
	return ok
}

// PreviousMark goes to the mark before and reports whether there is one.
func (p *Player) PreviousMark() bool {
	m, ok := p.Tape.PreviousMark(p.at)
	if ok {
		p.place(m.Event, Tick)
	}
	return ok
}

// Tenth goes to so many tenths of the run.
func (p *Player) Tenth(n int) { p.ToTick(p.Tape.End * kafka.Tick(n) / 10) }

// ToEnd goes to the end of the run.
func (p *Player) ToEnd() { p.ToTick(p.Tape.End) }

// Find is where a moment is; of what happens more than once, the next time, or the first when there is no next.
func (p *Player) Find(m until.Moment) (n int, err error) {
	if n, ok := m.Next(&p.Tape.Log, p.at); ok {
		return n, nil
	}
	if n, ok := m.Next(&p.Tape.Log, 0); ok {
		if n == p.at {
			return n, errors.New("it happens only here")
		}
		return n, errors.New("not after here: back to the first time")
	}
	return p.at, fmt.Errorf("%s: that does not happen in this run", m.Text)
}

// Advance lets so many microseconds of the run pass.
func (p *Player) Advance(micros int64) {
	micros += p.part
	tick := p.Tape.Names.TickMicros
	now := min(p.now+kafka.Tick(micros/tick), p.Tape.End)
	n := p.Tape.Find(now)
	if n != p.at {
		p.place(n, Tick)
	}
	p.now, p.part = now, micros%tick
}

// maxChanges is how many sentences tell what a step changed.
const maxChanges = 40

// Changes tells what the step that led here changed, in words, the latest last.
func (p *Player) Changes() []string {
	var changes []string
	from := p.StepFrom()
	if skipped := p.at - from - maxChanges; skipped > 0 {
		changes, from = append(changes, fmt.Sprintf("(%d events before these)", skipped)), from+skipped
	}
	for n := from + 1; n <= p.at; n++ {
		changes = append(changes, p.Tape.Sentence(n))
	}
	return changes
}

// Swap puts another tape in: that of a file that was changed, or of a fork. The place stays, by event when both runs
// begin alike up to here, by time otherwise.
func (p *Player) Swap(t *Tape) {
	at, unit, now := p.at, p.unit, p.now
	same := event.Same(&p.Tape.Log, &t.Log) >= at
	p.Tape, p.pictures = t, pictures{tape: t}
	if same {
		p.place(at, unit)
		return
	}
	p.ToTick(now)
}

// Search finds the next event behind the place, or before it, whose sentence has all of the words; false when none has.
func (p *Player) Search(words []string, backwards bool) (n int, ok bool) {
	events := p.Tape.Log.Span(p.at, p.Tape.Len())
	if backwards {
		events = p.Tape.Log.Backward(p.at - 1)
	}
	for i, e := range events {
		if hasAll(p.Tape.sentence(e), words) {
			return i + 1, true
		}
	}
	return 0, false
}

// ToMoment goes to a moment that was found at a place.
func (p *Player) ToMoment(m until.Moment, n int) {
	if tick, named := m.Time(); named {
		p.ToTick(tick)
		return
	}
	p.To(n)
}
