// Package broker is one Kafka broker: it leads partitions (produce.go), serves fetches (fetch.go), keeps the ISR
// (isr.go) and the high watermark (highwatermark.go), follows other leaders (follow.go, or stream.go in the lesson's
// model), applies the metadata log (metadata.go), keeps its session with the controller (lifecycle.go) and hosts the
// coordinators of groups and of transactional ids (host.go).
//
// Read produce.go first, then fetch.go, follow.go, highwatermark.go and isr.go: that is the way of a record.
package broker

import (
	"replog/internal/event"
	"replog/internal/fetch"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// The timers of a broker. Each is armed at most once at a time; when it comes early for a later deadline it is armed
// again.
const (
	timerHeartbeat     uint8 = iota
	timerISRCheck            // every replica.lag.time.max.ms / 2
	timerFetchExpired        // arg: whose parked fetch
	timerFetchArrives        // arg: whose fetch arrives, after idle polls that were computed
	timerQuietEnds           // the first fault is near: idle polls go round for real again
	timerFetchBackoff        // arg: the broker to fetch from again
	timerPartitionWait       // arg: the partition to fetch again after an error
	timerProduceExpired
	timerRegister
	timerFetchTimeout   // arg: the broker whose answer is due
	timerRetention      // every log.retention.check.interval.ms
	timerCleaner        // every log.cleaner.backoff.ms, where some topic is compacted
	timerShutdownBeat   // the second heartbeat of a controlled shutdown comes early
	timerDirReport      // arg: the log directory of which the controller should have heard
	timerAlterPartition // arg: the partition whose ISR change is asked for again
	timerCoordinator    // arg: the partition whose coordinator has something to do
)

// Broker is one broker. What stands in parts' logs and checkpoints is on disk and outlives a crash; the rest does not.
type Broker struct {
	plan     *plan.Plan
	config   *kafka.BrokerConfig
	parts    []*partition // indexed by kafka.PartitionID; nil where it holds no replica
	dirs     []int32      // where a replica lies, or would lie; 0 where there is none
	sessions []fetch.Session
	fetchers []fetcher
	produces pendingProduces
	// verifying are the produce requests whose transactions the coordinator is asked about.
	verifying []verifying
	// marking are the requests for transaction markers that have no answer yet.
	marking []marking
	asks    uint32 // numbers both
	image   image
	life    lifecycle
	id      kafka.NodeID
	// quietUntil is the tick of the first fault: until then idle polls are computed, not sent.
	quietUntil kafka.Tick

	fetched  kafka.Block[fetched]
	asked    kafka.Block[asked]
	produced kafka.Block[produced]
}

// New builds a broker in the state of the run's beginning; Start makes it speak.
func New(p *plan.Plan, id kafka.NodeID) *Broker {
	b := &Broker{plan: p, config: &p.Broker, id: id, parts: make([]*partition, len(p.Partitions))}
	b.dirs = p.DealLogDirs(id)
	for i := range p.Partitions {
		if !p.Partitions[i].Added {
			b.openPartition(kafka.PartitionID(i))
		}
	}
	b.quietUntil = p.QuietUntil()
	b.image = initialImage(p)
	b.life.epoch = b.image.brokers[id].epoch
	return b
}

// openPartition makes the replica of a partition, if this broker has one.
func (b *Broker) openPartition(id kafka.PartitionID) {
	if b.dirs[id] > 0 {
		b.parts[id] = newPartition(id, &b.plan.Partitions[id], b.id)
		b.parts[id].dir = b.dirs[id]
	}
}

// Handle implements node.Node.
func (b *Broker) Handle(in *node.Input, out *node.Out) {
	switch in.Kind {
	case node.Request:
		b.handleRequest(in, out)
	case node.Response:
		b.handleResponse(in, out)
	case node.TimerFired:
		b.handleTimer(in, out)
	case node.Reset:
		b.handleReset(in, out)
	case node.Disconnected:
		if in.Channel == node.DataChannel {
			b.dropSession(in.From)
		}
	case node.Awaited:
		b.awaitFetch(in.From, out)
	case node.Start:
		b.start(in.Now, out)
	case node.Crash:
		b.crash(in.Now)
		b.loseTail(in, out)
	case node.Shutdown:
		b.shutdown(in.Now, out)
	case node.Stop:
		b.stop(in.Now)
	case node.Restart:
		b.restart(in.Now, out)
	case node.DiskFailure:
		b.failDir(in.LogDir, in.Now, out)
	case node.DeleteRecords:
		b.handleDeleteRecords(in, out)
	case node.Reconfigure:
		b.reconfigure(in, out)
	}
}

func (b *Broker) handleRequest(in *node.Input, out *node.Out) {
	switch body := in.Body.(type) {
	case *kafka.ProduceRequest:
		b.handleProduce(in, body, out)
	case *kafka.FetchRequest:
		b.handleFetch(in, body, out)
	case *kafka.MetadataRequest:
		out.Answer(in.Reply, b.image.answer())
	case *kafka.InitProducerIDRequest:
		if body.TransactionID != kafka.NoTransactionalID {
			b.handleTransactionRequest(in, body, out)
			return
		}
		out.Answer(in.Reply, b.newProducerID())
	case *kafka.StreamAppend:
		b.handleStreamAppend(in.From, body, out)
	case *kafka.StreamAck:
		b.handleStreamAck(in.From, in.Now, body, out)
	default:
		b.handleCoordination(in, out)
	}
}

// handleCoordination takes what members of consumer groups and producers with transactions ask for, and brokers on their behalf.
func (b *Broker) handleCoordination(in *node.Input, out *node.Out) {
	switch body := in.Body.(type) {
	case *kafka.FindCoordinatorRequest:
		out.Answer(in.Reply, b.findCoordinator(body))
	case *kafka.ListOffsetsRequest:
		b.handleListOffsets(in, body, out)
	case *kafka.OffsetForLeaderEpochRequest:
		b.handleEpochQuestions(in, body, out)
	case *kafka.TxnOffsetCommitRequest:
		b.commitInTransaction(in, body, out)
	case kafka.GroupRequest:
		b.handleGroupRequest(in, body, out)
	case kafka.TransactionRequest:
		b.handleTransactionRequest(in, body, out)
	case *kafka.WriteTxnMarkersRequest:
		b.handleMarkers(in, body, out)
	}
}

func (b *Broker) handleResponse(in *node.Input, out *node.Out) {
	switch body := in.Body.(type) {
	case *kafka.FetchResponse:
		b.handleFetchResponse(in, body, out)
	case *kafka.MetadataFetchResponse:
		b.handleMetadata(in.Now, body, out)
	case *kafka.BrokerHeartbeatResponse:
		b.noticeGap(body.MetadataEnd, in.Now, out)
		b.handleHeartbeatResponse(in, body, out)
	case *kafka.BrokerRegistrationResponse:
		b.handleRegistration(in.Now, body, out)
	case *kafka.AlterPartitionResponse:
		b.handleAlterPartition(in, body, out)
	case *kafka.AddPartitionsToTxnResponse:
		b.verified(in.Corr, body.Results, kafka.None, in.Now, out)
	case *kafka.WriteTxnMarkersResponse:
		b.marked(in.Corr, body, kafka.None, in.Now, out)
	}
}

func (b *Broker) handleTimer(in *node.Input, out *node.Out) {
	switch in.Timer.Kind {
	case timerHeartbeat:
		b.heartbeat(in.Now, out)
	case timerISRCheck:
		b.checkISRs(in.Now, out)
	case timerFetchExpired:
		b.expireFetch(kafka.NodeID(in.Timer.Arg), in.Now, out)
	case timerFetchArrives:
		b.arriveFetch(kafka.NodeID(in.Timer.Arg), in.Now, out)
	case timerQuietEnds:
		b.rouseAll(out)
	case timerFetchBackoff:
		b.fetchAgain(kafka.NodeID(in.Timer.Arg), out)
	case timerPartitionWait:
		b.resumePartition(kafka.PartitionID(in.Timer.Arg), out)
	case timerProduceExpired:
		b.expireProduces(in.Now, out)
	case timerFetchTimeout:
		b.checkFetcher(kafka.NodeID(in.Timer.Arg), in.Now, out)
	case timerRegister:
		if b.life.epoch == 0 {
			b.register(out)
		}
	case timerRetention:
		b.checkRetention(in.Now, out)
	case timerCleaner:
		b.runCleaner(in.Now, out)
	case timerShutdownBeat:
		b.beat(out)
	case timerCoordinator:
		b.coordinatorDue(kafka.PartitionID(in.Timer.Arg), in, out)
	case timerDirReport:
		b.checkReported(in.Timer.Arg, out)
	case timerAlterPartition:
		b.proposeAgain(kafka.PartitionID(in.Timer.Arg), in.Now, out)
	}
}

func (b *Broker) handleReset(in *node.Input, out *node.Out) {
	switch in.Channel {
	case node.DataChannel:
		b.fetchConnectionLost(in.From, in.Now, out)
	case node.MetadataChannel:
		b.image.asked = false // the next heartbeat asks again
	case node.MarkerChannel:
		b.markersLost(in.From, in.Now, out)
	case node.VerifyChannel:
		b.verificationsLost(in.From, in.Now, out)
	case node.ControlChannel, node.LifecycleChannel, node.StreamChannel:
		// What goes over these is sent again at intervals, or opened anew when the peer is back.
	}
}

// emit records an event of this broker.
func (b *Broker) emit(out *node.Out, e event.Event) event.Seq {
	e.Node = b.id
	return out.Emit(e)
}
