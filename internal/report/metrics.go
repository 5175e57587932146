package report

import (
	"fmt"
	"slices"
	"strings"

	"replog/internal/kafka"
	"replog/internal/metrics"
)

// Metrics are what an operator would have watched, and what it was around each fault.
type Metrics struct {
	metrics.Metrics
	Around []Around `json:"around_faults"`
}

// Around is what changed between something of the timeline and the next thing of it.
type Around struct {
	At      string   `json:"at"`
	Fault   string   `json:"fault"`
	Changes []Change `json:"changes"`
}

// Change is one metric: what it was, and what it had become.
type Change struct {
	Metric string `json:"metric"`
	Was    int    `json:"was"`
	Now    int    `json:"now"`
}

// Watched is the report of what an operator would have watched. Faults around which nothing changed are left out.
func Watched(m *metrics.Metrics, names *kafka.Names) *Metrics {
	w := &Metrics{Metrics: *m, Around: []Around{}}
	for i := range m.Around {
		a := &m.Around[i]
		one := Around{At: names.Clock(a.At), Fault: names.Fault(a.Fault)}
		if a.Ended {
			one.Fault = "over: " + one.Fault
		}
		for k, name := range metrics.Names() {
			if a.Was[k] != a.Now[k] {
				one.Changes = append(one.Changes, Change{name, a.Was[k], a.Now[k]})
			}
		}
		if one.Changes != nil {
			w.Around = append(w.Around, one)
		}
	}
	return w
}

// maxAround bounds the faults that are told.
const maxAround = 20

// metricLines are the metrics that are not zero all the time, and their changes around each fault.
func metricLines(v *Variant) []string {
	if v.Metrics == nil {
		return nil
	}
	return append(v.Metrics.summary(), v.Metrics.around()...)
}

// summary has a phrase for each metric that is not zero all the time.
func (m *Metrics) summary() []string {
	var all []string
	most, end := m.Most(), m.Readings()
	for i, name := range metrics.Names() {
		switch {
		case most[i] == 0:
		case metrics.IsCount(i):
			all = append(all, fmt.Sprintf("%s %d", name, most[i]))
		default:
			all = append(all, fmt.Sprintf("%s at most %d, at the end %d", name, most[i], end[i]))
		}
	}
	return all
}

// most is the highest value of a metric, or its count.
func (m *Metrics) most(name string) []string {
	if m == nil {
		return nil
	}
	at := slices.Index(metrics.Names(), name)
	if at < 0 {
		return nil
	}
	return count(m.Most()[at])
}

// around has a line for each fault that changed something.
func (m *Metrics) around() []string {
	var all []string
	for i := range m.Around {
		if i == maxAround {
			return append(all, fmt.Sprintf("and around %d more", len(m.Around)-i))
		}
		all = append(all, m.Around[i].text())
	}
	return all
}

// text says what changed: was -> now, and the difference.
func (a *Around) text() string {
	var changes []string
	for _, c := range a.Changes {
		changes = append(changes, fmt.Sprintf("%s %d -> %d (%+d)", c.Metric, c.Was, c.Now, c.Now-c.Was))
	}
	return a.At + " " + a.Fault + ": " + strings.Join(changes, ", ")
}

// watched is what an operator saw, and whether the cluster came to rest; nothing where all metrics are zero all the time.
func (v *Variant) watched() []string {
	if v.Metrics == nil || len(v.Metrics.summary()) == 0 {
		return nil
	}
	said := append([]string{strings.Join(v.Metrics.summary(), "; ")}, v.Metrics.around()...)
	if len(v.Stuck) == 0 {
		return append(said, "at the end every ISR is full, and every replica has what was acknowledged")
	}
	for _, who := range v.Stuck {
		said = append(said, "not at rest at the end: "+who)
	}
	return said
}

// writeMetrics says once what an operator saw in each of the runs in which he saw the same.
func writeMetrics(b *strings.Builder, variants []Variant) {
	told := map[string]bool{}
	for i := range variants {
		said := variants[i].watched()
		if len(said) == 0 || told[variants[i].Variant] {
			continue
		}
		var same []string
		for j := i; j < len(variants); j++ {
			if slices.Equal(said, variants[j].watched()) {
				same = append(same, variants[j].Variant)
				told[variants[j].Variant] = true
			}
		}
		head := "What an operator saw"
		if len(same) < len(variants) {
			head += ` in "` + strings.Join(same, `", "`) + `"`
		}
		b.WriteString("\n" + Wrap(head, "", "  "))
		for _, line := range said {
			b.WriteString(Wrap(line, "  ", "    "))
		}
	}
}
