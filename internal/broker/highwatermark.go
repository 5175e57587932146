package broker

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// maybeIncrementHighWatermark moves a leader's high watermark to the smallest log end offset among those that count:
// the leader, the maximal ISR, and every follower that has caught up and may join (Partition.maybeIncrementLeaderHW).
// It reports whether the high watermark moved; then waiting produce requests and readers go on.
func (b *Broker) maybeIncrementHighWatermark(p *partition, now kafka.Tick, out *node.Out) bool {
	if p.underMinISR() && !b.config.Rules.HighWatermarkBelowMinISR { // KAFKA-15583
		return false
	}
	end := p.log.EndOffset()
	hw := end
	counted := p.maximalISR()
	if b.config.Rules.CommittedISROnly {
		counted = p.isr
	}
	for i := range p.followers {
		f := &p.followers[i]
		if f.logEndOffset < hw && (counted.Has(f.id) || b.holdsBack(f, end, now)) {
			hw = f.logEndOffset
		}
	}
	if hw <= p.hw {
		return false
	}
	before := p.hw
	p.setHighWatermark(hw, now, b.config.CheckpointTicks)
	b.emit(out, event.Event{
		Kind: event.HighWatermarkAdvanced, Partition: p.id, Epoch: p.leaderEpoch, Offset: hw, Prev: int64(before),
	})
	moved := out.Cause()
	b.completeWaiting(p, now, out)
	out.Because(moved)
	b.wakeReaders(p, out)
	return true
}

// holdsBack reports whether a follower outside of the ISR counts all the same: it is caught up by time, has fetched in
// this leader epoch and could join.
func (b *Broker) holdsBack(f *follower, leaderEnd kafka.Offset, now kafka.Tick) bool {
	may := b.eligible(f) || b.config.Rules.IneligibleFollowersCount
	return f.logEndOffset != kafka.NoOffset && may && b.inSync(f, leaderEnd, now)
}
