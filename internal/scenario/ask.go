package scenario

import (
	"slices"
	"strings"

	"replog/internal/until"
)

// Ask is a question to the class. The run stops, somebody picks an answer, the run goes on, and the event comes that
// proves what is right.
type Ask struct {
	// Stop lists moments; the run stops at the one that comes first, or just before it.
	Stop   []string
	Before bool
	Text   string
	// Choices are the answers to choose from, two to four.
	Choices []AskChoice
	// Right is the index of the right one.
	Right int
	// Proof lists moments; the one that comes first proves the answer.
	Proof []string
	// Variants are those that ask; none means all.
	Variants []string
}

// AskChoice is one answer, and a word on why it is right, or wrong.
type AskChoice struct{ Text, Why string }

// letters are the names of the choices.
var askLetters = []string{"a", "b", "c", "d"}

// Asks are the questions that a variant asks, in the order of the file.
func (f *File) Asks(variant string) []Ask {
	var asks []Ask
	for _, a := range f.asks {
		if a.Variants == nil || slices.Contains(a.Variants, variant) {
			asks = append(asks, a)
		}
	}
	return asks
}

// readAsks reads the questions, without looking at the moments that they name.
func (c *compiler) readAsks(n *node, variants []string) []Ask {
	if n == nil || !c.is(n, sequence, "ask") {
		return nil
	}
	var asks []Ask
	for _, item := range n.items {
		b := c.open(item, askShape)
		a := Ask{Text: b.sentence("question"), Before: b.get("before") != nil}
		for _, key := range []string{"at", "before"} {
			if n := b.get(key); n != nil {
				a.Stop = c.words(n, key)
			}
		}
		if (b.get("at") == nil) == (b.get("before") == nil) {
			c.report(item, "at: a time; before: what is about to happen", "a question needs one of the keys at and before")
		}
		a.Choices = c.readChoices(b.get("choices"))
		a.Right = max(0, slices.Index(askLetters, b.choice("answer", askLetters...)))
		if n := b.get("answer"); n != nil && a.Right >= len(a.Choices) && len(a.Choices) > 0 {
			c.report(n, "", "there is no choice %s", quoted(n.text))
		}
		if n := b.get("proof"); n != nil {
			a.Proof = c.words(n, "proof")
		}
		a.Variants = c.readAskVariants(b.get("variants"), variants)
		asks = append(asks, a)
	}
	return asks
}

func (c *compiler) readChoices(n *node) []AskChoice {
	if n == nil || !c.is(n, sequence, "choices") {
		return nil
	}
	if len(n.items) < 2 || len(n.items) > len(askLetters) {
		c.report(n, "", "a question has two to four choices, not %d", len(n.items))
		return nil
	}
	var choices []AskChoice
	for _, item := range n.items {
		b := c.open(item, choiceShape)
		choices = append(choices, AskChoice{Text: b.sentence("text"), Why: b.sentence("why")})
	}
	return choices
}

func (c *compiler) readAskVariants(n *node, known []string) []string {
	if n == nil {
		return nil
	}
	names := c.words(n, "variants")
	for i, name := range names {
		if !slices.Contains(known, name) {
			c.report(oneOrMore(n)[i], DidYouMean(name, known), "there is no variant %s", quoted(name))
		}
	}
	return names
}

// checkAsks holds the moments that questions name against a plan: its orders, partitions, brokers, its start.
func (c *compiler) checkAsks(n *node) {
	if n == nil || n.kind != sequence {
		return
	}
	for _, item := range n.items {
		if item.kind != mapping {
			continue
		}
		b := block{c, item, askShape}
		if at := b.instant("at", 0); b.get("at") != nil && at > c.plan.End {
			c.report(b.get("at"), "", "this is after the end of the run")
		}
		for _, key := range []string{"before", "proof"} {
			if n := b.get(key); n != nil && !n.null {
				c.checkMoments(n)
			}
		}
	}
}

func (c *compiler) checkMoments(n *node) {
	for _, item := range oneOrMore(n) {
		if item.kind != scalar {
			continue
		}
		if _, err := until.Parse(item.text, &c.names); err != nil {
			c.report(item, "", "%s", strings.TrimSpace(err.Error()))
		}
	}
}
