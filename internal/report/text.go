package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// textWidth is the width of prose in columns, whatever the window has: the same run gives the same text everywhere.
const textWidth = 100

// WriteText writes the report for a person: a table with a line for each run, then what needs words, then what the runs
// have proved.
func (s *Scenario) WriteText(w io.Writer) error {
	var b strings.Builder
	b.WriteString(s.heading() + "\n\n")
	for i := range s.Variants {
		if told := s.Variants[i].Told; told != "" {
			b.WriteString(told + "\n")
		}
	}
	writeTable(&b, s.Variants)
	writeDial(&b, s.Variants)
	writeGroupTable(&b, s.Variants)
	writeTransactionTable(&b, s.Variants)
	writeWorking(&b, s.Variants)
	s.writeSurvival(&b)
	s.writeSweeps(&b)
	for i := range s.Variants {
		s.Variants[i].writeWords(&b)
	}
	writeMetrics(&b, s.Variants)
	if s.Remember != "" && s.proved() {
		b.WriteString("\n" + Wrap("Remember: "+s.Remember, "", ""))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// heading is the scenario's name and what it is about.
func (s *Scenario) heading() string {
	if s.Title == "" {
		return s.Scenario
	}
	return s.Scenario + ": " + s.Title
}

// column is one of the table.
type column struct {
	title string
	cell  func(*Variant) string
}

// requestColumn stands there where some request carried more than one record.
var requestColumn = column{"produce requests (records)", func(v *Variant) string {
	if v.Requests == 0 {
		return "none"
	}
	return fmt.Sprintf("%d (%.3g a request)", v.Requests, float64(v.RecordsInRequests)/float64(v.Requests))
}}

// columns of the table, besides the variant.
var columns = []column{
	{"acknowledged, then lost", func(v *Variant) string { return orders(v.AckedThenLost) }},
	{"stored twice", func(v *Variant) string { return orders(v.StoredTwice) }},
	{"never stored", func(v *Variant) string { return orders(v.NeverStored) }},
	{"time to acknowledge", ackTime},
}

func writeTable(b *strings.Builder, variants []Variant) {
	header := []string{"variant"}
	columns := columns
	if slices.ContainsFunc(variants, func(v Variant) bool { return v.Requests < v.RecordsInRequests }) {
		columns = append(slices.Clip(columns), requestColumn)
	}
	for _, c := range columns {
		header = append(header, c.title)
	}
	rows := [][]string{header}
	for i := range variants {
		row := []string{variants[i].Variant}
		for _, c := range columns {
			row = append(row, c.cell(&variants[i]))
		}
		rows = append(rows, row)
	}
	writeColumns(b, rows, len(header))
	b.WriteString(retryNote(variants))
}

// maxInCell is how many orders a cell of the table lists; more are counted there and listed below it.
const maxInCell = 6

func orders(ids []string) string {
	switch {
	case len(ids) == 0:
		return "none"
	case len(ids) == 1:
		return "order " + ids[0]
	case len(ids) > maxInCell:
		return strconv.Itoa(len(ids)) + " orders"
	}
	return "orders " + joined(ids)
}

// ackTime is how long a first attempt took: one number where all took the same, else the median and the longest.
func ackTime(v *Variant) string {
	l := v.AckLatencyMs
	switch {
	case l == nil:
		return "none"
	case l.Min == l.Max:
		return millis(l.Min) + " ms"
	}
	return millis(l.P50) + " ms, at most " + millis(l.Max) + " ms"
}

// retryNote says below the table how long it took where one attempt was not enough, or nothing.
func retryNote(variants []Variant) string {
	longest := 0.0
	for i := range variants {
		if l := variants[i].RetryLatencyMs; l != nil {
			longest = max(longest, l.Max)
		}
	}
	if longest == 0 {
		return ""
	}
	return "(time to acknowledge: at the first attempt; with a retry it took up to " + millis(longest) + " ms)\n"
}

// writeWords says about one run what its line in the table cannot.
func (v *Variant) writeWords(b *strings.Builder) {
	said := v.remarks()
	if len(said) == 0 {
		return
	}
	head := v.Variant
	if v.Note != "" {
		head += " (" + v.Note + ")"
	}
	b.WriteString("\n" + Wrap(head, "", ""))
	for _, remark := range said {
		b.WriteString(Wrap(remark, "  ", "    "))
	}
}

func (v *Variant) remarks() []string {
	var said []string
	for _, f := range facts {
		if ids := f.items(v); f.form == records && inTable(f.key) && len(ids) > maxInCell {
			said = append(said, f.title+": "+joined(ids))
		}
	}
	if len(v.Unknown) > 0 {
		said = append(said, "no answer yet when the run ended: "+joined(v.Unknown))
	}
	for _, s := range v.ShownEarly {
		said = append(said, s.Reader+" shows too early, before an earlier step of the same order: "+joined(s.Records))
	}
	if v.Expired > 0 {
		said = append(said, "deleted by retention: "+recordsText(v.Expired))
	}
	said = append(said, v.compactionWords()...)
	for _, s := range v.Skipped {
		said = append(said, s.Reader+" never sees "+recordsText(len(s.Records))+", which were gone before it came to them: "+between(s.Records))
	}
	for _, t := range v.ExpectedTradeoffs {
		said = append(said, "allowed by this configuration: "+t)
	}
	for i := range v.Violations {
		if v.Violations[i].Expected {
			said = append(said, v.Violations[i].text())
		}
	}
	said = append(said, v.Problems()...)
	switch {
	case v.Unanswered:
		said = append(said, "PARTIAL: the run is whole, and the many runs that survive and sweep ask for were interrupted")
	case v.Partial:
		said = append(said, fmt.Sprintf("PARTIAL: the run was left at %s, after %d events", v.End, v.Events))
	}
	return said
}

// compactionWords says what is left of the compacted topics, and who believes in what was deleted.
func (v *Variant) compactionWords() []string {
	c := v.Compaction
	if c == nil {
		return nil
	}
	said := []string{fmt.Sprintf("compacted topics: %s written, %d removed by the cleaner, %d left (of them old versions: %d, tombstones: %d)",
		recordsText(c.Records), c.Removed, c.Left, c.OldVersions, c.Tombstones)}
	for _, s := range c.Stale {
		said = append(said, s.Reader+" still believes in what was deleted, and can not learn of that any more: "+joined(s.Keys))
	}
	return said
}

func inTable(key string) bool {
	return key == "acked_then_lost" || key == "stored_twice" || key == "never_stored" ||
		key == "effects_twice" || key == "passed_over" || key == "reread"
}

func (broken *Violation) text() string {
	lead := "BROKEN PROMISE "
	if broken.Expected {
		lead = "broken on purpose: "
	}
	return lead + broken.Promise + " at " + broken.At + ": " + broken.Sentence
}

// Wrap breaks a text into lines, the first of which begins with head and the others with indent.
func Wrap(text, head, indent string) string {
	var b strings.Builder
	b.WriteString(head)
	column := utf8.RuneCountInString(head)
	for i, word := range strings.Fields(text) {
		width := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+width > textWidth:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += width
	}
	b.WriteByte('\n')
	return b.String()
}
