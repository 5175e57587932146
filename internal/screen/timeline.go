package screen

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// markName is a letter of the timeline and what it stands for.
type markName struct {
	letter rune
	style  Style
	name   string
}

// markNames are the letters of the marks; those that matter most come first.
var markNames = [...]markName{
	{'X', lost, "fault"}, {'E', lead, "election"}, {'2', twice, "twice"}, {'!', lost, "failed or lost"}, {'?', accent, "question"},
	{'R', open, "retry"}, {'T', lost, "log cut back"}, {'O', lost, "offline"}, {'=', fine, "recognised"}, {'F', open, "fenced"},
	{'H', lost, "transaction hangs"}, {'A', open, "transaction aborted"},
	{'N', open, "refused"}, {'B', open, "rebalance"}, {'M', lost, "member out"}, {'C', lead, "coordinator"}, {'L', lost, "partition lost"},
	{'I', lead, "ISR"}, {'z', open, "no poll()"}, {'d', open, "dropped"}, {'^', fine, "start"}, {'x', dim, "fault over"}, {'o', open, "reset"},
	{'J', lost, "passed over"}, {'e', open, "new epoch"}, {'k', open, "cleaner"}, {'r', open, "retention"}, {'+', fine, "more partitions"},
	{'w', open, "send() waits"}, {'s', fine, "group stable"}, {'t', fine, "transaction ends"}, {'c', dim, "closed"}, {'m', dim, "member"},
}

// important is how many of the names keep their place on the timeline where others would stand.
const important = 5

func weighty(letter rune) bool {
	for i := range important {
		if markNames[i].letter == letter {
			return true
		}
	}
	return false
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
	now := s.cell(p.m.now())
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

// marks puts the letters above the bar. Where two meet, the one that matters less, or the later one, stands a little further
// on, if there is room.
func (p *painter) marks(s scale, y int, m *Model) {
	taken := make([]rune, s.cells+maxShift)
	for _, weight := range [...]bool{true, false} {
		for i := range m.Marks {
			k := &m.Marks[i]
			if k.Event <= 0 || weighty(k.Letter) != weight {
				continue
			}
			if x := shifted(taken, s.cell(k.Tick)-s.from, k.Letter); x >= 0 && x < s.cells {
				hit := p.on(Hit{Kind: HitTimeline, Tick: k.Tick, Event: event.Seq(k.Event), Second: m != p.m})
				hit.text(s.from+x, y, markStyle(k.Letter), letter(k.Letter))
			}
		}
	}
}

const maxShift = 3

// shifted finds a free cell for a letter, or -1; one that has the same letter will do.
func shifted(taken []rune, x int, letter rune) int {
	for shift := range maxShift {
		switch taken[x+shift] {
		case letter:
			return -1
		case 0:
			taken[x+shift] = letter
			return x + shift
		}
	}
	return -1
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// letter is a mark's letter as text, without making a new one for those that have a name.
func letter(r rune) string {
	if r >= 'A' && r <= 'Z' {
		return letters[r-'A' : r-'A'+1]
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

// legend explains the letters that occur, at the right end of the rule, as many as there is room for.
func (p *painter) legend(at *pen) {
	var occur uint // a bit for each row of markNames
	x := p.w - 3
	for i := range markNames {
		if need := len(markNames[i].name) + 4; p.occurs(markNames[i].letter) && x-need > at.x {
			occur |= 1 << i
			x -= need
		}
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
