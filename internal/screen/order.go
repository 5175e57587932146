package screen

import (
	"slices"

	"replog/internal/kafka"
	"replog/internal/view"
)

// orderLines says of the record that is followed where it lies, what its producer knows, and who has shown it.
func (p *painter) orderLines(y, lines, more int) {
	if p.sel.Record == kafka.NoRecord || lines == 0 {
		return
	}
	at := p.pen(3, y)
	at.record(marked, p.names, p.sel.Record).gap(2)
	p.belief(at)
	if more > 0 {
		at = p.pen(at.to(3).x, y+1)
		at.gap(recordWidth(p.names, p.sel.Record) + 2)
	} else {
		at.put(faint, "  ·  ")
	}
	p.copies(at)
	p.shownWhen(at)
	at.cut()
}

// belief is what the application knows of the record.
func (p *painter) belief(at *pen) {
	marks := p.m.Picture.Marks(p.sel.Record)
	switch {
	case !marks.Has(view.Sent):
		at.put(dim, "not handed over yet")
	case marks.Has(view.Acked) && p.gone():
		at.put(lost, "! its producer was told that it is stored, and it is lost")
	case marks.Has(view.Acked):
		at.put(fine, "● its producer knows that it is stored")
	case marks.Has(view.Failed):
		at.put(lost, "f its producer was told that it failed")
	default:
		at.put(open, "? its producer has no answer")
	}
	if marks.Has(view.Recognised) {
		at.put(dim, ", the retry was recognised")
	} else if marks.Has(view.Retried) {
		at.put(dim, ", sent again")
	}
}

// gone reports whether the log of the leader, or of the last one, does not have the record.
func (p *painter) gone() bool {
	for _, place := range p.m.Picture.Logs().Places(p.sel.Record) {
		if p.m.Picture.Logs().Holders(place).Has(p.m.Picture.Partition(place.Partition).Last) {
			return false
		}
	}
	return true
}

// copies lists where the record lies and who has it there.
func (p *painter) copies(at *pen) {
	copies := p.m.Picture.CopiesOf(p.sel.Record)
	if len(copies) == 0 && p.m.Picture.Marks(p.sel.Record).Has(view.Sent) {
		at.put(dim, "stored nowhere")
	}
	for i := range copies {
		c := &copies[i]
		if i > 0 {
			at.put(twice, " = ")
		}
		if c.Partition != p.sel.Partition {
			at.partition(plain, p.names, c.Partition, false).put(dim, " ")
		}
		at.put(dim, "at ").num(plain, int64(c.Offset))
		if c.Holders == 0 {
			at.put(lost, " cut off everywhere")
			continue
		}
		at.put(dim, " on ").set(plain, c.Holders)
	}
}

// shownWhen lists when the record was on a screen; where several groups read, on which. Only to see it again is news: that
// each group gets it is what groups are for.
func (p *painter) shownWhen(at *pen) {
	shown := p.m.Picture.ShowingsOf(p.sel.Record)
	var groups []string
	for i := range shown {
		if group := p.names.Group(shown[i].Reader); !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	for n, group := range groups {
		if n == 0 {
			at.put(dim, "  shown ")
		} else {
			at.put(dim, ", ")
		}
		if len(groups) > 1 {
			at.put(dim, group+" ")
		}
		first := true
		for i := range shown {
			if p.names.Group(shown[i].Reader) != group {
				continue
			}
			if !first {
				at.put(twice, " = again ")
			}
			first = false
			at.put(plain, p.shownAt(shown[i].At, len(groups)))
		}
	}
}

// shownAt is a time as there is room for it.
func (p *painter) shownAt(t kafka.Tick, groups int) string {
	clock := p.clock(t)
	if p.w < 90 || groups > 1 {
		clock = clockTail(clock)
	}
	return clock
}
