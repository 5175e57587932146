package player

import (
	"fmt"
	"slices"
	"strings"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Deck is a player, and a second one that is compared with it: it stands where the first one stands, on the same clock.
type Deck struct {
	*Player
	Second *Player // nil without a comparison
	Parted Parted
	same   int // events with which both tapes begin alike
}

// Parted is where two runs part: the first event of each that the other does not have.
type Parted struct {
	First, Second int // numbers of events shown; 0 when they do not part
	Text          string
}

// NewDeck is a deck with one tape.
func NewDeck(t *Tape) *Deck { return &Deck{Player: New(t)} }

// Compare puts a second tape beside the first; nil takes it away.
func (d *Deck) Compare(t *Tape) {
	d.Second, d.Parted = nil, Parted{}
	if t == nil {
		return
	}
	d.Second = New(t)
	d.same = event.Same(&d.Tape.Log, &t.Log)
	d.Parted = Part(d.Tape, t)
	d.Follow()
}

// Follow puts the second player where the first one is; it is called after each move. In the middle of a tick the second
// stands where nothing has happened in that tick that has not happened in the first as well.
func (d *Deck) Follow() {
	if d.Second == nil {
		return
	}
	switch {
	case d.At() <= d.same:
		d.Second.place(d.At(), d.Unit())
	case d.At() < d.Tape.Find(d.Now()):
		d.Second.place(d.inTick(), Tick)
	default:
		d.Second.ToTick(d.Now())
	}
	d.Second.now = d.Now()
}

// inTick is how far the second tape goes in the tick in whose middle the first one stands: up to the first event that has
// no match among those of the tick that the first one shows.
func (d *Deck) inTick() int {
	first, second := d.Tape, d.Second.Tape
	now := d.Now()
	from, n := first.Find(now-1), second.Find(now-1)
	taken := make([]bool, d.At()-from)
	for i, f := range second.Log.Span(n, second.Find(now)) {
		if f.Kind == event.ProducerIDAssigned { // only the set-up of a variant makes these
			continue
		}
		match := -1
		for j, e := range first.Log.Span(from, d.At()) {
			if !taken[j-from] && samePlot(first, second, e, f) {
				match = j - from
				break
			}
		}
		if match < 0 {
			return i
		}
		taken[match] = true
	}
	return second.Find(now)
}

// Part finds the first event where two runs part in what happens to brokers, partitions and orders. That a producer has
// an id, or that its batches have numbers, is what a variant sets; it is not what comes of it.
func Part(a, b *Tape) Parted {
	one, other := plot{Reader: a.Log.Reader(), tape: a}, plot{Reader: b.Log.Reader(), tape: b}
	for {
		e, f := one.next(), other.next()
		switch {
		case e == nil && f == nil:
			return Parted{}
		case e == nil || f == nil || !samePlot(a, b, e, f):
			return Parted{First: one.shown, Second: other.shown, Text: partedText(a, b, e, f)}
		}
	}
}

// plot goes through what happens in a tape, without what only the set-up of a variant makes.
type plot struct {
	*event.Reader
	tape  *Tape
	shown int // events up to and including the latest
}

// next is nil at the end.
func (p *plot) next() *event.Event {
	for p.shown < p.tape.Len() {
		p.shown++
		if e := p.At(p.shown - 1); e.Kind != event.ProducerIDAssigned {
			return e
		}
	}
	return nil
}

// samePlot compares what happens, and when, without how producers number their batches.
func samePlot(a, b *Tape, e, f *event.Event) bool {
	return e.At == f.At && e.Kind == f.Kind && e.Node == f.Node && e.Peer == f.Peer && e.Partition == f.Partition &&
		e.Epoch == f.Epoch && e.Offset == f.Offset && e.Prev == f.Prev && e.Value == f.Value && e.Error == f.Error &&
		e.Message == f.Message && slices.Equal(a.Log.Records(e), b.Log.Records(f))
}

func partedText(a, b *Tape, e, f *event.Event) string {
	say := func(t *Tape, e *event.Event) string {
		if e == nil {
			return "the run is over"
		}
		return t.Clocked(int(e.Seq))
	}
	one, other := say(a, e), say(b, f)
	return fmt.Sprintf("%s: %s\n%s: %s", a.Name(), one, b.Name(), other)
}

// Difference is what came of two runs, line by line, where it is not the same.
func Difference(a, b *Tape) []string {
	var lines []string
	number := func(what string, x, y int) {
		if x != y {
			lines = append(lines, fmt.Sprintf("%s: %d | %d", what, x, y))
		}
	}
	number("sent", a.Outcome.Sent, b.Outcome.Sent)
	number("acknowledged", a.Outcome.Acked, b.Outcome.Acked)
	for _, l := range []struct {
		what string
		x, y []kafka.RecordID
	}{
		{"acknowledged, then lost", a.Outcome.AckedThenLost, b.Outcome.AckedThenLost},
		{"stored twice", a.Outcome.StoredTwice, b.Outcome.StoredTwice},
		{"never stored", a.Outcome.NeverStored, b.Outcome.NeverStored},
		{"failed, but stored", a.Outcome.FailedButStored, b.Outcome.FailedButStored},
		{"never heard of again", a.Outcome.Unknown, b.Outcome.Unknown},
		{"retries recognised", a.Outcome.Recognised, b.Outcome.Recognised},
	} {
		if slices.Equal(l.x, l.y) {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: %s | %s", l.what, listed(a, l.x), listed(b, l.y)))
	}
	number("sent again", a.Outcome.Retries, b.Outcome.Retries)
	return lines
}

func listed(t *Tape, ids []kafka.RecordID) string {
	if len(ids) == 0 {
		return "none"
	}
	list := strings.TrimSpace(event.RecordList(ids, t.Names))
	if strings.HasPrefix(list, fmt.Sprint(len(ids), " ")) { // a long list says itself how many they are
		return list
	}
	return fmt.Sprintf("%d (%s)", len(ids), list)
}
