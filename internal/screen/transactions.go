package screen

import (
	"replog/internal/kafka"
	"replog/internal/view"
)

// endings are the signs for what the leader's log says of a record's transaction.
var endings = [...]struct{ glyph, name string }{
	view.NoTransaction: {"", ""},
	view.Open:          {"?", "in an open transaction"},
	view.Committed:     {"✓", "committed"},
	view.Aborted:       {"×", "aborted"},
	view.CommitMarker:  {"C", "commit marker"},
	view.AbortMarker:   {"A", "abort marker"},
}

// hasTransactions reports whether a transaction ever wrote to the partition.
func (o *offsets) hasTransactions() bool {
	return len(o.m.Picture.Transactions().Parts(o.id)) > 0 && o.truth.Last != kafka.NoNode
}

// heldBack reports whether an open transaction, or one whose marker is not replicated yet, keeps readers with read_committed from
// what is committed.
func (p *painter) heldBack(id kafka.PartitionID, t *view.Partition) bool {
	if len(p.m.Picture.Transactions().Parts(id)) == 0 || t.Last == kafka.NoNode {
		return false
	}
	leader, known := p.m.Picture.Replica(id, t.Last)
	return known && p.m.Picture.LastStable(id, t.Last) < leader.HighWater
}

// stableHeading tells beside the leader how far readers with read_committed may read.
func (o *offsets) stableHeading(rule *pen) {
	if o.hasTransactions() {
		rule.put(dim, " LSO ").num(accent, int64(o.m.Picture.LastStable(o.id, o.truth.Last))).put(dim, " ")
	}
}

// stableLine stands in the row of the high watermark, left of the first offset that readers with read_committed do not get, where that is
// another one and there is room between from and to.
func (o *offsets) stableLine(y, from, to int) {
	if !o.heldBack(o.id, &o.truth) {
		return
	}
	stable := o.m.Picture.LastStable(o.id, o.truth.Last)
	column := o.window.column(stable)
	if column < 0 {
		return
	}
	const words = "LSO "
	x := o.label + column*o.column - 1
	start := x - len(words) - width(int64(stable)) - 1
	if start < from || x >= to {
		return
	}
	o.pen(start, y).put(accent, words).num(accent, int64(stable))
	o.glyph(x, y, accent, "┘")
}

// endings is a row that says of each offset what the leader's log says of its transaction. It returns how many rows it took.
func (o *offsets) endings(y int) int {
	if !o.hasTransactions() || y >= o.h {
		return 0
	}
	o.pen(3, y).put(dim, "transact.")
	o.window.each(func(column int, offset kafka.Offset) {
		ending := o.m.Picture.EndingAt(o.id, o.truth.Last, offset)
		style := dim
		switch ending {
		case view.Open:
			style = accent
		case view.Aborted, view.AbortMarker:
			style = lost
		case view.NoTransaction:
			return
		}
		o.cell(column, y).right(o.column-2, 0, style, endings[ending].glyph)
	})
	return 1
}

// endingKey says what the signs of the row mean: those that are there.
func (o *offsets) endingKey(at *pen) {
	if !o.hasTransactions() {
		return
	}
	var seen [len(endings)]bool
	o.window.each(func(_ int, offset kafka.Offset) { seen[o.m.Picture.EndingAt(o.id, o.truth.Last, offset)] = true })
	for ending := view.Open; int(ending) < len(endings); ending++ {
		e := &endings[ending]
		if !seen[ending] || at.x+len(e.name)+3 > o.w {
			continue
		}
		at.put(accent, e.glyph).put(dim, " ").put(dim, e.name).gap(2)
	}
}
