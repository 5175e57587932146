package report

import (
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// measure is one number that a run has, such as how many requests it took.
type measure struct {
	title string
	of    func(*Variant) (float64, bool) // false: the run has none
}

// dial are the numbers that linger.ms and batch.size trade against each other.
var dial = []measure{
	{"produce requests", func(v *Variant) (float64, bool) { return float64(v.Requests), true }},
	{"records a request", func(v *Variant) (float64, bool) {
		return float64(v.RecordsInRequests) / float64(max(v.Requests, 1)), v.Requests > 0
	}},
	{"ms to acknowledge a first attempt, median", func(v *Variant) (float64, bool) { return measured(v, "ack_latency_ms.p50") }},
	{"ms to acknowledge a first attempt, 99th percentile", func(v *Variant) (float64, bool) { return measured(v, "ack_latency_ms.p99") }},
}

// measures are those of the dial, and each fact that is a number and is not among them.
func measures() []measure {
	all := slices.Clone(dial)
	for _, f := range facts {
		if f.form == number && f.key != "requests" && f.key != "records_in_requests" {
			all = append(all, measure{f.title, func(v *Variant) (float64, bool) { return measured(v, f.key) }})
		}
	}
	return all
}

// measured is a field of an expect block as a number, where the run has one.
func measured(v *Variant, field string) (float64, bool) {
	_, items := lookup(v, field)
	if len(items) != 1 {
		return 0, false
	}
	n, err := strconv.ParseFloat(items[0], 64)
	return n, err == nil
}

// bar is the number of one run; without has the run has none.
type bar struct {
	value float64
	has   bool
}

// bars are the numbers of one measure, in the order of the runs.
type bars struct {
	title string
	of    []bar
}

// plotted has the measures in which the runs differ.
func plotted(variants []Variant, measures []measure) []bars {
	var all []bars
	for _, m := range measures {
		b := bars{title: m.title}
		for i := range variants {
			value, has := m.of(&variants[i])
			b.of = append(b.of, bar{value, has})
		}
		if slices.ContainsFunc(b.of, func(other bar) bool { return other != b.of[0] }) {
			all = append(all, b)
		}
	}
	return all
}

// wide is how many times the smallest number the largest may be before the shortest bars say nothing any more.
const wide = 40

// scale is what the bars of one measure are held against: from its beginning to the largest number.
type scale struct {
	from, to    float64 // logarithmic: their powers of ten
	logarithmic bool
}

// scale is logarithmic for numbers that are far apart; then it begins at the power of ten below the smallest.
func (b *bars) scale() scale {
	least, most := math.Inf(1), 0.0
	for _, one := range b.of {
		if one.value > 0 {
			least, most = min(least, one.value), max(most, one.value)
		}
	}
	if most > wide*least {
		return scale{from: math.Ceil(math.Log10(least)) - 1, to: math.Log10(most), logarithmic: true}
	}
	return scale{to: most}
}

// share is the length of a bar as a share of the longest.
func (s scale) share(value float64) float64 {
	switch {
	case value <= 0:
		return 0
	case s.logarithmic:
		value = math.Log10(value)
	}
	return (value - s.from) / (s.to - s.from)
}

// marks are the numbers to write at the axis: each power of ten, or round ones, about four of them.
func (s scale) marks() []float64 {
	var marks []float64
	if s.logarithmic {
		for power := s.from; power <= s.to; power++ {
			marks = append(marks, math.Pow(10, power))
		}
		return marks
	}
	step := math.Pow(10, math.Floor(math.Log10(s.to/2)))
	for _, larger := range []float64{2, 2.5, 2} { // 1, 2, 5, 10
		if s.to/step > 4 {
			step *= larger
		}
	}
	for i := 0; float64(i)*step <= s.to; i++ {
		marks = append(marks, float64(i)*step)
	}
	return marks
}

// heading says what is plotted, and on which scale if it is not the plain one.
func (b *bars) heading(logarithmic bool) string {
	if logarithmic {
		return b.title + " (logarithmic)"
	}
	return b.title
}

// text is the number beside a bar.
func (b bar) text() string {
	if !b.has {
		return "none"
	}
	return decimal(b.value)
}

// decimal writes a number with two decimals at most.
func decimal(value float64) string {
	rounded := math.Round(value*100) / 100
	if rounded == math.Trunc(rounded) {
		return thousands(int64(rounded))
	}
	return millis(rounded)
}

// barWidth is the longest bar in columns.
const barWidth = 50

// text draws the bars with plain characters, a line a run.
func (b *bars) text(w *strings.Builder, variants []Variant) {
	names := 0
	for i := range variants {
		names = max(names, utf8.RuneCountInString(variants[i].Variant))
	}
	scale := b.scale()
	w.WriteString(b.heading(scale.logarithmic) + "\n")
	for i, one := range b.of {
		name := variants[i].Variant
		line := "  " + name + strings.Repeat(" ", names-utf8.RuneCountInString(name)) + "  "
		if length := int(math.Round(scale.share(one.value) * barWidth)); one.value > 0 {
			line += strings.Repeat("#", max(length, 1)) + " "
		}
		w.WriteString(line + one.text() + "\n")
	}
}

// errNoPlot is that there is nothing to compare.
var errNoPlot = errors.New("the runs differ in no number, so there is nothing to plot")

// WritePlot draws the numbers in which the runs differ as bars of plain characters.
func (s *Scenario) WritePlot(w io.Writer) error {
	all := plotted(s.Variants, measures())
	if all == nil {
		return errNoPlot
	}
	var b strings.Builder
	b.WriteString(s.heading() + "\n")
	for i := range all {
		b.WriteByte('\n')
		all[i].text(&b, s.Variants)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeDial draws the dial in the report itself, where it is what the runs are about.
func writeDial(b *strings.Builder, variants []Variant) {
	if !turned(variants) {
		return
	}
	for _, one := range plotted(variants, dial) {
		b.WriteByte('\n')
		one.text(b, variants)
	}
}

// turned: three runs at least, one of which packs twice as many records into a request as another, and nothing else happened
// to them: with a retry or a failure the requests tell of that.
func turned(variants []Variant) bool {
	least, most := math.Inf(1), 0.0
	for i := range variants {
		v := &variants[i]
		if v.Retries > 0 || v.Acked < v.Sent || v.Requests == 0 {
			return false
		}
		packed := float64(v.RecordsInRequests) / float64(v.Requests)
		least, most = min(least, packed), max(most, packed)
	}
	return len(variants) > 2 && most >= 2*least
}
