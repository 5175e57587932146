package report

import (
	"fmt"
	"strings"

	"replog/internal/explain"
	"replog/internal/kafka"
)

// Segments tells of the segments of a replica's log, oldest first, and of what comes next for each.
func Segments(fates []explain.SegmentFate, p kafka.PartitionID, broker kafka.NodeID, now kafka.Tick, names *kafka.Names) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s at %s: %d segments\n", names.Partition(p), names.Node(broker), names.Clock(now), len(fates))
	for i := range fates {
		f := &fates[i]
		fmt.Fprintf(&b, "\noffsets %d to %d: %d bytes, records: %d", f.Base, f.End-1, f.Size.Bytes(), f.Records)
		if f.Removed > 0 {
			fmt.Fprintf(&b, "; compaction has removed %d", f.Removed)
		}
		if f.Newest != kafka.Never {
			fmt.Fprintf(&b, "; the newest of %s", names.Clock(f.Newest))
		}
		fmt.Fprintf(&b, "\n  %s\n", f.Text)
	}
	return b.String()
}
