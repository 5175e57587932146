package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Working is one line of the working of a scenario, and what the run measured of it.
type Working struct {
	Say      string `json:"say"`
	Text     string `json:"text,omitempty"`
	Value    *int64 `json:"value"`
	Measured *int64 `json:"measured"`
	Unit     string `json:"unit,omitempty"`
	Of       int64  `json:"of,omitempty"`
}

// Reckon adds a line to the working of a run, beside the number that the run has for the fact.
func (v *Variant) Reckon(w Working, fact string) {
	if _, items := lookup(v, fact); len(items) == 1 {
		if n, err := strconv.ParseInt(items[0], 10, 64); err == nil {
			w.Measured = &n
		}
	}
	v.Working = append(v.Working, w)
}

// number is a value of the line in its unit.
func (w *Working) number(n *int64) string {
	switch {
	case n == nil:
		return ""
	case w.Unit == "bytes":
		return bytesText(*n)
	case w.Unit == "share":
		return fmt.Sprintf("%.3f %%", float64(*n)*100/float64(w.Of))
	}
	return thousands(*n)
}

// bytesText is a number of bytes as the lesson writes it: 1 KB is 1000 bytes.
func bytesText(n int64) string {
	for _, unit := range []struct {
		name string
		size int64
	}{{"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}} {
		if n >= unit.size {
			return fmt.Sprintf("%.2f %s", float64(n)/float64(unit.size), unit.name)
		}
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// writeWorking writes the working once, and what each run measured beside it.
func writeWorking(b *strings.Builder, variants []Variant) {
	if len(variants) == 0 || len(variants[0].Working) == 0 {
		return
	}
	header := []string{"", "the working", ""}
	for i := range variants {
		header = append(header, variants[i].Variant)
	}
	rows := [][]string{header}
	for i, line := range variants[0].Working {
		row := []string{line.Say, line.Text, line.number(line.Value)}
		for j := range variants {
			measured := ""
			if i < len(variants[j].Working) {
				measured = line.number(variants[j].Working[i].Measured)
			}
			row = append(row, measured)
		}
		rows = append(rows, row)
	}
	b.WriteString("\nThe working, and what each run measured:\n")
	writeColumns(b, rows, 2)
}

// writeColumns aligns the first columns to the left and the others, numbers, to the right.
func writeColumns(b *strings.Builder, rows [][]string, texts int) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < texts {
				line += cell + space + "   "
			} else {
				line += space + cell + "   "
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// recordsText counts records.
func recordsText(n int) string {
	if n == 1 {
		return "one record"
	}
	return thousands(int64(n)) + " records"
}

// between names the first and the last of some records.
func between(ids []string) string {
	if len(ids) <= maxInCell {
		return joined(ids)
	}
	return ids[0] + " to " + ids[len(ids)-1]
}
