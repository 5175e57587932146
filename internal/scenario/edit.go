package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"replog/internal/kafka"
)

// errBraces refuses to edit what is written in braces or brackets: a line of it is more than one thing.
var errBraces = errors.New("variants, expect or timeline are written in braces; write them on lines of their own")

// Turn is where a run goes another way.
type Turn struct {
	Variant string
	Heading string // a comment for the top of the file
	Entry   string // for the timeline, YAML on one line
	// Broker is the one that the entry kills or starts, and After the time of it: what the timeline does to that broker
	// later is left out. Empty for other entries.
	Broker string
	After  kafka.Tick
}

// Fork is the text of a scenario file that goes another way from some moment on: the file with one variant, one entry
// more at the end of its timeline, and without what no longer holds: the expectations, the questions, the lesson, and what many
// runs are to find out. Comments stay.
func (f *File) Fork(t Turn) (string, error) {
	e := editor{lines: strings.Split(strings.TrimRight(f.source, "\n"), "\n")}
	searches := []string{"survive", "sweep"} // of many runs, where this is one
	for _, key := range append([]string{"expect", "ask", "remember"}, searches...) {
		e.cut(f.root, key, len(e.lines))
	}
	var lives []int
	if t.Broker != "" {
		lives = f.livesAfter(t)
	}
	e.cutItems(f.root, "timeline", lives)
	e.keepVariant(f.root, t.Variant, append(searches, pathsOf(f.root.get("timeline"), lives)...))
	e.appendTo(f.root, "timeline", t.Entry)
	if e.err != nil {
		return "", e.err
	}
	return e.text(t.Heading), nil
}

// livesAfter lists the timeline entries that kill or start the turn's broker later, by their places.
func (f *File) livesAfter(t Turn) []int {
	at := f.find(t.Variant)
	if at < 0 {
		return nil
	}
	root, nobody := f.root, newMistakes("", "")
	for _, e := range f.variants[at].set {
		root = override(root, e.key, e.value, nobody)
	}
	c := newCompiler(root, nobody)
	file := c.open(root, fileShape)
	c.readParams(file.get("params"))
	c.readClock(file)
	timeline := file.get("timeline")
	if timeline == nil {
		return nil
	}
	var places []int
	for i, item := range timeline.items {
		broker := item.get("crash")
		if broker == nil {
			broker = item.get("restart")
		}
		if broker != nil && broker.text == t.Broker && c.instant(item.get("at"), "at", 0) >= t.After {
			places = append(places, i)
		}
	}
	return places
}

// pathsOf are the beginnings of the paths to some items of the timeline.
func pathsOf(timeline *node, places []int) []string {
	var paths []string
	for _, i := range places {
		paths = append(paths, fmt.Sprintf("timeline.%d.", i))
		if name := timeline.items[i].get("name"); name != nil {
			paths = append(paths, "timeline."+name.text+".")
		}
	}
	return paths
}

// text is the edited file.
func (e *editor) text(heading string) string {
	var b strings.Builder
	for _, line := range strings.Split(heading, "\n") {
		fmt.Fprintf(&b, "# %s\n", printable(line))
	}
	for i, line := range e.lines {
		if !slices.Contains(e.gone, i) {
			b.WriteString(line + "\n")
		}
		for _, more := range e.added {
			if more.behind == i {
				b.WriteString(more.text + "\n")
			}
		}
	}
	return b.String()
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

// cutItems takes items out of a block sequence.
func (e *editor) cutItems(root *node, key string, places []int) {
	at := slices.IndexFunc(root.entries, func(x entry) bool { return x.key.text == key })
	if at < 0 || len(places) == 0 {
		return
	}
	items := root.entries[at].value.items
	_, end := e.span(root, at, len(e.lines))
	for _, i := range places {
		from, to := items[i].line-1, end
		if i+1 < len(items) {
			to = items[i+1].line - 1
		}
		for to > from+1 && isRemark(e.lines[to-1]) {
			to--
		}
		if to <= from {
			e.err = errBraces
		}
		for line := from; line < to; line++ {
			e.gone = append(e.gone, line)
		}
	}
}

// keepVariant takes out the other variants, and of this one what it expects and what it sets below some paths.
func (e *editor) keepVariant(root *node, variant string, paths []string) {
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
		kept := all.entries[i].value
		e.cut(kept, "expect", ends)
		e.cutSets(kept, ends, paths)
	}
}

// cutSets takes out what a variant sets below some paths; when nothing is left, set goes as a whole.
func (e *editor) cutSets(variant *node, end int, paths []string) {
	at := slices.IndexFunc(variant.entries, func(x entry) bool { return x.key.text == "set" })
	if at < 0 || len(paths) == 0 {
		return
	}
	below := func(x entry) bool {
		return slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(x.key.text, p) })
	}
	set := variant.entries[at].value
	_, ends := e.span(variant, at, end)
	if !slices.ContainsFunc(set.entries, func(x entry) bool { return !below(x) }) {
		e.cut(variant, "set", end)
		return
	}
	for _, x := range set.entries {
		if below(x) {
			e.cut(set, x.key.text, ends)
		}
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
