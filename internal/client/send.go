package client

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// columnsLen is how many records share one block of columns.
const columnsLen = 1024

// flight is one batch on its way: in a request that has no answer yet, or between two attempts.
type flight struct {
	kafka.PartitionBatch
	attempts []int32 // of each record, nil when all were sent `attempt` times
	deadline kafka.Tick
	attempt  int32 // of the record that was sent most often
	corr     uint32
	sent     event.Seq // ProduceSent of the latest attempt
	cause    event.Seq // what the next attempt comes from
	again    bool      // it failed and will be sent again
	doubt    bool      // an attempt may have stored it
	done     bool      // answered
	over     bool      // its application was told already: the answer comes too late
}

func (f *flight) attemptsOf(i int) int32 {
	if f.attempts == nil {
		return f.attempt
	}
	return f.attempts[i]
}

// link is the producer's connection to one broker and the batches in flight on it, in the order they were sent.
type link struct {
	flights  []flight
	requests int32 // in flight; a request may carry several batches
	corr     uint32
	timer    kafka.Tick // when the timeout timer fires, 0 when it is not armed
	retryAt  kafka.Tick // not to be opened before (reconnect.backoff.ms)
	upSince  kafka.Tick
	failures int32 // in a row
	broker   kafka.NodeID
	state    linkState
	blocked  bool // it broke, or could not be opened, and does not stand yet
}

type linkState uint8

const (
	linkDown linkState = iota
	linkConnecting
	linkUp
)

func (p *Producer) link(broker kafka.NodeID) *link {
	for i := range p.links {
		if p.links[i].broker == broker {
			return &p.links[i]
		}
	}
	return nil
}

// mark enters a partition into the list of those with something to send.
func (p *Producer) mark(id kafka.PartitionID) {
	if p.queues[id].marked {
		return
	}
	p.queues[id].marked = true
	at := len(p.producible)
	p.producible = append(p.producible, id)
	for ; at > 0 && p.producible[at-1] > id; at-- {
		p.producible[at] = p.producible[at-1]
	}
	p.producible[at] = id
}

// drain sends whatever may be sent now (Sender.sendProducerData).
func (p *Producer) drain(now kafka.Tick, out *node.Out) {
	if len(p.producible) == 0 || !p.identity.settled {
		return
	}
	for i := range p.links {
		for p.sendRequest(&p.links[i], now, out) {
		}
	}
	kept := p.producible[:0]
	for _, id := range p.producible {
		q := &p.queues[id]
		if q.empty() {
			q.packed = 0
		}
		if q.marked = !q.empty(); q.marked {
			kept = append(kept, id)
			p.lingerOn(id, q, now, out)
		}
	}
	p.producible = kept
}

// lingerOn arms the timer that sends what is waiting when linger.ms has passed.
func (p *Producer) lingerOn(id kafka.PartitionID, q *queue, now kafka.Tick, out *node.Out) {
	if q.length() == 0 || p.config.LingerTicks == 0 {
		return
	}
	at := q.records[q.head].Timestamp + p.config.LingerTicks
	if at <= now || q.timer != 0 && q.timer <= at {
		return
	}
	q.timer = at
	out.Timer(at, node.Timer{Kind: timerLinger, Arg: int32(id)})
}

// ready reports whether a partition has a batch to send (RecordAccumulator.ready).
func (p *Producer) ready(q *queue, now kafka.Tick) bool {
	switch {
	case now < q.notBefore || q.stalled:
		return false
	case len(q.retries) > 0:
		return true
	case q.length() == 0:
		return false
	}
	oldest := &q.records[q.head]
	return oldest.attempts > 0 || now-oldest.Timestamp >= p.config.LingerTicks ||
		q.full(p.config.BatchRecords, int64(p.config.BatchBytes))
}

// someReady reports whether a partition that the broker leads is ready.
func (p *Producer) someReady(l *link, now kafka.Tick) bool {
	for _, id := range p.producible {
		if p.leaders[id].Leader == l.broker && p.ready(&p.queues[id], now) && p.mayDrain(id) && !p.muted(id, l.broker) {
			return true
		}
	}
	return false
}

// drainable reports whether a batch may go along with one that is ready, though it has not lingered itself.
func (q *queue) drainable(now kafka.Tick) bool { return now >= q.notBefore && !q.stalled && !q.empty() }

