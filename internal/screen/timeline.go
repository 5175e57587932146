package screen

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// markNames says what the letters of the marks stand for.
var markNames = []struct {
	letter rune
	style  Style
	name   string
}{
	{'X', lost, "fault"}, {'E', lead, "election"}, {'R', open, "retry"}, {'2', twice, "stored again"}, {'T', lost, "log cut back"},
	{'O', lost, "offline"}, {'!', lost, "loss"}, {'?', accent, "question"},
}

func markStyle(letter rune) Style {
	for i := range markNames {
		if markNames[i].letter == letter {
			return markNames[i].style
		}
	}
	return strong
}

// scale lays the ticks of a run on some cells.
type scale struct {
	from, cells int
	end         kafka.Tick
}

func (s scale) cell(t kafka.Tick) int {
	if s.end <= 0 || s.cells <= 1 {
		return s.from
	}
	t = max(0, min(t, s.end))
	return s.from + int(int64(t)*int64(s.cells-1)/int64(s.end))
}

func (s scale) tick(cell int) kafka.Tick {
	if s.cells <= 1 {
		return 0
	}
	return kafka.Tick(int64(cell-s.from) * int64(s.end) / int64(s.cells-1))
}

// timeline is the run from its first tick to its last: the marks, and how far one has come.
func (p *painter) timeline() {
	bar := p.h - 1
	if p.h > 2 {
		p.line(0, p.w, 0, faint, "─")
		at := p.pen(2, 0).put(strong, " timeline ")
		p.atMark(at)
		p.legend(at)
	}
	first, last := p.clock(0), p.clock(p.m.End)
	p.text(1, bar, dim, first)
	p.right(p.w-1, bar, dim, last)
	s := scale{from: textWidth(first) + 2, end: p.m.End}
	if s.cells = p.w - s.from - textWidth(last) - 2; s.cells < 4 {
		s.from, s.cells = 0, p.w
	}
	p.bar(s, bar)
	p.marks(s, bar-1, p.m)
	if other := p.m.Second; other != nil {
		p.marks(s, bar, other)
		p.parting(s, bar)
	}
}

// parting marks where the two runs that are compared part.
func (p *painter) parting(s scale, bar int) {
	for i, at := range [...]struct {
		log   *event.Log
		event int
	}{{p.m.Log, p.m.Parted.First}, {p.m.Second.Log, p.m.Parted.Second}} {
		if e := at.log.Get(event.Seq(max(at.event, 0))); e != nil {
			hit := p.on(Hit{Kind: HitTimeline, Tick: e.At, Event: e.Seq, Second: i == 1})
			hit.text(s.cell(e.At), bar-1+i, fresh, "D")
		}
	}
}

// bar draws the time that has passed and the time to come; a click leads to a tick.
func (p *painter) bar(s scale, y int) {
	now := s.cell(p.m.Picture.Tick())
	for x := s.from; x < s.from+s.cells; x++ {
		cell := p.on(Hit{Kind: HitTimeline, Tick: s.tick(x)})
		cell.glyph(x, y-1, plain, " ")
		switch {
		case x < now:
			cell.glyph(x, y, accent, "━")
		case x == now:
			cell.glyph(x, y, fresh, "◆")
		default:
			cell.glyph(x, y, faint, "─")
		}
	}
}

// marks puts the letters above the bar. Where two meet, the later one stands a cell further on, if that is free.
func (p *painter) marks(s scale, y int, m *Model) {
	free, now := 0, p.sel.Event
	for i := range m.Marks {
		k := &m.Marks[i]
		if k.Event < 1 || k.Event > m.Log.Len() {
			continue
		}
		e := m.Log.At(k.Event - 1)
		x := s.cell(e.At)
		if x < free && i > 0 && m.Marks[i-1].Letter == k.Letter || free > x+1 {
			continue
		}
		x = max(x, free)
		if x >= s.from+s.cells {
			continue
		}
		style := markStyle(k.Letter)
		if e.Seq == now {
			style |= selected
		}
		hit := p.on(Hit{Kind: HitTimeline, Tick: e.At, Event: e.Seq, Second: m != p.m})
		hit.text(x, y, style, letter(k.Letter))
		free = x + 1
	}
}

// letters are those that marks have; a string of one rune costs nothing this way.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

func letter(r rune) string {
	switch {
	case r >= 'A' && r <= 'Z':
		return letters[r-'A' : r-'A'+1]
	case r == '2':
		return "2"
	case r == '!':
		return "!"
	case r == '?':
		return "?"
	}
	return string(r)
}

// atMark says which mark one stands on, or where the runs part.
func (p *painter) atMark(at *pen) {
	for i := range p.m.Marks {
		if k := &p.m.Marks[i]; k.Event == p.m.Cursor && k.Label != "" {
			p.markText(at, markStyle(k.Letter), letter(k.Letter), k.Label)
			return
		}
	}
	if p.m.Second != nil && p.m.Parted.Text != "" {
		p.markText(at, fresh, "D", p.m.Parted.Text)
	}
}

func (p *painter) markText(at *pen, style Style, sign, text string) {
	at.put(faint, "── ").put(style, sign).put(plain, " ")
	at.x = at.fitted(at.x, 0, min(p.w-at.x-2, 70), plain, text)
	at.put(faint, " ")
}

// legend explains the letters that occur, at the right end of the rule.
func (p *painter) legend(at *pen) {
	var occur uint // a bit for each row of markNames
	need := 0
	for i := range markNames {
		if p.occurs(markNames[i].letter) {
			occur |= 1 << i
			need += len(markNames[i].name) + 4
		}
	}
	x := p.w - 3 - need
	if x < at.x+1 || need == 0 {
		return
	}
	key := p.pen(x, 0)
	for i := range markNames {
		if occur&(1<<i) != 0 {
			key.put(plain, " ").put(markNames[i].style, letter(markNames[i].letter)).put(dim, " ").put(dim, markNames[i].name).put(dim, " ")
		}
	}
}

func (p *painter) occurs(r rune) bool {
	for m := p.m; m != nil; m = m.Second {
		for i := range m.Marks {
			if m.Marks[i].Letter == r {
				return true
			}
		}
	}
	return false
}
