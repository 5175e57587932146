package screen

import (
	"replog/internal/kafka"
	"replog/internal/view"
)

// readers shows what has been on each screen, the latest at the bottom; a second showing is marked.
func (p *painter) readers() {
	readers := p.m.Picture.Readers()
	if len(readers) == 0 {
		_, room := p.title(PaneReader, "readers")
		room.text(3, 0, dim, "nothing was shown yet")
		return
	}
	rest := p.area
	for i, id := range readers {
		share := rest.h / (len(readers) - i)
		if share < 2 && i > 0 {
			return
		}
		var mine area
		mine, rest = rest.top(share)
		p.within(mine).reader(id)
	}
}

// showing is one line of a screen: what was shown at once from one partition.
type showing struct{ shown []view.Shown }

func (p *painter) reader(id kafka.NodeID) {
	p.area = p.on(Hit{Kind: HitReader, Pane: PaneReader, Node: id})
	for y := range p.h {
		p.line(0, p.w, y, plain, " ")
	}
	rule, room := p.title(PaneReader, p.names.Node(id))
	rule.put(dim, "has shown ")
	if room.h < 1 {
		return
	}
	showings := grouped(p.m.Picture.Recent(id, room.h*shownInLine), room.h)
	for i := range showings {
		room.showing(i, &showings[i])
	}
}

// shownInLine bounds how many records of one showing are looked at.
const shownInLine = 12

// grouped makes lines of what was shown, and keeps the last ones.
func grouped(shown []view.Shown, lines int) []showing {
	var list []showing
	start := 0
	for i := range shown {
		if i+1 == len(shown) || shown[i+1].At != shown[i].At || shown[i+1].Partition != shown[i].Partition {
			list = append(list, showing{shown[start : i+1]})
			start = i + 1
		}
	}
	return list[max(len(list)-lines, 0):]
}

func (p *painter) showing(y int, s *showing) {
	first := &s.shown[0]
	at := p.pen(1, y)
	style := dim
	if p.m.Before != nil && first.At > p.m.Before.Tick() {
		style = fresh
	}
	at.put(style, clockTail(p.names.Clock(first.At))).gap(2).partition(dim, p.names, first.Partition, true).gap(2)
	again := false
	for i := range s.shown {
		record := &s.shown[i]
		if at.x+recordWidth(p.names, record.Record)+2 > p.w-2 {
			at.put(dim, "…")
			break
		}
		if twiceShown := p.shownBefore(record); twiceShown {
			again = true
			at.area = p.withHit(p.area, recordHit(record))
			at.record(p.recordStyle(twice, record.Record), p.names, record.Record).put(twice, "=")
		} else {
			at.area = p.withHit(p.area, recordHit(record))
			at.record(p.recordStyle(plain, record.Record), p.names, record.Record)
		}
		at.area = p.area
		at.gap(1)
	}
	if again && at.x+9 < p.w {
		at.put(twice, " = again")
	}
}

func recordHit(s *view.Shown) Hit {
	return Hit{Kind: HitRecord, Pane: PaneReader, Node: s.Reader, Record: s.Record, Partition: s.Partition, Offset: s.Offset}
}

// shownBefore reports whether a reader had shown a record before. Only one that was stored again can have been.
func (p *painter) shownBefore(s *view.Shown) bool {
	if !p.m.Picture.Marks(s.Record).Has(view.StoredAgain) {
		return false
	}
	for _, other := range p.m.Picture.ShowingsOf(s.Record) {
		if other.Reader == s.Reader && (other.At < s.At || other.At == s.At && other.Offset < s.Offset) {
			return true
		}
	}
	return false
}
