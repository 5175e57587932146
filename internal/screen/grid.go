package screen

import "strings"

// Grid is a screen of cells. It remembers for each cell what stands there, in which style, and what a click on it hits.
type Grid struct {
	w, h    int
	cells   []cell
	hits    []Hit // hits[0] is nothing
	theme   Theme
	ascii   bool
	palette *palette // of the latest frame
	seen    *memo
}

// cell is one place on the screen. A wide character fills two: the second has width 0 and no text.
type cell struct {
	text  string // one printable character with the marks that combine with it
	hit   uint16 // index into hits
	style Style
	width uint8
}

var blank = cell{text: " ", width: 1}

// NewGrid is an empty grid; it has at least one cell.
func NewGrid(w, h int) *Grid {
	g := &Grid{}
	g.Resize(w, h)
	return g
}

// Resize empties the grid and gives it another size.
func (g *Grid) Resize(w, h int) {
	g.w, g.h = max(w, 1), max(h, 1)
	if n := g.w * g.h; n > cap(g.cells) {
		g.cells = make([]cell, n)
	} else {
		g.cells = g.cells[:n]
	}
	g.clear()
}

// Size is the width and the height in cells.
func (g *Grid) Size() (w, h int) { return g.w, g.h }

func (g *Grid) clear() {
	for i := range g.cells {
		g.cells[i] = blank
	}
	g.hits = append(g.hits[:0], Hit{})
}

// At is what stands at a place.
func (g *Grid) At(x, y int) Hit {
	if x < 0 || y < 0 || x >= g.w || y >= g.h {
		return Hit{}
	}
	return g.hits[g.cells[y*g.w+x].hit]
}

// target keeps a hit and returns its number, 0 when there is no room for another.
func (g *Grid) target(h Hit) uint16 {
	if len(g.hits) > 1<<16-1 {
		return 0
	}
	g.hits = append(g.hits, h)
	return uint16(len(g.hits) - 1)
}

// set puts a character at a place inside the grid, and clears the other half of a wide one that it cuts.
func (g *Grid) set(x, y int, text string, width int, style Style, hit uint16) {
	row := g.row(y)
	if row[x].width != 1 {
		row.unpair(x)
	}
	row[x] = cell{text: text, width: uint8(width), style: style, hit: hit}
	if width == 2 {
		row.unpair(x + 1)
		row[x+1] = cell{style: style, hit: hit}
	}
}

// Plain is the grid as text without styles: h lines of w cells.
func (g *Grid) Plain() string {
	var b strings.Builder
	b.Grow(len(g.cells) + len(g.cells)/2)
	for y := range g.h {
		if y > 0 {
			b.WriteByte('\n')
		}
		for _, c := range g.row(y) {
			b.WriteString(c.text)
		}
	}
	return b.String()
}

// ANSI is the grid for a terminal: h lines of w cells, with codes only where the style changes.
func (g *Grid) ANSI(level Level) string {
	p := g.colours(level)
	var b strings.Builder
	b.Grow(2*len(g.cells) + 1024)
	for y := range g.h {
		if y > 0 {
			b.WriteByte('\n')
		}
		p.writeRow(&b, g.row(y))
	}
	return b.String()
}

type row []cell

func (g *Grid) row(y int) row { return g.cells[y*g.w : (y+1)*g.w] }

// unpair blanks the other half of a wide character at x.
func (r row) unpair(x int) {
	switch {
	case r[x].width == 0 && x > 0:
		r[x-1].text, r[x-1].width = " ", 1
	case r[x].width == 2 && x+1 < len(r):
		r[x+1].text, r[x+1].width = " ", 1
	}
}
