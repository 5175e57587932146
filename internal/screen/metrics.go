package screen

import "fmt"

// metricRoom is the width of the longest name of a metric.
const metricRoom = 26

// lay shows the metrics over the lower part of the screen, so that the partitions stay in sight.
func (o *Metrics) lay(p *painter) {
	s := sheet{width: max(p.w-6, 1)}
	since := o.Since
	if since == "" {
		since = "nothing has gone wrong yet"
	}
	s.add(open, 0, -1, "", since)
	s.lines = append(s.lines, sheetLine{
		text: fmt.Sprintf("%-*s %5s %5s  %s", metricRoom, "", "was", "now", "difference"), style: dim, index: -1,
	})
	for i := range o.Rows {
		s.lines = append(s.lines, o.Rows[i].line(s.width))
	}
	if len(o.Earlier) > 0 {
		s.blank()
		for _, line := range o.Earlier {
			s.add(dim, 2, -1, "", line)
		}
	}
	s.show(p.dock(len(s.lines), "what an operator sees at "+o.Clock), o.Top, -1)
}

// line is a metric with its difference; a difference is bold, and has a sign before it. What the metric means stands
// behind it where there is room for all of it.
func (m *Metric) line(width int) sheetLine {
	l := sheetLine{style: plain, index: -1}
	difference := "·"
	switch {
	case m.Was != m.Now:
		difference, l.style = fmt.Sprintf("%+d", m.Now-m.Was), strong
	case m.Now == 0:
		l.style = dim
	}
	l.text = fmt.Sprintf("%-*s %5d %5d  %-10s", metricRoom, m.Name, m.Was, m.Now, difference)
	if textWidth(l.text)+2+textWidth(m.Meaning) <= width {
		l.tail = m.Meaning
	}
	return l
}
