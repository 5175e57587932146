package outcome

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// orders is a fold of ten orders with one record each, of which producers 64 and 65 write some.
func orders() *Fold {
	names := &kafka.Names{TickMicros: 1000, StartMicros: -1, Keys: []string{"a", "b", ""}, Loads: []kafka.RecordRange{{Orders: 10, FirstNumber: 1}}}
	return NewFold(names, Settings{})
}

// TestReorderedStandBehindLaterOnes: only at the first append, and only behind those of the same producer.
func TestReorderedStandBehindLaterOnes(t *testing.T) {
	f, end := orders(), kafka.Offset(0)
	write := func(producer kafka.NodeID, ids ...kafka.RecordID) {
		f.Apply(&event.Event{Kind: event.BatchAppended, Node: 1, Peer: producer, Offset: end, Count: int32(len(ids))}, ids)
		end += kafka.Offset(len(ids))
	}
	write(64, 3, 4, 5)
	write(64, 0, 1, 2) // a retry that was overtaken
	write(64, 3)       // a second copy is another matter
	write(65, 6)
	write(64, 7)
	write(65, 8)
	if got := f.Outcome().Reordered; !slices.Equal(got, []kafka.RecordID{0, 1, 2}) {
		t.Errorf("reordered: %v, want 0 1 2", got)
	}
}

// TestKeysSplitCountsKeysNotRecords: the null key and the empty key have no home.
func TestKeysSplitCountsKeysNotRecords(t *testing.T) {
	f := orders()
	for i, put := range []struct {
		key kafka.KeyID
		p   kafka.PartitionID
	}{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 1}, {2, 0}, {2, 1}, {kafka.NoKey, 0}, {kafka.NoKey, 1}} {
		f.Apply(&event.Event{Kind: event.RecordsSent, Node: 64, Partition: put.p, Value: int64(put.key), Count: 1}, []kafka.RecordID{kafka.RecordID(i)})
	}
	if got := f.Outcome().KeysSplit; got != 1 {
		t.Errorf("%d keys are split, want 1", got)
	}
}

// TestRequestsCountOnceForAllTheirBatches: the batches of one request have one correlation id.
func TestRequestsCountOnceForAllTheirBatches(t *testing.T) {
	f := orders()
	for i, sent := range []struct {
		broker kafka.NodeID
		corr   int64
	}{{1, 1}, {1, 1}, {2, 1}, {1, 2}, {1, 3}} {
		f.Apply(&event.Event{
			Kind: event.ProduceSent, Node: 64, Peer: sent.broker, Partition: kafka.PartitionID(i), Prev: sent.corr, Count: 2,
		}, []kafka.RecordID{kafka.RecordID(2 * i), kafka.RecordID(2*i + 1)})
	}
	if o := f.Outcome(); o.Requests != 4 || o.InRequests != 10 {
		t.Errorf("%d requests with %d records, want 4 with 10", o.Requests, o.InRequests)
	}
}
