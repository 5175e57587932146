package screen

import (
	"slices"

	"replog/internal/kafka"
	"replog/internal/view"
)

// offsets draws the selected partition: a column for each offset, a row for each replica.
type offsets struct {
	*painter
	id       kafka.PartitionID
	truth    view.Partition
	replicas []view.ReplicaView
	window   window
	label    int // width of the names on the left
	column   int // width of a column with the gap behind it
}

// The lines that the pane may have beside the offsets and the replicas, in the order in which they are given up.
type extras struct{ waterline, order, key, readers, copies int }

func (p *painter) extras(replicas int) extras {
	room := p.h - 1 - replicas
	take := func(n int) int {
		n = max(min(n, room), 0)
		room -= n
		return n
	}
	var x extras
	x.waterline = take(1)
	x.order = take(1)
	x.key = take(1)
	x.readers = take(p.readingRows())
	x.copies = take(1)
	return x
}

// readingRows is the number of rows for those who read: two at most.
func (p *painter) readingRows() int { return min(len(p.roles().readers)+len(p.names.Groups), 2) }

func (p *painter) partitionHeight() int {
	rows := 5
	if len(p.m.Picture.Transactions().Parts(p.sel.Partition)) > 0 {
		rows += 2 // the endings, and what their signs mean
	}
	return 1 + 1 + len(p.m.Picture.Replicas(p.sel.Partition)) + p.readingRows() + rows
}

func (p *painter) partition() {
	rule, room := p.title(PanePartition, "")
	rule.x--
	o := offsets{painter: room, id: p.sel.Partition, truth: p.m.Picture.Partition(p.sel.Partition)}
	o.replicas = p.m.Picture.Replicas(o.id)
	o.heading(rule)
	if len(o.replicas) == 0 {
		return
	}
	_, end := p.bounds(o.id)
	o.label = o.labelWidth()
	o.column = max(width(int64(end)), min(widestRecord(p.names), 14)+1) + 2
	if p.readingRows() > 0 {
		o.column = max(o.column, len("next")+2)
	}
	columns := max((p.w-o.label)/o.column, 1)
	o.window = p.windowOf(columns)
	o.draw()
}

// labelWidth is the room for the names of brokers and readers on the left.
func (o *offsets) labelWidth() int {
	n := 8
	for i := range o.replicas {
		n = max(n, textWidth(o.names.Node(o.replicas[i].Broker)))
	}
	for _, id := range o.roles().readers {
		n = max(n, textWidth(o.names.Node(id))-2)
	}
	return min(n, max(o.w/8, 8)) + 6
}

func (o *offsets) heading(rule *pen) {
	rule.partition(strong, o.names, o.id, false).put(dim, ", offset by offset ").put(faint, "── ")
	if o.truth.Leader == kafka.NoNode {
		rule.put(lost, "no leader")
	} else {
		rule.put(dim, "leader ").put(plain, o.names.Node(o.truth.Leader))
	}
	rule.put(dim, "  epoch ").num(plain, int64(o.truth.Epoch)).put(dim, "  ")
	rule.inSync(&o.truth).put(dim, " ")
	o.stableHeading(rule)
}

// inSync is who counts for the high watermark, and who may lead: the ISR, with whom the leader has proposed for it the maximal
// ISR, and the eligible leader replicas.
func (p *pen) inSync(t *view.Partition) *pen {
	p.put(dim, "ISR ").set(plain, t.ISR)
	if maximal := t.ISR | t.Proposed; maximal != t.ISR {
		p.put(dim, "  maximal ISR ").set(open, maximal)
	}
	if t.ELR != 0 {
		p.put(dim, "  ELR ").set(open, t.ELR)
	}
	return p
}

func (o *offsets) draw() {
	x := o.extras(len(o.replicas))
	o.numbers(0)
	y := 1
	for i := range o.replicas {
		o.replicaRow(y, &o.replicas[i])
		y++
	}
	y += o.cutOff(y)
	y += o.endings(y)
	o.waterline(0, y, x.waterline)
	y += x.waterline
	y = o.reading(y, x.readers)
	spare := o.h - y - x.order - x.copies - x.key
	free := spare
	if o.sel.Record == kafka.NoRecord {
		free += x.order + x.copies
	}
	explained := free > 0 && x.key > 0 && o.hasTransactions()
	if explained {
		o.endingKey(o.pen(3, o.h-2))
		spare--
	}
	if spare > 0 {
		y++
	}
	o.orderLines(y, x.order, x.copies)
	if x.key > 0 {
		o.key(o.h-1, explained)
	}
}

// cell is the place of one column in a row.
func (o *offsets) cell(column, y int) area {
	return o.part(o.label+column*o.column, y, o.column, 1)
}

