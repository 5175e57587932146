package commitlog

import (
	"testing"

	"replog/internal/kafka"
)

// TestPassCountsTheGapAtTheEndOfASegment: a follower that was away finds offset 2 compacted away on its leader, just where
// its own segment ends. A pass over that segment is over at the next one: no offset of it is dirty any more, though no batch
// tells of the last (Cleaner.buildOffsetMapForSegment).
func TestPassCountsTheGapAtTheEndOfASegment(t *testing.T) {
	config := kafka.LogConfig{
		SegmentBytes: 1 << 20, SegmentTicks: 1000, SegmentIndexBytes: 1 << 20, IndexIntervalBytes: 4096, Compact: true,
		MaxCompactionLag: kafka.Never,
	}
	l := New(0)
	l.Configure(&config)
	for _, o := range []kafka.Offset{0, 1, 3} {
		record := kafka.Record{Key: kafka.KeyID(o), Size: 100, Timestamp: kafka.Tick(o) * 500}
		l.AppendAsFollower([]kafka.Batch{{Records: kafka.NewColumns(1).Append(record), BaseOffset: o, ProducerID: kafka.NoProducerID}})
	}
	if base := l.Active().BaseOffset; base != 3 {
		t.Fatalf("the active segment begins at %d, expected 3", base)
	}
	found := l.Cleanable(l.EndOffset(), 2000)
	if !found.Due(&config) || found.FirstUncleanable != 3 {
		t.Fatalf("%+v, expected a dirty part up to 3", found)
	}
	did := l.Clean(&Pass{FirstDirty: found.FirstDirty, FirstUncleanable: found.FirstUncleanable, Now: 2000, MapKeys: 100})
	if again := l.Cleanable(l.EndOffset(), 2000); did.CleanedTo != 3 || again.DirtyBytes != 0 || again.Due(&config) {
		t.Errorf("cleaned to %d, and then %+v, expected nothing to be dirty", did.CleanedTo, again)
	}
}
