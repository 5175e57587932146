package screen

import "replog/internal/kafka"

// large is for the back row: the time in big digits, what happened in a sentence, and the partition in few large lines.
func (p *painter) large() {
	inner := p.within(p.part(2, 1, p.w-4, p.h-1))
	y := 0
	if inner.w >= bigWidth(len("12:40:00.000")) && inner.h >= 16 {
		inner.big(0, y, p.clock(p.m.now()))
		y += 7
	}
	y = inner.happened(y, 4) + 1
	y = inner.largeReplicas(y) + 1
	if p.sel.Record != kafka.NoRecord {
		at := inner.pen(0, y).put(strong, "order ").record(marked, p.names, p.sel.Record).gap(3)
		p.belief(at)
		p.copies(inner.pen(0, y+2))
		p.shownWhen(inner.pen(-2, y+4))
	}
}

// happened is the latest event, wrapped; it returns the row behind its room.
func (p *painter) happened(y, rows int) int {
	if p.m.Cursor > 0 && p.m.Log != nil && p.m.Cursor <= p.m.Log.Len() {
		e := p.m.Log.At(p.m.Cursor - 1)
		for i, line := range wrapped(p.sentence(e), p.w) {
			if i < rows {
				p.text(0, y+i, strong, line)
			}
		}
	}
	return y + rows
}

func (p *painter) largeReplicas(y int) int {
	t := p.m.Picture.Partition(p.sel.Partition)
	p.pen(0, y).partition(strong, p.names, p.sel.Partition, false).put(dim, "   ").inSync(&t).
		put(dim, "   epoch ").num(plain, int64(t.Epoch))
	for _, r := range p.m.Picture.Replicas(p.sel.Partition) {
		y += 2
		letter, style := roleLetter(p.up(r.Broker), &r, t.ISR)
		at := p.pen(0, y).put(style, letter).gap(2).put(plain, p.names.Node(r.Broker)).gap(3)
		at.put(dim, "log end ").num(strong, int64(r.LogEnd)).put(dim, "   high watermark ").num(strong, int64(r.HighWater))
	}
	return y + 1
}

// bigDigits are 5 high and 5 wide, a bit a cell, the highest bit left.
var bigDigits = map[rune][5]byte{
	'0': {0b11111, 0b10001, 0b10001, 0b10001, 0b11111}, '1': {0b00100, 0b01100, 0b00100, 0b00100, 0b01110},
	'2': {0b11111, 0b00001, 0b11111, 0b10000, 0b11111}, '3': {0b11111, 0b00001, 0b01111, 0b00001, 0b11111},
	'4': {0b10001, 0b10001, 0b11111, 0b00001, 0b00001}, '5': {0b11111, 0b10000, 0b11111, 0b00001, 0b11111},
	'6': {0b11111, 0b10000, 0b11111, 0b10001, 0b11111}, '7': {0b11111, 0b00001, 0b00010, 0b00100, 0b00100},
	'8': {0b11111, 0b10001, 0b11111, 0b10001, 0b11111}, '9': {0b11111, 0b10001, 0b11111, 0b00001, 0b11111},
	':': {0b00000, 0b00100, 0b00000, 0b00100, 0b00000}, '.': {0b00000, 0b00000, 0b00000, 0b00000, 0b00100},
}

func bigWidth(characters int) int { return characters*6 - 1 }

func (p *painter) big(x, y int, text string) {
	for _, r := range text {
		for row, bits := range bigDigits[r] {
			for column := range 5 {
				if bits>>(4-column)&1 == 1 {
					p.glyph(x+column, y+row, accent, "█")
				}
			}
		}
		x += 6
	}
}
