package report

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// The measures of a plot as a picture, in its own units: a letter is letterWide, a line lineHigh.
const (
	letterWide, lineHigh = 8, 20
	barLong, barHigh     = 420, 14
	plotMargin           = 16
	figureWide           = 12 * letterWide // room for the number behind the longest bar
)

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
	from := plotMargin + (letters+2)*letterWide
	width := max(from+barLong+figureWide, utf8.RuneCountInString(s.heading())*letterWide+plotMargin) + plotMargin
	height := 2*plotMargin + lineHigh + len(all)*(len(s.Variants)+2)*lineHigh
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" `+
		`font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13" fill="#1f2328">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="6" fill="#ffffff"/>`+"\n", width, height)
	y := plotMargin + lineHigh
	svgText(&b, plotMargin, y, ` font-weight="bold"`, s.heading())
	for i := range all {
		y = all[i].svg(&b, s.Variants, from, y+lineHigh)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// svg draws the bars of one measure below y, and says where they end.
func (b *bars) svg(w *strings.Builder, variants []Variant, from, y int) int {
	share, logarithmic := b.scale()
	y += lineHigh
	svgText(w, plotMargin, y, "", b.heading(logarithmic))
	for i, one := range b.of {
		y += lineHigh
		svgText(w, plotMargin+letterWide, y, ` fill="#59636e"`, variants[i].Variant)
		length := 0
		if one.value > 0 {
			length = max(int(math.Round(share[i]*barLong)), 1)
			fmt.Fprintf(w, `<rect x="%d" y="%d" width="%d" height="%d" fill="#0072b2"/>`+"\n", from, y-barHigh+2, length, barHigh)
		}
		svgText(w, from+length+letterWide, y, "", one.text())
	}
	return y
}

func svgText(w *strings.Builder, x, y int, more, text string) {
	fmt.Fprintf(w, `<text x="%d" y="%d"%s>%s</text>`+"\n", x, y, more, html.EscapeString(text))
}
