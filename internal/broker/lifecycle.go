package broker

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// lifecycle is the broker's standing with the controller (BrokerLifecycleManager).
type lifecycle struct {
	epoch       int64 // broker epoch that the controller gave, 0 while not registered
	incarnation int64
	producerIDs int32         // handed out so far
	stopping    bool          // in controlled shutdown
	clean       bool          // the last stop was one in good order: the clean-shutdown file is there
	cleaning    bool          // the log cleaner's timer is armed
	told        bool          // the controller has answered that it knows of it
	failed      kafka.LogDirs // log directories that have failed since the start
	reported    kafka.LogDirs // of these, what the controller has heard of
	started     kafka.Tick    // when its process started
}

// start begins the run in the state that the plan describes.
func (b *Broker) start(now kafka.Tick, out *node.Out) {
	for _, p := range b.parts {
		if p != nil {
			out.BecauseOfInput()
			b.emitLoaded(p, out)
		}
	}
	if b.image.brokers[b.id].fenced {
		b.life.epoch = 0
		return
	}
	b.act(now, out)
	b.startTimers(b.config.HeartbeatPhase, now, out)
	b.watchQuiet(out)
	b.fetchMetadata(out)
}

func (b *Broker) startTimers(firstHeartbeat, now kafka.Tick, out *node.Out) {
	if !b.plan.Controller.DetectAtOnce {
		out.Timer(now+firstHeartbeat, node.Timer{Kind: timerHeartbeat})
	}
	out.Timer(now+max(1, b.config.ReplicaLagTimeTicks/2), node.Timer{Kind: timerISRCheck})
	b.startRetention(now, out)
	b.startCleaner(now, out)
}

func (b *Broker) emitLoaded(p *partition, out *node.Out) {
	b.emit(out, event.Event{
		Kind: event.LogLoaded, Partition: p.id, Epoch: max(0, p.log.LatestEpoch()), Offset: p.log.EndOffset(),
		Prev: int64(p.log.StartOffset()), Value: int64(p.hw),
	})
}

// crash leaves what is on disk: the logs and the latest checkpoint of the high watermarks.
func (b *Broker) crash(now kafka.Tick) {
	for _, p := range b.parts {
		if p == nil {
			continue
		}
		p.settleCheckpoint(now, b.config.CheckpointTicks)
		p.leader, p.leaderEpoch, p.leading = kafka.NoNode, kafka.NoEpoch, false
		p.isr, p.proposed, p.requested, p.partitionEpoch = 0, 0, false, -1
		p.waiting, p.served, p.host = p.waiting[:0], 0, nil
		p.hw = min(max(p.checkpoint, p.log.StartOffset()), p.log.EndOffset())
	}
	b.sessions, b.fetchers, b.produces = nil, nil, pendingProduces{}
	b.verifying, b.marking = nil, nil
	b.image = initialImage(b.plan) // it reads the metadata log anew
	b.life.epoch, b.life.stopping, b.life.told, b.life.cleaning = 0, false, false, false
	b.life.failed, b.life.reported = 0, 0
}

// restart loads the logs and registers with the controller as a new incarnation.
func (b *Broker) restart(now kafka.Tick, out *node.Out) {
	b.life.incarnation++
	b.life.started = now
	for _, p := range b.parts {
		if p != nil {
			p.hwChanged, p.offline = now, false
			p.producers.Rebuild(p.log)
			p.producers.HighWatermarkMoved(p.hw)
			out.BecauseOfInput()
			b.emitLoaded(p, out)
		}
	}
	out.BecauseOfInput()
	b.fetchMetadata(out)
	b.register(out)
}

func (b *Broker) register(out *node.Out) {
	out.Request(kafka.ControllerID, node.LifecycleChannel, 0, &kafka.BrokerRegistrationRequest{
		Broker: b.id, Incarnation: b.life.incarnation, Clean: b.life.clean,
	})
	out.Timer(out.Now()+b.config.HeartbeatTicks, node.Timer{Kind: timerRegister}) // until it is registered
}

// handleRegistration goes to work. While the session of the incarnation before lasts it is refused; the timer tries again.
func (b *Broker) handleRegistration(now kafka.Tick, answer *kafka.BrokerRegistrationResponse, out *node.Out) {
	if answer.Error != kafka.None || b.life.epoch != 0 {
		return
	}
	b.life.epoch, b.life.clean = answer.BrokerEpoch, false
	b.startTimers(0, now, out)
	b.act(now, out)
}

// heartbeat renews the session every broker.heartbeat.interval.ms.
func (b *Broker) heartbeat(now kafka.Tick, out *node.Out) {
	out.Timer(now+b.config.HeartbeatTicks, node.Timer{Kind: timerHeartbeat})
	b.beat(out)
}

func (b *Broker) beat(out *node.Out) {
	out.Request(kafka.ControllerID, node.LifecycleChannel, uint32(b.life.failed), &kafka.BrokerHeartbeatRequest{
		Broker: b.id, BrokerEpoch: b.life.epoch, MetadataOffset: b.image.offset, WantShutdown: b.life.stopping,
		OfflineLogDirs: b.life.failed,
	})
}

// reconfigure takes over the settings of a plan. A smaller min.insync.replicas may let the high watermark move.
func (b *Broker) reconfigure(in *node.Input, out *node.Out) {
	b.plan, b.config = in.Plan, &in.Plan.Broker
	for _, p := range b.parts {
		if p == nil {
			continue
		}
		p.log.Configure(&in.Plan.Partitions[p.id].Config.Log)
		p.minISR = in.Plan.Partitions[p.id].EffectiveMinISR()
		b.configureCoordinator(p, out)
		if p.leading {
			out.BecauseOfInput()
			b.maybeIncrementHighWatermark(p, in.Now, out)
		}
	}
	b.startCleaner(in.Now, out)
}

// freshProducerID is the next id of this broker's own block.
func (b *Broker) freshProducerID() kafka.ProducerID {
	return kafka.ProducerID(int32(b.id)*1000 + b.life.producerIDs)
}

// newProducerID hands out an id to a producer without transactions.
func (b *Broker) newProducerID() *kafka.InitProducerIDResponse {
	id := b.freshProducerID()
	b.life.producerIDs++
	return &kafka.InitProducerIDResponse{ProducerID: id}
}
