package commitlog

import (
	"math/bits"

	"replog/internal/kafka"
)

// Cleanable is how a compacted log looks to the cleaner: a clean part, which an earlier pass has been through, a dirty
// part, and a part that it must leave alone (LogToClean).
type Cleanable struct {
	// FirstDirty is where the dirty part begins: where the last pass ended.
	FirstDirty kafka.Offset
	// FirstUncleanable is where it ends, always at the base of a segment.
	FirstUncleanable kafka.Offset
	// CleanBytes and DirtyBytes are the sizes of the two parts.
	CleanBytes, DirtyBytes int64
	// Overdue: max.compaction.lag.ms has passed for something in the dirty part.
	Overdue bool
}

// Cleanable divides the log for the cleaner (LogCleanerManager.cleanableOffsets). It never cleans the active segment, nothing
// at or above the limit (the last stable offset: the high watermark, or the first open transaction below it), and no
// segment from the first on whose newest record is younger than min.compaction.lag.ms.
func (l *Log) Cleanable(limit kafka.Offset, now kafka.Tick) Cleanable {
	c := Cleanable{FirstDirty: l.cleaned}
	if c.FirstDirty < l.start || c.FirstDirty > l.end {
		c.FirstDirty = l.start
	}
	limit = min(limit, l.active.BaseOffset)
	dirty := l.firstOf(c.FirstDirty)
	end := dirty
	for end < len(l.rolled) && l.base(end+1) <= limit && !l.young(&l.rolled[end], now) {
		c.Overdue = c.Overdue || l.overdue(&l.rolled[end], now)
		c.DirtyBytes += l.rolled[end].Bytes
		end++
	}
	for i := end; i < len(l.rolled); i++ {
		c.Overdue = c.Overdue || l.overdue(&l.rolled[i], now)
	}
	for i := 0; i < len(l.rolled) && l.rolled[i].BaseOffset < c.FirstDirty; i++ {
		c.CleanBytes += l.rolled[i].Bytes
	}
	c.FirstUncleanable = l.base(end)
	return c
}

// CleanedTo is where the last pass of the cleaner ended.
func (l *Log) CleanedTo() kafka.Offset { return l.cleaned }

// firstOf is the index of the segment that holds the offset: of the last that does not begin behind it.
func (l *Log) firstOf(offset kafka.Offset) int {
	n := 0
	for n < len(l.rolled) && l.base(n+1) <= offset {
		n++
	}
	return n
}

// base is the base offset of a segment by its index; the active segment comes behind the rolled ones.
func (l *Log) base(n int) kafka.Offset {
	if n < len(l.rolled) {
		return l.rolled[n].BaseOffset
	}
	return l.active.BaseOffset
}

// young: min.compaction.lag.ms keeps the segment from the cleaner.
func (l *Log) young(s *Segment, now kafka.Tick) bool {
	return l.config.MinCompactionLag > 0 && s.Largest > now-l.config.MinCompactionLag
}

// overdue: the first batch of a dirty segment has waited for longer than max.compaction.lag.ms
// (LogCleanerManager.maxCompactionDelay).
func (l *Log) overdue(s *Segment, now kafka.Tick) bool {
	return s.Bytes > 0 && s.First < now-max(0, l.config.MaxCompactionLag)
}

// Due reports whether the cleaner takes the log: more than min.cleanable.dirty.ratio of it is dirty, or something in it is
// overdue (LogCleanerManager.grabFilthiestCompactedLog).
func (c *Cleanable) Due(config *kafka.LogConfig) bool {
	return c.DirtyBytes > 0 && (c.Overdue || c.DirtyBytes*million > config.MinDirtyRatio*(c.CleanBytes+c.DirtyBytes))
}

// million is the unit of kafka.LogConfig.MinDirtyRatio.
const million = 1_000_000

// Filthier reports whether a larger part of this log is dirty than of the other: the filthiest log goes first.
func (c *Cleanable) Filthier(other *Cleanable) bool {
	high, low := bits.Mul64(uint64(c.DirtyBytes), uint64(other.CleanBytes+other.DirtyBytes))
	otherHigh, otherLow := bits.Mul64(uint64(other.DirtyBytes), uint64(c.CleanBytes+c.DirtyBytes))
	return high > otherHigh || high == otherHigh && low > otherLow
}