func (o *offsets) numbers(y int) {
	o.pen(3, y).put(dim, "offset")
	for column, i := -1, 0; i < o.window.n-1; i++ {
		column += o.window.spans[i].n + 1
		o.cell(column, y).right(o.column-2, 0, faint, "…")
	}
	o.window.each(func(column int, at kafka.Offset) {
		cell := o.cell(column, y)
		cell = o.withHit(cell, Hit{Kind: HitOffset, Pane: PanePartition, Partition: o.id, Broker: kafka.NoNode, Offset: at})
		style := dim
		if at == o.sel.Offset {
			style = accent
		}
		cell.number(o.column-2, 0, style, int64(at))
	})
}

func (o *offsets) replicaRow(y int, r *view.ReplicaView) {
	up := o.up(r.Broker)
	letter, style := roleLetter(up, r, o.truth.ISR)
	at := o.pen(3, y)
	name := plain
	if !up {
		name = dim
	}
	if o.sel.Broker == r.Broker {
		o.text(1, y, accent, "▸")
	}
	at.fit(o.label-6, name, o.names.Node(r.Broker)).gap(1).put(style, letter)
	o.window.each(func(column int, offset kafka.Offset) {
		id := o.m.Picture.RecordAt(o.id, r.Broker, offset)
		if offset < r.LogStart || offset >= r.LogEnd {
			return
		}
		if o.m.Picture.Logs().Gone(o.id, r.Broker).Has(offset) {
			o.removed(o.cell(column, y), r.Broker, offset)
			return
		}
		place := view.Place{Partition: o.id, Offset: offset}
		o.record(o.cell(column, y), r.Broker, offset, id, fateAt(o.m.Picture, &o.truth, place, id), up)
	})
}

// removed is what stood at an offset until the cleaner came.
func (o *offsets) removed(cell area, broker kafka.NodeID, offset kafka.Offset) {
	logs, look := o.m.Picture.Logs(), &fates[compacted]
	end := o.column - 2
	if id := logs.RecordIn(o.id, logs.WroteAt(o.id, broker, offset), offset); id != kafka.NoRecord {
		start := max(end-recordWidth(o.names, id), 0)
		cell.part(0, 0, end, 1).pen(start, 0).record(look.style, o.names, id)
	}
	cell.glyph(end, 0, look.style, look.glyph)
}

func (p *painter) up(id kafka.NodeID) bool {
	for _, b := range p.m.Picture.Brokers() {
		if b.ID == id {
			return b.Up
		}
	}
	return true
}

// record is one record in one replica, with the glyph of its fate.
func (o *offsets) record(cell area, broker kafka.NodeID, offset kafka.Offset, id kafka.RecordID, f fate, up bool) {
	cell = o.withHit(cell, Hit{
		Kind: HitOffset, Pane: PanePartition, Partition: o.id, Broker: broker, Offset: offset, Record: id,
	})
	look := &fates[f]
	name := plain
	switch {
	case !up:
		name = dim
	case o.isNew(broker, offset):
		name = fresh
	}
	end := o.column - 2
	start := max(end-recordWidth(o.names, id), 0)
	cell.part(0, 0, end, 1).pen(start, 0).record(name, o.names, id)
	cell.glyph(end, 0, look.style, look.glyph)
	if id == o.sel.Record && id != kafka.NoRecord {
		cell.tint(start, end+1, 0, marked)
	}
}

// isNew reports whether this step put the record there.
func (o *offsets) isNew(broker kafka.NodeID, offset kafka.Offset) bool {
	if o.m.Before == nil {
		return false
	}
	was, ok := o.m.Before.Replica(o.id, broker)
	return !ok || offset >= was.LogEnd
}

// cutOff shows records that were acknowledged and that no replica has any more, where there are some, in a row of their own
// behind the replicas. It returns how many rows it took.
func (o *offsets) cutOff(y int) int {
	rows := 0
	o.window.each(func(column int, offset kafka.Offset) {
		if id := lostAt(o.m.Picture, &o.truth, o.id, offset); id != kafka.NoRecord {
			rows = 1
			o.record(o.cell(column, y), kafka.NoNode, offset, id, ackedLost, true)
		}
	})
	if rows > 0 {
		o.pen(3, y).put(lost, "nowhere")
	}
	return rows
}

