package view

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// clean takes in what the cleaner did to a replica, or had done where its records came from.
func (r *replicaLog) clean(e *event.Event) {
	switch e.Kind {
	case event.RecordsCompacted, event.TombstonesRemoved, event.AbortedRecordsRemoved, event.MarkersRemoved:
		r.gone.Add(e.Offset, e.End())
	case event.GapCopied:
		r.append(e.Epoch, e.Offset, e.Count)
		r.gone.Add(e.Offset, e.End())
	case event.EmptyBatchKept:
		if i, found := slices.BinarySearch(r.empty, e.Offset); !found {
			r.empty = slices.Insert(r.empty, i, e.Offset)
		}
	case event.EmptyBatchRemoved:
		if i, found := slices.BinarySearch(r.empty, e.Offset); found {
			r.empty = slices.Delete(r.empty, i, i+1)
		}
	case event.LogCleaned:
		r.cleanedTo = e.Offset
	case event.SegmentCleaned:
		r.segments = slices.DeleteFunc(slices.Clone(r.segments), func(base kafka.Offset) bool {
			return base > e.Offset && base < e.End()
		})
	}
}

// uncleanFrom forgets what the cleaner did from the offset on, where the log ends now.
func (r *replicaLog) uncleanFrom(end kafka.Offset) {
	r.gone.Truncate(end)
	r.cleanedTo = min(r.cleanedTo, end)
	i, _ := slices.BinarySearch(r.empty, end)
	r.empty = r.empty[:i]
}

// cleaned is what the cleaner has removed of the column's records between two offsets of the replica.
func (r *replicaLog) cleaned(c *epochColumn, from, to kafka.Offset, names *kafka.Names) Size {
	var sum Size
	r.gone.Within(from, to, func(part kafka.Span) bool {
		sum.Records += c.recordBytes(part.From, part.To, names)
		sum.Batches += int64(c.wholeBatches(part))
		return true
	})
	if sum.Batches > 0 {
		first, _ := slices.BinarySearch(r.empty, from)
		next, _ := slices.BinarySearch(r.empty, to)
		sum.Batches -= int64(next - first)
	}
	return sum
}

// wholeBatches is the number of batches that lie within a span.
func (c *epochColumn) wholeBatches(part kafka.Span) int {
	first, next := c.batchesBefore(part.From), c.batchesBefore(part.To)
	if first == next {
		return 0
	}
	end := c.end()
	if next < c.batches.len() {
		end = c.from + kafka.Offset(c.batches.at(next))
	}
	if end > part.To {
		next--
	}
	return next - first
}

func (s Size) minus(t Size) Size { return Size{s.Records - t.Records, s.Batches - t.Batches} }
