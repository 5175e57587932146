package commitlog

import (
	"testing"

	"replog/internal/kafka"
)

// vectorID names a case.
type vectorID struct{ ID, Desc string }

// records makes a batch of n records of 100 bytes as a producer without idempotence sends it.
func records(n int) kafka.Batch {
	columns := kafka.NewColumns(n)
	list := make([]kafka.Record, n)
	for i := range list {
		list[i] = kafka.Record{ID: kafka.RecordID(i), Key: kafka.NoKey, Size: 100}
	}
	return kafka.Batch{Records: columns.Append(list...), ProducerID: kafka.NoProducerID, BaseSequence: kafka.NoSequence}
}

// leaderLog is a log of single records, one for each epoch given, as leaders of these epochs would write it.
func leaderLog(start kafka.Offset, epochs ...kafka.Epoch) *Log {
	l := New(start)
	for _, e := range epochs {
		l.AppendAsLeader(records(1), e)
	}
	return l
}

// epochsOf lists the epoch of each record.
func epochsOf(l *Log) []kafka.Epoch {
	epochs := []kafka.Epoch{}
	for o := l.StartOffset(); o < l.EndOffset(); o++ {
		epochs = append(epochs, l.EpochAt(o))
	}
	return epochs
}

// copyFrom lets the follower fetch until it has all that the leader has, as the broker's fetcher does: first the check
// of the leader, then the truncation or the append. It returns where each truncation went.
func copyFrom(t *testing.T, follower, leader *Log) []kafka.Offset {
	t.Helper()
	cuts := []kafka.Offset{}
	for range 100 {
		at := follower.EndOffset()
		diverging, code := leader.CheckFetch(at, follower.LatestEpoch())
		switch {
		case code != kafka.None:
			follower.ResetToLeader(leader.StartOffset(), leader.EndOffset())
			cuts = append(cuts, follower.EndOffset())
		case diverging.Defined():
			to, _ := follower.TruncationPoint(diverging, 0)
			follower.TruncateTo(to)
			cuts = append(cuts, to)
		case at == leader.EndOffset():
			return cuts
		default:
			follower.AppendAsFollower(leader.Read(at, leader.EndOffset(), 1<<20))
		}
	}
	t.Fatalf("the follower does not come to an end: it has %v, the leader %v", epochsOf(follower), epochsOf(leader))
	return nil
}
