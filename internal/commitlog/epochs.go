package commitlog

import (
	"slices"

	"replog/internal/kafka"
)

// EpochEntry says at which offset a leader epoch began in this log (EpochEntry of the leader-epoch-checkpoint file).
type EpochEntry struct {
	Epoch       kafka.Epoch
	StartOffset kafka.Offset
}

// AssignEpoch notes that a leader epoch begins at the offset. A new leader notes its own at its log end offset, before
// it appends anything (Partition.makeLeader).
func (l *Log) AssignEpoch(epoch kafka.Epoch, startOffset kafka.Offset) {
	l.epochs.assign(epoch, startOffset)
}

// LatestEpoch is the last leader epoch that the log knows of, or NoEpoch. A follower sends it as lastFetchedEpoch.
func (l *Log) LatestEpoch() kafka.Epoch { return l.epochs.latest() }

// Epochs lists the leader-epoch cache, oldest first; the caller must not change it.
func (l *Log) Epochs() []EpochEntry { return l.epochs }

// EndOffsetForEpoch says where an epoch ends in this log (UnifiedLog.endOffsetForEpoch): the latest epoch at the log
// end offset, an older one where the next one began. It is undefined for an epoch above the latest.
func (l *Log) EndOffsetForEpoch(epoch kafka.Epoch) kafka.EpochEnd {
	return l.epochs.endOffsetFor(epoch, l.end)
}

// epochCache lists where each leader epoch began; epochs and offsets both rise (LeaderEpochFileCache). Clones share
// the entries, so they never change in place.
type epochCache []EpochEntry

func (c epochCache) latest() kafka.Epoch {
	if len(c) == 0 {
		return kafka.NoEpoch
	}
	return c[len(c)-1].Epoch
}

// follow notes the epoch of a batch at the log end; nearly always it is the one before.
func (c *epochCache) follow(epoch kafka.Epoch, start kafka.Offset) {
	if epoch != c.latest() {
		c.assign(epoch, start)
	}
}

// assign adds an entry and removes those that it contradicts: what was noted last wins. Another start of the latest
// epoch counts only when it is earlier. A batch without an epoch is not noted.
func (c *epochCache) assign(epoch kafka.Epoch, start kafka.Offset) {
	if epoch == kafka.NoEpoch || epoch == c.latest() && start >= (*c)[len(*c)-1].StartOffset {
		return
	}
	c.removeFromEnd(func(e EpochEntry) bool { return e.Epoch >= epoch || e.StartOffset >= start })
	*c = append(*c, EpochEntry{Epoch: epoch, StartOffset: start})
}

// endOffsetFor is LeaderEpochFileCache.endOffsetFor.
func (c epochCache) endOffsetFor(epoch kafka.Epoch, logEnd kafka.Offset) kafka.EpochEnd {
	if epoch == kafka.NoEpoch || epoch > c.latest() {
		return kafka.NoEpochEnd
	}
	if epoch == c.latest() {
		return kafka.EpochEnd{Epoch: epoch, EndOffset: logEnd}
	}
	higher := slices.IndexFunc(c, func(e EpochEntry) bool { return e.Epoch > epoch })
	if higher == 0 {
		return kafka.EpochEnd{Epoch: epoch, EndOffset: c[0].StartOffset}
	}
	return kafka.EpochEnd{Epoch: c[higher-1].Epoch, EndOffset: c[higher].StartOffset}
}

// truncateFromEnd removes the epochs that began at the end offset or later.
func (c *epochCache) truncateFromEnd(end kafka.Offset) {
	c.removeFromEnd(func(e EpochEntry) bool { return e.StartOffset >= end })
}

// truncateFromStart makes the epoch that holds the start offset begin there and removes the ones before it.
func (c *epochCache) truncateFromStart(start kafka.Offset) {
	below := 0
	for below < len(*c) && (*c)[below].StartOffset <= start {
		below++
	}
	if below == 0 {
		return
	}
	kept := slices.Clone((*c)[below-1:])
	kept[0].StartOffset = start
	*c = kept
}

func (c *epochCache) removeFromEnd(removed func(EpochEntry) bool) {
	n := len(*c)
	for n > 0 && removed((*c)[n-1]) {
		n--
	}
	if n < len(*c) {
		*c = (*c)[:n:n]
	}
}
