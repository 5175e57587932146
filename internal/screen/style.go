package screen

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Style is how a cell looks: an ink, and whether it is selected.
type Style uint8

// The inks. A state never shows by its ink alone: a letter or a glyph stands for it as well.
const (
	plain  Style = iota
	strong       // headings
	dim          // what is there to be looked up
	faint        // rules and axes
	accent       // what has the focus, keys
	lead         // leaders
	fine         // acknowledged, right
	copied       // on every replica that counts
	open         // on some disk, unknown
	twice        // stored or shown twice
	lost         // lost, dead, wrong
	fresh        // changed by this step
	inkCount
)

const (
	// selected puts the background of the selection behind a style.
	selected Style = 1 << 6
	// marked is for the record that is followed, wherever it stands.
	marked Style = 1 << 7
)

// Level is how many colours a terminal has.
type Level uint8

// The levels.
const (
	NoColour Level = iota // bold, faint and reverse
	Colours16
	Colours256
	TrueColour
)

// An ink in one theme: the same colour for each level. An empty colour is the terminal's own.
type ink struct {
	colour, c256, c16 string
	bold, faint       bool
}

// The colours are Okabe and Ito's, which most people with a colour vision deficiency tell apart; on light backgrounds they are
// darkened to a contrast of 4.5.
var inks = [...][inkCount]ink{
	Dark: {
		plain: {}, strong: {bold: true},
		dim: {"#9aa4ae", "247", "7", false, false}, faint: {"#56616c", "240", "8", false, false},
		accent: {"#56b4e9", "74", "14", true, false}, lead: {"#56b4e9", "74", "14", true, false},
		fine: {"#26b58c", "36", "10", false, false}, copied: {"#7fc4ec", "117", "12", false, false},
		open: {"#e69f00", "178", "3", false, false}, twice: {"#e08fbf", "175", "13", true, false},
		lost: {"#f0743e", "209", "9", true, false}, fresh: {"#f0e442", "227", "11", true, false},
	},
	Light: {
		plain: {}, strong: {bold: true},
		dim: {"#57606a", "241", "8", false, false}, faint: {"#a9b2bb", "249", "7", false, false},
		accent: {"#0072b2", "25", "4", true, false}, lead: {"#0072b2", "25", "4", true, false},
		fine: {"#00765a", "29", "2", false, false}, copied: {"#2a6fa8", "31", "4", false, false},
		open: {"#8a5a00", "94", "3", false, false}, twice: {"#a2387a", "125", "5", true, false},
		lost: {"#b8430a", "130", "1", true, false}, fresh: {"#7a4d00", "94", "3", true, false},
	},
	Mono: {
		strong: {bold: true}, dim: {}, faint: {faint: true}, accent: {bold: true}, lead: {bold: true},
		twice: {bold: true}, lost: {bold: true}, fresh: {bold: true},
	},
}

// The backgrounds of what is selected and of what is marked.
var backs = [...][2]ink{
	Dark:  {{colour: "#26323d", c256: "236", c16: "0"}, {colour: "#5a4a00", c256: "58", c16: "0"}},
	Light: {{colour: "#e4edf5", c256: "254", c16: "7"}, {colour: "#ffeaa8", c256: "229", c16: "7"}},
	Mono:  {},
}

func (i *ink) lip() lipgloss.CompleteColor {
	return lipgloss.CompleteColor{TrueColor: i.colour, ANSI256: i.c256, ANSI: i.c16}
}

// palette has the code of each style, taken once from Lip Gloss for a theme and a level.
type palette struct {
	theme Theme
	level Level
	codes [256]string
}

func (g *Grid) colours(level Level) *palette {
	if g.palette == nil || g.palette.theme != g.theme || g.palette.level != level {
		g.palette = newPalette(g.theme, level)
	}
	return g.palette
}

func newPalette(theme Theme, level Level) *palette {
	p := &palette{theme: theme, level: level}
	if level == NoColour {
		theme = Mono
	}
	r := lipgloss.NewRenderer(io.Discard)
	switch level { // termenv's profiles
	case TrueColour:
		r.SetColorProfile(0)
	case Colours256:
		r.SetColorProfile(1)
	default:
		r.SetColorProfile(2)
	}
	for i := range p.codes {
		if s := Style(i); s.ink() < inkCount {
			p.codes[i], _, _ = strings.Cut(s.lip(r, theme, level).Render("x"), "x")
		}
	}
	return p
}

func (s Style) ink() Style { return s &^ (selected | marked) }

func (s Style) lip(r *lipgloss.Renderer, theme Theme, level Level) lipgloss.Style {
	look := &inks[theme][s.ink()]
	l := r.NewStyle().Bold(look.bold || s&marked != 0).Faint(look.faint)
	if look.colour != "" {
		l = l.Foreground(look.lip())
	}
	if s&(selected|marked) == 0 {
		return l
	}
	back := &backs[theme][0]
	if s&marked != 0 {
		back = &backs[theme][1]
	}
	if back.colour == "" || level == Colours16 {
		return l.Reverse(true)
	}
	return l.Background(back.lip())
}

const resetCode = "\x1b[0m"

func (p *palette) writeRow(b *strings.Builder, r row) {
	now, style := "", plain
	for i := range r {
		if r[i].style != style || i == 0 {
			style = r[i].style
			now = p.change(b, now, p.codes[style])
		}
		b.WriteString(r[i].text)
	}
	p.change(b, now, "")
}

// change goes from one code to another; each is written on a reset terminal.
func (p *palette) change(b *strings.Builder, from, to string) string {
	if from == to {
		return to
	}
	if from != "" {
		b.WriteString(resetCode)
	}
	b.WriteString(to)
	return to
}
