// Package client is the ends of an application: the producer (producer.go), as librdkafka and the Java client behave, the
// consumer (consumer.go), a member of a consumer group with the application that polls it, and an in-memory reader
// (reader.go) that stands for a screen. Reader and consumer share their fetching (fetcher.go).
//
// The producer's way: a record waits in its partition's queue (queue.go), is drained into a batch and sent to the leader
// that the producer believes in (send.go), and comes back as an answer, an error or silence (answer.go).
//
// The consumer's way: it finds its coordinator (coordinator.go), becomes a member and gets partitions (membership.go;
// classic.go, or converge.go for KIP-848), asks where to begin (positions.go), keeps what it fetches until poll() hands it
// out (collect.go), works on it (application.go, handoff.go) and commits how far it is (commit.go, stored.go).
package client

import (
	"replog/internal/client/partition"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

const (
	timerLinger      uint8 = iota // arg: the partition whose oldest record has lingered
	timerBackoff                  // arg: the partition that may be retried
	timerTimeout                  // arg: the broker whose oldest request is due
	timerMetadata                 // ask for metadata again
	timerExpiry                   // some record's delivery.timeout.ms may have passed
	timerResend                   // the application hands over again what failed
	timerBlock                    // max.block.ms of the application's call may be over
	timerAge                      // metadata.max.age.ms may be over
	timerControl                  // the oldest question on the control connection is due
	timerTransaction              // a transaction, or a question to its coordinator, is due
)

// Producer is one producer instance with connections of its own.
type Producer struct {
	config     *kafka.ProducerConfig
	table      *partition.Table // shared, read only
	queues     []queue          // indexed by kafka.PartitionID
	leaders    []kafka.PartitionLeader
	links      []link // one a broker, ordered by broker
	arena      *kafka.Columns
	metadata   metadata
	expiry     kafka.Tick // when the timer for delivery.timeout.ms fires, 0 when it is not armed
	id         kafka.NodeID
	identity   identity
	producible []kafka.PartitionID // partitions with something to send, ordered
	outgoing   kafka.Block[outgoing]
	resends    []resend  // what the application will hand over again
	held       int32     // records that nobody has been told of
	heldBytes  int64     // of these
	blocked    []blocked // what the application could not hand over yet, in order
	added      []bool    // by partition: its topic has it only from some time on; nil when there are none
	stuck      []stuck   // one a topic, in the order of first use
	fatal      bool      // it takes no record any more
	// transaction is nil for a producer without transactions.
	transaction *transaction
	feed        *feed // of a processor's producer
}

// identity is the producer id of an idempotent producer.
type identity struct {
	id      kafka.ProducerID
	epoch   int16
	corr    uint32 // of the request for it, 0 when none is in flight
	settled bool   // known, or not needed
}

// NewProducer builds a producer.
func NewProducer(p *plan.Plan, spec *plan.Producer) *Producer {
	table := partition.NewTable(spec.Config.Partitioner, p.Names.Keys)
	producer := newProducer(&spec.Config, table, spec.ID, len(p.Partitions), nil)
	producer.metadata = newMetadata(p, spec.ID)
	producer.added = addedLater(p)
	producer.transaction = newTransaction(p, spec)
	if spec.Fed.IsClient() {
		producer.feed = &feed{consumer: spec.Fed}
	}
	for i := range p.Brokers {
		producer.links = append(producer.links, link{broker: p.Brokers[i].ID})
	}
	return producer
}

// newProducer is a producer that has heard of nothing yet.
func newProducer(
	config *kafka.ProducerConfig, table *partition.Table, id kafka.NodeID, partitions int, brokers []kafka.NodeID,
) *Producer {
	p := &Producer{
		config: config, id: id, table: table, queues: make([]queue, partitions),
		leaders: make([]kafka.PartitionLeader, partitions), metadata: metadata{brokers: brokers},
		identity: identity{id: kafka.NoProducerID, settled: !config.EnableIdempotence},
	}
	for i := range p.leaders {
		p.leaders[i] = kafka.PartitionLeader{Partition: kafka.PartitionID(i), Leader: kafka.NoNode, Epoch: kafka.NoEpoch}
		p.queues[i].trusted = kafka.NoNode
	}
	for _, broker := range brokers {
		p.links = append(p.links, link{broker: broker})
	}
	return p
}

// Handle implements node.Node.
func (p *Producer) Handle(in *node.Input, out *node.Out) {
	switch in.Kind {
	case node.Send:
		if p.transaction != nil && !p.fatal {
			p.take(in)
			break
		}
		p.hand(in, out)
	case node.Response:
		p.handleResponse(in, out)
	case node.TimerFired:
		p.handleTimer(in, out)
	case node.Connected:
		p.connected(in, out)
	case node.Reset:
		p.handleReset(in, out)
	case node.Metadata:
		p.takeover(in, in.Body.(*kafka.MetadataResponse), out)
	case node.Start:
		p.askMetadata(in.Now, out)
		p.watchAge(in.Now, out)
	case node.Restart:
		p.restart(in, out)
	case node.Told:
		p.feed.finish = in.Body.(*node.Words)
	case node.Reconfigure:
		p.reconfigure(in, out)
	}
	if len(p.blocked) > 0 {
		p.unblock(in.Now, out)
	}
	if p.transaction != nil {
		p.application(in.Now, out)
	}
	if p.feed != nil {
		p.answerFeed(out)
	}
}

func (p *Producer) handleResponse(in *node.Input, out *node.Out) {
	switch body := in.Body.(type) {
	case *kafka.ProduceResponse:
		p.handleAnswer(in, body, out)
	case *kafka.MetadataResponse:
		p.handleMetadata(in, body, out)
	case *kafka.InitProducerIDResponse:
		if p.transaction == nil {
			p.handleIdentity(in, body, out)
			return
		}
		p.handleCoordinator(in, out)
	default:
		p.handleCoordinator(in, out)
	}
}

func (p *Producer) handleTimer(in *node.Input, out *node.Out) {
	switch in.Timer.Kind {
	case timerLinger:
		p.queues[in.Timer.Arg].timer = 0
		p.drain(in.Now, out)
	case timerBackoff:
		p.drain(in.Now, out)
	case timerTimeout:
		p.checkTimeout(p.link(kafka.NodeID(in.Timer.Arg)), in.Now, out)
	case timerExpiry:
		if in.Now == p.expiry {
			p.expire(in.Now, out)
		}
	case timerResend:
		p.sendAgainForApplication(in.Now, out)
	case timerBlock:
		p.endBlock(in.Now, out)
	case timerAge:
		p.refresh(in.Now, out)
	case timerControl:
		p.checkControl(in.Now, out)
	case timerTransaction:
		p.transactionDue(in.Now, out)
	case timerMetadata:
		p.metadata.timer = 0
		if p.metadata.wanted || p.lacksLeader() {
			p.askMetadata(in.Now, out)
		}
	}
}

// hand takes a record from the application: the key chooses the partition, and the record waits there.
func (p *Producer) hand(in *node.Input, out *node.Out) {
	if p.added != nil {
		known := *in
		known.Topic = p.known(in.Topic)
		in = &known
	}
	id := in.Topic[p.choose(in)]
	if len(p.blocked) > 0 || !p.fits(in.Record.Size) {
		p.turnAway(in, id, out)
		return
	}
	p.accept(&in.Record, id, in.Now, out)
}

// accept puts a record into its partition's queue.
func (p *Producer) accept(r *kafka.Record, id kafka.PartitionID, now kafka.Tick, out *node.Out) {
	sent := p.handOver(r, id, out)
	p.hold(1, int64(r.Size))
	p.queues[id].push(waiting{Record: *r, cause: sent})
	if p.fatal {
		p.failQueue(id, kafka.ProducerFatal, out)
		return
	}
	p.mark(id)
	p.watchExpiry(now, now, out)
	p.drain(now, out)
	if p.lacksLeader() {
		p.wantMetadata(now, out)
	}
}

// handOver tells that the application handed a record to the producer.
func (p *Producer) handOver(r *kafka.Record, id kafka.PartitionID, out *node.Out) event.Seq {
	if !out.Tracing() {
		return 0
	}
	return out.EmitIDs(event.Event{Kind: event.RecordsSent, Node: p.id, Partition: id, Value: int64(r.Key)}, []kafka.RecordID{r.ID})
}

// reconfigure takes over the settings of a plan, as if the application had made a new producer that goes on with what
// waits in the old one. Switching idempotence on asks for a producer id first.
func (p *Producer) reconfigure(in *node.Input, out *node.Out) {
	for i := range in.Plan.Producers {
		if in.Plan.Producers[i].ID == p.id {
			p.config = &in.Plan.Producers[i].Config
		}
	}
	p.table = partition.NewTable(p.config.Partitioner, in.Plan.Names.Keys)
	if p.config.EnableIdempotence && p.identity.id == kafka.NoProducerID && p.identity.settled && p.transaction == nil {
		p.identity.settled = false
		p.askIdentity(out)
	}
	p.drain(in.Now, out)
}
