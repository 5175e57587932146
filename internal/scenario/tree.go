package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

const (
	// maxBytes bounds a file, maxDepth its nesting: more is a mistake or an attack, and either costs time to read.
	maxBytes = 256 << 10
	maxDepth = 24
)

type kind uint8

const (
	scalar kind = iota
	mapping
	sequence
)

var kindNames = [...]string{"a single value", "a mapping", "a list"}

func (k kind) String() string { return kindNames[k] }

// node is one value of a scenario file and where it stands. Nodes are shared between variants and never change; an
// override copies the nodes on its way.
type node struct {
	kind         kind
	null         bool    // scalar: no value
	verbatim     bool    // scalar: text stands in the file as it is, so places inside it are known
	text         string  // scalar
	entries      []entry // mapping
	items        []*node // sequence
	line, column int
	key          *node  // under which it stands in its mapping; nil for an item of a list, and for what a --set puts in
	set          string // the --set it came from, as path=value
}

// entry is a key of a mapping and its value.
type entry struct{ key, value *node }

// mark is where a mistake of the whole of the node is shown: of a mapping by its key or, in a list, by its first key.
func (n *node) mark() *node {
	switch {
	case n.kind != mapping:
		return n
	case n.key != nil:
		return n.key
	case len(n.entries) > 0:
		return n.entries[0].key
	}
	return n
}

// width is how many characters of its line a node takes, as far as that is known.
func (n *node) width() int {
	if n.kind == scalar && n.verbatim {
		return max(1, utf8.RuneCountInString(n.text))
	}
	return 1
}

// get is the value under a key of a mapping, or nil; also of what is no mapping, or not there at all.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i := range n.entries {
		if n.entries[i].key.text == key {
			return n.entries[i].value
		}
	}
	return nil
}

// keys are the keys of a mapping, in its order.
func (n *node) keys() []string {
	if n == nil {
		return nil
	}
	keys := make([]string, len(n.entries))
	for i := range n.entries {
		keys[i] = n.entries[i].key.text
	}
	return keys
}

// parse reads one YAML document into a tree, or reports why it can not be one. It returns nil when there is no tree.
func parse(data []byte, m *mistakes) *node {
	if at, problem := unreadable(data); problem != "" {
		line, column := position(data, at)
		m.add(Mistake{Line: line, Column: column, Message: problem}, 1)
		return nil
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data), yaml.WithPlugin(depthLimit{}))
	if err != nil {
		panic("scenario: the YAML loader refuses its options: " + err.Error())
	}
	var document, second yaml.Node
	if err := loader.Load(&document); err != nil || document.Kind != yaml.DocumentNode {
		reportYAML(err, m)
		return nil
	}
	if err := loader.Load(&second); !errors.Is(err, io.EOF) {
		if err != nil {
			reportYAML(err, m)
		} else {
			m.add(Mistake{Line: second.Line, Column: second.Column, Message: "a second document begins here",
				Hint: "a scenario file holds one document; variants: holds what differs"}, 1)
		}
		return nil
	}
	root := convert(document.Content[0], m)
	if m.refused {
		return nil
	}
	return root
}

// unreadable finds the first place from which data is no text that a scenario may hold.
func unreadable(data []byte) (at int, problem string) {
	if len(data) > maxBytes {
		return 0, fmt.Sprintf("the file has %d bytes; a scenario has at most %d", len(data), maxBytes)
	}
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			return at, "this is not text: a byte that is not UTF-8"
		case unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r':
			return at, fmt.Sprintf("control character %U", r)
		}
		at += size
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return 0, "the file is empty"
	}
	return 0, ""
}

func position(data []byte, at int) (line, column int) {
	before := data[:at]
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

// depthLimit stops the YAML parser where nesting goes too deep.
type depthLimit struct{}

// CheckDepth implements the parser's limits.
func (depthLimit) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > maxDepth {
		return fmt.Errorf("nested more than %d levels deep", maxDepth)
	}
	return nil
}

// CheckAlias implements the parser's limits: convert refuses every alias, at its place.
func (depthLimit) CheckAlias(int, int) error { return nil }

func reportYAML(err error, m *mistakes) {
	var load *yaml.LoadError
	switch {
	case err == nil, errors.Is(err, io.EOF):
		m.add(Mistake{Message: "the file holds no scenario, only comments"}, 1)
	case errors.As(err, &load):
		hint := ""
		if strings.Contains(load.Message, "cannot start any token") {
			hint = "YAML is indented with spaces, not with tabs, and a text that begins with % @ or ` needs quotes"
		}
		m.add(Mistake{Line: max(1, load.Mark.Line), Column: max(1, load.Mark.Column),
			Message: "this is not YAML: " + load.Message, Hint: hint}, 1)
	default:
		m.add(Mistake{Line: 1, Column: 1, Message: "this is not YAML: " + err.Error()}, 1)
	}
}

// convert takes over a YAML node, refusing what a scenario has no use for: anchors, aliases, tags, merge keys, keys that
// are no plain text, keys that stand twice, control characters.
func convert(y *yaml.Node, m *mistakes) *node {
	n := &node{line: y.Line, column: y.Column}
	m.refused = m.refused || y.Kind == yaml.AliasNode || y.Anchor != "" || y.Style&yaml.TaggedStyle != 0
	switch {
	case y.Kind == yaml.AliasNode:
		m.report(n, "write the value out", "aliases (*%s) are not taken", clip(y.Value, 30))
	case y.Anchor != "":
		m.report(n, "write the value out where it is needed", "anchors (&%s) are not taken", clip(y.Anchor, 30))
	case y.Style&yaml.TaggedStyle != 0:
		m.report(n, "", "tags (%s) are not taken", clip(y.Tag, 30))
	}
	switch y.Kind {
	case yaml.MappingNode:
		n.kind = mapping
		convertEntries(n, y, m)
	case yaml.SequenceNode:
		n.kind = sequence
		for _, item := range y.Content {
			n.items = append(n.items, convert(item, m))
		}
	case yaml.ScalarNode:
		n.text, n.null, n.verbatim = y.Value, y.Tag == "!!null", y.Style == 0
		checkedCharacters(n, m)
	}
	return n
}

func convertEntries(n *node, y *yaml.Node, m *mistakes) {
	first := map[string]int{}
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := convert(y.Content[i], m)
		value := convert(y.Content[i+1], m)
		line, twice := first[key.text]
		switch {
		case key.kind != scalar || y.Content[i].Kind == yaml.AliasNode:
			m.report(key, "", "a key must be a single word or text")
		case y.Content[i].Tag == "!!merge":
			m.refused = true
			m.report(key, "write the keys out", "merge keys (<<) are not taken")
		case twice:
			m.report(key, fmt.Sprintf("it stands in line %d already", line), "key %s stands twice", quoted(key.text))
		default:
			first[key.text] = key.line
			value.key = key
			n.entries = append(n.entries, entry{key, value})
		}
	}
}

// checkedCharacters refuses what could command a terminal or hide in a text; a YAML escape can smuggle in any character.
func checkedCharacters(n *node, m *mistakes) bool {
	for _, r := range n.text {
		if !unicode.IsGraphic(r) && r != '\n' {
			m.report(n, "", "the text holds the character %U, which is not printable", r)
			return false
		}
	}
	return true
}
