package client

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// coordinatorCalls is how a producer talks to the coordinator of its transactions: one request at a time
// (Sender.maybeSendAndPollTransactionalRequest).
type coordinatorCalls struct {
	asking      []kafka.PartitionID // of the AddPartitionsToTxn in flight
	notBefore   kafka.Tick          // backoff
	deadline    kafka.Tick          // of the request in flight (request.timeout.ms), 0 without one
	corr        uint32              // of the request in flight
	coordinator kafka.NodeID        // NoNode while it is not known
	group       kafka.NodeID        // the coordinator of a processor's group; NoNode while it is not known
	to          kafka.NodeID        // whom the request in flight asks
	channel     node.Channel
	inFlight    bool
	looks       bool // the request in flight looks for the coordinator of the group
}

func newCoordinatorCalls() coordinatorCalls {
	return coordinatorCalls{coordinator: kafka.NoNode, group: kafka.NoNode}
}

func (c *coordinatorCalls) expired(now kafka.Tick) bool {
	return c.inFlight && c.deadline != 0 && c.deadline <= now
}

// lost says that the request in flight gets no answer: the coordinator is looked for anew.
func (c *coordinatorCalls) lost() {
	c.inFlight, c.deadline, c.asking, c.coordinator, c.group = false, 0, nil, kafka.NoNode, kafka.NoNode
}

func (c *coordinatorCalls) fingerprint(h *node.Hash) {
	h.Int(int64(c.coordinator)<<16 | int64(c.to))
	h.Int(int64(c.group))
	h.Bool(c.inFlight)
	h.Bool(c.looks)
	for _, id := range c.asking {
		h.Int(int64(id))
	}
	hashTime(h, c.deadline)
	hashComing(h, c.notBefore)
}

// transact sends the next request to the coordinator, if there is one to send.
func (p *Producer) transact(now kafka.Tick, out *node.Out) {
	t := p.transaction
	if t == nil || t.calls.inFlight || now < t.calls.notBefore || p.fatal || t.phase == phaseNew {
		return
	}
	body := p.nextQuestion()
	if body == nil {
		return
	}
	c := &t.calls
	c.to, c.channel, c.looks = c.coordinator, node.GroupChannel, false
	find := &kafka.FindCoordinatorRequest{TransactionID: t.spec.ID}
	if offsets, is := body.(*kafka.TxnOffsetCommitRequest); is {
		c.to, c.looks = c.group, c.group == kafka.NoNode
		find = &kafka.FindCoordinatorRequest{Group: offsets.Group}
	}
	if c.to == kafka.NoNode {
		body, c.asking = find, nil
		c.to, c.channel = p.metadata.brokers[p.metadata.next], node.ControlChannel
	}
	if end, is := body.(*kafka.EndTxnRequest); is {
		out.Emit(event.Event{
			Kind: event.TransactionEnding, Node: p.id, Peer: c.to, Value: int64(t.spec.ID), Prev: event.Flag(end.Commit),
			Producer: end.ProducerID, ProducerEpoch: end.ProducerEpoch,
		})
	}
	c.corr++
	c.inFlight, c.deadline = true, 0
	out.Request(c.to, c.channel, transactionCorr|c.corr, body)
	if p.config.RequestTimeout < kafka.Never {
		c.deadline = now + p.config.RequestTimeout
		out.Timer(c.deadline, node.Timer{Kind: timerTransaction})
	}
}

// transactionCorr tells the requests of this file from the others on the control connection.
const transactionCorr = 1 << 30

// nextQuestion is what the producer wants of its coordinator now, or nil.
func (p *Producer) nextQuestion() kafka.Body {
	t := p.transaction
	missing := p.missing()
	switch {
	case t.phase == phaseInit:
		return p.initRequest()
	case (t.phase == phaseOpen || t.phase == phaseEnding || t.phase == phaseStuck) && len(missing) > 0:
		t.calls.asking = missing
		return &kafka.AddPartitionsToTxnRequest{
			TransactionID: t.spec.ID, ProducerID: p.identity.id, ProducerEpoch: p.identity.epoch, Partitions: missing,
		}
	}
	if call := p.offsetsCall(); call != nil {
		return call
	}
	if t.phase != phaseEnding || !p.settledAll() {
		return nil
	}
	return &kafka.EndTxnRequest{
		TransactionID: t.spec.ID, ProducerID: p.identity.id, ProducerEpoch: p.identity.epoch, Commit: t.commit,
	}
}

func (p *Producer) initRequest() *kafka.InitProducerIDRequest {
	t := p.transaction
	request := &kafka.InitProducerIDRequest{
		TransactionID: t.spec.ID, Timeout: t.spec.Timeout, ProducerID: kafka.NoProducerID, ProducerEpoch: kafka.NoProducerEpoch,
	}
	if p.identity.id != kafka.NoProducerID {
		request.ProducerID, request.ProducerEpoch, request.Continues = p.identity.id, p.identity.epoch, true
	}
	return request
}

