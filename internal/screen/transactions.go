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

// stableHeading tells beside the leader how far readers with read_committed may read.
func (o *offsets) stableHeading(rule *pen) {
	if o.hasTransactions() {
		rule.put(dim, " LSO ").num(accent, int64(o.m.Picture.LastStable(o.id, o.truth.Last))).put(dim, " ")
	}
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

// endingKey says what the signs of the row mean.
func (o *offsets) endingKey(at *pen) {
	if !o.hasTransactions() {
		return
	}
	for _, e := range endings[view.Open:] {
		if at.x+len(e.name)+3 > o.w {
			return
		}
		at.put(accent, e.glyph).put(dim, " ").put(dim, e.name).gap(2)
	}
}
