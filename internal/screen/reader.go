package screen

import (
	"replog/internal/kafka"
	"replog/internal/view"
)

// readers shows what has been on each screen, the latest at the bottom, and how each consumer group is.
func (p *painter) readers() {
	readers, groups := p.roles().readers, len(p.names.Groups)
	if len(readers)+groups == 0 {
		_, room := p.title(PaneReader, "readers")
		room.text(3, 0, dim, "nobody reads")
		return
	}
	rest := p.area
	for i := range len(readers) + groups {
		share := rest.h / (len(readers) + groups - i)
		if share < 2 && i > 0 {
			return
		}
		if i < groups && len(readers) > 0 { // a screen needs less room
			share = min(max(share, p.groupHeight(kafka.GroupID(i))), rest.h-leastReader*min(len(readers), 2))
		}
		var mine area
		mine, rest = rest.top(share)
		if i < groups {
			p.within(mine).group(kafka.GroupID(i))
		} else {
			p.within(mine).reader(readers[i-groups])
		}
	}
}

// readersHeight is the least that the readers keep beside a long list of producers.
func (p *painter) readersHeight() int {
	least := leastReader
	for g := range p.names.Groups {
		least = max(least, p.groupHeight(kafka.GroupID(g)))
	}
	return least
}

func (p *painter) reader(id kafka.NodeID) {
	p.area = p.on(Hit{Kind: HitReader, Pane: PaneReader, Node: id})
	p.claim()
	rule, room := p.title(PaneReader, p.names.Node(id))
	if level := "read_uncommitted, "; len(p.names.TransactionalIDs) > 0 {
		if p.names.ReadsCommitted(id) {
			level = "read_committed, "
		}
		if rule.x+len(level)+len("has shown ") <= p.w {
			rule.put(dim, level)
		}
	}
	rule.put(dim, "has shown ")
	if room.h < 1 {
		return
	}
	start := 1 + len(clockTail(p.clock(p.m.now()))) + 2 + partitionWidth(p.names) + 2
	lines := room.showings(p.m.Picture.Recent(id, room.h*max((room.w-start)/5, 1)), room.w-start-1)
	lines = lines[max(len(lines)-room.h, 0):]
	if len(lines) == 0 {
		room.text(3, 0, dim, "nothing yet")
	}
	for y := range lines {
		room.showing(y, start, &lines[y])
	}
}

// showing is one line of a screen: records that were shown at one time from one partition.
type showing struct {
	shown []view.Shown
	more  bool // it goes on from the line before
}

// showings makes lines of what was shown, each short enough for the room.
func (p *painter) showings(shown []view.Shown, room int) []showing {
	var lines []showing
	start, used := 0, 0
	for i := range shown {
		s, width := &shown[i], recordWidth(p.names, shown[i].Record)+2
		same := i > 0 && shown[i-1].At == s.At && shown[i-1].Partition == s.Partition
		if i > 0 && !(same && used+width <= room) {
			start, used = i, 0
		}
		if start == i {
			lines = append(lines, showing{more: same})
		}
		lines[len(lines)-1].shown = shown[start : i+1]
		used += width
	}
	return lines
}

func (p *painter) showing(y, start int, s *showing) {
	first := &s.shown[0]
	at := p.pen(1, y)
	if !s.more {
		style := dim
		if p.m.Before != nil && first.At > p.m.Before.Tick() {
			style = fresh
		}
		at.put(style, clockTail(p.clock(first.At))).gap(2).partition(dim, p.names, first.Partition, true)
	}
	at.to(start)
	again := false
	for i := range s.shown {
		record := &s.shown[i]
		at.area = p.withHit(p.area, recordHit(record))
		if p.shownBefore(record) {
			again = true
			at.record(p.recordStyle(twice, record.Record), p.names, record.Record).put(p.recordStyle(twice, record.Record), "=")
		} else {
			at.record(p.recordStyle(plain, record.Record), p.names, record.Record)
		}
		at.area = p.area
		at.gap(1)
	}
	if again && at.x+8 < p.w {
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
