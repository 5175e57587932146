package report

import (
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"
)

// The measures of a plot as a picture, in its own units: a letter is letterWide at most, a line lineHigh.
const (
	letterWide, lineHigh = 7, 22
	titleLetterWide      = 11
	barLong, barHigh     = 440, 12
	dotWide              = 5 // radius
	plotMargin           = 24
	figureWide           = 10 * letterWide // room for the number behind the longest bar
)

// plotStyle has the colours of a light page and of a dark one; the picture brings its own paper.
const plotStyle = `<style>
text{font:13px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#1f2328}
.paper{fill:#ffffff}.title{font-size:17px;font-weight:600}.measure{font-weight:600}.name{fill:#59636e;text-anchor:end}
.figure{paint-order:stroke;stroke:#ffffff;stroke-width:4px}
.mark{font-size:11px;fill:#59636e;text-anchor:middle}.grid{stroke:#d8dee4}.base{stroke:#8c959f}
.bar{fill:#0072b2}.stem{stroke:#0072b2;stroke-width:2}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.figure{stroke:#0d1117}.name,.mark{fill:#9198a1}.grid{stroke:#2d333b}.base{stroke:#6e7681}
.bar{fill:#56b4e9}.stem{stroke:#56b4e9}}
</style>
`

// WritePlotSVG draws the numbers in which the runs differ as an SVG picture.
func (s *Scenario) WritePlotSVG(w io.Writer) error {
	all := plotted(s.Variants, measures())
	if all == nil {
		return errNoPlot
	}
	letters := 0
	for i := range s.Variants {
		letters = max(letters, utf8.RuneCountInString(s.Variants[i].Variant))
	}
	from := plotMargin + (letters+1)*letterWide
	width := max(from+barLong+figureWide, plotMargin+utf8.RuneCountInString(s.heading())*titleLetterWide) + plotMargin
	height := 2*plotMargin + lineHigh + len(all)*panelHigh(len(s.Variants))
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n", width, height)
	b.WriteString(plotStyle)
	fmt.Fprintf(&b, `<rect class="paper" width="%d" height="%d" rx="6"/>`+"\n", width, height)
	svgText(&b, plotMargin, plotMargin+lineHigh-6, "title", s.heading())
	for i := range all {
		all[i].svg(&b, s.Variants, from, plotMargin+lineHigh+i*panelHigh(len(s.Variants)))
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// panelHigh is how much room one measure takes: its title, a line a run, the axis, and a line between it and the next.
func panelHigh(runs int) int { return (runs + 3) * lineHigh }

// svg draws one measure below y: bars from zero, or where the scale is logarithmic and has no zero, dots on stems.
func (b *bars) svg(w *strings.Builder, variants []Variant, from, y int) {
	scale := b.scale()
	place := func(value float64) int { return from + int(scale.share(value)*barLong+0.5) }
	top := y + 2*lineHigh
	bottom := top + len(b.of)*lineHigh
	svgText(w, plotMargin, top-8, "measure", b.heading(scale.logarithmic))
	for i, mark := range scale.marks() {
		class := "grid"
		if i == 0 {
			class = "base"
		}
		fmt.Fprintf(w, `<line class="%s" x1="%d" x2="%[2]d" y1="%d" y2="%d"/>`+"\n", class, place(mark), top, bottom)
		svgText(w, place(mark), bottom+14, "mark", decimal(mark))
	}
	for i, one := range b.of {
		middle := top + i*lineHigh + lineHigh/2
		svgText(w, from-letterWide, middle+4, "name", variants[i].Variant)
		end := from
		if one.value > 0 {
			end = max(place(one.value), from+1)
			svgBar(w, from, end, middle, scale.logarithmic)
		}
		svgText(w, end+dotWide+letterWide, middle+4, "figure", one.text())
	}
}

func svgBar(w *strings.Builder, from, to, middle int, dot bool) {
	if dot {
		fmt.Fprintf(w, `<line class="stem" x1="%d" x2="%d" y1="%d" y2="%[3]d"/><circle class="bar" cx="%[2]d" cy="%[3]d" r="%d"/>`+"\n",
			from, to, middle, dotWide)
		return
	}
	fmt.Fprintf(w, `<rect class="bar" x="%d" y="%d" width="%d" height="%d" rx="1"/>`+"\n", from, middle-barHigh/2, to-from, barHigh)
}

func svgText(w *strings.Builder, x, y int, class, text string) {
	fmt.Fprintf(w, `<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, x, y, html.EscapeString(text))
}
