package commitlog

import (
	"slices"
	"testing"

	"replog/internal/kafka"
	"replog/internal/testdata"
)

type retentionVector struct {
	vectorID
	Kind     string
	Segments []struct {
		BaseOffset         kafka.Offset
		Records            int
		LargestTimestampMs kafka.Tick
		SizeBytes          int64
	}
	HighWatermark, LogStartOffset, LogEndOffset kafka.Offset
	NowMs, RetentionMs                          kafka.Tick
	RetentionBytes                              int64
	CleanupPolicy                               []string

	SegmentSizeBytes, BatchSizeBytes, SegmentBytes int64
	SegmentMs, JitterMs, MaxCompactionLagMs        kafka.Tick
	FirstRecordTimestampMs                         *kafka.Tick
	BatchMaxTimestampMs                            kafka.Tick
	IndexFull                                      bool

	Expect struct {
		DeletedSegments, SegmentsLeft []kafka.Offset
		LogStartOffset                kafka.Offset
		SegmentCountAfter             int
		Roll                          bool
		EffectiveSegmentMs            kafka.Tick
	}
}

func TestRetentionVectors(t *testing.T) {
	for _, c := range testdata.Vectors[retentionVector](t, "retention.json") {
		t.Run(c.ID, func(t *testing.T) {
			t.Log(c.Desc)
			switch c.Kind {
			case "retention":
				runRetentionCase(t, &c)
			case "roll":
				runRollCase(t, &c)
			case "rollTiming":
				config := c.config()
				if got := config.RollTicks(); got != c.Expect.EffectiveSegmentMs {
					t.Errorf("effective segment.ms %d, expected %d", got, c.Expect.EffectiveSegmentMs)
				}
			default:
				t.Fatalf("unknown kind %q", c.Kind)
			}
		})
	}
}

// scale makes room for the headers of real batches: the sizes of the cases are illustrative.
const scale = 100

func (c *retentionVector) config() kafka.LogConfig {
	config := kafka.LogConfig{
		SegmentBytes: 1 << 40, SegmentTicks: 1 << 40, SegmentIndexBytes: 10 << 20, IndexIntervalBytes: 4096,
		RetentionTicks: c.RetentionMs, RetentionBytes: c.RetentionBytes, MaxCompactionLag: c.MaxCompactionLagMs,
		Delete: slices.Contains(c.CleanupPolicy, "delete"), Compact: slices.Contains(c.CleanupPolicy, "compact"),
	}
	if c.RetentionBytes > 0 {
		config.RetentionBytes *= scale
	}
	if c.SegmentMs > 0 {
		config.SegmentTicks = c.SegmentMs - c.JitterMs
	}
	if c.SegmentBytes > 0 {
		config.SegmentBytes = c.SegmentBytes
	}
	return config
}

// sized is a batch of n records that takes so many bytes, header included.
func sized(n int, bytes int64, timestamp kafka.Tick) kafka.Batch {
	columns := kafka.NewColumns(n)
	list := make([]kafka.Record, n)
	for i := range list {
		list[i] = kafka.Record{Key: kafka.NoKey, Size: 1, Timestamp: timestamp}
	}
	list[0].Size += int32(bytes - kafka.BatchOverhead - int64(n))
	return kafka.Batch{Records: columns.Append(list...), ProducerID: kafka.NoProducerID, BaseSequence: kafka.NoSequence}
}

func runRetentionCase(t *testing.T, c *retentionVector) {
	l, config := New(c.Segments[0].BaseOffset), c.config()
	l.Configure(&config)
	for i, s := range c.Segments {
		if i > 0 {
			l.Roll(s.BaseOffset)
		}
		if s.Records > 0 {
			l.AppendAsLeader(sized(s.Records, s.SizeBytes*scale, s.LargestTimestampMs), 0)
		}
	}
	if l.EndOffset() != c.LogEndOffset {
		t.Fatalf("log end offset %d, expected %d", l.EndOffset(), c.LogEndOffset)
	}
	l.AdvanceStartOffset(c.LogStartOffset)

	deleted := []kafka.Offset{}
	for _, d := range l.DeleteOldSegments(c.HighWatermark, c.NowMs) {
		deleted = append(deleted, d.BaseOffset)
	}
	left := []kafka.Offset{}
	for _, s := range l.Segments() {
		left = append(left, s.BaseOffset)
	}
	if !slices.Equal(deleted, c.Expect.DeletedSegments) || !slices.Equal(left, c.Expect.SegmentsLeft) {
		t.Errorf("deleted %v, left %v, expected %v and %v", deleted, left, c.Expect.DeletedSegments, c.Expect.SegmentsLeft)
	}
	if l.StartOffset() != c.Expect.LogStartOffset || len(left) != c.Expect.SegmentCountAfter {
		t.Errorf("log start offset %d, %d segments, expected %d and %d", l.StartOffset(), len(left),
			c.Expect.LogStartOffset, c.Expect.SegmentCountAfter)
	}
}

// runRollCase builds the segment of the case from batches of its size.
func runRollCase(t *testing.T, c *retentionVector) {
	l, config := New(0), c.config()
	if c.IndexFull {
		config.SegmentIndexBytes = timeIndexEntry
	}
	l.Configure(&config)
	for size := int64(0); size < c.SegmentSizeBytes; size += c.BatchSizeBytes {
		l.AppendAsLeader(sized(1, c.BatchSizeBytes, *c.FirstRecordTimestampMs), 0)
	}
	if l.Active().Bytes != c.SegmentSizeBytes || len(l.Rolled()) > 0 {
		t.Fatalf("the segment is %+v after %d rolls, expected %d bytes", l.Active(), len(l.Rolled()), c.SegmentSizeBytes)
	}
	end := l.EndOffset()
	l.AppendAsLeader(sized(1, c.BatchSizeBytes, c.BatchMaxTimestampMs), 0)
	if rolled := len(l.Rolled()) > 0; rolled != c.Expect.Roll {
		t.Errorf("rolled: %v, expected %v", rolled, c.Expect.Roll)
	}
	if c.Expect.Roll && l.Active().BaseOffset != end {
		t.Errorf("the new segment begins at %d, expected the log end offset %d", l.Active().BaseOffset, end)
	}
}
