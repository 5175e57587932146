package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Mistake is one thing that is wrong in a scenario, in words for the person who wrote it.
type Mistake struct {
	File    string
	Line    int    // 1-based; 0 when the mistake is in no line of the file
	Column  int    // 1-based, in characters
	Set     string // the --set it came from, as path=value; empty for a mistake of the file
	Message string
	Hint    string
	Excerpt string // the lines around, with a caret; empty without a line
}

// Error is the mistake with its place, the lines around it and the hint.
func (m Mistake) Error() string {
	var b strings.Builder
	switch {
	case m.Set != "" && m.Line > 0:
		fmt.Fprintf(&b, "--set %s: %s (%s:%d:%d)\n", m.Set, m.Message, m.File, m.Line, m.Column)
	case m.Set != "":
		fmt.Fprintf(&b, "--set %s: %s\n", m.Set, m.Message)
	case m.Line > 0:
		fmt.Fprintf(&b, "%s:%d:%d: %s\n", m.File, m.Line, m.Column, m.Message)
	default:
		fmt.Fprintf(&b, "%s: %s\n", m.File, m.Message)
	}
	b.WriteString(m.Excerpt)
	if m.Hint != "" {
		b.WriteString("hint: " + m.Hint + "\n")
	}
	return b.String()
}

// Errors are all mistakes of a scenario, in the order of their places.
type Errors []Mistake

// Error is the mistakes one after the other, with an empty line between them.
func (e Errors) Error() string {
	texts := make([]string, len(e))
	for i := range e {
		texts[i] = e[i].Error()
	}
	return strings.Join(texts, "\n")
}

// maxMistakes bounds how many mistakes are told: who made more of them has one cause for most.
const maxMistakes = 50

// mistakes collects what is wrong. The same words at the same place count once, however many variants run into them.
type mistakes struct {
	file  string
	lines []string
	list  Errors
	seen  map[Mistake]bool
	more  int // mistakes beyond maxMistakes
	// refused: the file uses something of YAML that no scenario may use, so that its tree is not what the author meant.
	refused bool
}

func newMistakes(file, text string) *mistakes {
	return &mistakes{file: printable(file), lines: strings.Split(text, "\n"), seen: map[Mistake]bool{}}
}

// report is a mistake at a node, with a hint (which may be empty).
func (m *mistakes) report(n *node, hint, format string, args ...any) {
	at := n.mark()
	m.add(Mistake{Line: at.line, Column: at.column, Set: n.set, Message: fmt.Sprintf(format, args...), Hint: hint}, at.width())
}

// add takes a mistake whose underlined part is width characters wide.
func (m *mistakes) add(one Mistake, width int) {
	one.File = m.file
	one.Set, one.Message, one.Hint = clip(printable(one.Set), 120), printable(one.Message), printable(one.Hint)
	switch {
	case m.seen[one]:
		return
	case len(m.list) == maxMistakes:
		m.more++
		return
	}
	m.seen[one] = true
	one.Excerpt = m.excerpt(one.Line, one.Column, width)
	m.list = append(m.list, one)
}

// full reports whether more mistakes would not be told.
func (m *mistakes) full() bool { return m.more > 0 }

// err is all mistakes, ordered by their places, or nil.
func (m *mistakes) err() error {
	if len(m.list) == 0 {
		return nil
	}
	slices.SortStableFunc(m.list, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if m.more > 0 {
		return append(slices.Clone(m.list), Mistake{File: m.file, Message: "and more mistakes than these"})
	}
	return m.list
}

const (
	linesBefore, linesAfter = 2, 1
	excerptWidth            = 100
)

// excerpt is the line of a mistake between its neighbours, with a caret below the place.
func (m *mistakes) excerpt(line, column, width int) string {
	if line < 1 || line > len(m.lines) {
		return ""
	}
	// A long line is shown from a little before the place, and the neighbours with it.
	skip := max(0, column-excerptWidth*3/4)
	var b strings.Builder
	for l := max(1, line-linesBefore); l <= min(len(m.lines), line+linesAfter); l++ {
		text := window(m.lines[l-1], skip)
		if l > line && strings.TrimSpace(text) == "" {
			continue
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("%5d | %s", l, text), " ") + "\n")
		if l == line {
			room := excerptWidth - (column - 1 - skip)
			marks := strings.Repeat("^", max(1, min(width, room)))
			b.WriteString("      | " + strings.Repeat(" ", max(0, column-1-skip)) + marks + "\n")
		}
	}
	return b.String()
}

// window is the part of a line that an excerpt shows: as many columns as characters, none of them a control character.
func window(line string, skip int) string {
	runes := []rune(line)
	runes = runes[min(skip, len(runes)):]
	return printable(string(runes[:min(excerptWidth, len(runes))]))
}

// printable is the text with every character that a terminal might obey replaced by a question mark.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsGraphic(r):
			return r
		}
		return '?'
	}, text)
}

// quoted is a text of the file inside a message, not longer than a line.
func quoted(text string) string { return strconv.Quote(clip(text, 60)) }

func clip(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	return string(runes[:limit]) + "…"
}
