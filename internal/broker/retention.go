package broker

import (
	"replog/internal/commitlog"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// startRetention arms the first retention check of a broker that has just started; a plan without the interval has none.
func (b *Broker) startRetention(now kafka.Tick, out *node.Out) {
	if b.config.RetentionCheckTicks == 0 {
		return
	}
	out.Timer(now+b.config.InitialTaskDelay, node.Timer{Kind: timerRetention})
}

// checkRetention looks at every log of this broker, whether it leads the partition or follows
// (LogManager.cleanupLogs, every log.retention.check.interval.ms). Compacted ones are left to the cleaner.
func (b *Broker) checkRetention(now kafka.Tick, out *node.Out) {
	out.Timer(now+max(1, b.config.RetentionCheckTicks), node.Timer{Kind: timerRetention})
	for _, p := range b.parts {
		if p != nil && !p.offline && !p.log.Compacted() {
			out.BecauseOfInput()
			b.deleteOldSegments(p, now, out)
		}
	}
}

// deletable is up to where retention may delete (UnifiedLog.deletableSegments).
func (b *Broker) deletable(p *partition) kafka.Offset {
	if b.config.Rules.RetentionBeyondHighWatermark {
		return p.log.EndOffset()
	}
	return p.hw
}

func (b *Broker) deleteOldSegments(p *partition, now kafka.Tick, out *node.Out) {
	start, active := p.log.StartOffset(), *p.log.Active()
	gone := p.log.DeleteOldSegments(b.deletable(p), now)
	if len(gone) == 0 {
		return
	}
	if base := p.log.Active().BaseOffset; base != active.BaseOffset {
		p.producers.TakeSnapshot(base)
		b.emitRoll(p, active, base, out)
	}
	p.producers.DeleteSnapshots(p.log.Base(0))
	left := p.log.Bytes()
	for i := range gone {
		left += gone[i].Bytes
	}
	for i := range gone {
		left -= gone[i].Bytes
		b.emitDeleted(p, &gone[i], left, out)
	}
	b.emitLogStart(p, start, out)
	if b.config.Rules.ProducerStateWithRecords {
		p.producers = commitlog.ProducerStates{}
		p.producers.Rebuild(p.log)
	}
	b.rouseAll(out) // the next empty answer would tell of the new log start
}

// afterRolls does what comes with a new segment: a snapshot of the producer state. before is the number of segments
// that the log had rolled earlier.
func (b *Broker) afterRolls(p *partition, before int, out *node.Out) {
	if len(p.log.Rolled()) == before {
		return
	}
	p.producers.TakeSnapshot(p.log.Active().BaseOffset)
	b.emitRolls(p, before, out)
	out.BecauseOfInput()
}

func (b *Broker) emitRolls(p *partition, before int, out *node.Out) {
	for i, closed := range p.log.Rolled()[before:] {
		b.emitRoll(p, closed, p.log.Base(before+i+1), out)
	}
}

func (b *Broker) emitRoll(p *partition, closed commitlog.Segment, base kafka.Offset, out *node.Out) {
	b.emit(out, event.Event{
		Kind: event.SegmentRolled, Partition: p.id, Offset: base, Prev: int64(closed.BaseOffset), Value: closed.Bytes,
	})
}

// emitDeleted tells of a segment that is gone; left is what the partition still has.
func (b *Broker) emitDeleted(p *partition, gone *commitlog.Deleted, left int64, out *node.Out) {
	e := event.Event{
		Partition: p.id, Offset: gone.BaseOffset, Count: int32(gone.NextOffset - gone.BaseOffset), Prev: gone.Bytes,
	}
	switch gone.Reason {
	case commitlog.Expired:
		e.Kind, e.Value = event.SegmentDeletedByTime, int64(gone.Largest)
	case commitlog.BeyondSize:
		e.Kind, e.Value = event.SegmentDeletedBySize, left
	case commitlog.BelowLogStart:
		e.Kind, e.Value = event.SegmentDeletedBelowLogStart, int64(p.log.StartOffset())
	}
	b.emit(out, e)
}

func (b *Broker) emitLogStart(p *partition, before kafka.Offset, out *node.Out) {
	if start := p.log.StartOffset(); start > before {
		b.emit(out, event.Event{
			Kind: event.LogStartAdvanced, Partition: p.id, Offset: start, Prev: int64(before),
		})
	}
}

// handleDeleteRecords moves log start offsets up because an operator asks for it (Partition.deleteRecordsOnLeader).
func (b *Broker) handleDeleteRecords(in *node.Input, out *node.Out) {
	for _, id := range in.Topic {
		out.BecauseOfInput()
		if code := b.deleteRecords(b.parts[id], in.Before, out); code != kafka.None {
			b.emit(out, event.Event{Kind: event.DeleteRecordsRefused, Partition: id, Offset: in.Before, Error: code})
		}
	}
}

// deleteRecords moves the log start offset up to an offset that is committed, or to the high watermark for
// kafka.NoOffset. A topic that is only compacted refuses: its records go by their keys.
func (b *Broker) deleteRecords(p *partition, before kafka.Offset, out *node.Out) kafka.ErrorCode {
	switch {
	case p == nil || !p.leading:
		return p.absence()
	case p.log.Compacted() && !p.log.Config().Delete:
		return kafka.PolicyViolation
	case before > p.hw:
		return kafka.OffsetOutOfRange
	case before == kafka.NoOffset:
		before = p.hw
	}
	start := p.log.StartOffset()
	p.log.AdvanceStartOffset(before)
	b.emitLogStart(p, start, out)
	b.rouseAll(out) // the next empty answer would tell of the new log start
	return kafka.None
}

// learnLogStart takes over the leader's log start offset, as far as this replica's high watermark reaches
// (ReplicaFetcherThread.processPartitionData). Its own retention would come to the same a little later.
func (b *Broker) learnLogStart(p *partition, got *kafka.FetchedPartition, out *node.Out) {
	before := p.log.StartOffset()
	if start := min(got.LogStartOffset, p.hw); got.Error == kafka.None && start > before {
		p.log.AdvanceStartOffset(start)
		b.emitLogStart(p, before, out)
	}
}
