package screen

import (
	"replog/internal/kafka"
)

// small is for a screen without room for a frame: a line that says where one is, the run in words, the keys.
func (p *painter) small() {
	head, rest := p.top(1)
	at := head.pen(0, 0).put(strong, p.clock(p.m.now())).gap(1)
	at.fit(p.w-at.x, dim, p.m.Title)
	if p.h > 2 {
		var foot area
		rest, foot = rest.bottom(1)
		p.within(foot).footer()
	}
	p.within(rest).words()
}

// words tells the latest event, then the selected partition.
func (p *painter) words() {
	y := 0
	if p.m.Cursor > 0 && p.m.Log != nil && p.m.Cursor <= p.m.Log.Len() {
		e := p.m.Log.At(p.m.Cursor - 1)
		for _, line := range wrapped(p.sentence(e), p.w) {
			if y >= max(p.h/2, 1) {
				break
			}
			p.text(0, y, plain, line)
			y++
		}
	}
	y++
	t := p.m.Picture.Partition(p.sel.Partition)
	at := p.pen(0, y).partition(strong, p.names, p.sel.Partition, false).put(dim, " leader ")
	if t.Leader == kafka.NoNode {
		at.put(lost, "none")
	} else {
		at.num(lead, int64(t.Leader))
	}
	at.put(dim, " epoch ").num(plain, int64(t.Epoch)).put(dim, " ISR ").set(plain, t.ISR)
	for _, r := range p.m.Picture.Replicas(p.sel.Partition) {
		y++
		letter, style := roleLetter(p.up(r.Broker), &r, t.ISR)
		at = p.pen(0, y).put(style, letter).gap(1).put(plain, p.names.Node(r.Broker))
		at.put(dim, " LEO ").num(plain, int64(r.LogEnd)).put(dim, " HW ").num(plain, int64(r.HighWater))
	}
	p.orderInWords(y + 1)
}

// orderInWords is the record that is followed, a fact a line.
func (p *painter) orderInWords(y int) {
	if p.sel.Record == kafka.NoRecord {
		return
	}
	at := p.pen(0, y).record(marked, p.names, p.sel.Record).gap(1)
	p.copies(at)
	p.belief(p.pen(0, y+1))
	p.shownWhen(p.pen(-2, y+2))
}