// waterline is the leader's high watermark: a line left of the first offset that readers do not see yet.
func (o *offsets) waterline(top, y, lines int) {
	hw := o.highWatermark()
	if hw == kafka.NoOffset {
		return
	}
	column := o.window.column(hw)
	if column < 0 || o.label+column*o.column > o.w {
		if lines > 0 {
			at := o.pen(o.label, y).put(accent, "high watermark ").num(accent, int64(hw))
			if column == far {
				at.put(accent, " →")
			}
			o.stableLine(y, at.x+1, o.w)
		}
		return
	}
	x := o.label + column*o.column - 1
	for row := top; row < y; row++ {
		o.glyph(x, row, accent, "│")
	}
	if lines == 0 {
		return
	}
	const words = " high watermark "
	need := len(words) + width(int64(hw))
	o.glyph(x, y, accent, "└")
	at := o.pen(x+1, y)
	left := x
	if x+1+need > o.w {
		o.glyph(x, y, accent, "┘")
		left = x - need - 1
		at.to(left)
	}
	at.put(accent, words).num(accent, int64(hw))
	o.stableLine(y, 3, left)
}

// highWatermark is that of the leader, or of the last one.
func (o *offsets) highWatermark() kafka.Offset {
	for i := range o.replicas {
		if o.replicas[i].Broker == o.truth.Last {
			return o.replicas[i].HighWater
		}
	}
	return kafka.NoOffset
}

// reading has rows of those who read, groups first, and returns the row behind them.
func (o *offsets) reading(y, rows int) int {
	for g := range o.names.Groups {
		if rows > 0 && slices.Contains(o.partsOf(kafka.GroupID(g)), o.id) {
			o.groupRow(y, kafka.GroupID(g))
			y, rows = y+1, rows-1
		}
	}
	for _, id := range o.roles().readers {
		if rows > 0 {
			o.readerRow(y, id)
			y, rows = y+1, rows-1
		}
	}
	return y
}

// groupRow marks what a group has committed, and what its member has read beyond that.
func (o *offsets) groupRow(y int, id kafka.GroupID) {
	o.pen(3, y).fit(o.label-4, dim, o.names.ConsumerGroup(id))
	known, ok := o.m.Picture.Groups().Partition(id, o.id)
	if !ok {
		return
	}
	next := known.Committed
	if at := o.m.Picture.Position(known.Owner, o.id); known.Owner != kafka.NoNode && at != kafka.NoOffset {
		next = at
	}
	o.window.each(func(column int, offset kafka.Offset) {
		cell := o.cell(column, y)
		switch {
		case offset < min(known.Committed, next):
			cell.glyph(o.column-2, 0, fine, "✓")
		case offset < next:
			cell.glyph(o.column-2, 0, open, "·") // read, and not committed
		case offset == next:
			cell.right(o.column-2, 0, dim, "next")
		}
	})
}

// readerRow marks what a reader has read, and what it left out because it was aborted. A marker nobody sees.
func (o *offsets) readerRow(y int, id kafka.NodeID) {
	o.pen(3, y).fit(o.label-4, dim, o.names.Node(id))
	next := o.m.Picture.Position(id, o.id)
	o.window.each(func(column int, offset kafka.Offset) {
		cell := o.cell(column, y)
		switch {
		case offset < next && o.skipped(id, offset):
			cell.glyph(o.column-2, 0, fates[compacted].style, fates[compacted].glyph)
		case offset < next:
			o.read(cell, id, offset)
		case offset == next:
			cell.right(o.column-2, 0, dim, "next")
		}
	})
}

func (o *offsets) read(cell area, reader kafka.NodeID, offset kafka.Offset) {
	switch ending := o.m.Picture.EndingAt(o.id, o.truth.Last, offset); {
	case ending == view.CommitMarker, ending == view.AbortMarker:
	case ending == view.Aborted && o.names.ReadsCommitted(reader):
		cell.glyph(o.column-2, 0, lost, endings[ending].glyph)
	default:
		cell.glyph(o.column-2, 0, dim, "✓")
	}
}

// skipped reports whether a reader is past an offset that compaction had taken before it came there.
func (o *offsets) skipped(reader kafka.NodeID, offset kafka.Offset) bool {
	logs := o.m.Picture.Logs()
	if !logs.Gone(o.id, o.truth.Last).Has(offset) {
		return false
	}
	return !o.m.Picture.HasShown(reader, view.Place{Partition: o.id, Epoch: logs.WroteAt(o.id, o.truth.Last, offset), Offset: offset})
}

// key says what the signs mean; those of transactions too, where they are not explained yet and there is room left.
func (o *offsets) key(y int, explained bool) {
	at := o.pen(3, y)
	for f := range fates {
		look := &fates[f]
		if fate(f) == compacted && len(o.m.Picture.Logs().Gone(o.id, o.truth.Last)) == 0 {
			continue
		}
		if at.x+len(look.name)+2 > o.w {
			return
		}
		at.put(look.style, look.glyph).put(dim, " ").put(dim, look.name).gap(2)
	}
	if !explained {
		o.endingKey(at)
	}
}
