package report

import (
	"fmt"
	"strings"

	"replog/internal/explain"
	"replog/internal/kafka"
)

// Prose is a text for a person: paragraphs, wrapped.
func Prose(text string) string {
	var paragraphs []string
	for _, p := range strings.Split(text, "\n\n") {
		paragraphs = append(paragraphs, Wrap(p, "", ""))
	}
	return strings.Join(paragraphs, "\n")
}

// Lines is a story, a sentence after the other, each with its time and tick in front.
func Lines(lines []explain.Line, names *kafka.Names) string { return lineByLine(lines, names, false) }

func lineByLine(lines []explain.Line, names *kafka.Names, rules bool) string {
	var b strings.Builder
	for i := range lines {
		l := &lines[i]
		when := ""
		if l.Seq != 0 {
			when = fmt.Sprintf("%s  tick %-6d ", names.Clock(l.At), l.At)
		}
		indent := strings.Repeat(" ", len(when))
		b.WriteString(Wrap(l.Text, when, indent))
		if rules && l.Rule != "" {
			b.WriteString(Wrap(l.Rule+" ("+l.Source+")", indent+"  ", indent+"  "))
		}
	}
	return b.String()
}

// Story is what became of one record, from its sending to its fate; with rules, each sentence has the rule of Kafka
// behind it, and where that stands.
func Story(s *explain.Story, names *kafka.Names, rules bool) string {
	return lineByLine(s.Lines, names, rules) + "\n" + Wrap(s.Verdict, "", "")
}

// Database says what the order database has to say about the orders that are stored twice: nothing, for it is right. It
// is the application's own record, which the log's second copies do not touch.
func (v *Variant) Database() string {
	switch n := len(v.StoredTwice); n {
	case 0:
		return ""
	case 1:
		return Wrap("The order database has this order once: placed once, paid once. Only the log has it twice.", "", "")
	default:
		return Wrap(fmt.Sprintf("The order database has each of these %d orders once: placed once, paid once. Only the log has them "+
			"twice: %s.", n, joined(v.StoredTwice)), "", "")
	}
}
