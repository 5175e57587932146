package screen

import (
	"cmp"
	"slices"
	"strings"

	"replog/internal/kafka"
	"replog/internal/view"
)

// worker is one producer of a service, as the pane shows it.
type worker struct {
	id      kafka.NodeID
	flights []view.Flight
	again   int // records that wait to be sent again
	first   kafka.RecordID
	fresh   int // records that wait to be sent
}

// rank orders workers where there is no room for all: first the one that has the record that is followed, then the busy
// ones, those that wait longest on top, so that they keep their rows. One that is chosen is the first too.
func (w *worker) rank(followed kafka.RecordID, chosen kafka.NodeID) kafka.Tick {
	switch {
	case w.has(followed), w.id == chosen:
		return -1
	case len(w.flights) > 0:
		return w.flights[0].At
	case w.again > 0:
		return 0
	}
	return kafka.Never
}

// has reports whether a record is in flight, or is the first to be sent again.
func (w *worker) has(id kafka.RecordID) bool {
	for i := range w.flights {
		if slices.Contains(w.flights[i].Records, id) {
			return true
		}
	}
	return w.again > 0 && w.first == id
}

// producersHeight is the room for all workers; few of them leave some for what one of them waits for.
func (p *painter) producersHeight() int {
	n := len(p.roles().writers)
	if n > 0 && n <= fewWorkers {
		n += accumulatorRows
	}
	return max(n, 1) + 4
}

// producers is who writes: what is in flight, and what each worker believes beside what is true.
func (p *painter) producers() {
	writers := p.roles().writers
	if len(writers) == 0 {
		_, room := p.title(PaneProducer, "producers")
		room.text(3, 0, dim, "nobody writes")
		return
	}
	name := p.service(writers)
	rule, room := p.title(PaneProducer, name)
	if len(writers) > 1 {
		rule.put(faint, "─ ").num(dim, int64(len(writers))).put(dim, " workers ")
	}
	room.beliefs(0, writers)
	room.workerHead(1)
	_, rows := room.top(2)
	list := room.within(rows)
	all := p.workers(writers)
	kept := len(all)
	if p.first.Layout == LayoutZoom && rows.h > 2*accumulatorRows { // then idle workers give way
		kept = min(kept, rows.h-accumulatorRows-1)
	}
	if upper, below := rows.top(kept); below.h >= accumulatorRows {
		list.area = upper
		_, below = below.top(min(below.h-accumulatorRows, 1))
		room.within(below).accumulator(room.looksAt(all))
	}
	workers := list.fitting(all)
	for i := range workers {
		_, row := list.top(i)
		list.within(row).workerRow(&workers[i])
	}
}

// service is what the writers are together.
func (p *painter) service(writers []kafka.NodeID) string {
	name := p.names.Group(writers[0])
	for _, id := range writers[1:] {
		if p.names.Group(id) != name {
			return "producers"
		}
	}
	return name
}

func (p *painter) workers(writers []kafka.NodeID) []worker {
	workers := make([]worker, 0, len(writers))
	for _, writer := range writers {
		w := worker{id: writer, flights: p.m.Picture.InFlight(writer)}
		for id := range p.m.Picture.Partitions() {
			again, fresh := p.m.Picture.Queued(writer, kafka.PartitionID(id))
			if w.again == 0 && len(again) > 0 || slices.Contains(again, p.sel.Record) {
				w.first = again[0]
			}
			w.again, w.fresh = w.again+len(again), w.fresh+len(fresh)
		}
		workers = append(workers, w)
	}
	return workers
}

// fitting keeps all workers in their order where there is room, else the busy ones first, the longest waiting on top.
func (p *painter) fitting(workers []worker) []worker {
	if len(workers) <= p.h {
		return workers
	}
	slices.SortStableFunc(workers, func(a, b worker) int {
		return cmp.Compare(a.rank(p.sel.Record, p.sel.Producer), b.rank(p.sel.Record, p.sel.Producer))
	})
	return workers[:max(p.h, 0)]
}

// beliefs sums up what the applications know.
func (p *painter) beliefs(y int, writers []kafka.NodeID) {
	var total view.Producer
	for _, producer := range p.m.Picture.Producers() {
		total.Waiting += producer.Waiting
		total.Acked += producer.Acked
		total.Failed += producer.Failed
		total.Untracked += producer.Untracked
	}
	unheard := 0
	for _, writer := range writers {
		for _, f := range p.m.Picture.InFlight(writer) {
			unheard += len(f.Records)
		}
	}
	at, gap := p.pen(1, y), 2
	if p.w < 48 {
		gap = 1
	}
	count := func(style Style, n int, what string) {
		if n == 0 {
			style = dim
		}
		at.num(style, int64(n)).put(dim, " ").put(dim, what).gap(gap)
	}
	count(fine, total.Acked, "acked")
	count(lost, total.Failed, "failed")
	count(open, unheard, "unheard")
	count(plain, total.Waiting, "queued")
	if total.Untracked > 0 {
		count(plain, total.Untracked, "untracked")
	}
}

// workerColumns are where the columns of a worker's row begin; those that have no room are 0.
type workerColumns struct{ order, to, try, since, answer, truth int }

const answerWidth, sinceWidth, truthWidth = 10, 11, 17

