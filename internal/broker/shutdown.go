package broker

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// shutdown begins a controlled shutdown: the next heartbeat, at once, says so, and the broker goes on serving until the
// controller lets it go (BrokerLifecycleManager.beginControlledShutdown).
func (b *Broker) shutdown(now kafka.Tick, out *node.Out) {
	b.life.stopping = true
	b.beat(out)
}

// handleHeartbeatResponse matters to a broker that wants to stop, or has reported a log directory; the number of the request
// says which. Being fenced changes nothing here: the metadata log tells what to do.
func (b *Broker) handleHeartbeatResponse(in *node.Input, answer *kafka.BrokerHeartbeatResponse, out *node.Out) {
	if answer.Error == kafka.None {
		b.life.reported |= kafka.LogDirs(in.Corr)
	}
	switch {
	case !b.life.stopping:
	case answer.ShouldShutdown:
		out.Exit()
	case !b.life.told:
		b.life.told = true
		out.Timer(in.Now+b.config.ShutdownBeat, node.Timer{Kind: timerShutdownBeat})
	}
}

// stop ends the process in good order: logs and high watermarks are on disk as they are (LogManager.shutdown).
func (b *Broker) stop(now kafka.Tick) {
	for _, p := range b.parts {
		if p != nil {
			p.checkpoint, p.hwChanged = p.hw, now
		}
	}
	b.crash(now)
	b.life.clean = true
}

// loseTail takes from each log what a power loss takes: records that the operating system had not written yet.
func (b *Broker) loseTail(in *node.Input, out *node.Out) {
	died := out.Cause()
	for _, p := range b.parts {
		if p == nil || in.Unflushed == 0 {
			continue
		}
		before := p.log.EndOffset()
		p.log.TruncateTo(max(p.log.StartOffset(), before-kafka.Offset(in.Unflushed)))
		p.hw = min(p.hw, p.log.EndOffset())
		p.checkpoint = min(p.checkpoint, p.log.EndOffset())
		if end := p.log.EndOffset(); end < before {
			out.Because(died)
			b.emit(out, event.Event{
				Kind: event.LogTailLost, Partition: p.id, Epoch: max(0, p.log.LatestEpoch()), Offset: end, Prev: int64(before),
			})
		}
	}
}
