package broker

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// pendingProduces holds the produce requests in work: those that wait for the high watermark stand in Kafka's produce
// purgatory (DelayedProduce). Slots are used again, so a busy broker allocates nothing here.
type pendingProduces struct {
	slots []pendingProduce
	free  []int32
	timer kafka.Tick // when the expiry timer will fire, 0 when it is not armed
}

// pendingProduce is one produce request.
type pendingProduce struct {
	answer *kafka.ProduceResponse // filled until it is sent
	// markers is the request, where it is one for transaction markers: then the answer becomes one to that.
	markers  *kafka.WriteTxnMarkersRequest
	about    []event.Seq // for each result, the event that wrote or refused the batch
	deadline kafka.Tick
	reply    node.Reply
	waits    int32 // results that wait for the high watermark
	from     kafka.NodeID
	acks     kafka.Acks
	used     bool
}

func (q *pendingProduces) at(slot int32) *pendingProduce { return &q.slots[slot] }

func (b *Broker) openProduce(in *node.Input, request *kafka.ProduceRequest) int32 {
	q := &b.produces
	var slot int32
	if n := len(q.free); n > 0 {
		slot, q.free = q.free[n-1], q.free[:n-1]
	} else {
		slot = int32(len(q.slots))
		q.slots = append(q.slots, pendingProduce{})
	}
	r := q.at(slot)
	about := r.about[:0]
	for range request.Batches {
		about = append(about, 0)
	}
	*r = pendingProduce{
		answer: b.newResponse(len(request.Batches)), about: about, reply: in.Reply, from: in.From,
		acks: request.Acks, deadline: deadline(in.Now, request.Timeout), used: true,
	}
	return slot
}

func deadline(now, span kafka.Tick) kafka.Tick {
	if now == kafka.Never || span <= 0 || span == kafka.Never { // no limit
		return kafka.Never
	}
	return now + span
}

// produced is a response with room for the one result that most of them have.
type produced struct {
	kafka.ProduceResponse
	one [1]kafka.ProduceResult
}

func (b *Broker) newResponse(results int) *kafka.ProduceResponse {
	r := b.produced.New()
	if r.Results = r.one[:]; results != 1 {
		r.Results = make([]kafka.ProduceResult, results)
	}
	return &r.ProduceResponse
}

// await makes a written batch wait for the high watermark. A recognised duplicate may need less than those before it.
func (b *Broker) await(p *partition, w waiter) {
	b.produces.at(w.slot).waits++
	at := len(p.waiting)
	p.waiting = append(p.waiting, w)
	for ; at > p.served && p.waiting[at-1].need > w.need; at-- {
		p.waiting[at] = p.waiting[at-1]
	}
	p.waiting[at] = w
}

// completeWaiting answers the batches that the high watermark has passed. One whose ISR has meanwhile become too small
// is in the log all the same (Partition.checkEnoughReplicasReachOffset).
func (b *Broker) completeWaiting(p *partition, now kafka.Tick, out *node.Out) {
	code := kafka.None
	if p.maximalISR().Len() < p.minISR {
		code = kafka.NotEnoughReplicasAfterAppend
	}
	for p.served < len(p.waiting) && p.waiting[p.served].need <= p.hw {
		w := p.waiting[p.served]
		p.served++
		b.complete(w, code, now, out)
	}
	p.trimWaiting()
	b.completeDeferred(p, now, out)
}

// trimWaiting drops the waiters that are done, so that the list does not grow for ever.
func (p *partition) trimWaiting() {
	if p.served == len(p.waiting) {
		p.waiting, p.served = p.waiting[:0], 0
	} else if p.served > 64 && p.served*2 > len(p.waiting) {
		p.waiting = append(p.waiting[:0], p.waiting[p.served:]...)
		p.served = 0
	}
}

// failWaiting answers all waiting batches of a partition with an error.
func (b *Broker) failWaiting(p *partition, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	for p.served < len(p.waiting) {
		w := p.waiting[p.served]
		p.served++
		b.complete(w, code, now, out)
	}
	p.trimWaiting()
}

func (b *Broker) complete(w waiter, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	r := b.produces.at(w.slot)
	if !r.used || r.waits == 0 {
		return
	}
	if code != kafka.None {
		r.answer.Results[w.result].Error = code
		r.answer.Results[w.result].BaseOffset = kafka.NoOffset
	}
	r.waits--
	b.settle(w.slot, now, out)
}

// settle answers a request when nothing of it waits any more, and watches its deadline otherwise.
func (b *Broker) settle(slot int32, now kafka.Tick, out *node.Out) {
	r := b.produces.at(slot)
	if r.waits > 0 {
		b.watchDeadline(r.deadline, out)
		return
	}
	switch {
	case r.markers != nil:
		out.Answer(r.reply, markersAnswer(r))
	case r.acks == kafka.AcksNone:
		out.Answer(r.reply, nil)
	default:
		for i := range r.answer.Results {
			b.emitAnswer(r, i, out)
		}
		out.Answer(r.reply, r.answer)
	}
	r.answer, r.markers, r.used = nil, nil, false
	b.produces.free = append(b.produces.free, slot)
}

func (b *Broker) emitAnswer(r *pendingProduce, i int, out *node.Out) {
	result := &r.answer.Results[i]
	b.emit(out, event.Event{
		Kind: event.ProduceAnswered, Peer: r.from, Partition: result.Partition, Offset: result.BaseOffset,
		Error: result.Error, About: r.about[i],
	})
}

func (b *Broker) watchDeadline(at kafka.Tick, out *node.Out) {
	if at == kafka.Never || b.produces.timer != 0 && b.produces.timer <= at {
		return
	}
	b.produces.timer = at
	out.Timer(at, node.Timer{Kind: timerProduceExpired})
}

// expireProduces answers REQUEST_TIMED_OUT for what has waited for request.timeout.ms; the batches stay in the log.
func (b *Broker) expireProduces(now kafka.Tick, out *node.Out) {
	b.produces.timer = 0
	next := kafka.Never
	for slot := range b.produces.slots {
		r := &b.produces.slots[slot]
		switch {
		case !r.used || r.waits == 0:
		case r.deadline > now:
			next = min(next, r.deadline)
		default:
			b.expire(int32(slot), now, out)
		}
	}
	b.watchDeadline(next, out)
}

func (b *Broker) expire(slot int32, now kafka.Tick, out *node.Out) {
	for _, p := range b.parts {
		if p == nil {
			continue
		}
		kept := p.waiting[:p.served]
		for _, w := range p.waiting[p.served:] {
			if w.slot != slot {
				kept = append(kept, w)
				continue
			}
			r := b.produces.at(slot)
			r.answer.Results[w.result].Error = kafka.RequestTimedOut
			r.answer.Results[w.result].BaseOffset = kafka.NoOffset
		}
		p.waiting = kept
		p.trimWaiting()
	}
	b.produces.at(slot).waits = 0
	b.settle(slot, now, out)
}
