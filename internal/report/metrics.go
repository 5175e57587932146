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
	Lags   []Lag    `json:"lags,omitempty"`
}

// Lag is how far a consumer group was behind in one partition: at most, and at the end.
type Lag struct {
	Group     string   `json:"group"`
	Partition string   `json:"partition"`
	Most      int      `json:"at_most"`
	MostAt    string   `json:"at"`
	OldestMs  float64  `json:"oldest_ms"` // how long the first of them had been waiting at most
	End       int      `json:"end"`
	Reported  int      `json:"records_lag_max"` // what a member reported at most
	Pace      int      `json:"grown_in_10_s"`
	DrainMs   *float64 `json:"empty_in_ms"` // at that pace; null when it does not shrink
}

// Around is what changed between something of the timeline and the next thing of it.
type Around struct {
	At      string           `json:"at"`
	Fault   string           `json:"fault"`
	Changes []metrics.Change `json:"changes"`
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
		if one.Changes = a.Changes(); one.Changes != nil {
			w.Around = append(w.Around, one)
		}
	}
	for i := range m.Lags {
		w.Lags = append(w.Lags, lagOf(&m.Lags[i], names))
	}
	return w
}

func lagOf(l *metrics.Lag, names *kafka.Names) Lag {
	ms := func(t kafka.Tick) float64 { return float64(int64(t)*names.TickMicros) / 1000 }
	r := Lag{
		Group: names.ConsumerGroup(l.Group), Partition: names.Partition(l.Partition), Most: l.Committed.Max, MostAt: names.Clock(l.MostAt),
		OldestMs: ms(l.Oldest), End: l.Committed.End, Reported: l.Position.Max, Pace: l.Pace,
	}
	if drain := l.Drain(names); drain != kafka.Never {
		ms := ms(drain)
		r.DrainMs = &ms
	}
	return r
}

// lags has a line for each group: the partition in which it was most behind, what its members reported meanwhile, and how
// it goes on.
func (m *Metrics) lags() []string {
	var all []string
	for from := 0; from < len(m.Lags); {
		worst, to, sum := from, from, 0
		for ; to < len(m.Lags) && m.Lags[to].Group == m.Lags[from].Group; to++ {
			if m.Lags[to].Most > m.Lags[worst].Most {
				worst = to
			}
			sum += m.Lags[to].End
		}
		if l := &m.Lags[worst]; l.Most > 0 {
			all = append(all, fmt.Sprintf("group %s at most %d behind in %s, at %s, for up to %s ms; its members report %d at most",
				l.Group, l.Most, l.Partition, l.MostAt, millis(l.OldestMs), l.Reported))
		}
		if sum > 0 {
			all = append(all, "group "+m.Lags[from].Group+" at the end "+trend(m.Lags[from:to]))
		}
		from = to
	}
	return all
}

// trend says of each partition with a lag at the end which way it goes.
func trend(lags []Lag) string {
	var words []string
	for i := range lags {
		l := &lags[i]
		switch {
		case l.End == 0:
		case l.DrainMs != nil:
			words = append(words, fmt.Sprintf("%d behind in %s, empty in %s ms at this pace", l.End, l.Partition, millis(*l.DrainMs)))
		case l.Pace > 0:
			words = append(words, fmt.Sprintf("%d behind in %s, %d more than 10 s before", l.End, l.Partition, l.Pace))
		default:
			words = append(words, fmt.Sprintf("%d behind in %s", l.End, l.Partition))
		}
	}
	return strings.Join(words, "; ")
}

// maxAround bounds the faults that are told.
const maxAround = 20

// metricLines are the metrics that are not zero all the time, and their changes around each fault.
func metricLines(v *Variant) []string {
	if v.Metrics == nil {
		return nil
	}
	return slices.Concat(v.Metrics.summary(), v.Metrics.lags(), v.Metrics.around())
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

// text says what changed.
func (a *Around) text() string { return a.At + " " + a.Fault + ": " + metrics.ChangesText(a.Changes) }

// watched is what an operator saw, and whether the cluster came to rest; nothing where all metrics are zero all the time.
func (v *Variant) watched() []string {
	if v.Metrics == nil || len(v.Metrics.summary()) == 0 {
		return nil
	}
	said := slices.Concat([]string{strings.Join(v.Metrics.summary(), "; ")}, v.Metrics.lags(), v.Metrics.around())
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
