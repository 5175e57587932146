package scenario

import (
	"slices"
	"strings"

	"replog/internal/kafka"
)

// setWords stores a list of words that an author wrote: as a list, or in one value with commas between them.
func (c *compiler) setWords(n *node, s *kafka.Setting, name string, into *[]string) {
	var items []*node
	for _, item := range oneOrMore(n) {
		text, ok := c.scalar(item, name)
		if !ok {
			return
		}
		for _, word := range strings.Split(text.text, ",") {
			one := *text
			one.text = strings.TrimSpace(word)
			items = append(items, &one)
		}
	}
	if len(items) == 0 {
		c.report(n, strings.Join(s.Choices, ", "), "%s names nothing", name)
		return
	}
	var words []string
	for _, item := range items {
		switch {
		case !slices.Contains(s.Choices, item.text):
			c.report(item, DidYouMean(item.text, s.Choices), "%s can not have %s", name, quoted(item.text))
		case slices.Contains(words, item.text):
			c.report(item, "", "%s names %s twice", name, item.text)
		default:
			words = append(words, item.text)
		}
	}
	*into = words
}

// resetField is what auto.offset.reset fills.
type resetField struct {
	reset *kafka.OffsetReset
	ticks *kafka.Tick
}

// setDuration stores how far back by_duration begins, and returns the setting's value without that.
func (c *compiler) setDuration(n *node, into *resetField) string {
	const byDuration = "by_duration"
	length, found := strings.CutPrefix(n.text, byDuration)
	if !found {
		return n.text
	}
	length, found = strings.CutPrefix(length, ":")
	micros, ok := parseDuration(length)
	switch {
	case !found || !ok:
		c.report(n, "write by_duration:PT1H for an hour, by_duration:P2D for two days", "auto.offset.reset has no duration in %s",
			quoted(n.text))
	case micros > 0:
		*into.ticks = c.ticks(n, "auto.offset.reset", micros, *into.ticks)
	}
	return byDuration
}
