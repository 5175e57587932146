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
	d.same = Same(d.Tape, t)
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
	from, n, end := first.Find(now-1), second.Find(now-1), second.Find(now)
	taken := make([]bool, d.At()-from)
	for ; n < end; n++ {
		if second.Log.At(n).Kind == event.ProducerIDAssigned { // only the set-up of a variant makes these
			continue
		}
		match := -1
		for i := range taken {
			if !taken[i] && samePlot(first, second, from+i, n) {
				match = i
				break
			}
		}
		if match < 0 {
			break
		}
		taken[match] = true
	}
	return n
}

// Part finds the first event where two runs part in what happens to brokers, partitions and orders. That a producer has
// an id, or that its batches have numbers, is what a variant sets; it is not what comes of it.
func Part(a, b *Tape) Parted {
	i, j := 0, 0
	for {
		i, j = skipQuiet(a, i), skipQuiet(b, j)
		switch {
		case i == a.Len() && j == b.Len():
			return Parted{}
		case i == a.Len() || j == b.Len() || !samePlot(a, b, i, j):
			return Parted{First: min(i+1, a.Len()), Second: min(j+1, b.Len()), Text: partedText(a, b, i, j)}
		}
		i, j = i+1, j+1
	}
}

// skipQuiet passes over events that only the set-up of a variant makes.
func skipQuiet(t *Tape, i int) int {
	for i < t.Len() && t.Log.At(i).Kind == event.ProducerIDAssigned {
		i++
	}
	return i
}

// samePlot compares what happens, and when, without how producers number their batches.
func samePlot(a, b *Tape, i, j int) bool {
	e, f := a.Log.At(i), b.Log.At(j)
	return e.At == f.At && e.Kind == f.Kind && e.Node == f.Node && e.Peer == f.Peer && e.Partition == f.Partition &&
		e.Epoch == f.Epoch && e.Offset == f.Offset && e.Prev == f.Prev && e.Value == f.Value && e.Error == f.Error &&
		e.Message == f.Message && sameRecords(a.Log.Records(e), b.Log.Records(f))
}

func partedText(a, b *Tape, i, j int) string {
	say := func(t *Tape, i int) string {
		if i == t.Len() {
			return "the run is over"
		}
		return t.Clocked(i + 1)
	}
	one, other := say(a, i), say(b, j)
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
	return fmt.Sprintf("%d (%s)", len(ids), strings.TrimSpace(event.RecordList(ids, t.Names)))
}