// muted reports whether a partition waits for its open batch, at whatever broker, before another may go to this one.
func (p *Producer) muted(id kafka.PartitionID, broker kafka.NodeID) bool {
	if !p.config.MutesPartition && (!p.config.OneUntilAcknowledged || p.queues[id].trusted == broker) {
		return false
	}
	for i := range p.links {
		for j := range p.links[i].flights {
			if f := &p.links[i].flights[j]; f.Partition == id && !f.over && !f.done {
				return true
			}
		}
	}
	return false
}

// compressed reports whether the next batch of a partition is ready for the wire, and begins to compress it where that takes
// time. A batch that is sent again as it was is compressed already.
func (p *Producer) compressed(id kafka.PartitionID, q *queue, now kafka.Tick, out *node.Out) bool {
	if p.config.CompressTicks == 0 || len(q.retries) > 0 {
		return true
	}
	if q.packed == 0 {
		q.packed = now + p.config.CompressTicks
		out.Timer(q.packed, node.Timer{Kind: timerBackoff, Arg: int32(id)})
	}
	return now >= q.packed
}

// sendRequest sends one produce request to a broker: one ready partition (librdkafka), or as soon as one is ready all that
// it leads (RecordAccumulator.drain). It reports whether it sent one.
func (p *Producer) sendRequest(l *link, now kafka.Tick, out *node.Out) bool {
	var request *kafka.ProduceRequest
	one := p.config.OnePartitionARequest
	if !one && !p.someReady(l, now) {
		return false
	}
	for _, id := range p.producible {
		if q := &p.queues[id]; p.leaders[id].Leader != l.broker || one && !p.ready(q, now) || !q.drainable(now) || p.muted(id, l.broker) ||
			!p.mayDrain(id) || !p.compressed(id, q, now, out) {
			continue
		}
		if l.state != linkUp {
			p.connect(l, now, out)
			return false
		}
		if l.requests >= p.config.MaxInFlight {
			return false
		}
		if request == nil {
			request = p.newRequest()
			l.corr++
		}
		p.load(l, request, id, now, out)
		if one {
			break
		}
	}
	if request == nil {
		return false
	}
	out.Request(l.broker, node.DataChannel, l.corr, request)
	p.sentRequest(l, request, now, out)
	return true
}

// outgoing is a request with room for the one batch that most of them carry.
type outgoing struct {
	kafka.ProduceRequest
	one [1]kafka.PartitionBatch
}

func (p *Producer) newRequest() *kafka.ProduceRequest {
	r := p.outgoing.New()
	r.Acks, r.Timeout, r.Batches = p.config.Acks, p.config.RequestTimeout, r.one[:0]
	if p.transaction != nil {
		r.TransactionID = p.transaction.spec.ID
	}
	return &r.ProduceRequest
}

// load adds the next batch of a partition to a request.
func (p *Producer) load(l *link, request *kafka.ProduceRequest, id kafka.PartitionID, now kafka.Tick, out *node.Out) {
	f := p.nextFlight(id)
	f.attempt++
	for i := range f.attempts {
		f.attempts[i]++
	}
	f.corr, f.deadline = l.corr, p.answerDeadline(&f, now)
	out.Because(f.cause)
	f.sent = out.EmitRecords(event.Event{
		Kind: event.ProduceSent, Node: p.id, Peer: l.broker, Partition: id, Value: int64(f.attempt), Prev: int64(f.corr), About: f.sent,
		Producer: f.ProducerID, ProducerEpoch: f.ProducerEpoch, Sequence: f.BaseSequence,
	}, f.Records)
	request.Batches = append(request.Batches, f.PartitionBatch)
	l.flights = append(l.flights, f)
}

