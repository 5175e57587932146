package kafka

import "sort"

// Growth is when something that only grows, a log or what is readable of it, came up to which offset. A run has millions of
// such moments, close to each other: each takes eight bytes.
type Growth struct{ pieces []growthPiece }

// growthPiece is consecutive moments, reckoned from the first.
type growthPiece struct {
	Moment
	since []sinceMoment // the first is 0, 0
}

// Moment is one step of a Growth.
type Moment struct {
	Offset Offset
	At     Tick
}

type sinceMoment struct{ offset, at uint32 }

func (p *growthPiece) moment(i int) Moment {
	return Moment{p.Offset + Offset(p.since[i].offset), p.At + Tick(p.since[i].at)}
}

// growthPieceLen is how many moments share a first one.
const growthPieceLen = 512

// Add notes that an offset was reached. What was noted of this offset and those behind it was taken back since.
func (g *Growth) Add(o Offset, at Tick) {
	if last, any := g.last(); any && last.Offset >= o {
		g.cut(o)
	}
	n := len(g.pieces)
	if n == 0 || !g.pieces[n-1].holds(o, at) {
		g.pieces = append(g.pieces, growthPiece{Moment: Moment{o, at}})
		n++
	}
	last := &g.pieces[n-1]
	last.since = append(last.since, sinceMoment{uint32(o - last.Offset), uint32(at - last.At)})
}

// holds reports whether the piece has room for a moment, and the moment is not too far from its first.
func (p *growthPiece) holds(o Offset, at Tick) bool {
	const most = 1<<32 - 1
	return len(p.since) < growthPieceLen && o-p.Offset <= most && at-p.At <= most
}

func (g *Growth) last() (Moment, bool) {
	if len(g.pieces) == 0 {
		return Moment{}, false
	}
	p := &g.pieces[len(g.pieces)-1]
	return p.moment(len(p.since) - 1), true
}

func (g *Growth) cut(from Offset) {
	for n := len(g.pieces) - 1; n >= 0; n-- {
		p := &g.pieces[n]
		if p.Offset < from {
			p.since = p.since[:sort.Search(len(p.since), func(i int) bool { return p.moment(i).Offset >= from })]
			return
		}
		g.pieces = g.pieces[:n]
	}
}

// UpTo is the last moment at which no more than an offset was reached; false before the first.
func (g *Growth) UpTo(o Offset) (Moment, bool) {
	return g.before(func(m Moment) bool { return m.Offset > o })
}

// Beyond is the first moment at which more than an offset was reached; false when it has not come.
func (g *Growth) Beyond(o Offset) (Moment, bool) {
	return g.first(func(m Moment) bool { return m.Offset > o })
}

// From is the first moment at a tick or later.
func (g *Growth) From(at Tick) (Moment, bool) {
	return g.first(func(m Moment) bool { return m.At >= at })
}

// first is the first moment for which something holds that holds for all behind it, too.
func (g *Growth) first(is func(Moment) bool) (Moment, bool) {
	piece, i := g.find(is)
	if piece == len(g.pieces) {
		return Moment{}, false
	}
	return g.pieces[piece].moment(i), true
}

// before is the last moment before first.
func (g *Growth) before(is func(Moment) bool) (Moment, bool) {
	piece, i := g.find(is)
	if i > 0 {
		return g.pieces[piece].moment(i - 1), true
	}
	if piece == 0 {
		return Moment{}, false
	}
	before := &g.pieces[piece-1]
	return before.moment(len(before.since) - 1), true
}

// find is the place of first: the number of its piece, and its place there; behind the last piece when there is none.
func (g *Growth) find(is func(Moment) bool) (piece, i int) {
	piece = sort.Search(len(g.pieces), func(n int) bool {
		p := &g.pieces[n]
		return is(p.moment(len(p.since) - 1))
	})
	if piece < len(g.pieces) {
		p := &g.pieces[piece]
		i = sort.Search(len(p.since), func(i int) bool { return is(p.moment(i)) })
	}
	return piece, i
}
