package fetch

import (
	"testing"

	"replog/internal/kafka"
)

// put is a batch at an offset: of a producer, or its marker.
func put(offset kafka.Offset, id kafka.ProducerID, attributes kafka.Attributes) kafka.Batch {
	b := kafka.NewMarker(id, 0, 0, attributes&kafka.Commit != 0, 0)
	b.BaseOffset, b.Attributes = offset, attributes
	return b
}

func TestOnlyAbortedBatchesAreDropped(t *testing.T) {
	const data, abort, commit = kafka.Transactional, kafka.Transactional | kafka.Control,
		kafka.Transactional | kafka.Control | kafka.Commit
	// Producer 1 aborts, then commits; producer 2 commits all the while, producer 3 has no transactions.
	log := []struct {
		kafka.Batch
		drops bool
	}{
		{put(0, 2, data), false}, {put(1, 1, data), true}, {put(2, 3, 0), false}, {put(3, 1, data), true}, {put(4, 2, data), false},
		{put(5, 1, abort), false}, {put(6, 1, data), false}, {put(7, 2, commit), false}, {put(8, 1, commit), false},
		{put(9, 1, data), true}, {put(10, 1, abort), false}, {put(11, 1, data), false},
	}
	view := &kafka.StableView{Aborted: []kafka.AbortedTransaction{{ProducerID: 1, FirstOffset: 9}, {ProducerID: 1, FirstOffset: 1}}}
	for begin := range log {
		listed := *view
		switch { // the answer does not list what ended before it
		case begin > 10:
			listed.Aborted = nil
		case begin > 5:
			listed.Aborted = view.Aborted[:1]
		}
		aborted := NewAborted(&listed)
		for i := begin; i < len(log); i++ {
			if got := aborted.Drops(&log[i].Batch); got != log[i].drops {
				t.Errorf("read from %d: offset %d dropped %v", begin, i, got)
			}
		}
	}
	nothing := NewAborted(nil)
	if nothing.Drops(&log[1].Batch) {
		t.Error("dropped although nothing was aborted")
	}
	if view.Aborted[0].FirstOffset != 9 {
		t.Error("the answer was changed")
	}
}
