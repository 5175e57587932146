package commitlog

import (
	"slices"

	"replog/internal/kafka"
)

// TruncateTo removes the records from the offset on and the leader epochs that began there or later
// (UnifiedLog.truncateTo). An offset inside a batch takes the whole batch: the log then ends where that batch began.
// An offset below the log start offset empties the log, which goes on from there.
func (l *Log) TruncateTo(offset kafka.Offset) {
	if offset < l.start {
		l.TruncateFullyAndStartAt(offset)
		return
	}
	if offset < l.end {
		l.dropFrom(offset)
		l.truncateSegments()
		l.cleaned = min(l.cleaned, l.end) // LogCleanerManager.maybeTruncateCheckpoint
	}
	// Also when no record goes: a leader that was replaced before its first append still has its own epoch at the end.
	l.epochs.truncateFromEnd(l.end)
}

// dropFrom removes the batches that reach beyond the offset. The chunk that remains loses its spare capacity, so that
// the next append leaves the removed batches to whoever shares them.
func (l *Log) dropFrom(offset kafka.Offset) {
	l.end = offset
	for {
		keep := indexOf(l.tail, offset)
		if keep < len(l.tail) {
			l.end = max(l.start, min(offset, l.tail[keep].BaseOffset))
		}
		l.tail = l.tail[:keep:keep]
		last := len(l.sealed) - 1
		if keep > 0 || last < 0 {
			return
		}
		l.tail, l.owned = l.sealed[last], false
		l.sealed = l.sealed[:last:last]
	}
}

// TruncateFullyAndStartAt empties the log and its leader-epoch cache; the next record gets the offset. A follower does
// so when its leader no longer has the records that come next (UnifiedLog.truncateFullyAndStartAt).
func (l *Log) TruncateFullyAndStartAt(offset kafka.Offset) {
	*l = Log{start: offset, end: offset, active: Segment{BaseOffset: offset}, config: l.config}
}

// AdvanceStartOffset moves the log start offset up, as retention and DeleteRecords do
// (UnifiedLog.maybeIncrementLogStartOffset). Nothing leaves the disk by that: a segment goes with the next retention
// check once it lies wholly below. A lower offset changes nothing, one above the log end offset panics.
func (l *Log) AdvanceStartOffset(offset kafka.Offset) {
	if offset <= l.start {
		return
	}
	if offset > l.end {
		panic("commitlog: log start offset " + decimal(offset) + ", expected at or below the log end offset " + decimal(l.end))
	}
	l.start = offset
	l.epochs.truncateFromStart(offset)
}

// dropBefore gives up the batches of deleted segments: those that end at the offset or before it.
func (l *Log) dropBefore(offset kafka.Offset) {
	whole := 0
	for whole < len(l.sealed) && indexOf(l.sealed[whole], offset) == len(l.sealed[whole]) {
		whole++
	}
	// Clones share the list of chunks, and a list that only began later would keep the first ones alive.
	l.sealed = slices.Clone(l.sealed[whole:])
	if len(l.sealed) == 0 {
		l.tail = l.tail[indexOf(l.tail, offset):]
		return
	}
	l.sealed[0] = l.sealed[0][indexOf(l.sealed[0], offset):]
}

// ResetToLeader is what a follower does about OFFSET_OUT_OF_RANGE once it knows the leader's log start and log end
// offset: it drops what the leader does not have, or begins anew where the leader's log begins
// (AbstractFetcherThread.fetchOffsetAndTruncate).
func (l *Log) ResetToLeader(leaderStart, leaderEnd kafka.Offset) {
	switch {
	case leaderEnd < l.end:
		l.TruncateTo(leaderEnd)
	case leaderStart > l.end:
		l.TruncateFullyAndStartAt(leaderStart)
	}
}
