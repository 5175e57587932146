// Package explain says why: the causes of one event back to the fault or the application that began it, the story of one
// record from its sending to its fate, and the story of a whole run, in sentences that each name the event behind them.
//
// Its one rule: every sentence rests on an event of the log, and what the log does not say is not said. It reads the log
// once from the beginning to the end, however long it is.
package explain

import (
	"fmt"
	"strings"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Line is one sentence of a story and the event that it rests on.
type Line struct {
	Seq  event.Seq // 0 where the sentence sums up the whole run
	At   kafka.Tick
	Text string
	// Rule is the rule behind the event and Source where it stands.
	Rule, Source string
}

// Clocked is the line with its time, tick and event number in front.
func (l *Line) Clocked(names *kafka.Names) string {
	if l.Seq == 0 {
		return l.Text
	}
	return fmt.Sprintf("%-12s  tick %-6d #%-6d %s", names.Clock(l.At), l.At, l.Seq, l.Text)
}

func lineOf(e *event.Event, text string) Line {
	spec := e.Kind.Spec()
	return Line{Seq: e.Seq, At: e.At, Text: text, Rule: spec.Rule, Source: spec.Source}
}

// Event is what one event says, with the rule behind it. The line is empty where the log has no such event.
func Event(log *event.Log, names *kafka.Names, seq event.Seq) Line {
	e := log.Get(seq)
	if e == nil {
		return Line{}
	}
	return lineOf(e, capital(event.Sentence(e, log.Records(e), names))+".")
}

// Chain lists an event, its cause, the cause of that, and so on back to the root: a fault, an action of an application,
// a timer that started with the run.
func Chain(log *event.Log, names *kafka.Names, seq event.Seq) []event.Seq {
	var chain []event.Seq
	for e := log.Get(seq); e != nil; e = log.Get(seq) {
		chain = append(chain, e.Seq)
		if seq = Because(log, names, e); seq >= e.Seq {
			break
		}
	}
	return chain
}

// Text is a story as a person reads it, a sentence a line.
func Text(lines []Line, names *kafka.Names) string {
	var b strings.Builder
	for i := range lines {
		b.WriteString(lines[i].Clocked(names))
		b.WriteByte('\n')
	}
	return b.String()
}