func (p *painter) workerColumns() workerColumns {
	c := workerColumns{order: 9}
	for _, id := range p.roles().writers {
		c.order = max(c.order, min(textWidth(p.shortName(id)), p.w/4)+4)
	}
	c.to = c.order + max(min(widestRecord(p.names), 12)+2, len("order")) + 2
	c.try = c.to + partitionWidth(p.names) + 4
	next := c.try + 5
	if p.w-next >= answerWidth+sinceWidth+truthWidth {
		c.since = next
		next += sinceWidth
	}
	if p.w-next >= answerWidth+truthWidth {
		c.answer = next
		next += answerWidth
	}
	c.truth = next
	return c
}

func (p *painter) workerHead(y int) {
	c := p.workerColumns()
	p.text(1, y, dim, "worker")
	p.text(c.order, y, dim, "order")
	p.text(c.to, y, dim, "to")
	p.text(c.try, y, dim, "try")
	if c.since > 0 {
		p.text(c.since, y, dim, "since")
	}
	if c.answer > 0 {
		p.text(c.answer, y, dim, "answer")
	}
	p.text(c.truth, y, dim, "in truth")
}

func (p *painter) workerRow(w *worker) {
	p.area = p.on(Hit{Kind: HitProducer, Pane: PaneProducer, Node: w.id})
	p.claim()
	c := p.workerColumns()
	name := p.shortName(w.id)
	p.fitted(2, 0, c.order-3, plain, name)
	switch {
	case len(w.flights) > 0:
		p.flight(c, w)
	case w.again > 0:
		p.pen(c.order, 0).record(p.recordStyle(plain, w.first), p.names, w.first)
		at := p.pen(c.to, 0).put(open, "R ").num(open, int64(w.again)).put(open, " to send again")
		if w.fresh > 0 {
			at.put(dim, ", ").num(dim, int64(w.fresh)).put(dim, " new")
		}
	case w.fresh > 0:
		p.pen(c.to, 0).num(dim, int64(w.fresh)).put(dim, " to send")
	default:
		p.text(c.order, 0, faint, "–")
	}
	if p.sel.Producer == w.id {
		p.text(0, 0, accent, "▸")
		p.tint(0, p.w, 0, selected)
	}
}

// shortName is what tells a worker from the others of its service; one that is the service needs no name.
func (p *painter) shortName(id kafka.NodeID) string {
	rest, ok := strings.CutPrefix(p.names.Node(id), p.service(p.roles().writers))
	if ok && rest == "" {
		return ""
	}
	if ok && len(rest) > 1 {
		return rest[1:]
	}
	return p.names.Node(id)
}

func (p *painter) recordStyle(style Style, id kafka.RecordID) Style {
	if id == p.sel.Record {
		return style | marked
	}
	return style
}

// flight is the batch that a worker waits for: that of the record that is followed, else the oldest.
func (p *painter) flight(c workerColumns, w *worker) {
	f := p.shownFlight(w)
	shown := f.Records[0]
	if slices.Contains(f.Records, p.sel.Record) {
		shown = p.sel.Record
	}
	at := p.pen(c.order, 0).record(p.recordStyle(plain, shown), p.names, shown)
	if more := len(f.Records) - 1; more > 0 {
		at.put(dim, "+").num(dim, int64(more))
	}
	at.to(c.to).partition(dim, p.names, f.Partition, true).put(faint, "→").num(dim, int64(f.Peer))
	try := dim
	if f.Attempt > 1 {
		try = open
	}
	at.to(c.try+1).num(try, int64(f.Attempt))
	if c.since > 0 {
		at.to(c.since).put(dim, clockTail(p.clock(f.At)))
	}
	if c.answer > 0 {
		at.to(c.answer).put(open, "? none")
	} else {
		p.glyph(c.truth-2, 0, open, "?")
	}
	p.truth(at.to(c.truth), f, shown)
	if n := len(w.flights) - 1; n > 0 && at.x+4 < p.w {
		at.put(faint, " +").num(dim, int64(n))
	}
}

// truth is what the producer can not know: whether the record was stored, by this attempt or by one before.
func (p *painter) truth(at *pen, f *view.Flight, id kafka.RecordID) {
	offset, before := f.Stored, false
	if offset == kafka.NoOffset {
		offset = p.storedAt(f.Partition, id)
		before = offset != kafka.NoOffset
	} else {
		offset += kafka.Offset(slices.Index(f.Records, id))
	}
	if before && p.w-at.x >= len("this try not, ")+truthWidth {
		at.put(dim, "this try not, ")
	}
	switch {
	case offset == kafka.NoOffset:
		at.put(dim, "not stored")
	case p.w-at.x < truthWidth:
		at.put(plain, "stored ").num(plain, int64(offset))
	default:
		at.put(plain, "stored at ").num(plain, int64(offset))
	}
}

// storedAt is the last offset at which the log of the leader, or of the last one, has a record; NoOffset for none.
func (p *painter) storedAt(id kafka.PartitionID, record kafka.RecordID) kafka.Offset {
	offset := kafka.NoOffset
	if !p.m.Picture.Marks(record).Has(view.Stored) {
		return offset
	}
	logs, leader := p.m.Picture.Logs(), p.m.Picture.Partition(id).Last
	for _, place := range logs.Places(record) {
		if logs.Holders(place).Has(leader) {
			offset = max(offset, place.Offset)
		}
	}
	return offset
}

// clockTail leaves the hours off a time of day.
func clockTail(clock string) string {
	if len(clock) == len("12:40:00.000") && clock[2] == ':' {
		return clock[3:]
	}
	return clock
}
