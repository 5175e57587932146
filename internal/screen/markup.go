package screen

import (
	"fmt"
	"html"
	"strings"
)

// papers are the colours of text and of what lies behind it, for pictures, which bring their own.
var papers = [...]struct{ text, back string }{
	Dark:  {"#d6dce2", "#13181d"},
	Light: {"#1f2328", "#ffffff"},
	Mono:  {"#1f2328", "#ffffff"},
}

// colours of a style on a page; an empty back is the paper's.
func (s Style) colours(theme Theme) (text, back string) {
	text = papers[theme].text
	if c := inks[theme][s.ink()].colour; c != "" {
		text = c
	}
	switch {
	case s&(selected|marked) == 0:
	case theme == Mono:
		return papers[theme].back, papers[theme].text
	case s&marked != 0:
		back = backs[theme][1].colour
	default:
		back = backs[theme][0].colour
	}
	return text, back
}

func (s Style) heavy(theme Theme) bool { return inks[theme][s.ink()].bold || s&marked != 0 }

// runs cuts a row into stretches of one style.
func (r row) runs(do func(x, end int, style Style)) {
	for x := 0; x < len(r); {
		end := x + 1
		for end < len(r) && r[end].style == r[x].style {
			end++
		}
		do(x, end, r[x].style)
		x = end
	}
}

// HTML is the grid as a piece of a page: one pre element with its colours in it.
func (g *Grid) HTML() string {
	var b strings.Builder
	paper := papers[g.theme]
	fmt.Fprintf(&b, `<pre style="color:%s;background:%s;padding:1em;line-height:1.25;overflow-x:auto">`, paper.text, paper.back)
	for y := range g.h {
		g.row(y).runs(func(x, end int, s Style) {
			text := html.EscapeString(g.row(y)[x:end].text())
			if css := s.css(g.theme); css != "" && strings.TrimSpace(text) != "" || s&(selected|marked) != 0 {
				text = `<span style="` + css + `">` + text + `</span>`
			}
			b.WriteString(text)
		})
		b.WriteByte('\n')
	}
	b.WriteString("</pre>\n")
	return b.String()
}

func (r row) text() string {
	var b strings.Builder
	for _, c := range r {
		b.WriteString(c.text)
	}
	return b.String()
}

func (s Style) css(theme Theme) string {
	text, back := s.colours(theme)
	var css []string
	if text != papers[theme].text {
		css = append(css, "color:"+text)
	}
	if back != "" {
		css = append(css, "background:"+back)
	}
	if s.heavy(theme) {
		css = append(css, "font-weight:bold")
	}
	return strings.Join(css, ";")
}

// The size of a cell in an SVG; the letters are a little narrower and are stretched to it, whatever the font.
const (
	cellWidth, cellHeight, baseline = 8, 18, 13.5
	margin                          = 12
)

// SVG is the grid as a picture for a page or a README. Lines and boxes are drawn, so that they meet in any font.
func (g *Grid) SVG() string {
	var b strings.Builder
	w, h := g.w*cellWidth+2*margin, g.h*cellHeight+2*margin
	paper := papers[g.theme]
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" `+
		`font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13">`+"\n", w, h)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="6" fill="%s"/>`+"\n", w, h, paper.back)
	for y := range g.h {
		g.row(y).runs(func(x, end int, s Style) { g.svgRun(&b, x, end, y, s) })
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (g *Grid) svgRun(b *strings.Builder, x, end, y int, s Style) {
	text, back := s.colours(g.theme)
	left, top := margin+x*cellWidth, margin+y*cellHeight
	if back != "" {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", left, top, (end-x)*cellWidth, cellHeight, back)
	}
	weight := ""
	if s.heavy(g.theme) {
		weight = ` font-weight="bold"`
	}
	var lines strings.Builder
	g.row(y)[x:end].words(func(from, to int, word string) {
		if path := shape(word, left+from*cellWidth, top, to-from); path != "" {
			lines.WriteString(path)
			return
		}
		fmt.Fprintf(b, `<text x="%d" y="%g" fill="%s"%s textLength="%d" lengthAdjust="spacingAndGlyphs" xml:space="preserve">%s</text>`+"\n",
			left+from*cellWidth, float64(top)+baseline, text, weight, (to-from)*cellWidth, html.EscapeString(word))
	})
	if lines.Len() > 0 {
		fmt.Fprintf(b, `<path d="%s" stroke="%s" fill="none"/>`+"\n", lines.String(), text)
	}
}

// words cuts a run at its spaces, and takes the lines and boxes out: one kind of line is a word of its own.
func (r row) words(do func(from, to int, word string)) {
	for x := 0; x < len(r); {
		if r[x].text == " " {
			x++
			continue
		}
		end := x + 1
		if arms(r[x].text) != 0 {
			for end < len(r) && r[end].text == r[x].text {
				end++
			}
			do(x, end, r[x].text)
		} else {
			for end < len(r) && r[end].text != " " && arms(r[end].text) == 0 {
				end++
			}
			do(x, end, r[x:end].text())
		}
		x = end
	}
}

// The arms of a line character, from the middle of its cell.
const (
	armLeft = 1 << iota
	armRight
	armUp
	armDown
	armHeavy
)

func arms(char string) int {
	switch char {
	case "─":
		return armLeft | armRight
	case "━":
		return armLeft | armRight | armHeavy
	case "│":
		return armUp | armDown
	case "╭", "┌":
		return armRight | armDown
	case "╮", "┐":
		return armLeft | armDown
	case "╰", "└":
		return armRight | armUp
	case "╯", "┘":
		return armLeft | armUp
	}
	return 0
}

// shape is the path of a line character that stands n times side by side, or nothing for other characters.
func shape(char string, x, y, n int) string {
	a := arms(char)
	middle, width := y+cellHeight/2, n*cellWidth
	switch {
	case a == 0:
		return ""
	case a&armHeavy != 0:
		return fmt.Sprintf("M%d %dh%dv1h-%[3]d", x, middle, width)
	case a&armLeft != 0 && a&armRight != 0:
		return fmt.Sprintf("M%d %dh%d", x, middle, width)
	}
	var b strings.Builder
	for centre := x + cellWidth/2; centre < x+width; centre += cellWidth {
		for _, arm := range [...]struct{ bit, dx, dy int }{
			{armLeft, -cellWidth / 2, 0}, {armRight, cellWidth / 2, 0}, {armUp, 0, -cellHeight / 2}, {armDown, 0, cellHeight / 2},
		} {
			if a&arm.bit != 0 {
				fmt.Fprintf(&b, "M%d %dl%d %d", centre, middle, arm.dx, arm.dy)
			}
		}
	}
	return b.String()
}
