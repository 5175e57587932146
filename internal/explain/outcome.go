package explain

import (
	"fmt"

	"replog/internal/kafka"
	"replog/internal/outcome"
)

// outcomeLines is the outcome in words, and then what the configuration gave up.
func outcomeLines(o *outcome.Outcome) []Line {
	lines := []Line{{Text: fmt.Sprintf("%s handed over, %s acknowledged.", capital(count(o.Sent, "order")), number(o.Acked))}}
	lists := []struct {
		what   string
		always bool // an empty list is worth a line
		ids    []kafka.RecordID
	}{
		{"Acknowledged and then lost", true, o.AckedThenLost},
		{"Stored twice", true, o.StoredTwice},
		{"Never stored", true, o.NeverStored},
		{"Reported failed, although stored", false, o.FailedButStored},
		{"Without any answer at the end", false, o.Unknown},
		{"Retries recognised and not stored again", false, o.Recognised},
	}
	for _, l := range lists {
		if l.always || len(l.ids) > 0 {
			lines = append(lines, Line{Text: l.what + ": " + listed(l.ids, o.Names) + "."})
		}
	}
	if l := o.AckLatency; l != nil {
		lines = append(lines, Line{Text: "Time to acknowledge at the first attempt: " + latency(l, o.Names) + "."})
	}
	if l := o.RetryLatency; l != nil {
		lines = append(lines, Line{Text: "With retries: " + latency(l, o.Names) + "."})
	}
	lines = append(lines, groupLines(o)...)
	for i := range o.Tradeoffs {
		lines = append(lines, Line{Text: "Expected of this configuration: " + o.Tradeoffs[i].Text + "."})
	}
	for _, who := range o.Stuck {
		lines = append(lines, Line{Text: "Not at rest when the run ended: " + who + "."})
	}
	if len(o.Stuck) == 0 && len(o.Names.Faults) > 0 {
		lines = append(lines, Line{Text: "When the run ended every ISR was full, and every replica had what was acknowledged."})
	}
	return lines
}

func listed(ids []kafka.RecordID, names *kafka.Names) string {
	if len(ids) == 0 {
		return "none"
	}
	return fmt.Sprintf("%s (%s)", number(len(ids)), orders(ids, names))
}

func latency(l *outcome.Latency, names *kafka.Names) string {
	if l.Min == l.Max {
		return span(l.Min, names)
	}
	return fmt.Sprintf("%s to %s, half of them within %s", span(l.Min, names), span(l.Max, names), span(l.P50, names))
}
