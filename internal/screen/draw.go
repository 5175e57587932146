package screen

import "replog/internal/kafka"

// painter draws one run into an area. What the person looks at is the same for both runs of a comparison.
type painter struct {
	area
	m      *Model // the run
	first  *Model // the whole model: that of the first of two runs
	sel    *Selection
	names  *kafka.Names
	second bool
}

// Draw puts a model into the grid, over whatever was there.
func Draw(g *Grid, m *Model) {
	g.theme, g.ascii = m.Theme, m.ASCII
	g.clear()
	p := painter{area: g.whole(), m: m, first: m, sel: &m.Selection}
	if m.Picture != nil {
		p.names = m.Picture.Names()
		p.frame()
	}
	for _, o := range m.Overlays {
		o.lay(&p)
	}
}

// within is the painter of a part of its area.
func (p *painter) within(a area) *painter {
	q := *p
	q.area = a
	return &q
}

// other is the painter of the second run.
func (p *painter) other(a area) *painter {
	q := p.within(a)
	q.m, q.second = p.m.Second, true
	q.names = q.m.Picture.Names()
	return q
}

// on makes a click on what is drawn hit something in this run.
func (p *painter) on(h Hit) area {
	return p.withHit(p.area, h)
}

func (p *painter) withHit(a area, h Hit) area {
	h.Second = p.second
	return a.on(h)
}

// The sizes from which on the screen has room for a frame, for panes side by side, and for spare lines.
const (
	frameWidth, frameHeight = 56, 14
	wideWidth, wideHeight   = 110, 19
	tallHeight              = 32
)

func (p *painter) frame() {
	if p.w < frameWidth || p.h < frameHeight {
		p.small()
		return
	}
	lines := 2
	if p.h >= tallHeight {
		lines = 3
	}
	head, rest := p.top(2)
	p.within(head).header()
	rest, foot := rest.bottom(1)
	p.within(foot).footer()
	rest, line := rest.bottom(lines)
	p.within(line).timeline()
	p.within(rest).body()
}

// body is everything between the heading and the timeline.
func (p *painter) body() {
	if p.m.Second == nil || p.m.Second.Picture == nil {
		p.run()
		return
	}
	half := (p.w - 3) / 2
	p.within(p.part(0, 0, half, p.h)).side()
	for y := range p.h {
		p.glyph(half+1, y, faint, "│")
	}
	p.other(p.part(half+3, 0, half, p.h)).side()
}

// side is one of two runs: its variant, then its panes.
func (p *painter) side() {
	head, rest := p.top(1)
	line := head.pen(1, 0)
	line.put(strong, p.m.Variant).gap(2).put(dim, p.m.Settings)
	p.within(rest).run()
}

func (p *painter) run() {
	switch {
	case p.m.Layout == LayoutZoom:
		p.pane(p.sel.Pane)
	case p.m.Layout == LayoutLarge:
		p.large()
	case p.w >= wideWidth && p.h >= wideHeight:
		p.wide()
	case p.w < frameWidth:
		p.words()
	default:
		p.stack()
	}
}

// pane draws one pane into the whole area.
func (p *painter) pane(which Pane) {
	p.area = p.on(Hit{Kind: HitPane, Pane: which})
	p.claim()
	switch which {
	case PaneMatrix:
		p.matrix()
	case PanePartition:
		p.partition()
	case PaneProducer:
		p.producers()
	case PaneReader:
		p.readers()
	default:
		p.log()
	}
}

// leastReader is the room that the readers keep beside a long list of producers.
const leastReader = 5

// wide has all panes: what the cluster holds on the left, who writes and reads on the right, the events below.
func (p *painter) wide() {
	upper, lower := p.bottom(min(max(p.h*3/10, 5), 16))
	right := min(max(p.w*36/100, 43), 64)
	left := p.w - right - 2
	l, r := upper.part(0, 0, left, upper.h), upper.part(left+2, 0, right, upper.h)

	matrix, l := l.top(min(p.matrixHeight(), upper.h/2))
	p.within(matrix).pane(PaneMatrix)
	offsets, l := l.top(p.partitionHeight())
	p.within(offsets).pane(PanePartition)
	p.within(l).changes()

	producers, readers := r.top(min(p.producersHeight(), r.h-min(p.readersHeight(), max(r.h*2/3, leastReader))))
	p.within(producers).pane(PaneProducer)
	p.within(readers).pane(PaneReader)
	p.within(lower).pane(PaneLog)
}

// The least that is worth a pane of its own below another, and the lines kept for the events.
const leastPane, leastLog = 7, 3

// stack has the pane that has the focus and, while there is room, those that belong to it; the events get the rest. The panes
// stand in the same order whichever comes first.
func (p *painter) stack() {
	var heights [Panes]int
	room, kept := p.h, leastLog
	for i, which := range [...]Pane{p.sel.Pane, PanePartition, PaneMatrix, PaneReader, PaneProducer} {
		if i == 2 {
			kept = 2 * leastLog
		}
		if h := min(p.height(which), room-kept); heights[which] == 0 && which != PaneLog && (i == 0 || h >= leastPane) {
			heights[which] = max(h, 0)
			room -= heights[which]
		}
	}
	if p.sel.Pane == PanePartition && heights[PaneMatrix] == 0 {
		heights[PaneMatrix] = max(room-leastLog, 0)
	}
	rest := p.area
	for which, h := range heights {
		var upper area
		if upper, rest = rest.top(h); h > 1 {
			p.within(upper).pane(Pane(which))
		}
	}
	p.within(rest).pane(PaneLog)
}

// height is the room that a pane likes to have.
func (p *painter) height(which Pane) int {
	switch which {
	case PaneMatrix:
		return min(p.matrixHeight()-1, p.h/2)
	case PanePartition:
		return p.partitionHeight()
	case PaneProducer:
		if n := max(len(p.roles().writers), 1); p.sel.Pane != which && n <= fewWorkers {
			return n + 3
		}
		return p.producersHeight() - 1
	}
	return min(p.h/2, 10)
}

// title draws the rule above a pane, and returns the pen behind its name and the room below.
func (p *painter) title(which Pane, name string) (*pen, *painter) {
	rule, ink, char := faint, strong, "─"
	if p.sel.Pane == which {
		rule, ink, char = accent, accent, "━"
	}
	p.line(0, p.w, 0, rule, char)
	at := p.pen(2, 0)
	at.put(ink, " ").put(ink, name).put(ink, " ")
	_, rest := p.top(1)
	return at, p.within(rest)
}
