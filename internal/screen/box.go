package screen

// box is a frame in the middle of the screen with a title, wiped inside; it returns the room within. On a screen without
// room for a frame it takes everything.
func (p *painter) box(w, h int, title string) *painter {
	w, h = min(w+4, p.w-2), min(h+2, p.h-1)
	if w < 20 || h < 5 {
		p.wipe()
		return p.within(p.area)
	}
	a := p.part((p.w-w)/2, (p.h-h)/2, w, h)
	return p.within(a).framed(title)
}

// dock is a frame over the lower part of the screen, as wide as it is: what it is about stays in sight above.
func (p *painter) dock(h int, title string) *painter {
	if p.w < 20 || p.h < 8 {
		p.wipe()
		return p.within(p.area)
	}
	rest, _ := p.bottom(1) // the keys
	h = min(max(h+2, 5), p.h*2/3)
	_, a := rest.bottom(h)
	return p.within(a).framed(title)
}

func (p *painter) framed(title string) *painter {
	p.hit = 0
	p.wipe()
	right, low := p.w-1, p.h-1
	p.line(1, right, 0, accent, "─")
	p.line(1, right, low, accent, "─")
	for y := 1; y < low; y++ {
		p.glyph(0, y, accent, "│")
		p.glyph(right, y, accent, "│")
	}
	p.glyph(0, 0, accent, "╭")
	p.glyph(right, 0, accent, "╮")
	p.glyph(0, low, accent, "╰")
	p.glyph(right, low, accent, "╯")
	if title != "" {
		p.pen(2, 0).put(accent, " ").fit(min(textWidth(clean(title)), p.w-6), accent, title).put(accent, " ")
	}
	return p.within(p.part(2, 1, p.w-4, p.h-2))
}

// sheet collects the lines of an overlay before it is known how high it will be.
type sheet struct {
	width int
	lines []sheetLine
}

type sheetLine struct {
	mark   string // right before the text
	key    string // at the left end
	text   string
	tail   string // behind the text, quieter
	tailAt int    // how far behind the text's beginning the tail stands at least
	right  string // at the right end
	style  Style
	indent int
	index  int     // of the entry that the line belongs to; -1 is none
	slots  []inked // instead of text: pieces in several styles
}

// add wraps a text into lines of the sheet.
func (s *sheet) add(style Style, indent, index int, mark, text string) {
	for i, line := range wrapped(clean(text), s.width-indent) {
		if i > 0 {
			mark = ""
		}
		s.lines = append(s.lines, sheetLine{mark: mark, text: line, style: style, indent: indent, index: index})
	}
}

func (s *sheet) blank() { s.lines = append(s.lines, sheetLine{index: -1}) }

// find is the first line of an entry.
func (s *sheet) find(index int) int {
	for i := range s.lines {
		if s.lines[i].index == index {
			return i
		}
	}
	return 0
}

// show draws the lines that fit, from top on; it shows where more is. The lines of the chosen entry have the background of the
// selection.
func (s *sheet) show(p *painter, top, chosen int) {
	top = max(min(top, len(s.lines)-p.h), 0)
	for y := range min(p.h, len(s.lines)-top) {
		l := &s.lines[top+y]
		row := p.area
		if l.index >= 0 {
			row = p.on(Hit{Kind: HitLine, Index: l.index})
			row.part(0, y, p.w, 1).claim()
		}
		l.draw(row, y)
		if l.index >= 0 && l.index == chosen {
			row.tint(0, p.w, y, selected)
		}
	}
	if top > 0 {
		p.text(p.w-1, 0, dim, "▲")
	}
	if top+p.h < len(s.lines) {
		p.text(p.w-1, p.h-1, dim, "▼")
	}
}

func (l *sheetLine) draw(a area, y int) {
	a.fitted(0, y, l.indent-1, accent, l.key)
	a.text(max(l.indent-2, 0), y, accent, l.mark)
	x := a.text(l.indent, y, l.style, l.text)
	for _, piece := range l.slots {
		x = a.text(x, y, piece.style, piece.text)
	}
	if l.tail != "" {
		a.fitted(max(x+2, l.indent+l.tailAt), y, a.w, dim, l.tail)
	}
	a.right(a.w, y, dim, l.right)
}

// tailIndent aligns the quieter text behind short names.
const tailIndent = 18

// around is the first line to show, so that the chosen entry is in the middle.
func (s *sheet) around(index, rows int) int { return s.find(index) - rows/2 }
