package screen

import (
	"slices"

	"replog/internal/kafka"
)

// window is the offsets that the partition pane shows: one stretch, or a stretch around each copy of the record that is
// followed, with a gap of one column between.
type window struct {
	spans [3]span
	n     int
}

// span is the offsets from a first one on.
type span struct {
	from kafka.Offset
	n    int
}

// windowOf chooses the offsets for some columns. It depends on what is selected alone as far as it can; following the
// end of the log it moves by half its width, so that it stands still while one steps.
func (p *painter) windowOf(columns int) window {
	first, end := p.bounds(p.sel.Partition)
	places := p.placesHere()
	if o := p.sel.Offset; o != kafka.NoOffset {
		if at, found := slices.BinarySearch(places, o); !found {
			places = slices.Insert(places, at, o)
		}
	}
	if len(places) > 0 {
		return around(columns, first, places...)
	}
	half := kafka.Offset(max(columns/2, 1))
	return single(span{max(first, first+(end-first-1)/half*half-half), columns})
}

func single(s span) window { return window{spans: [3]span{s}, n: 1} }

// around is one stretch that has all the offsets, or one for each of them.
func around(columns int, first kafka.Offset, offsets ...kafka.Offset) window {
	last := offsets[len(offsets)-1]
	offsets = offsets[:min(len(offsets), 3)]
	if n := int(last - offsets[0]); n < columns {
		return single(span{max(first, offsets[0]-kafka.Offset((columns-n)/2)), columns})
	}
	var w window
	w.n = len(offsets)
	n := (columns - w.n + 1) / w.n
	if n < 1 {
		return single(span{offsets[0], columns})
	}
	for i, o := range offsets {
		w.spans[i] = span{max(first, o-kafka.Offset(n/2)), n}
	}
	return w
}

// placesHere lists the offsets of the record that is followed in the selected partition, in ascending order.
func (p *painter) placesHere() []kafka.Offset {
	if p.sel.Record == kafka.NoRecord {
		return nil
	}
	var offsets []kafka.Offset
	for _, place := range p.m.Picture.Logs().Places(p.sel.Record) {
		if place.Partition == p.sel.Partition {
			offsets = append(offsets, place.Offset)
		}
	}
	return offsets
}

// bounds are the first offset that any replica has, and the end of the longest log.
func (p *painter) bounds(id kafka.PartitionID) (first, end kafka.Offset) {
	for i, r := range p.m.Picture.Replicas(id) {
		if i == 0 {
			first = r.LogStart
		}
		first, end = min(first, r.LogStart), max(end, r.LogEnd)
	}
	return first, end
}

// each calls do for each column: its number, its offset, and whether a gap is before it.
func (w *window) each(do func(column int, o kafka.Offset)) {
	column := 0
	for i := range w.n {
		for j := range w.spans[i].n {
			do(column, w.spans[i].from+kafka.Offset(j))
			column++
		}
		column++
	}
}

// column finds the column before which an offset stands: -1 where it is left of the window or in a gap, far where it is
// right of it.
func (w *window) column(o kafka.Offset) int {
	column := 0
	for i := range w.n {
		s := w.spans[i]
		if o < s.from {
			return -1
		}
		if o <= s.from+kafka.Offset(s.n) {
			return column + int(o-s.from)
		}
		column += s.n + 1
	}
	return far
}

// far is a column that is on no screen.
const far = 1 << 20
