package screen

import (
	"replog/internal/kafka"
	"replog/internal/view"
)

// leastTitle is the room that the settings leave to the name of the program and the title.
const leastTitle = 26

// header says which run this is, and where in it one stands.
func (p *painter) header() {
	m := p.m
	end := p.w - 1
	settings := m.Variant
	if m.Second != nil {
		settings = "compared"
	}
	p.right(end, 0, accent, settings)
	end -= textWidth(settings) + 3
	if m.Second == nil && m.Settings != "" && end-textWidth(m.Settings)-3 >= leastTitle {
		p.right(end, 0, dim, m.Settings)
		end -= textWidth(m.Settings) + 3
	}
	at := p.pen(1, 0).put(accent, "replog").gap(2)
	at.fit(end-at.x, strong, m.Title)
	p.where(1)
}

// where is the line with the time, and what goes wrong at present.
func (p *painter) where(y int) {
	m := p.m
	at := p.pen(1, y)
	at.put(strong, p.clock(m.now())).gap(3)
	at.put(dim, "tick ").num(plain, int64(m.now())).put(dim, " of ").num(dim, int64(m.End)).gap(3)
	at.put(dim, "event ").num(plain, int64(m.Cursor)).put(dim, " of ").num(dim, int64(m.Length)).gap(3)
	p.playing(at)
	if m.Picture.Ended() {
		at.gap(3).put(strong, "the end")
	}
	p.trouble(at.gap(3))
}

func (p *painter) playing(at *pen) {
	if p.m.Playing {
		at.put(fine, "▶ ").put(fine, p.m.Speed)
		return
	}
	at.put(dim, "‖ ").put(dim, p.m.Speed)
}

// trouble names the brokers that are down, the consumers that are dead and the faults that act at present, as far as there is room.
func (p *painter) trouble(at *pen) {
	for _, b := range p.m.Picture.Brokers() {
		if !b.Up {
			p.alarm(at, p.names.Node(b.ID), " is down")
		}
	}
	groups := p.m.Picture.Groups()
	for g := range p.names.Groups {
		for _, m := range groups.Members(kafka.GroupID(g)) {
			if m.Process == view.ProcessCrashed || m.Process == view.ProcessFailed {
				p.alarm(at, p.names.Node(m.ID), " is dead")
			}
		}
	}
	for _, f := range p.m.Picture.Faults() {
		p.alarm(at, p.names.Fault(f.Entry), "")
	}
}

func (p *painter) alarm(at *pen, what, how string) {
	if room := p.w - 1 - at.x; room > 12 {
		at.put(lost, "! ")
		at.x = at.fitted(at.x, at.row, room-2-len(how), lost, what)
		at.put(lost, how).gap(2)
	}
}

// footer lists the keys, each whole or not at all, and the status behind them.
func (p *painter) footer() {
	room := p.w - 1
	if p.m.Status != "" {
		room = max(room-textWidth(p.m.Status)-2, 0)
	}
	at := p.pen(1, 0)
	for i := range p.m.Footer {
		k := &p.m.Footer[i]
		need := textWidth(k.Key) + 1 + textWidth(k.Short)
		if k.Short == "" || i > 1 && at.x+need > room {
			continue
		}
		at.area = p.on(Hit{Kind: HitKey, Index: i})
		at.put(accent, k.Key).put(dim, " ").put(dim, k.Short)
		at.area = p.area
		at.gap(2)
	}
	if x := p.w - 1 - textWidth(p.m.Status); p.m.Status != "" && x >= at.x {
		p.text(x, 0, fresh, p.m.Status)
	}
}
