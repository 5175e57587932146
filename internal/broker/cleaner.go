package broker

import (
	"replog/internal/commitlog"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// mapKeys is how many keys a pass of the cleaner can remember: log.cleaner.dedupe.buffer.size (128 MiB) with 24 bytes an
// entry, filled to log.cleaner.io.buffer.load.factor (0.9).
const mapKeys = 128 << 20 / 24 * 9 / 10

// startCleaner arms the log cleaner, unless it is armed or no topic is compacted: then there is none.
func (b *Broker) startCleaner(now kafka.Tick, out *node.Out) {
	if b.life.cleaning || b.config.CleanerBackoff == 0 {
		return
	}
	for _, p := range b.parts {
		if p != nil && p.log.Compacted() {
			b.life.cleaning = true
			out.Timer(now, node.Timer{Kind: timerCleaner})
			return
		}
	}
}

// runCleaner cleans the filthiest log, and the next, until none is dirty enough; then it waits log.cleaner.backoff.ms
// (LogCleaner.CleanerThread). It is also what deletes old segments of compacted topics.
func (b *Broker) runCleaner(now kafka.Tick, out *node.Out) {
	b.life.cleaning = false
	for {
		p, found := b.filthiest(now)
		if p == nil {
			break
		}
		out.BecauseOfInput()
		b.clean(p, &found, now, out)
	}
	for _, p := range b.parts {
		if p != nil && !p.offline && p.log.Compacted() {
			out.BecauseOfInput()
			b.deleteOldSegments(p, now, out)
		}
	}
	b.startCleaner(now+b.config.CleanerBackoff, out)
}

// filthiest is the log that the cleaner takes next, or nil (LogCleanerManager.grabFilthiestCompactedLog).
func (b *Broker) filthiest(now kafka.Tick) (*partition, commitlog.Cleanable) {
	var chosen *partition
	var best commitlog.Cleanable
	for _, p := range b.parts {
		if p == nil || p.offline || !p.log.Compacted() {
			continue
		}
		found := p.log.Cleanable(b.cleanable(p), now)
		if found.Due(p.log.Config()) && (chosen == nil || found.Filthier(&best)) {
			chosen, best = p, found
		}
	}
	return chosen, best
}

// cleanable is up to where the cleaner may go (LogCleanerManager.cleanableOffsets).
func (b *Broker) cleanable(p *partition) kafka.Offset {
	if b.config.Rules.CompactionBeyondHighWatermark {
		return p.producers.LastStableOffset(p.log.EndOffset(), p.log.StartOffset())
	}
	return p.lastStable()
}

// clean makes one pass over one log, whether this broker leads the partition or follows: each replica cleans its own.
func (b *Broker) clean(p *partition, found *commitlog.Cleanable, now kafka.Tick, out *node.Out) {
	did := p.log.Clean(&commitlog.Pass{
		FirstDirty: found.FirstDirty, FirstUncleanable: found.FirstUncleanable, Now: now, Producers: &p.producers,
		Aborted: p.producers.Index(), MapKeys: mapKeys, ByModification: b.config.Rules.TombstonesAgeWithSegment,
	})
	p.producers.Cleaned(did.Aborted)
	if !out.Tracing() {
		return
	}
	records := kafka.Offset(0)
	for i := range did.Changes {
		c := &did.Changes[i]
		if c.Kind.Removes() {
			records += c.Next - c.From
		}
		b.emitCleaned(p, c, now, out)
	}
	freed := int64(0)
	for i := range did.Replaced {
		r := &did.Replaced[i]
		before := int64(0)
		for j := range r.Before {
			before += r.Before[j].Bytes
		}
		freed += before - r.Bytes
		b.emit(out, event.Event{
			Kind: event.SegmentCleaned, Partition: p.id, Offset: r.BaseOffset, Count: int32(r.NextOffset - r.BaseOffset),
			Prev: before, Value: r.Bytes,
		})
	}
	b.emit(out, event.Event{
		Kind: event.LogCleaned, Partition: p.id, Offset: did.CleanedTo, Count: int32(records), Prev: int64(found.FirstDirty), Value: freed,
	})
}

// emitCleaned tells what became of a stretch of offsets.
func (b *Broker) emitCleaned(p *partition, c *commitlog.Change, now kafka.Tick, out *node.Out) {
	e := event.Event{Partition: p.id, Offset: c.From, Count: int32(c.Next - c.From)}
	switch c.Kind {
	case commitlog.Superseded:
		e.Kind = event.RecordsCompacted
	case commitlog.TombstoneRemoved:
		e.Kind, e.Value = event.TombstonesRemoved, int64(c.Horizon)
		if c.Horizon == kafka.Never {
			e.Value = int64(now)
		}
	case commitlog.AbortedRemoved:
		e.Kind = event.AbortedRecordsRemoved
	case commitlog.MarkerRemoved:
		e.Kind, e.Value = event.MarkersRemoved, int64(c.Horizon)
	case commitlog.HorizonSet:
		e.Kind, e.Value = event.TombstonesStamped, int64(c.Horizon)
	case commitlog.MarkerHorizonSet:
		e.Kind, e.Value = event.MarkerStamped, int64(c.Horizon)
	case commitlog.EmptyBatchKept:
		e.Kind, e.Producer, e.Epoch = event.EmptyBatchKept, c.Producer, c.Epoch
	case commitlog.EmptyBatchRemoved:
		e.Kind, e.Producer = event.EmptyBatchRemoved, c.Producer
	}
	b.emit(out, e)
}

// emitGap tells that a follower's log has no records at some offsets, because its leader's has none any more.
func (b *Broker) emitGap(p *partition, leader kafka.NodeID, epoch kafka.Epoch, from, to kafka.Offset, out *node.Out) {
	if from < to {
		b.emit(out, event.Event{
			Kind: event.GapCopied, Peer: leader, Partition: p.id, Epoch: epoch, Offset: from, Count: int32(to - from),
			Value: int64(min(p.hw, to)),
		})
	}
}

// emitCleanedCopy tells of a copied batch that the cleaner had been through on the leader.
func (b *Broker) emitCleanedCopy(p *partition, leader kafka.NodeID, batch *kafka.Batch, out *node.Out) {
	next := batch.BaseOffset
	batch.Stretches(0, func(from, to int) bool {
		first, behind := batch.OffsetOf(from), batch.OffsetOf(to-1)+1
		b.emitGap(p, leader, batch.LeaderEpoch, next, first, out)
		b.emit(out, event.Event{
			Kind: event.ReplicaAppended, Peer: leader, Partition: p.id, Epoch: batch.LeaderEpoch, Offset: first,
			Count: int32(to - from), Value: int64(min(p.hw, behind)),
		})
		next = behind
		return true
	})
	b.emitGap(p, leader, batch.LeaderEpoch, next, batch.NextOffset(), out)
	if batch.Len() == 0 {
		b.emit(out, event.Event{
			Kind: event.EmptyBatchKept, Partition: p.id, Epoch: batch.LeaderEpoch, Offset: batch.BaseOffset, Count: batch.Span(),
			Producer: batch.ProducerID,
		})
	}
}
