package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Set is one value that the command line overrides: --set path=value.
type Set struct{ Path, Value string }

// ParseSet reads path=value. The value is YAML, so that it may be a list or a mapping too.
func ParseSet(text string) (Set, error) {
	path, value, found := strings.Cut(text, "=")
	if !found || strings.TrimSpace(path) == "" {
		return Set{}, fmt.Errorf("%s is not path=value, as in params.lag=10", quoted(text))
	}
	return Set{strings.TrimSpace(path), strings.TrimSpace(value)}, nil
}

// String is the set as one writes it.
func (s Set) String() string { return s.Path + "=" + s.Value }

// apply puts the value of a --set into a tree, or reports why it can not.
func (s Set) apply(root *node, m *mistakes) *node {
	text := s.String()
	own := newMistakes("", "")
	value := &node{null: true, verbatim: true}
	if strings.TrimSpace(s.Value) != "" {
		value = parse([]byte(s.Value), own)
	}
	for _, mistake := range own.list {
		m.add(Mistake{Set: text, Message: mistake.Message, Hint: mistake.Hint}, 1)
	}
	if len(own.list) > 0 {
		return root
	}
	value.from(text)
	return override(root, &node{text: s.Path, set: text}, value, m)
}

// from marks a tree as the value of a --set: its places are none of the file's.
func (n *node) from(set string) {
	n.set, n.line, n.column, n.verbatim = set, 0, 0, n.verbatim && n.kind == scalar
	for _, e := range n.entries {
		e.key.from(set)
		e.value.from(set)
	}
	for _, item := range n.items {
		item.from(set)
	}
}

// override is the tree with another value at a path. What lies beside the path is shared with the tree, which stays as it
// was. A path that leads nowhere is reported, and the tree comes back unchanged.
//
// A path is the keys on the way, joined by dots. Names and keys may have dots themselves: the longest one that fits is
// taken, and all that follows config is one setting.
func override(root, path, value *node, m *mistakes) *node {
	o := overrider{path: path, value: value, mistakes: m}
	if slices.Contains(strings.Split(path.text, "."), "") {
		o.fail("as in params.lag or timeline.0.at", "a path is names joined by dots")
		return root
	}
	changed := o.inBlock(root, fileShape, path.text)
	if o.failed {
		return root
	}
	return changed
}

// overrider walks down a path. Each of its methods returns the node that takes the place of n, where n may be nil.
type overrider struct {
	*mistakes
	path, value *node
	failed      bool
}

func (o *overrider) fail(hint, format string, args ...any) *node {
	o.failed = true
	o.report(o.path, hint, format, args...)
	return nil
}

// at goes on in the value of a key, with the rest of the path.
func (o *overrider) at(n *node, k *key, rest string) *node {
	switch {
	case rest == "" && k.form == paramsForm:
		return o.fail("as in params.lag", "params are set one by one")
	case rest == "":
		return o.value
	}
	switch k.form {
	case blockForm:
		return o.inBlock(n, k.of, rest)
	case namedForm:
		return o.inNamed(n, k, rest)
	case paramsForm:
		if n == nil || n.get(rest) == nil {
			return o.fail(DidYouMean(rest, n.keys()), "there is no parameter %s", quoted(rest))
		}
		if o.value.kind != scalar {
			return o.fail("", "parameter %s takes a single value, not %s", rest, o.value.kind)
		}
		return o.with(n, rest, o.value)
	case configForm, offsetsForm:
		return o.with(n, rest, o.value)
	case latencyForm:
		if n != nil && n.kind == mapping {
			return o.inBlock(n, k.of, rest)
		}
	}
	if n != nil && n.kind == sequence {
		return o.inList(n, k, rest)
	}
	return o.fail("set "+k.name+" as a whole", "%s has no part %s", k.name, quoted(rest))
}

func (o *overrider) inBlock(n *node, s *shape, path string) *node {
	name, rest := longestKey(path, s.names())
	if name == "" {
		word, _, _ := strings.Cut(path, ".")
		return o.fail(DidYouMean(word, s.names()), "there is no key %s in %s", quoted(word), s.name)
	}
	k := s.find(name)
	if k.told {
		return o.fail("", "%s is for the reader: it decides nothing in a run", name)
	}
	return o.with(n, name, o.at(n.get(name), k, rest))
}

func (o *overrider) inNamed(n *node, k *key, path string) *node {
	name, rest := longestKey(path, n.keys())
	if name == "" {
		word, _, _ := strings.Cut(path, ".")
		return o.fail(DidYouMean(word, n.keys()), "there is nothing called %s in %s", quoted(word), k.name)
	}
	return o.with(n, name, o.at(n.get(name), &key{name: name, form: blockForm, of: k.of}, rest))
}

// inList goes on in an item of a list, which is called by its place, from 0, or by its name.
func (o *overrider) inList(n *node, k *key, path string) *node {
	var names []string
	for i, item := range n.items {
		names = append(names, strconv.Itoa(i))
		if name := item.get("name"); name != nil {
			names = append(names, name.text)
		}
	}
	name, rest := longestKey(path, names)
	at := slices.IndexFunc(n.items, func(item *node) bool { own := item.get("name"); return own != nil && own.text == name })
	if number, err := strconv.Atoi(name); at < 0 && err == nil {
		at = number
	}
	if name == "" || at < 0 {
		word, _, _ := strings.Cut(path, ".")
		return o.fail(DidYouMean(word, names), "%s has no item %s", k.name, quoted(word))
	}
	item := &key{name: k.name + "." + name}
	if k.form == listForm {
		item.form, item.of = blockForm, k.of
	}
	changed := *n
	changed.items = slices.Clone(n.items)
	changed.items[at] = o.at(n.items[at], item, rest)
	return &changed
}

// with is a mapping with another value under a key.
func (o *overrider) with(n *node, name string, value *node) *node {
	if n == nil || n.null {
		n = &node{kind: mapping, line: o.path.line, column: o.path.column, set: o.path.set}
	}
	if n.kind != mapping {
		return o.fail("", "%s is %s: there is nothing inside to set", name, n.kind)
	}
	changed := *n
	changed.entries = slices.Clone(n.entries)
	for i := range changed.entries {
		if changed.entries[i].key.text == name {
			changed.entries[i].value = value
			return &changed
		}
	}
	key := &node{text: name, line: o.path.line, column: o.path.column, set: o.path.set}
	changed.entries = append(changed.entries, entry{key, value})
	return &changed
}

// longestKey is the longest of the names with which a path begins, and the path behind it; "" where there is none.
func longestKey(path string, names []string) (name, rest string) {
	for _, candidate := range names {
		if len(candidate) < len(name) || candidate == "" {
			continue
		}
		if after, found := strings.CutPrefix(path, candidate); found && (after == "" || after[0] == '.') {
			name, rest = candidate, strings.TrimPrefix(after, ".")
		}
	}
	return name, rest
}
