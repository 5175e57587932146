package screen

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// memo remembers the sentences and the times that were on the screen lately, since most lines stay from one frame to the
// next. It changes nothing in what is drawn.
type memo struct {
	sentences [memoSlots]sentence
	clocks    [memoSlots]clock
	roles     [2]roles
	duties    [2]duties
}

const memoSlots = 1024

type sentence struct {
	log  *event.Log
	seq  event.Seq
	text string
}

type clock struct {
	names *kafka.Names
	tick  kafka.Tick
	text  string
}

// sentence says in words what happened.
func (p *painter) sentence(e *event.Event) string {
	at := &p.g.memo().sentences[p.slot(uint64(e.Seq))]
	if at.log != p.m.Log || at.seq != e.Seq {
		*at = sentence{log: p.m.Log, seq: e.Seq, text: clean(event.Sentence(e, p.m.Log.Records(e), p.names))}
	}
	return at.text
}

// clock is a tick as a time of day.
func (p *painter) clock(t kafka.Tick) string {
	at := &p.g.memo().clocks[p.slot(uint64(t))]
	if at.names != p.names || at.tick != t {
		*at = clock{names: p.names, tick: t, text: p.names.Clock(t)}
	}
	return at.text
}

// slot keeps the two runs of a comparison out of each other's way.
func (p *painter) slot(n uint64) uint64 {
	if p.second {
		return (2*n + 1) % memoSlots
	}
	return 2 * n % memoSlots
}

func (g *Grid) memo() *memo {
	if g.seen == nil {
		g.seen = &memo{}
	}
	return g.seen
}
