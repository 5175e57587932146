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
	if from > 0 && p.config.AnswersInTurn {
		out.Emit(event.Event{
			Kind: event.AnswerOutOfTurn, Node: p.id, Peer: l.broker, Count: l.requests, About: l.flights[0].sent,
		})
		p.hangUp(l, kafka.NetworkException, in.Now, out)
		return
	}
	if from == to {
		return // a second copy of an answer, or one to a request that was given up
	}
	for i := from; i < to; i++ {
		out.BecauseOfInput()
		f, result := &l.flights[i], &answer.Results[i-from]
		f.done = true
		p.queues[f.Partition].trusted = kafka.NoNode
		switch {
		case f.over:
		case result.Error == kafka.None || result.Error == kafka.DuplicateSequenceNumber:
			p.acknowledge(f, in.From, result.BaseOffset, in.Now, out)
		case f.Idempotent() && result.Error == kafka.OutOfOrderSequenceNumber && p.config.SequenceErrorFatal && p.ackedBehind(f):
			p.acknowledge(f, in.From, kafka.NoOffset, in.Now, out)
		default:
			p.retryOrFail(f, in.From, result.Error, in.Now, out)
			p.stall(f, in.Now, out)
		}
	}
	p.requeue(l.flights[from:to])
	l.flights = slices.Delete(l.flights, from, to)
	l.requests--
	p.drain(in.Now, out)
}

// acknowledge tells the application; records that it sent at different times have latencies of their own.
func (p *Producer) acknowledge(f *flight, broker kafka.NodeID, base kafka.Offset, now kafka.Tick, out *node.Out) {
	if q := &p.queues[f.Partition]; f.Idempotent() && f.ProducerEpoch == q.epoch {
		q.acked = max(q.acked, f.LastSequence()+1)
	}
	p.queues[f.Partition].trusted = broker
	p.release(f.Len(), f.Bytes())
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
	f.doubt = f.doubt || code.MayBeStored()
	f.again = p.mayRetry(f, code, now)
	if f.again && f.Idempotent() && code.BreaksSequence() && !p.earlierUnanswered(f) {
		p.bumpEpoch(f.Partition, f, out)
	}
	if !f.again {
		if code.Retriable() && p.expired(f, now) {
			code = kafka.MessageTimedOut
		}
		f.done = true
		p.fail(f, code, out)
		p.afterFailure(f, code, out)
		return
	}
	wait := p.config.RetryBackoff
	if p.config.RetryBackoffMax > 0 {
		wait = grown(wait, p.config.RetryBackoffMax, f.attempt)
	}
	f.cause = out.EmitRecords(event.Event{
		Kind: event.ProduceRetryScheduled, Node: p.id, Peer: broker, Partition: f.Partition, Error: code,
		Value: int64(wait), About: f.sent,
	}, f.Records)
	if p.config.RetryAtTakeover {
		return
	}
	q := &p.queues[f.Partition]
	q.notBefore = now + wait
	out.Timer(q.notBefore, node.Timer{Kind: timerBackoff, Arg: int32(f.Partition)})
	p.watchExpiry(f.Timestamp(0), now, out)
}

// fail tells the application that a batch was given up, and whether it may be stored all the same.
func (p *Producer) fail(f *flight, code kafka.ErrorCode, out *node.Out) {
	p.feed.note(code)
	p.release(f.Len(), f.Bytes())
	out.EmitRecords(event.Event{
		Kind: event.RecordsFailed, Node: p.id, Partition: f.Partition, Error: code, Value: event.Flag(f.doubt), About: f.sent,
	}, f.Records)
	if p.config.Resends && !p.fatal && p.transaction == nil {
		for i := range f.Len() {
			p.resends = append(p.resends, resend{Record: f.At(i), partition: f.Partition})
		}
		out.Timer(out.Now(), node.Timer{Kind: timerResend})
	}
}

// stall holds a partition back until there is fresh metadata, with a client that waits for it after an error.
func (p *Producer) stall(f *flight, now kafka.Tick, out *node.Out) {
	if f.again && p.config.RetryAfterMetadata {
		p.queues[f.Partition].stalled = true
		p.askMetadata(now, out)
	}
}

func (p *Producer) mayRetry(f *flight, code kafka.ErrorCode, now kafka.Tick) bool {
	free := p.config.FreeLeaderRetries && code == kafka.NotLeaderOrFollower
	if f.attempt > p.config.Retries && !free && !p.keeps(f) || p.expired(f, now) {
		return false
	}
	if f.Idempotent() && code.BreaksSequence() {
		if p.transaction != nil {
			return code == kafka.OutOfOrderSequenceNumber && p.earlierUnanswered(f)
		}
		return p.mayRenumber(f, code)
	}
	return code.Retriable()
}

// earlierUnanswered reports whether a batch with a smaller sequence of the same partition is still open.
func (p *Producer) earlierUnanswered(f *flight) bool {
	earlier := func(g *flight) bool {
		return g.Partition == f.Partition && g.BaseSequence < f.BaseSequence && !g.over && (!g.done || g.again)
	}
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

// requeue puts the batches that will be sent again back into their queues.
func (p *Producer) requeue(flights []flight) {
	for i := range flights {
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
		case p.config.RebatchesRetries:
			q.putBack(f, f.cause)
		case p.config.RetriesToFront:
			q.retries = slices.Insert(q.retries, 0, *f)
		default:
			q.retry(*f)
		}
		p.mark(f.Partition)
	}
}

// handleReset gives up every request on a connection that closed: nobody knows what became of them.
func (p *Producer) handleReset(in *node.Input, out *node.Out) {
	if in.Channel != node.DataChannel {
		p.coordinatorConnectionLost(in, out)
	}
	switch in.Channel {
	case node.ControlChannel:
		p.controlConnectionLost(in.Now, out)
		return
	case node.GroupChannel:
		return
	}
	l := p.link(in.From)
	if l.state != linkUp {
		p.backOff(l, in.Now, out) // it could not even be opened: the broker is away
		p.wantMetadata(in.Now, out)
		return
	}
	out.Emit(event.Event{Kind: event.ConnectionReset, Node: p.id, Peer: l.broker, Count: l.requests})
	p.giveUp(l, kafka.NetworkException, in.Now, out)
	p.askMetadata(in.Now, out)
}

// checkTimeout closes a connection of which a request has waited for its answer as long as it may.
func (p *Producer) checkTimeout(l *link, now kafka.Tick, out *node.Out) {
	l.timer = 0
	first, due := kafka.Never, 0
	for i := range l.flights {
		if d := l.flights[i].deadline; d < first {
			first, due = d, i
		}
	}
	if first > now {
		p.watchTimeout(l, first, out)
		return
	}
	out.Emit(event.Event{
		Kind: event.ProduceRequestTimedOut, Node: p.id, Peer: l.broker, Count: l.requests, About: l.flights[due].sent,
	})
	p.hangUp(l, kafka.RequestTimedOut, now, out)
}

// hangUp closes a connection and gives up every request on it.
func (p *Producer) hangUp(l *link, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	out.Close(l.broker, node.DataChannel)
	p.giveUp(l, code, now, out)
	p.askMetadata(now, out)
}

// giveUp takes back every batch in flight on a connection.
func (p *Producer) giveUp(l *link, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	cause := out.Cause()
	for i := range l.flights {
		out.Because(cause)
		if !l.flights[i].over {
			p.retryOrFail(&l.flights[i], l.broker, code, now, out)
		}
	}
	p.requeue(l.flights)
	l.flights, l.requests = l.flights[:0], 0
	out.Because(cause)
	p.backOff(l, now, out)
}