// nextFlight takes the next batch of a partition: one to send again, or a new one.
func (p *Producer) nextFlight(id kafka.PartitionID) flight {
	q := &p.queues[id]
	q.packed = 0
	if len(q.retries) > 0 {
		f := q.retries[0]
		q.retries = append(q.retries[:0], q.retries[1:]...)
		f.again, f.done = false, false
		return f
	}
	n := q.next(p.config.BatchRecords, int64(p.config.BatchBytes))
	taken := q.records[q.head : q.head+n]
	if p.arena == nil || p.arena.Room() < n {
		p.arena = kafka.NewColumns(max(columnsLen, n))
	}
	f := flight{sent: taken[0].sent, cause: taken[0].cause, attempt: taken[0].attempts}
	f.Partition, f.ProducerID, f.BaseSequence = id, kafka.NoProducerID, kafka.NoSequence
	mixed := false
	for i := range taken {
		f.Records = p.arena.Extend(f.Records, &taken[i].Record)
		mixed = mixed || taken[i].attempts != taken[0].attempts
		f.doubt = f.doubt || taken[i].doubt
		f.attempt = max(f.attempt, taken[i].attempts)
	}
	if mixed {
		f.attempts = make([]int32, n)
		for i := range taken {
			f.attempts[i] = taken[i].attempts
		}
	}
	if p.config.EnableIdempotence {
		p.renew(id, q)
		f.ProducerID, f.ProducerEpoch, f.BaseSequence = p.identity.id, q.epoch, q.sequence
		q.sequence = kafka.AddSequence(q.sequence, int32(n))
	}
	if p.transaction != nil {
		f.Attributes = kafka.Transactional
	}
	q.head += n
	q.bytes -= f.Bytes()
	return f
}

// sentRequest keeps a request until its answer comes, or forgets it where none will (acks=0).
func (p *Producer) sentRequest(l *link, request *kafka.ProduceRequest, now kafka.Tick, out *node.Out) {
	if p.config.Acks != kafka.AcksNone {
		l.requests++
		p.watchTimeout(l, l.flights[len(l.flights)-1].deadline, out)
		return
	}
	for i := range request.Batches {
		p.release(request.Batches[i].Len(), request.Batches[i].Bytes())
		out.EmitRecords(event.Event{
			Kind: event.RecordsUntracked, Node: p.id, Partition: request.Batches[i].Partition,
		}, request.Batches[i].Records)
	}
	l.flights = l.flights[:0]
}

// connect opens a connection, unless it broke lately: then it waits for reconnect.backoff.ms, or for fresh metadata with a
// client that has no such setting.
func (p *Producer) connect(l *link, now kafka.Tick, out *node.Out) {
	if l.state != linkDown || now < l.retryAt || l.blocked && p.config.ReconnectBackoff == 0 {
		return
	}
	l.state = linkConnecting
	out.Connect(l.broker, node.DataChannel)
}

// backOff notes that a connection broke or was refused.
func (p *Producer) backOff(l *link, now kafka.Tick, out *node.Out) {
	if l.state == linkUp && p.config.ReconnectGrows && now-l.upSince >= p.config.ReconnectBackoffMax {
		l.failures = 0
	}
	l.blocked = l.state != linkUp || !p.config.ReopensBroken
	l.state = linkDown
	l.failures++
	if p.config.ReconnectBackoff > 0 {
		l.retryAt = now + grown(p.config.ReconnectBackoff, p.config.ReconnectBackoffMax, l.failures)
		out.Timer(l.retryAt, node.Timer{Kind: timerBackoff})
	}
}

// grown is a backoff that doubles with each try after the first, up to most (ExponentialBackoff, without its jitter).
func grown(base, most kafka.Tick, try int32) kafka.Tick {
	const enough = 30 // doublings that make any wait longer than any maximum
	return min(base<<min(try-1, enough), max(base, most))
}

func (p *Producer) connected(in *node.Input, out *node.Out) {
	if in.Channel != node.DataChannel {
		return
	}
	l := p.link(in.From)
	l.state, l.blocked, l.upSince = linkUp, false, in.Now
	if !p.config.ReconnectGrows {
		l.failures = 0
	}
	p.drain(in.Now, out)
}

// answerDeadline is when the producer stops waiting for the answer to a batch that it sends now.
func (p *Producer) answerDeadline(f *flight, now kafka.Tick) kafka.Tick {
	if p.config.AnswerTimeout == kafka.Never {
		return kafka.Never
	}
	at := now + p.config.AnswerTimeout
	if p.config.ExpiresAtRequest && p.config.DeliveryTimeout < kafka.Never {
		at = min(at, max(now+1, p.lookAt(f.Timestamp(0)+p.config.DeliveryTimeout)))
	}
	return at
}

// watchTimeout arms the timer for a request that must be answered by a tick.
func (p *Producer) watchTimeout(l *link, at kafka.Tick, out *node.Out) {
	if at == kafka.Never || l.timer != 0 && l.timer <= at {
		return
	}
	l.timer = at
	out.Timer(at, node.Timer{Kind: timerTimeout, Arg: int32(l.broker)})
}
