package screen

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// log lists the events up to the one that is shown last, in sentences. The page stands still while one steps down in it, and
// turns by half its height.
func (p *painter) log() {
	rule, room := p.title(PaneLog, "events")
	if p.m.Cursor == 0 || p.m.Log == nil || p.m.Log.Len() == 0 {
		room.text(3, 0, dim, "nothing has happened yet")
		return
	}
	rule.put(dim, "up to ").num(dim, int64(p.m.Cursor)).put(dim, " ")
	from := p.logPage(room.h)
	var last kafka.Tick = -1
	for i, e := range p.m.Log.Span(from, min(from+room.h, p.m.Cursor, p.m.Log.Len())) {
		room.logLine(i-from, e, e.At != last)
		last = e.At
	}
}

// logPage is the index of the first event on the page.
func (p *painter) logPage(rows int) int {
	half := max(rows/2, 1)
	last := p.m.Cursor - 1
	if rows < 4 {
		half = 1
		last += 2 - rows
	}
	from := max(last/half*half-half, 0)
	if rows < 4 {
		from = max(p.m.Cursor-rows, 0)
	}
	if at := int(p.sel.Event) - 1; at >= 0 && at < p.m.Cursor && (at < from || at >= from+rows) {
		from = max(at-rows/2, 0)
	}
	return from
}

func (p *painter) logLine(y int, e *event.Event, clock bool) {
	line := p.withHit(p.part(0, y, p.w, 1), Hit{Kind: HitEvent, Pane: PaneLog, Event: e.Seq, Tick: e.At})
	line.claim()
	x := 1
	if clock {
		line.text(x, 0, dim, p.clock(e.At))
	}
	x += clockWidth(p.names) + 1
	if p.w >= 100 {
		digits := max(width(int64(p.m.Length)), 4)
		line.number(x+digits, 0, faint, int64(e.Seq))
		x += digits + 1
	}
	glyph, style := eventGlyph(e)
	line.glyph(x, 0, style, glyph)
	text := plain
	if quiet(e.Kind) {
		text = dim
	}
	if p.sel.Record != kafka.NoRecord && slices.Contains(p.m.Log.Records(e), p.sel.Record) {
		line.glyph(x, 0, marked, "◆")
		text = strong
	}
	line.fitted(x+2, 0, line.w-x-3, text, p.sentence(e))
	if int(e.Seq) == p.parted() {
		line.glyph(x, 0, fresh, "D")
	}
	if int(e.Seq) == p.m.Cursor {
		line.glyph(0, 0, accent, "▸")
		if p.sel.Event == 0 {
			line.tint(0, line.w, 0, selected)
		}
	}
	if e.Seq == p.sel.Event {
		line.tint(0, line.w, 0, selected)
	}
}

// parted is the event of this run where the two that are compared part.
func (p *painter) parted() int {
	if p.second {
		return p.first.Parted.Second
	}
	return p.first.Parted.First
}

// clockWidth is the width of a time of the run.
func clockWidth(names *kafka.Names) int {
	if names.StartMicros < 0 {
		return 9
	}
	return len("12:40:00.000")
}

// eventGlyph tells the kinds apart that one looks for.
func eventGlyph(e *event.Event) (string, Style) {
	switch e.Kind {
	case event.FaultBegan, event.FaultEnded, event.BrokerCrashed, event.BrokerFenced, event.RecordsFailed, event.LogTruncated,
		event.PartitionOffline, event.MessageDropped:
		return "!", lost
	case event.LeaderElected, event.BecameLeader:
		return "L", lead
	case event.ISRChanged:
		return "I", lead
	case event.ProduceRetryScheduled, event.ProduceRequestTimedOut, event.AnswerOutOfTurn, event.ConnectionReset:
		return "R", open
	case event.RecordsAcknowledged:
		return "●", fine
	case event.BatchAppended, event.ReplicaAppended:
		return "·", dim
	}
	if e.Kind == event.ProduceSent && e.Value > 1 {
		return "R", open
	}
	return " ", plain
}

// quiet kinds are the round of replication: there are many, and each says little.
func quiet(k event.Kind) bool {
	switch k {
	case event.FollowerOffsetLearned, event.HighWatermarkLearned, event.LeaderLearned, event.ReplicaAppended, event.ProduceAnswered,
		event.BecameFollower, event.LogLoaded:
		return true
	}
	return false
}

// changes says in words what the step changed.
func (p *painter) changes() {
	if p.h < 3 || len(p.m.Changes) == 0 {
		return
	}
	p.line(0, p.w, 0, faint, "─")
	p.text(2, 0, strong, " this step ")
	_, room := p.top(1)
	for i, text := range p.m.Changes {
		if i == room.h-1 && len(p.m.Changes) > room.h {
			room.pen(3, i).put(dim, "and ").num(dim, int64(len(p.m.Changes)-i)).put(dim, " more")
			return
		}
		room.text(1, i, fresh, "+")
		room.fitted(3, i, room.w-3, plain, text)
	}
}
