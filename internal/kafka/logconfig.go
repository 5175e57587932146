package kafka

// LogConfig is how a partition's log is cut into segments, and what becomes of the old ones (Kafka's own LogConfig).
type LogConfig struct {
	SegmentBytes       int64 // segment.bytes
	SegmentTicks       Tick  // segment.ms
	SegmentIndexBytes  int64 // segment.index.bytes
	IndexIntervalBytes int64 // index.interval.bytes
	RetentionTicks     Tick  // retention.ms; negative: no limit
	RetentionBytes     int64 // retention.bytes, of a partition; negative: no limit
	MinCompactionLag   Tick  // min.compaction.lag.ms
	MaxCompactionLag   Tick  // max.compaction.lag.ms
	DeleteRetention    Tick  // delete.retention.ms
	MinDirtyRatio      int64 // min.cleanable.dirty.ratio, in millionths
	Delete             bool  // cleanup.policy has delete: retention applies
	Compact            bool  // cleanup.policy has compact
	AppendTime         bool  // message.timestamp.type is LogAppendTime
}

// RollTicks is the effective segment.ms: a compacted topic must not keep a record from the cleaner for longer than
// max.compaction.lag.ms (LogConfig.maxSegmentMs).
func (c *LogConfig) RollTicks() Tick {
	if c.Compact && c.MaxCompactionLag > 0 {
		return min(c.SegmentTicks, c.MaxCompactionLag)
	}
	return c.SegmentTicks
}

// CleanupPolicies lists the values of cleanup.policy.
func CleanupPolicies() []string {
	return []string{"delete", "compact", "compact,delete", "delete,compact"}
}

// SetCleanupPolicy takes the place of a value in CleanupPolicies.
func (c *LogConfig) SetCleanupPolicy(n int) { c.Delete, c.Compact = n != 1, n != 0 }
