package screen

import (
	"slices"

	"replog/internal/kafka"
	"replog/internal/view"
)

// accumulatorRows is the room for what one producer waits for: its name, the accumulator, the batches in flight, the times
// that run out, the backoff.
const accumulatorRows = 5

// fewWorkers is up to how many workers the pane keeps that room below them.
const fewWorkers = 3

// looksAt is the worker that is chosen, else the one that has the record that is followed, else the one that waits longest.
func (p *painter) looksAt(workers []worker) *worker {
	best := &workers[0]
	for i := range workers {
		w := &workers[i]
		if w.id == p.sel.Producer {
			return w
		}
		if w.rank(p.sel.Record, p.sel.Producer) < best.rank(p.sel.Record, p.sel.Producer) {
			best = w
		}
	}
	return best
}

// accumulator tells of one worker what fills, what is on its way, and which times run out. Each has its own row, so that
// nothing moves.
func (p *painter) accumulator(w *worker) {
	p.area = p.on(Hit{Kind: HitProducer, Pane: PaneProducer, Node: w.id})
	p.claim()
	var config *kafka.ProducerConfig
	if p.m.Config != nil {
		config = p.m.Config(w.id)
	}
	at := p.pen(1, 0).put(plain, p.names.Node(w.id))
	if config != nil {
		at.put(dim, "  batch.size ").num(dim, int64(config.BatchBytes))
		at.put(dim, "  linger.ms ").put(dim, p.names.Millis(config.LingerTicks))
		const messages = "  batch.num.messages "
		if n := int64(config.BatchRecords); n > 0 && at.x+len(messages)+width(n) <= p.w {
			at.put(dim, messages).num(dim, n)
		}
	}
	p.filling(p.pen(1, 1).put(dim, "fills  "), w, config)
	p.onItsWay(p.pen(1, 2).put(dim, "sent   "), w)
	p.runningOut(p.pen(1, 3).put(dim, "until  "), w, config)
	p.backingOff(p.pen(1, 4).put(dim, "waits  "), w, config)
}

// filling is the partition whose new records have waited longest: how many and how large they are, and what is left of
// linger.ms.
func (p *painter) filling(at *pen, w *worker, config *kafka.ProducerConfig) {
	fullest := view.Accumulated{Oldest: kafka.Never}
	for id := range p.m.Picture.Partitions() {
		if a := p.m.Picture.Accumulator(w.id, kafka.PartitionID(id)); a.Oldest < fullest.Oldest {
			fullest = a
		}
	}
	if len(fullest.Fresh) == 0 {
		at.put(faint, "–")
		return
	}
	at.partition(dim, p.names, fullest.Partition, true).gap(1).num(plain, int64(len(fullest.Fresh)))
	at.put(dim, " new  ").num(plain, p.bytes(fullest.Fresh)).put(dim, " B  ")
	if config != nil && config.LingerTicks > 0 {
		p.left(at, "linger", fullest.Oldest, config.LingerTicks)
		p.heldUp(at, fullest.Partition, fullest.Oldest+config.LingerTicks)
	}
}

// heldUp says why what was due at a tick has not left: its leader can not take it.
func (p *painter) heldUp(at *pen, id kafka.PartitionID, due kafka.Tick) {
	leader := p.m.Picture.Partition(id).Leader
	why := ""
	switch {
	case p.m.now() <= due:
	case leader == kafka.NoNode:
		why = "no leader"
	case !p.isUp(leader):
		why = p.names.Node(leader) + " is down"
	}
	if at.x+len(why) <= p.w {
		at.put(lost, why)
	}
}

func (p *painter) isUp(broker kafka.NodeID) bool {
	return slices.ContainsFunc(p.m.Picture.Brokers(), func(b view.Broker) bool { return b.ID == broker && b.Up })
}

// bytes is the size of some records.
func (p *painter) bytes(ids []kafka.RecordID) int64 {
	sum := int64(0)
	for _, id := range ids {
		if l, _, _ := load(p.names, id); l != nil {
			sum += int64(l.Size)
		}
	}
	return sum
}

// onItsWay is the batches in flight, the oldest first, with their sequence numbers, or how many records they have where
// there are none.
func (p *painter) onItsWay(at *pen, w *worker) {
	if len(w.flights) == 0 {
		at.put(faint, "–")
		return
	}
	for i := range w.flights {
		f := &w.flights[i]
		last := kafka.AddSequence(max(f.Sequence, 0), int32(len(f.Records)-1))
		if need := partitionWidth(p.names) + len(" seq -  +99") + width(int64(f.Sequence)) + width(int64(last)); i > 0 && at.x+need > p.w {
			at.put(dim, "+").num(dim, int64(len(w.flights)-i))
			return
		}
		at.partition(dim, p.names, f.Partition, true)
		switch {
		case f.Sequence == kafka.NoSequence:
			at.put(dim, " records ").num(plain, int64(len(f.Records)))
		case last == f.Sequence:
			at.put(dim, " seq ").num(plain, int64(last))
		default:
			at.put(dim, " seq ").num(plain, int64(f.Sequence)).put(dim, "-").num(plain, int64(last))
		}
		at.gap(2)
	}
}

// runningOut counts down what is left for the answer to the oldest batch in flight, and for the oldest record that was sent.
func (p *painter) runningOut(at *pen, w *worker, config *kafka.ProducerConfig) {
	oldest := kafka.Never
	for i := range w.flights {
		oldest = min(oldest, w.flights[i].Since)
	}
	for id := range p.m.Picture.Partitions() {
		oldest = min(oldest, p.m.Picture.Accumulator(w.id, kafka.PartitionID(id)).AgainSince)
	}
	if config == nil || oldest == kafka.Never {
		at.put(faint, "–")
		return
	}
	if len(w.flights) > 0 {
		p.left(at, "answer", w.flights[0].At, config.AnswerTimeout)
	}
	p.left(at, "delivery", oldest, config.DeliveryTimeout)
}

// backingOff is the first partition whose records wait to be sent again.
func (p *painter) backingOff(at *pen, w *worker, config *kafka.ProducerConfig) {
	for id := range p.m.Picture.Partitions() {
		a := p.m.Picture.Accumulator(w.id, kafka.PartitionID(id))
		if len(a.Again) == 0 {
			continue
		}
		at.partition(open, p.names, a.Partition, true).gap(1).num(open, int64(len(a.Again))).put(dim, " again  ")
		if config != nil && config.RetryAtTakeover {
			at.put(dim, "for a new leader")
		} else {
			p.left(at, "backoff", a.NotBefore, 0)
			p.heldUp(at, a.Partition, a.NotBefore)
		}
		return
	}
	at.put(faint, "–")
}

// left counts down a time that began at a tick, in milliseconds; one that never runs out is not there, nor one that would be
// cut.
func (p *painter) left(at *pen, what string, from, span kafka.Tick) {
	if span == kafka.Never || from == kafka.Never {
		return
	}
	left := max(from+span-p.m.now(), 0)
	style, ms := plain, p.names.Millis(left)
	if left == 0 {
		style = open
	}
	if at.x+len(what)+len(ms)+len("  ms") <= p.w {
		at.put(dim, what).gap(1).put(style, ms).put(dim, " ms").gap(2)
	}
}

// shownFlight is the batch in flight that the record that is followed is in, else the oldest.
func (p *painter) shownFlight(w *worker) *view.Flight {
	for i := len(w.flights) - 1; i > 0; i-- {
		if slices.Contains(w.flights[i].Records, p.sel.Record) {
			return &w.flights[i]
		}
	}
	return &w.flights[0]
}
