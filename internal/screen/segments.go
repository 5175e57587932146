package screen

import (
	"fmt"
	"slices"
	"strings"
)

// Segments is the files of one replica's log, and what the next retention check or pass of the cleaner does with each.
type Segments struct {
	Title string
	Rows  []SegmentRow
	Note  string // when there is nothing to tell of them
	Top   int    // first line shown
}

// SegmentRow is one segment.
type SegmentRow struct {
	Base, End int64 // offsets; End is behind the last
	Bytes     int64
	Records   int    // that are left
	Newest    string // time of the newest record that is left; empty for none
	Age       string // how old that is
	Active    bool
	Goes      bool   // with the next look
	Text      string // what comes next, and why
	Past      []Slot // offset by offset what was written there; nil where that is not worth a line
}

// Slot is what became of one offset of a compacted log.
type Slot uint8

// The slots.
const (
	SlotKept      Slot = iota // the newest record of its key
	SlotOld                   // a record, and a newer one with its key stands further on
	SlotTombstone             // a record without a value
	SlotAborted               // a record of an aborted transaction
	SlotMarker                // a transaction marker
	SlotGone                  // compacted away
)

var slots = [...]struct {
	glyph, name string
	style       Style
}{
	SlotKept: {"●", "last of its key", fine}, SlotOld: {"○", "old version", copied}, SlotTombstone: {"†", "tombstone", twice},
	SlotAborted: {"×", "aborted", copied}, SlotMarker: {"M", "marker", copied}, SlotGone: {"·", "compacted away", faint},
}

// lay shows the segments over the lower part of the screen, so that the offsets stay in sight.
func (o *Segments) lay(p *painter) {
	s := sheet{width: max(p.w-6, 1)}
	if o.Note != "" {
		s.add(dim, 0, -1, "", o.Note)
	}
	var past []Slot
	for i := range o.Rows {
		o.Rows[i].add(&s)
		past = append(past, o.Rows[i].Past...)
	}
	if len(past) > 0 {
		s.blank()
		s.lines = append(s.lines, sheetLine{index: -1, slots: legend(past)})
	}
	s.show(p.dock(len(s.lines), o.Title), o.Top, -1)
}

// numberRoom is the room for the numbers of a segment; what comes next stands behind them, or below where that is too little.
const numberRoom, wordRoom = 62, 40

func (r *SegmentRow) add(s *sheet) {
	mark, style := "", plain
	if r.Goes {
		mark, style = "▸", strong
	}
	offsets := fmt.Sprintf("%d..%d", r.Base, r.End-1)
	if r.End == r.Base {
		offsets = fmt.Sprintf("%d, empty", r.Base)
	}
	records := "records"
	if r.Records == 1 {
		records = "record "
	}
	numbers := fmt.Sprintf("%-14s %14s bytes  %6d %s", offsets, grouped(r.Bytes), r.Records, records)
	if long := numbers + "  newest " + r.Newest + ", " + r.Age + " old"; r.Newest != "" && textWidth(long)+2 <= s.width {
		numbers = long
	} else if r.Newest != "" {
		numbers += "  " + r.Age + " old"
	}
	if at := max(numberRoom+14, textWidth(numbers)+2); at+wordRoom <= s.width && at+textWidth(r.Text) <= s.width {
		s.lines = append(s.lines, sheetLine{mark: mark, text: numbers, tail: r.Text, tailAt: at - 2, style: style, indent: 2, index: -1})
	} else {
		s.add(style, 2, -1, mark, numbers)
		s.add(dim, 6, -1, "", r.Text)
	}
	for past := r.Past; len(past) > 0; {
		n := min(len(past), max(s.width-6, 1))
		s.lines = append(s.lines, sheetLine{indent: 6, index: -1, slots: runsOf(past[:n])})
		past = past[n:]
	}
}

// inked is a piece of text in one style.
type inked struct {
	text  string
	style Style
}

// runsOf writes slots, a glyph each.
func runsOf(past []Slot) []inked {
	var runs []inked
	for i := 0; i < len(past); {
		n := i
		for n < len(past) && past[n] == past[i] {
			n++
		}
		look := &slots[past[i]]
		runs = append(runs, inked{strings.Repeat(look.glyph, n-i), look.style})
		i = n
	}
	return runs
}

// legend explains the slots that are shown.
func legend(past []Slot) []inked {
	var runs []inked
	for i := range slots {
		if !slices.Contains(past, Slot(i)) {
			continue
		}
		runs = append(runs, inked{slots[i].glyph + " ", slots[i].style}, inked{slots[i].name + "  ", dim})
	}
	return runs
}

// grouped writes a number with its thousands apart.
func grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
