package client

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// metadata is how a client asks who leads what: one broker after the other, one request at a time.
type metadata struct {
	brokers  []kafka.NodeID // bootstrap.servers
	next     int            // the broker to ask
	refused  int            // brokers that could not be asked in a row
	timer    kafka.Tick     // when the timer to ask again fires, 0 when it is not armed
	deadline kafka.Tick     // when what was asked on the control connection is given up, 0 when nothing was
	fresh    kafka.Tick     // when the latest answer came, 0 before the first
	inFlight bool
	wanted   bool // something failed that fresh metadata may mend, but it is too early to ask
}

// newMetadata begins with another broker for each client, so that not all ask the same one.
func newMetadata(p *plan.Plan, client kafka.NodeID) metadata {
	m := metadata{}
	for i := range p.Brokers {
		m.brokers = append(m.brokers, p.Brokers[i].ID)
	}
	m.next = int(client-kafka.FirstClientID) % len(m.brokers)
	return m
}

// ask sends a metadata request unless one is on its way.
func (m *metadata) ask(out *node.Out) {
	if m.inFlight {
		return
	}
	m.inFlight = true
	out.Request(m.brokers[m.next], node.ControlChannel, 0, &kafka.MetadataRequest{})
}

// later arms the timer to ask again.
func (m *metadata) later(at kafka.Tick, timer uint8, out *node.Out) {
	if m.timer == 0 && !m.inFlight {
		m.timer = at
		out.Timer(at, node.Timer{Kind: timer})
	}
}

// lost moves on to the next broker. It reports whether there is one that was not tried yet.
func (m *metadata) lost() bool {
	m.inFlight = false
	m.next = (m.next + 1) % len(m.brokers)
	m.refused++
	if m.refused < len(m.brokers) {
		return true
	}
	m.refused = 0
	return false
}

func (m *metadata) answered() { m.inFlight, m.refused = false, 0 }

func (p *Producer) askMetadata(now kafka.Tick, out *node.Out) {
	if p.identity.corr == 0 && !p.identity.settled && p.transaction == nil {
		p.askIdentity(out)
	}
	if earliest := p.metadata.fresh + p.config.MetadataMinAge; p.metadata.fresh > 0 && now < earliest {
		p.metadata.wanted = true
		p.metadata.later(earliest, timerMetadata, out)
		return
	}
	p.metadata.wanted = false
	p.metadata.ask(out)
	if p.metadata.deadline == 0 && p.config.RequestTimeout < kafka.Never {
		p.metadata.deadline = now + p.config.RequestTimeout
		out.Timer(p.metadata.deadline, node.Timer{Kind: timerControl})
	}
}

// checkControl closes a control connection on which nobody has answered for request.timeout.ms, and asks another broker.
func (p *Producer) checkControl(now kafka.Tick, out *node.Out) {
	if p.metadata.deadline == 0 || now < p.metadata.deadline {
		return
	}
	p.metadata.deadline = 0
	out.Close(p.metadata.brokers[p.metadata.next], node.ControlChannel)
	p.controlConnectionLost(now, out)
}

// controlAnswered ends the wait on the control connection when nothing is open there.
func (p *Producer) controlAnswered() {
	if !p.metadata.inFlight && p.identity.corr == 0 {
		p.metadata.deadline = 0
	}
}

func (p *Producer) wantMetadata(now kafka.Tick, out *node.Out) {
	if !p.config.RetryAtTakeover {
		p.metadata.later(now+p.config.MetadataRetry, timerMetadata, out)
	}
}

// lacksLeader reports whether something waits for a leader that is unknown or cannot be reached.
func (p *Producer) lacksLeader() bool {
	for _, id := range p.producible {
		if l := p.link(p.leaders[id].Leader); l == nil || l.blocked {
			return true
		}
	}
	return false
}

