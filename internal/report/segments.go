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
	fmt.Fprintf(&b, "%s on %s at %s: %s\n", names.Partition(p), names.Node(broker), names.Clock(now), plural(len(fates), "segment"))
	for i := range fates {
		b.WriteString("\n" + Wrap(holds(&fates[i], names), "", "  ") + Wrap(fates[i].Text, "  ", "  "))
	}
	return b.String()
}

// holds says what is in a segment.
func holds(f *explain.SegmentFate, names *kafka.Names) string {
	if f.Base == f.End {
		return fmt.Sprintf("from offset %d on: nothing yet", f.Base)
	}
	text := fmt.Sprintf("offsets %d to %d: %s bytes, %s", f.Base, f.End-1, thousands(f.Size.Bytes()), recordsText(f.Records))
	if f.Removed > 0 {
		text += fmt.Sprintf("; compaction has removed %d", f.Removed)
	}
	if f.Newest != kafka.Never {
		text += "; the newest of " + names.Clock(f.Newest)
	}
	return text
}

// plural counts things: one segment, 21 segments.
func plural(n int, thing string) string {
	if n == 1 {
		return "one " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
