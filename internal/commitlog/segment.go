package commitlog

import (
	"slices"

	"replog/internal/kafka"
)

// Segment is one file of a log and its indexes (LogSegment): the batches from BaseOffset up to the next segment's.
type Segment struct {
	BaseOffset kafka.Offset
	// Bytes is the size of the file, batch headers included.
	Bytes int64
	// First is the timestamp from which segment.ms counts: the largest of the first batch (rollingBasedTimestamp).
	First kafka.Tick
	// Largest is the largest timestamp of any record; retention.ms counts from it. Meaningless while Bytes is 0.
	Largest kafka.Tick

	unindexed int64 // bytes since the last index entry
	indexed   int32 // index entries
}

// The bytes of an entry of the time index, and how many entries before the last it counts as full.
const (
	timeIndexEntry = 12
	timeIndexSpare = 1
)

// take counts a batch that was appended (LogSegment.append).
func (s *Segment) take(size int64, timestamp kafka.Tick, c *kafka.LogConfig) {
	if s.Bytes == 0 {
		s.First, s.Largest = timestamp, timestamp
	}
	s.Bytes += size
	s.Largest = max(s.Largest, timestamp)
	if s.unindexed > c.IndexIntervalBytes {
		s.indexed++
		s.unindexed = 0
	}
	s.unindexed += size
}

// full reports whether a batch must begin a new segment (LogSegment.shouldRoll). An empty segment takes any batch.
func (s *Segment) full(size int64, timestamp kafka.Tick, c *kafka.LogConfig) bool {
	return s.Bytes > 0 && (s.Bytes+size > c.SegmentBytes || timestamp-s.First > c.RollTicks() || s.indexFull(c))
}

// indexFull: the time index, with the larger entries, is the first to be full.
func (s *Segment) indexFull(c *kafka.LogConfig) bool {
	return int64(s.indexed) >= c.SegmentIndexBytes/timeIndexEntry-timeIndexSpare
}

// Configure sets the limits by which the log rolls and deletes segments. The log keeps the pointer; what it points to
// must not change. A log without limits (SegmentBytes 0) is one segment for ever.
func (l *Log) Configure(c *kafka.LogConfig) {
	if l.config = c; c.SegmentBytes == 0 {
		l.config = nil
	}
}

// Config is the limits that the log works with, or nil.
func (l *Log) Config() *kafka.LogConfig { return l.config }

// Compacted reports whether the log cleaner takes care of the log.
func (l *Log) Compacted() bool { return l.config != nil && l.config.Compact }

// Segments lists the segments, oldest first; the last one is the active segment, which takes the appends.
func (l *Log) Segments() []Segment { return append(slices.Clone(l.rolled), l.active) }

// Rolled lists the segments before the active one, oldest first; the caller must not change them.
func (l *Log) Rolled() []Segment { return l.rolled }

// Base is the base offset of the n-th segment.
func (l *Log) Base(n int) kafka.Offset {
	s, _ := l.segment(n)
	return s.BaseOffset
}

// Active is the segment that takes the appends; the caller must not change it.
func (l *Log) Active() *Segment { return &l.active }

// Bytes is the size of all segments. Records below the log start offset count until their segment goes.
func (l *Log) Bytes() int64 {
	sum := l.active.Bytes
	for i := range l.rolled {
		sum += l.rolled[i].Bytes
	}
	return sum
}

// account puts a batch into the active segment, or into a new one where the active segment is full. A log rolls only
// here: an idle partition keeps its active segment, however old it is.
func (l *Log) account(b *kafka.Batch) {
	size := b.Bytes() + kafka.BatchOverhead
	timestamp := b.MaxTimestamp()
	if l.config == nil {
		l.active.take(size, timestamp, &unlimited)
		return
	}
	if l.active.full(size, timestamp, l.config) {
		l.Roll(b.BaseOffset)
	}
	l.active.take(size, timestamp, l.config)
}

// unlimited is the configuration of a log that was given none.
var unlimited = kafka.LogConfig{IndexIntervalBytes: 1 << 62}

// Roll closes the active segment and begins an empty one at the offset, which is the log end offset (UnifiedLog.roll).
func (l *Log) Roll(base kafka.Offset) {
	l.rolled = append(l.rolled, l.active)
	l.active = Segment{BaseOffset: base}
}