// handleCoordinator takes an answer of the coordinator, or of a broker that was asked for it.
func (p *Producer) handleCoordinator(in *node.Input, out *node.Out) {
	t := p.transaction
	if t == nil || !t.calls.inFlight || in.Corr != transactionCorr|t.calls.corr {
		return
	}
	t.calls.inFlight, t.calls.deadline = false, 0
	switch body := in.Body.(type) {
	case *kafka.FindCoordinatorResponse:
		if t.calls.looks {
			t.calls.group = body.Node
		} else {
			t.calls.coordinator = body.Node
		}
		if body.Error != kafka.None {
			p.callAgain(body.Error, in.Now, out)
		}
	case *kafka.AddOffsetsToTxnResponse:
		if t.offsetsAdded = body.Error == kafka.None; !t.offsetsAdded {
			p.callAgain(body.Error, in.Now, out)
		}
	case *kafka.TxnOffsetCommitResponse:
		p.offsetsKept(in.Now, body, out)
	case *kafka.InitProducerIDResponse:
		p.initialised(in, body, out)
	case *kafka.AddPartitionsToTxnResponse:
		p.partitionsAdded(in.Now, body, out)
	case *kafka.EndTxnResponse:
		p.transactionEnded(in.Now, body, out)
	}
}

// callAgain decides what follows on an error of the coordinator: a new look for it, another try after a while, or the end of the
// producer.
func (p *Producer) callAgain(code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	c := &p.transaction.calls
	wait := p.config.RetryBackoff
	switch code {
	case kafka.NotCoordinator, kafka.CoordinatorNotAvailable:
		c.coordinator = kafka.NoNode
	case kafka.ConcurrentTransactions:
		if c.asking != nil && len(p.transaction.added) == 0 {
			wait = min(wait, p.config.AddPartitionsRetry)
		}
	case kafka.CoordinatorLoadInProgress:
	case kafka.InvalidProducerIDMapping:
		p.abortable(code, out)
	default:
		p.becomeFatal(code, out)
		return
	}
	p.callLater(wait, now, out)
}

// callLater lets the coordinator be asked again after a while.
func (p *Producer) callLater(wait, now kafka.Tick, out *node.Out) {
	c := &p.transaction.calls
	c.asking = nil
	c.notBefore = now + max(1, wait)
	out.Timer(c.notBefore, node.Timer{Kind: timerTransaction})
}

func (p *Producer) initialised(in *node.Input, answer *kafka.InitProducerIDResponse, out *node.Out) {
	t := p.transaction
	if answer.Error != kafka.None {
		p.callAgain(answer.Error, in.Now, out)
		return
	}
	p.become(answer.ProducerID, answer.Epoch)
	p.identity.settled, t.phase = true, phaseReady
	out.Emit(event.Event{
		Kind: event.ProducerIDAssigned, Node: p.id, Peer: in.From, Producer: answer.ProducerID, ProducerEpoch: answer.Epoch,
	})
}

// become takes over a producer id and epoch; another one begins its sequences at 0.
func (p *Producer) become(id kafka.ProducerID, epoch int16) {
	if p.identity.id == id && p.identity.epoch == epoch {
		return
	}
	p.identity.id, p.identity.epoch = id, epoch
	for i := range p.queues {
		q := &p.queues[i]
		q.epoch, q.sequence, q.acked = epoch, 0, 0
	}
}

func (p *Producer) partitionsAdded(now kafka.Tick, answer *kafka.AddPartitionsToTxnResponse, out *node.Out) {
	t := p.transaction
	for _, result := range answer.Results {
		if result.Error != kafka.None {
			p.callAgain(result.Error, now, out)
			return
		}
		t.added = append(t.added, result.Partition)
	}
	slices.Sort(t.added)
	t.calls.asking = nil
}

func (p *Producer) transactionEnded(now kafka.Tick, answer *kafka.EndTxnResponse, out *node.Out) {
	t := p.transaction
	if answer.Error != kafka.None {
		p.callAgain(answer.Error, now, out)
		return
	}
	out.Emit(event.Event{
		Kind: event.TransactionEnded, Node: p.id, Value: int64(t.spec.ID), Prev: event.Flag(t.commit), Producer: p.identity.id,
		ProducerEpoch: p.identity.epoch,
	})
	if t.version >= 2 {
		p.become(answer.ProducerID, answer.ProducerEpoch)
	}
	p.transactionOver(out)
}

// coordinatorConnectionLost looks for the coordinator anew.
func (p *Producer) coordinatorConnectionLost(in *node.Input, out *node.Out) {
	t := p.transaction
	if t == nil || !t.calls.inFlight || t.calls.to != in.From || t.calls.channel != in.Channel {
		return
	}
	t.calls.lost()
	t.calls.notBefore = in.Now + max(1, p.config.RetryBackoff)
	out.Timer(t.calls.notBefore, node.Timer{Kind: timerTransaction})
}
