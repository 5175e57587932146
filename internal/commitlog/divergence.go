package commitlog

import "replog/internal/kafka"

// CheckFetch is what a leader asks of its own log before it serves a fetch at fetchOffset from a replica whose last
// record has the epoch lastFetchedEpoch (Partition.readRecords, KIP-595). A defined answer means that the logs part:
// no records are sent, and the follower truncates with TruncationPoint. NoEpoch leaves this question out, as a
// consumer's fetch does.
//
// OffsetOutOfRange: the offset is below the log start or above the log end, or the epoch is above all that are known.
func (l *Log) CheckFetch(fetchOffset kafka.Offset, lastFetchedEpoch kafka.Epoch) (kafka.EpochEnd, kafka.ErrorCode) {
	if fetchOffset < l.start {
		return kafka.NoEpochEnd, kafka.OffsetOutOfRange
	}
	if lastFetchedEpoch != kafka.NoEpoch {
		mine := l.EndOffsetForEpoch(lastFetchedEpoch)
		if !mine.Defined() {
			return kafka.NoEpochEnd, kafka.OffsetOutOfRange
		}
		if mine.Epoch < lastFetchedEpoch || mine.EndOffset < fetchOffset {
			return mine, kafka.None
		}
	}
	if fetchOffset > l.end {
		return kafka.NoEpochEnd, kafka.OffsetOutOfRange
	}
	return kafka.NoEpochEnd, kafka.None
}

// TruncationPoint is where a follower truncates after the leader told it where an epoch ends in the leader's log
// (AbstractFetcherThread.getOffsetTruncationState, KIP-101 and KIP-279). When it is not complete, the follower did not
// know the leader's epoch: it truncates to the end of the largest one below and asks again. The high watermark counts
// only when the leader has no epoch to offer.
func (l *Log) TruncationPoint(leader kafka.EpochEnd, highWatermark kafka.Offset) (to kafka.Offset, complete bool) {
	if leader.EndOffset == kafka.NoOffset {
		return min(highWatermark, l.end), true
	}
	mine := l.EndOffsetForEpoch(leader.Epoch)
	switch {
	case !mine.Defined():
		return min(leader.EndOffset, l.end), true
	case mine.Epoch != leader.Epoch:
		return min(mine.EndOffset, l.end), false
	}
	return min(mine.EndOffset, leader.EndOffset, l.end), true
}
