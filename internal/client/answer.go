package client

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// handleAnswer takes a broker's answer to one request, batch by batch (Sender.handleProduceResponse).
func (p *Producer) handleAnswer(in *node.Input, answer *kafka.ProduceResponse, out *node.Out) {
	l := p.link(in.From)
	from := 0
	for from < len(l.flights) && l.flights[from].corr != in.Corr {
		from++
	}
	to := from
	for to < len(l.flights) && l.flights[to].corr == in.Corr {
		to++
	}
	if from == to {
		return // a second copy of an answer, or one to a request that was given up
	}
	for i := from; i < to; i++ {
		out.BecauseOfInput()
		result := &answer.Results[i-from]
		if f := &l.flights[i]; result.Error == kafka.None || result.Error == kafka.DuplicateSequenceNumber {
			p.acknowledge(f, in.From, result.BaseOffset, in.Now, out)
		} else {
			p.retryOrFail(f, in.From, result.Error, in.Now, out)
		}
	}
	p.requeue(l.flights[from:to])
	l.flights = slices.Delete(l.flights, from, to)
	l.requests--
	p.drain(in.Now, out)
}

// acknowledge tells the application; records that it sent at different times have latencies of their own.
func (p *Producer) acknowledge(f *flight, broker kafka.NodeID, base kafka.Offset, now kafka.Tick, out *node.Out) {
	if !out.Tracing() {
		return
	}
	for from := 0; from < f.Len(); {
		to := from + 1
		for to < f.Len() && f.Timestamp(to) == f.Timestamp(from) {
			to++
		}
		at := base
		if base != kafka.NoOffset { // DUPLICATE_SEQUENCE_NUMBER does not say where the first copy is
			at += kafka.Offset(from)
		}
		out.EmitIDs(event.Event{
			Kind: event.RecordsAcknowledged, Node: p.id, Peer: broker, Partition: f.Partition,
			Offset: at, Value: int64(now - f.Timestamp(from)), About: f.sent,
		}, f.IDs()[from:to])
		from = to
	}
}

// retryOrFail decides what becomes of a batch that was not acknowledged (Sender.canRetry). A batch that may be sent
// again is marked; requeue puts it back.
func (p *Producer) retryOrFail(f *flight, broker kafka.NodeID, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	if code.InvalidatesMetadata() && !p.config.RetryAtTakeover {
		p.askMetadata(now, out)
	}
	f.again = p.mayRetry(f, code, now)
	if !f.again {
		out.EmitRecords(event.Event{
			Kind: event.RecordsFailed, Node: p.id, Partition: f.Partition, Error: code, About: f.sent,
		}, f.Records)
		return
	}
	f.cause = out.EmitRecords(event.Event{
		Kind: event.ProduceRetryScheduled, Node: p.id, Peer: broker, Partition: f.Partition, Error: code,
		Value: int64(p.config.RetryBackoff), About: f.sent,
	}, f.Records)
	if p.config.RetryAtTakeover {
		return
	}
	q := &p.queues[f.Partition]
	q.notBefore = now + p.config.RetryBackoff
	out.Timer(q.notBefore, node.Timer{Kind: timerBackoff, Arg: int32(f.Partition)})
}

func (p *Producer) mayRetry(f *flight, code kafka.ErrorCode, now kafka.Tick) bool {
	if f.attempt > p.config.Retries {
		return false
	}
	if p.config.DeliveryTimeout < kafka.Never && now-f.Timestamp(0) >= p.config.DeliveryTimeout {
		return false
	}
	if code == kafka.OutOfOrderSequenceNumber {
		return p.earlierUnanswered(f) // the ones before it are on their way again; then its turn comes
	}
	return code.Retriable()
}

// earlierUnanswered reports whether a batch with a smaller sequence of the same partition is still open.
func (p *Producer) earlierUnanswered(f *flight) bool {
	earlier := func(g *flight) bool { return g.Partition == f.Partition && g.BaseSequence < f.BaseSequence }
	for i := range p.links {
		for j := range p.links[i].flights {
			if earlier(&p.links[i].flights[j]) {
				return true
			}
		}
	}
	for i := range p.queues[f.Partition].retries {
		if earlier(&p.queues[f.Partition].retries[i]) {
			return true
		}
	}
	return false
}

// requeue puts the batches that will be sent again back to the front of their queues, in order.
func (p *Producer) requeue(flights []flight) {
	for i := len(flights) - 1; i >= 0; i-- {
		f := &flights[i]
		if !f.again {
			continue
		}
		q := &p.queues[f.Partition]
		switch {
		case p.config.RetryAtTakeover:
			q.parked = append(q.parked, *f)
			continue
		case f.Idempotent():
			q.retry(*f)
		default:
			q.putBack(f, f.cause, p.config.RetryInPlace)
		}
		p.mark(f.Partition)
	}
}

// handleReset gives up every request on a connection that closed: nobody knows what became of them.
func (p *Producer) handleReset(in *node.Input, out *node.Out) {
	if in.Channel == node.ControlChannel {
		p.controlConnectionLost(in.Now, out)
		return
	}
	l := p.link(in.From)
	l.blocked = true
	if l.state != linkUp {
		l.state = linkDown // it could not even be opened: the broker is away
		p.wantMetadata(in.Now, out)
		return
	}
	out.Emit(event.Event{Kind: event.ConnectionReset, Node: p.id, Peer: l.broker, Count: l.requests})
	p.giveUp(l, kafka.NetworkException, in.Now, out)
	p.askMetadata(in.Now, out)
}

// checkTimeout closes a connection whose oldest request has waited for request.timeout.ms.
func (p *Producer) checkTimeout(l *link, now kafka.Tick, out *node.Out) {
	l.timer = 0
	if len(l.flights) == 0 {
		return
	}
	if l.flights[0].deadline > now {
		p.watchTimeout(l, out)
		return
	}
	out.Emit(event.Event{
		Kind: event.ProduceRequestTimedOut, Node: p.id, Peer: l.broker, Count: l.requests, About: l.flights[0].sent,
	})
	out.Close(l.broker, node.DataChannel)
	p.giveUp(l, kafka.RequestTimedOut, now, out)
	p.askMetadata(now, out)
}

// giveUp takes back every batch in flight on a connection.
func (p *Producer) giveUp(l *link, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	cause := out.Cause()
	for i := range l.flights {
		out.Because(cause)
		p.retryOrFail(&l.flights[i], l.broker, code, now, out)
	}
	p.requeue(l.flights)
	l.flights, l.requests, l.state = l.flights[:0], 0, linkDown
	out.Because(cause)
}
