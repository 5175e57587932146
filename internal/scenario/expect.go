package scenario

import (
	"strconv"
	"strings"
)

// Expect is one fact that must come out of a run.
type Expect struct {
	Field string // a key of the outcome: stored_twice, ack_latency_ms.min, violates ...
	// Count is how many records, or how many milliseconds; nil where IDs, Violates or None say what is expected.
	Count *int
	// IDs are exactly the records, by the scenario's own ids.
	IDs []string
	// None: there is no such value at all (a latency when nothing was acknowledged).
	None bool
	// Violates are the promises that must break (Field "violates").
	Violates []string
	Line     int // in the scenario file
	Column   int
}

// readExpect reads an expect block.
func readExpect(n *node, m *mistakes) []Expect {
	if n == nil {
		return nil
	}
	c := &compiler{mistakes: m}
	b := c.open(n, expectShape)
	var all []Expect
	for _, e := range b.node.entries {
		k := expectShape.find(e.key.text)
		if k == nil {
			continue
		}
		one := Expect{Field: k.name, Line: e.key.line, Column: e.key.column}
		switch k.form {
		case integerForm:
			one.None = e.value.kind == scalar && e.value.null
			if !one.None {
				one.Count = c.count(e.value, k.name)
			}
		case idsForm:
			if e.value.kind == sequence {
				one.IDs = c.recordIDs(e.value, k.name)
			} else {
				one.Count = c.count(e.value, k.name)
			}
		case nameForm:
			one.Violates = c.words(e.value, k.name)
		}
		all = append(all, one)
	}
	return all
}

func (c *compiler) count(n *node, what string) *int {
	text, ok := c.scalar(n, what)
	if !ok {
		return nil
	}
	count := int(c.number(text, what, 0, 0, maxNumber))
	return &count
}

// words is a list of words, or one word as a list.
func (c *compiler) words(n *node, what string) []string {
	items := oneOrMore(n)
	words := make([]string, len(items))
	for i, item := range items {
		if text, ok := c.scalar(item, what); ok {
			words[i] = text.text
		}
	}
	return words
}

// recordIDs is a list of record ids: order numbers, with the step behind them where orders have several records.
func (c *compiler) recordIDs(n *node, what string) []string {
	ids := c.words(n, what)
	for i, id := range ids {
		number, _, _ := strings.Cut(id, " ")
		if _, err := strconv.ParseUint(number, 10, 63); err != nil {
			c.report(n.items[i], "the number of an order", "%s: %s can not be a record", what, quoted(id))
		}
	}
	return ids
}
