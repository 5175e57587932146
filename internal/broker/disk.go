package broker

import (
	"replog/internal/commitlog"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// failDir takes a log directory out of service, with every replica on it, and tells the controller at once. What waits
// for such a replica with acks=all goes on waiting until its time is over: nothing completes it any more. Without any
// directory left, or without the metadata log, the broker halts (ReplicaManager.handleLogDirFailure,
// LogManager.handleLogDirFailure).
func (b *Broker) failDir(dir int32, now kafka.Tick, out *node.Out) {
	if b.life.failed.Has(dir) {
		return
	}
	b.life.failed = b.life.failed.With(dir)
	var lost []*partition
	for _, p := range b.parts {
		if p != nil && p.dir == dir {
			lost = append(lost, p)
		}
	}
	failed := b.emit(out, event.Event{Kind: event.LogDirFailed, Value: int64(dir), Count: int32(len(lost))})
	for _, p := range lost {
		out.Because(failed)
		b.loseReplica(p, now, out)
	}
	out.Because(failed)
	if dir == b.config.MetadataLogDir || b.life.failed.Len() >= int(b.config.LogDirs) {
		out.Halt()
		return
	}
	if b.life.epoch != 0 {
		b.beat(out)
	}
	out.Timer(now+b.config.LogDirFailureTimeout, node.Timer{Kind: timerDirReport, Arg: dir})
}

// loseReplica takes the log and the role from a replica.
func (b *Broker) loseReplica(p *partition, now kafka.Tick, out *node.Out) {
	start, end := p.log.StartOffset(), p.log.EndOffset()
	p.log, p.producers = commitlog.New(start), commitlog.ProducerStates{}
	p.log.Configure(&b.plan.Partitions[p.id].Config.Log)
	p.hw, p.checkpoint, p.hwChanged = start, start, now
	p.offline, p.leading, p.leader = true, false, kafka.NoNode
	p.proposed, p.requested = 0, false
	b.resign(p, out)
	b.follow(p)
	b.emit(out, event.Event{Kind: event.ReplicaOffline, Partition: p.id, Offset: start, Prev: int64(end)})
}

// checkReported halts a broker that could not tell the controller of a failed directory: the cluster would go on to count
// on its replicas (BrokerLifecycleManager, log.dir.failure.timeout.ms).
func (b *Broker) checkReported(dir int32, out *node.Out) {
	if b.life.failed.Has(dir) && !b.life.reported.Has(dir) {
		out.Halt()
	}
}

// absence is the error for whoever asks a broker for a partition that it does not lead.
func (p *partition) absence() kafka.ErrorCode {
	if p != nil && p.offline {
		return kafka.KafkaStorageError
	}
	return kafka.NotLeaderOrFollower
}
