package scenario

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxExprBytes = 500
	// maxExpanded bounds the text that expressions may make in one plan, lest a short file grow without end.
	maxExpanded = 1 << 20
)

// params are the values of the block params, in its order.
type params struct {
	names  []string
	values []value
	sets   []string // the --set that a value came from, or ""
}

func (p *params) known() []string { return p.names }

func (p *params) lookup(name string) (value, bool) {
	if i := slices.Index(p.names, name); i >= 0 {
		return p.values[i], true
	}
	return value{}, false
}

// readParams reads the block params. Its values are single values as they stand, without expressions.
func (c *compiler) readParams(n *node) {
	if n == nil || !c.is(n, mapping, "params") {
		return
	}
	for _, e := range n.entries {
		name := e.key.text
		switch {
		case !isName(name) || reserved(name) || name == orderName:
			c.report(e.key, "letters, digits and _, not a word of the expressions", "%s can not be the name of a parameter",
				quoted(name))
		case e.value.kind != scalar:
			c.report(e.value, "", "parameter %s takes a single value, not %s", name, e.value.kind)
		default:
			c.params.names = append(c.params.names, name)
			c.params.values = append(c.params.values, literal(e.value))
			c.params.sets = append(c.params.sets, e.value.set)
		}
	}
}

func isName(word string) bool {
	return word != "" && strings.IndexByte(digits, word[0]) < 0 && strings.Trim(word, letters+digits) == ""
}

// literal is what a scalar is worth by itself.
func literal(n *node) value {
	switch {
	case n.null:
		return value{}
	case !n.verbatim:
		return textValue(n.text)
	case n.text == "true" || n.text == "false":
		return boolValue(n.text == "true")
	}
	if number, err := strconv.ParseInt(n.text, 10, 64); err == nil {
		return intValue(number)
	}
	return textValue(n.text)
}

// part is a piece of a scalar: literal text, or an expression.
type part struct {
	text string
	expr *expr // nil for text
	at   int   // byte offset of the expression in the scalar
}

// split cuts a scalar into its literal texts and its $(expressions), or reports what is wrong with them.
func (c *compiler) split(n *node) (parts []part, ok bool) {
	rest := n.text
	for {
		before, _, found := strings.Cut(rest, "$(")
		if before != "" {
			parts = append(parts, part{text: before})
		}
		if !found {
			return parts, true
		}
		at := len(n.text) - len(rest) + len(before) + 2
		length := closing(n.text[at:])
		switch {
		case length < 0:
			c.reportInside(n, &exprError{at: at - 2, message: "$( without its closing parenthesis"})
			return nil, false
		case length > maxExprBytes:
			c.reportInside(n, &exprError{at: at, message: "the expression is too long"})
			return nil, false
		}
		e, err := parseExpr(n.text[at : at+length])
		if err != nil {
			err.at += at
			c.reportInside(n, err)
			return nil, false
		}
		parts = append(parts, part{expr: e, at: at})
		rest = n.text[at+length+1:]
	}
}

// closing is the offset of the parenthesis that closes an expression, or -1.
func closing(source string) int {
	depth, quoted := 0, false
	for i := range len(source) {
		switch {
		case source[i] == '"':
			quoted = !quoted
		case quoted:
		case source[i] == '(':
			depth++
		case source[i] == ')':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// expand is the scalar with the values of its expressions put in. The result stands at the same place, and is null where
// the scalar is a single expression that is null.
func (c *compiler) expand(n *node) (expanded *node, ok bool) {
	if !strings.Contains(n.text, "$(") {
		return n, true
	}
	parts, ok := c.split(n)
	if !ok {
		return n, false
	}
	out := &node{line: n.line, column: n.column, set: n.set}
	var b strings.Builder
	for _, p := range parts {
		if p.expr == nil {
			b.WriteString(p.text)
			continue
		}
		out.set = c.blame(p.expr, out.set)
		v, err := p.expr.eval(&c.params)
		if err != nil {
			err.at += p.at
			c.reportInside(&node{text: n.text, verbatim: n.verbatim, line: n.line, column: n.column, set: out.set}, err)
			return n, false
		}
		out.null = v.kind == nullKind && len(parts) == 1
		b.WriteString(v.String())
	}
	out.text = b.String()
	if c.expanded += len(out.text); c.expanded > maxExpanded {
		c.report(n, "", "the parameters make this scenario too large")
		return n, false
	}
	return out, checkedCharacters(out, c.mistakes)
}

// blame is the --set that decides a parameter which the expression uses, or what was blamed before.
func (c *compiler) blame(e *expr, before string) string {
	if e.op == "name" {
		if i := slices.Index(c.params.names, e.name); i >= 0 && c.params.sets[i] != "" {
			return c.params.sets[i]
		}
	}
	for _, arg := range e.args {
		before = c.blame(arg, before)
	}
	return before
}

// reportInside is a mistake inside a scalar, at the place itself where it can be told.
func (c *compiler) reportInside(n *node, err *exprError) {
	one := Mistake{Line: n.line, Column: n.column, Set: n.set, Message: err.message, Hint: err.hint}
	if n.verbatim && !strings.Contains(n.text, "\n") {
		one.Column += utf8.RuneCountInString(n.text[:min(err.at, len(n.text))])
	}
	c.add(one, 1)
}