// handleMetadata takes over what is newer than what the producer knows, and tries again what had to wait.
func (p *Producer) handleMetadata(in *node.Input, answer *kafka.MetadataResponse, out *node.Out) {
	p.metadata.answered()
	p.metadata.fresh = in.Now
	p.controlAnswered()
	p.learn(answer, out)
	for i := range p.links {
		// Without a reconnect backoff a broken connection is opened again with fresh metadata.
		p.links[i].blocked = p.links[i].blocked && p.config.ReconnectBackoff > 0
	}
	for i := range p.queues {
		p.queues[i].stalled = false
	}
	p.drain(in.Now, out)
	if p.lacksLeader() {
		p.wantMetadata(in.Now, out)
	}
}

func (p *Producer) learn(answer *kafka.MetadataResponse, out *node.Out) {
	for _, fresh := range answer.Partitions {
		known := &p.leaders[fresh.Partition]
		if fresh.Epoch <= known.Epoch {
			continue
		}
		*known = fresh
		out.BecauseOfInput()
		if fresh.Leader != kafka.NoNode {
			out.Emit(event.Event{
				Kind: event.LeaderLearned, Node: p.id, Peer: fresh.Leader, Partition: fresh.Partition, Epoch: fresh.Epoch,
			})
			p.connectAhead(fresh.Leader, out)
		}
	}
}

// connectAhead opens a connection to a new leader, so that the first batch need not wait for it.
func (p *Producer) connectAhead(broker kafka.NodeID, out *node.Out) {
	if l := p.link(broker); l != nil {
		p.connect(l, out.Now(), out)
	}
}

func (p *Producer) controlConnectionLost(now kafka.Tick, out *node.Out) {
	p.identity.corr, p.metadata.deadline = 0, 0
	if p.metadata.lost() {
		p.askMetadata(now, out)
		return
	}
	p.wantMetadata(now, out)
}

// askIdentity asks for a producer id (KIP-98); nothing is sent before it came.
func (p *Producer) askIdentity(out *node.Out) {
	p.identity.corr = 1
	out.Request(p.metadata.brokers[p.metadata.next], node.ControlChannel, p.identity.corr, &kafka.InitProducerIDRequest{})
}

func (p *Producer) handleIdentity(in *node.Input, answer *kafka.InitProducerIDResponse, out *node.Out) {
	if p.identity.settled {
		return
	}
	p.identity = identity{id: answer.ProducerID, epoch: answer.Epoch, settled: true}
	for i := range p.queues {
		p.queues[i].epoch = answer.Epoch
	}
	p.controlAnswered()
	out.Emit(event.Event{
		Kind: event.ProducerIDAssigned, Node: p.id, Peer: in.From, Producer: answer.ProducerID, ProducerEpoch: answer.Epoch,
	})
	p.drain(in.Now, out)
}

// takeover is the lesson's way to learn of a new leader: all at once, and whatever the old one has not acknowledged is
// sent once more, in order.
func (p *Producer) takeover(in *node.Input, answer *kafka.MetadataResponse, out *node.Out) {
	before := slices.Clone(p.leaders)
	p.learn(answer, out)
	for i := range p.leaders {
		if p.leaders[i].Epoch > before[i].Epoch {
			out.BecauseOfInput()
			p.sendAgain(kafka.PartitionID(i), in.Now, out)
		}
	}
	p.drain(in.Now, out)
}

func (p *Producer) sendAgain(id kafka.PartitionID, now kafka.Tick, out *node.Out) {
	cause := out.Cause()
	for i := range p.links {
		l := &p.links[i]
		var lost []flight
		l.flights = slices.DeleteFunc(l.flights, func(f flight) bool {
			if f.Partition != id || l.broker == p.leaders[id].Leader {
				return false
			}
			lost = append(lost, f)
			return true
		})
		l.requests -= int32(len(lost))
		for j := range lost {
			out.Because(cause)
			p.retryOrFail(&lost[j], l.broker, kafka.NetworkException, now, out)
		}
		p.requeue(lost)
	}
	q := &p.queues[id]
	slices.SortFunc(q.parked, func(a, b flight) int { return int(b.ID(0) - a.ID(0)) })
	for i := range q.parked {
		if q.parked[i].Idempotent() {
			q.retry(q.parked[i])
		} else {
			q.putBack(&q.parked[i], q.parked[i].cause)
		}
	}
	q.parked = q.parked[:0]
	p.mark(id)
}
