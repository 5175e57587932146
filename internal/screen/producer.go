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
	total   view.Producer
}

// rank orders workers where there is no room for all: first the one that has the record that is followed, then the busy
// ones, those that wait longest on top, so that they keep their rows.
func (w *worker) rank(followed kafka.RecordID) kafka.Tick {
	switch {
	case w.has(followed):
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

func (p *painter) producersHeight() int { return p.producerCount() + 4 }

func (p *painter) producerCount() int {
	n := 0
	for _, producer := range p.m.Picture.Producers() {
		n = max(n, p.groupSize(producer.ID))
	}
	return max(n, 1)
}

// groupSize is the number of workers that belong together.
func (p *painter) groupSize(id kafka.NodeID) int {
	group, n := p.names.Group(id), 0
	for i := range p.names.Nodes {
		if p.names.Nodes[i].ID.IsClient() && p.names.Group(p.names.Nodes[i].ID) == group {
			n++
		}
	}
	return n
}

// producers is who writes: what is in flight, and what each worker believes beside what is true.
func (p *painter) producers() {
	producers := p.m.Picture.Producers()
	if len(producers) == 0 {
		_, room := p.title(PaneProducer, "producer")
		room.text(3, 0, dim, "nothing was sent yet")
		return
	}
	name := p.names.Group(producers[0].ID)
	rule, room := p.title(PaneProducer, name)
	if n := p.groupSize(producers[0].ID); n > 1 {
		rule.put(faint, "─ ").num(dim, int64(n)).put(dim, " workers ")
	}
	workers, total := p.workers(producers)
	room.beliefs(0, &total)
	room.workerHead(1)
	_, rows := room.top(2)
	list := room.within(rows)
	workers = list.fitting(workers)
	for i := range workers {
		_, row := list.top(i)
		list.within(row).workerRow(&workers[i])
	}
}

// workers lists all workers, and what they know together.
func (p *painter) workers(producers []view.Producer) ([]worker, view.Producer) {
	var total view.Producer
	workers := make([]worker, 0, len(producers))
	for _, producer := range producers {
		w := worker{id: producer.ID, flights: p.m.Picture.InFlight(producer.ID), total: producer}
		for id := range p.m.Picture.Partitions() {
			again, fresh := p.m.Picture.Queued(producer.ID, kafka.PartitionID(id))
			if w.again == 0 && len(again) > 0 {
				w.first = again[0]
			}
			w.again, w.fresh = w.again+len(again), w.fresh+len(fresh)
		}
		total.Waiting += producer.Waiting
		total.Acked += producer.Acked
		total.Failed += producer.Failed
		total.Untracked += producer.Untracked
		workers = append(workers, w)
	}
	return workers, total
}

// fitting keeps all workers in their order where there is room, else the busy ones first, the longest waiting on top.
func (p *painter) fitting(workers []worker) []worker {
	if len(workers) <= p.h {
		return workers
	}
	slices.SortStableFunc(workers, func(a, b worker) int {
		return cmp.Compare(a.rank(p.sel.Record), b.rank(p.sel.Record))
	})
	return workers[:max(p.h, 0)]
}

// beliefs sums up what the applications know.
func (p *painter) beliefs(y int, total *view.Producer) {
	unheard, flights := 0, 0
	for _, producer := range p.m.Picture.Producers() {
		for _, f := range p.m.Picture.InFlight(producer.ID) {
			unheard += len(f.Records)
			flights++
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
	c.to = c.order + min(widestRecord(p.names), 12) + 4
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

// shortName is what tells a worker from the others of its group.
func (p *painter) shortName(id kafka.NodeID) string {
	name, group := p.names.Node(id), p.names.Group(id)
	if rest, ok := strings.CutPrefix(name, group); ok && len(rest) > 1 {
		return rest[1:]
	}
	return name
}

func (p *painter) recordStyle(style Style, id kafka.RecordID) Style {
	if id == p.sel.Record {
		return style | marked
	}
	return style
}

// flight is the batch that a worker waits for: that of the record that is followed, else the oldest.
func (p *painter) flight(c workerColumns, w *worker) {
	f, shown := &w.flights[0], w.flights[0].Records[0]
	for i := range w.flights {
		if slices.Contains(w.flights[i].Records, p.sel.Record) {
			f, shown = &w.flights[i], p.sel.Record
		}
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
	p.truth(at.to(c.truth), f)
	if n := len(w.flights) - 1; n > 0 && at.x+4 < p.w {
		at.put(faint, " +").num(dim, int64(n))
	}
}

// truth is what the producer can not know: whether the batch was stored.
func (p *painter) truth(at *pen, f *view.Flight) {
	switch {
	case f.Stored == kafka.NoOffset:
		at.put(dim, "not stored")
	case p.w-at.x < truthWidth:
		at.put(plain, "stored ").num(plain, int64(f.Stored))
	default:
		at.put(plain, "stored at ").num(plain, int64(f.Stored))
	}
}

// clockTail leaves the hours off a time of day.
func clockTail(clock string) string {
	if len(clock) == len("12:40:00.000") && clock[2] == ':' {
		return clock[3:]
	}
	return clock
}
