package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// errBraces refuses to edit what is written in braces or brackets: a line of it is more than one thing.
var errBraces = errors.New("variants, expect or timeline are written in braces; write them on lines of their own")

// Fork is the text of a scenario file that goes another way from some moment on: the file with one variant, one entry
// more at the end of its timeline, and without what no longer holds, the expectations and the questions. Comments stay.
// The entry is YAML on one line; heading is a comment for the top of the file.
func (f *File) Fork(variant, entry, heading string) (string, error) {
	e := editor{lines: strings.Split(strings.TrimRight(f.source, "\n"), "\n")}
	e.cut(f.root, "expect", len(e.lines))
	e.cut(f.root, "ask", len(e.lines))
	e.keepVariant(f.root, variant)
	e.appendTo(f.root, "timeline", entry)
	if e.err != nil {
		return "", e.err
	}
	var b strings.Builder
	for _, line := range strings.Split(heading, "\n") {
		fmt.Fprintf(&b, "# %s\n", printable(line))
	}
	for i, line := range e.lines {
		if slices.Contains(e.gone, i) {
			continue
		}
		b.WriteString(line + "\n")
		for _, more := range e.added {
			if more.behind == i {
				b.WriteString(more.text + "\n")
			}
		}
	}
	return b.String(), nil
}

// editor notes what to do to the lines of a file; lines count from 0.
type editor struct {
	lines []string
	gone  []int
	added []addition
	err   error
}

type addition struct {
	behind int
	text   string
}

// span is the lines of an entry of a block mapping: from its key to the next key, without the comments above that one.
func (e *editor) span(n *node, at, end int) (from, to int) {
	from, to = n.entries[at].key.line-1, end
	if at+1 < len(n.entries) {
		to = n.entries[at+1].key.line - 1
	}
	if to <= from {
		e.err = errBraces
		return from, from
	}
	for to > from+1 && isRemark(e.lines[to-1]) {
		to--
	}
	return from, to
}

func isRemark(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#'
}

// cut takes an entry out of a block mapping that ends before the line end.
func (e *editor) cut(n *node, key string, end int) {
	for i := range n.entries {
		if n.entries[i].key.text != key {
			continue
		}
		from, to := e.span(n, i, end)
		for line := from; line < to; line++ {
			e.gone = append(e.gone, line)
		}
	}
}

// keepVariant takes out the other variants, and what this one expects.
func (e *editor) keepVariant(root *node, variant string) {
	at := slices.IndexFunc(root.entries, func(x entry) bool { return x.key.text == "variants" })
	if at < 0 || root.entries[at].value.kind != mapping {
		return
	}
	all := root.entries[at].value
	_, end := e.span(root, at, len(e.lines))
	for i := range all.entries {
		if all.entries[i].key.text != variant {
			e.cut(all, all.entries[i].key.text, end)
			continue
		}
		_, ends := e.span(all, i, end)
		e.cut(all.entries[i].value, "expect", ends)
	}
}

// appendTo adds an item to the end of a block sequence, or begins one.
func (e *editor) appendTo(root *node, key, item string) {
	at := slices.IndexFunc(root.entries, func(x entry) bool { return x.key.text == key })
	if at < 0 {
		e.added = append(e.added, addition{e.last(), key + ":\n  - " + item})
		return
	}
	items := root.entries[at].value.items
	if len(items) == 0 || items[0].line == root.entries[at].key.line {
		e.err = errBraces
		return
	}
	first := e.lines[items[0].line-1]
	dash := strings.IndexByte(first, '-')
	if dash < 0 || strings.TrimSpace(first[:dash]) != "" {
		e.err = errBraces
		return
	}
	_, to := e.span(root, at, len(e.lines))
	e.added = append(e.added, addition{to - 1, first[:dash] + "- " + item})
}

// last is the last line that stays.
func (e *editor) last() int {
	line := len(e.lines) - 1
	for line > 0 && slices.Contains(e.gone, line) {
		line--
	}
	return line
}

// Source is the text of the file.
func (f *File) Source() string { return f.source }
