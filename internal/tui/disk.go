package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/player"
	"replog/internal/screen"
	"replog/internal/view"
)

// openSegments shows the files of the selected partition.
func (m *model) openSegments(string) tea.Cmd {
	if m.knowDisk(); m.disk == nil {
		m.status = "a trace does not tell the settings by which segments go"
		return nil
	}
	w := &watching{m: m, toggle: "f"}
	w.show = func(top int) screen.Overlay { return m.segmentsCard(top) }
	return m.open(w)
}

func (m *model) knowDisk() {
	if !m.disk.Of(m.deck.Tape) {
		m.disk = player.NewDisk(m.deck.Tape)
	}
}

// moment is the place of the playhead, for questions.
func (m *model) moment() *explain.Moment {
	at := &explain.Moment{Picture: m.deck.Picture(), Log: &m.deck.Tape.Log, MinISR: m.minISR}
	if m.knowDisk(); m.disk != nil {
		at.Disk = m.disk.At(m.deck.Now())
	}
	return at
}

// segmentsCard is the log of the selected replica, or of the leader, as files.
func (m *model) segmentsCard(top int) *screen.Segments {
	p, broker, names, now := m.look.Partition, m.holder(), m.deck.Tape.Names, m.deck.Now()
	card := &screen.Segments{
		Title: fmt.Sprintf("%s on %s, segment by segment, at %s", names.Partition(p), names.Node(broker), names.Clock(now)), Top: top,
	}
	at := m.moment()
	disk, fates := at.Disk(p), at.Segments(p, broker)
	if len(fates) == 0 {
		card.Note = "There is no log."
		return card
	}
	for i := range fates {
		f := &fates[i]
		row := screen.SegmentRow{
			Base: int64(f.Base), End: int64(f.End), Bytes: f.Size.Bytes(), Records: f.Records, Active: f.Active, Goes: f.Goes, Text: f.Text,
		}
		if f.Newest != kafka.Never {
			row.Newest, row.Age = names.Clock(f.Newest), age(int64(now-f.Newest)*names.TickMicros)
		}
		if disk.Log.Compact {
			row.Past = m.past(&f.Segment, p, broker)
		}
		card.Rows = append(card.Rows, row)
	}
	return card
}

// age is a span of microseconds in words of two units at most.
func age(micros int64) string {
	const second, minute, hour, day = 1_000_000, 60_000_000, 3_600_000_000, 86_400_000_000
	switch {
	case micros < second:
		return fmt.Sprintf("%d ms", micros/1000)
	case micros < minute:
		return fmt.Sprintf("%d s", micros/second)
	case micros < hour:
		return fmt.Sprintf("%d min %d s", micros/minute, micros%minute/second)
	case micros < day:
		return fmt.Sprintf("%d h %d min", micros/hour, micros%hour/minute)
	}
	return fmt.Sprintf("%d d %d h", micros/day, micros%day/hour)
}

// longPast is the number of offsets from which on a segment is not shown offset by offset.
const longPast = 2000

// past says of each offset of a segment what became of what was written there.
func (m *model) past(s *view.Segment, p kafka.PartitionID, broker kafka.NodeID) []screen.Slot {
	if s.End-s.Base > longPast {
		return nil
	}
	logs, names := m.deck.Picture().Logs(), m.deck.Tape.Names
	aborted := m.deck.Picture().Transactions().AbortedIn(logs, p, broker)
	newest := map[kafka.KeyID]kafka.Offset{}
	_, end := logs.Bounds(p, broker)
	for base, ids := range logs.Slices(p, broker, s.Base, end) {
		for i, id := range ids {
			if key, _, ok := names.RecordKey(id); ok && !aborted.Has(base+kafka.Offset(i)) {
				newest[key] = base + kafka.Offset(i)
			}
		}
	}
	past := make([]screen.Slot, 0, s.End-s.Base)
	for o := s.Base; o < s.End; o++ {
		id := logs.RecordAt(p, broker, o)
		key, tombstone, _ := names.RecordKey(id)
		switch {
		case logs.Gone(p, broker).Has(o):
			past = append(past, screen.SlotGone)
		case aborted.Has(o):
			past = append(past, screen.SlotAborted)
		case id == kafka.NoRecord && !names.Internal(p):
			past = append(past, screen.SlotMarker)
		case id != kafka.NoRecord && newest[key] != o: // of Kafka's own records the keys are not known here
			past = append(past, screen.SlotOld)
		case tombstone:
			past = append(past, screen.SlotTombstone)
		default:
			past = append(past, screen.SlotKept)
		}
	}
	return past
}
