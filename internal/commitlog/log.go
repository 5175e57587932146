package commitlog

import (
	"slices"
	"strconv"

	"replog/internal/kafka"
)

// A kafka.Batch takes 40 bytes, so that these chunks fill an allocation of 512, 2048 and 8192 bytes. The first ones
// are small because a search or a sweep makes many logs that stay short.
const (
	smallChunk  = 12
	middleChunk = 51
	largeChunk  = 204
)

// Log is one replica's log of one partition (UnifiedLog): segments of batches from the log start offset to the log end
// offset, without a gap unless a cleaner left one, and the leader epochs in which they were written. Clone it; a plain
// copy would leave a chunk with two writers.
type Log struct {
	start, end kafka.Offset
	// sealed holds the chunks that this log is done with, oldest first.
	sealed [][]kafka.Batch
	// tail is the last chunk; it is empty only when the log is. What lies between its length and its capacity belongs
	// to the chunk's writer, which is this log when owned is set.
	tail   []kafka.Batch
	owned  bool
	epochs epochCache
	// rolled holds the segments before the active one, oldest first. A segment is a count over the batches: where they
	// lie in memory is the business of the chunks.
	rolled []Segment
	active Segment
	config *kafka.LogConfig // nil: no limits
	// cleaned is the cleaner's checkpoint: what lies before it was compacted already (cleaner-offset-checkpoint).
	cleaned kafka.Offset
	// gaps: some offsets between the log start and the log end may belong to no batch.
	gaps bool
}

// New is an empty log whose first record will have the offset start.
func New(start kafka.Offset) *Log {
	return &Log{start: start, end: start, active: Segment{BaseOffset: start}}
}

// StartOffset is the log start offset: the first offset that can be read.
func (l *Log) StartOffset() kafka.Offset { return l.start }

// EndOffset is the log end offset (LEO): the offset that the next record will get.
func (l *Log) EndOffset() kafka.Offset { return l.end }

// Clone is an independent copy that shares all batches, in constant time. The original goes on writing into its last
// chunk, behind what the copy sees of it; the copy begins a chunk of its own. Clone changes nothing in the original.
func (l *Log) Clone() *Log {
	c := *l
	c.owned = false
	c.sealed, c.epochs, c.rolled = slices.Clip(c.sealed), slices.Clip(c.epochs), slices.Clip(c.rolled)
	return &c
}

// AppendAsLeader stores a producer's batch at the log end offset under the leader's epoch and returns it as stored
// (UnifiedLog.appendAsLeader). The producer state is the caller's to check before and to update after.
func (l *Log) AppendAsLeader(b kafka.Batch, epoch kafka.Epoch) kafka.Batch {
	if b.Len() == 0 {
		panic("commitlog: a batch holds at least one record")
	}
	b.BaseOffset, b.LeaderEpoch = l.end, epoch
	l.epochs.follow(epoch, l.end)
	l.account(&b)
	l.push(&b)
	l.end = b.NextOffset()
	return b
}

// AppendAsFollower stores what a leader sent: batches that have their offsets and epochs and begin at the log end
// offset (UnifiedLog.appendAsFollower). It keeps the slice where that saves a copy, so the caller must not change it.
// A gap passes, as in Kafka: the leader may have cleaned what lay in it. Whether it did is for the fetcher to know. What
// begins before the log end offset is a bug of the caller, and panics.
func (l *Log) AppendAsFollower(batches []kafka.Batch) {
	if len(batches) == 0 {
		return
	}
	end := l.admit(batches)
	switch {
	case l.continuedBy(batches):
		l.tail = l.tail[:len(l.tail)+len(batches)]
	case l.sealable() && worthSharing(batches):
		l.seal()
		l.tail, l.owned = batches, false
	default:
		for i := range batches {
			l.push(&batches[i])
		}
	}
	l.end = end
}

// admit checks that batches follow on the log and on each other, notes their epochs and sizes and returns where they end.
func (l *Log) admit(batches []kafka.Batch) kafka.Offset {
	next := l.end
	if first := &batches[0]; l.startsWithin(first) {
		next = first.BaseOffset
		if l.active.Bytes == 0 {
			l.active.BaseOffset = next
		}
	}
	for i := range batches {
		b := &batches[i]
		if b.BaseOffset < next {
			panic("commitlog: a follower expected a batch at offset " + decimal(next) + ", not at " + decimal(b.BaseOffset))
		}
		l.gaps = l.gaps || b.BaseOffset > next
		l.epochs.follow(b.LeaderEpoch, b.BaseOffset)
		l.account(b)
		next = b.NextOffset()
	}
	return next
}

// Takes reports whether a follower can append a batch. It can not where the batch begins before the log end offset: this log
// and the leader's are different ones then (UnexpectedAppendOffsetException).
func (l *Log) Takes(b *kafka.Batch) bool { return b.BaseOffset >= l.end || l.startsWithin(b) }

// startsWithin reports whether the log is empty and begins inside the batch. DeleteRecords can put the leader's log start there; a
// follower stores the whole batch then, and keeps its log start (Partition.appendRecordsToFollowerOrFutureReplica).
func (l *Log) startsWithin(b *kafka.Batch) bool {
	return l.start == l.end && b.BaseOffset < l.end && l.end < b.NextOffset()
}

func decimal(o kafka.Offset) string { return strconv.FormatInt(int64(o), 10) }

// push stores a batch in a chunk of this log's own.
func (l *Log) push(b *kafka.Batch) {
	if !l.owned || len(l.tail) == cap(l.tail) {
		l.newChunk()
	}
	l.tail = append(l.tail, *b)
}

// newChunk makes room in a chunk of this log's own: behind the old one, or in a copy of it while that is short. Else a
// log that is cloned at every step would become a list of chunks with one batch each.
func (l *Log) newChunk() {
	var carried []kafka.Batch
	if l.sealable() {
		l.seal()
	} else {
		carried = l.tail
	}
	before := len(carried)
	if n := len(l.sealed); n > 0 {
		before = max(before, len(l.sealed[n-1]))
	}
	l.tail, l.owned = append(make([]kafka.Batch, 0, chunkAfter(before)), carried...), true
}

// chunkAfter is the size of the chunk that follows on n batches.
func chunkAfter(n int) int {
	switch {
	case n < smallChunk:
		return smallChunk
	case n < middleChunk:
		return middleChunk
	}
	return largeChunk
}

// sealable reports whether the last chunk may stay as it is.
func (l *Log) sealable() bool {
	n := len(l.tail)
	return n == 0 || n >= middleChunk || n >= smallChunk && n == cap(l.tail)
}

func (l *Log) seal() {
	if len(l.tail) > 0 {
		l.sealed = append(l.sealed, l.tail)
	}
	l.tail = nil
}

// continuedBy reports whether batches lie in memory just behind the last batch. Only the chunk's writer puts anything
// there, so they are the continuation of this log by the leader it shares the chunk with.
func (l *Log) continuedBy(batches []kafka.Batch) bool {
	n := len(l.tail)
	return n > 0 && cap(l.tail)-n >= len(batches) && &l.tail[:n+1][n] == &batches[0]
}

// worthSharing reports whether a slice looks like part of a chunk: long, or with room in which more will come.
func worthSharing(batches []kafka.Batch) bool {
	return cap(batches) > len(batches) || len(batches) >= smallChunk
}