// Reason says why a segment was deleted.
type Reason uint8

// The reasons, in the order in which Kafka looks for them.
const (
	// BelowLogStart: everything in it lies below the log start offset (DeleteRecords, or the leader's log start).
	BelowLogStart Reason = iota
	// BeyondSize: what is left is still at least retention.bytes.
	BeyondSize
	// Expired: its newest record is older than retention.ms.
	Expired
	reasons
)

// Deleted is a segment that is gone.
type Deleted struct {
	Segment
	NextOffset kafka.Offset // the next segment's base offset, or the log end offset
	Reason     Reason
}

// DeleteOldSegments is one retention check (UnifiedLog.deleteOldSegments, called by LogManager.cleanupLogs). For each
// reason it goes through the segments from the oldest on and stops at the first that does not qualify, or that reaches
// beyond the high watermark. The active segment is not exempt: when it goes too, an empty one takes its place. The log
// start offset follows to the first segment that is left.
func (l *Log) DeleteOldSegments(highWatermark kafka.Offset, now kafka.Tick) []Deleted {
	if l.config == nil {
		return nil
	}
	var gone []Deleted
	for reason := range reasons {
		if reason != BelowLogStart && !l.config.Delete {
			break
		}
		gone = l.deleteFor(reason, highWatermark, now, gone)
	}
	return gone
}

// deleteFor deletes the segments that one reason takes, and appends them to gone.
func (l *Log) deleteFor(reason Reason, highWatermark kafka.Offset, now kafka.Tick, gone []Deleted) []Deleted {
	surplus := l.Bytes() - l.config.RetentionBytes
	n := 0
	for n <= len(l.rolled) {
		s, next := l.segment(n)
		if next > highWatermark || n == len(l.rolled) && s.Bytes == 0 {
			break
		}
		qualifies := false
		switch reason {
		case BelowLogStart:
			// The active segment has no successor to begin at the log start, so it stays.
			qualifies = n < len(l.rolled) && next <= l.start
		case BeyondSize:
			qualifies = l.config.RetentionBytes >= 0 && surplus >= s.Bytes
			surplus -= s.Bytes
		case Expired:
			qualifies = l.config.RetentionTicks >= 0 && now-s.Largest > l.config.RetentionTicks
		}
		if !qualifies {
			break
		}
		gone = append(gone, Deleted{Segment: *s, NextOffset: next, Reason: reason})
		n++
	}
	l.deleteFirst(n)
	return gone
}

// segment is the n-th segment and where it ends.
func (l *Log) segment(n int) (*Segment, kafka.Offset) {
	switch {
	case n == len(l.rolled):
		return &l.active, l.end
	case n+1 == len(l.rolled):
		return &l.rolled[n], l.active.BaseOffset
	}
	return &l.rolled[n], l.rolled[n+1].BaseOffset
}

// deleteFirst deletes the first n segments with their batches.
func (l *Log) deleteFirst(n int) {
	if n == 0 {
		return
	}
	if n > len(l.rolled) {
		l.Roll(l.end)
	}
	// Clones share the list.
	l.rolled = slices.Clone(l.rolled[n:])
	first := l.firstBase()
	l.AdvanceStartOffset(max(l.start, first))
	l.dropBefore(first)
}

// firstBase is the base offset of the oldest segment.
func (l *Log) firstBase() kafka.Offset {
	if len(l.rolled) > 0 {
		return l.rolled[0].BaseOffset
	}
	return l.active.BaseOffset
}

// truncateSegments removes the segments that begin behind the log end offset and counts the last one anew
// (LocalLog.truncateTo).
func (l *Log) truncateSegments() {
	n := len(l.rolled)
	for n > 0 && l.active.BaseOffset > l.end {
		n--
		l.active = l.rolled[n]
	}
	l.rolled = l.rolled[:n:n]
	c := l.config
	if c == nil {
		c = &unlimited
	}
	recounted := Segment{BaseOffset: l.active.BaseOffset}
	for b := range l.from(l.active.BaseOffset) {
		recounted.take(b.Bytes()+kafka.BatchOverhead, b.MaxTimestamp(), c)
	}
	l.active = recounted
}
