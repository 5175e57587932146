package view

import (
	"slices"
	"sort"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Segment is one segment of a replica's log.
type Segment struct {
	Base, End kafka.Offset // End is behind the last
	Size      Size
	Active    bool // it takes the appends
}

// Size is what batches take on a disk.
type Size struct {
	Records int64 // bytes of stored records
	Batches int64 // number of batches, each with a header of kafka.BatchOverhead bytes
}

// Bytes is the size with the batch headers.
func (s Size) Bytes() int64 { return s.Records + s.Headers() }

// Headers is what the batch headers take of it.
func (s Size) Headers() int64 { return s.Batches * kafka.BatchOverhead }

// Plus is the sum of two sizes.
func (s Size) Plus(t Size) Size { return Size{s.Records + t.Records, s.Batches + t.Batches} }

// applySegment takes in what a broker did with its segments.
func (l *Logs) applySegment(e *event.Event) {
	r := l.partition(e.Partition).replica(e.Node, e.Offset)
	switch e.Kind {
	case event.SegmentRolled:
		r.segments = append(r.segments, e.Offset)
	case event.LogStartAdvanced:
		r.start = e.Offset
	default:
		if i := slices.Index(r.segments, e.Offset); i >= 0 {
			r.segments = slices.Delete(slices.Clone(r.segments), i, i+1)
		}
	}
}

// Segments lists the segments of a replica's log, oldest first.
func (l *Logs) Segments(p kafka.PartitionID, broker kafka.NodeID, names *kafka.Names) []Segment {
	r := l.known(p, broker)
	if r == nil {
		return nil
	}
	list := make([]Segment, len(r.segments))
	for i, base := range r.segments {
		s := Segment{Base: base, End: r.end, Active: i == len(r.segments)-1}
		if !s.Active {
			s.End = r.segments[i+1]
		}
		s.Size = l.size(p, r, s.Base, s.End, names)
		list[i] = s
	}
	return list
}

// Size is what a replica takes on its disk: all of its segments, also what lies below the log start in the first one.
func (l *Logs) Size(p kafka.PartitionID, broker kafka.NodeID, names *kafka.Names) Size {
	r := l.known(p, broker)
	if r == nil || len(r.segments) == 0 {
		return Size{}
	}
	return l.size(p, r, r.segments[0], r.end, names)
}

func (l *Logs) size(p kafka.PartitionID, r *replicaLog, from, to kafka.Offset, names *kafka.Names) Size {
	var sum Size
	for _, run := range r.everyRun() {
		c := l.partitions[p].find(run.Epoch)
		if c == nil {
			continue
		}
		if lo, hi := max(run.From, from, c.from), min(run.To, to, c.end()); lo < hi {
			sum.Batches += int64(c.batchesBefore(hi) - c.batchesBefore(lo))
			sum.Records += c.recordBytes(lo, hi, names)
			sum = sum.minus(r.cleaned(c, lo, hi, names))
		}
	}
	return sum
}

// batchesBefore is the number of batches that begin before the offset.
func (c *epochColumn) batchesBefore(o kafka.Offset) int {
	return sort.Search(c.batches.len(), func(i int) bool { return c.from+kafka.Offset(c.batches.at(i)) >= o })
}

func (c *epochColumn) recordBytes(from, to kafka.Offset, names *kafka.Names) int64 {
	markers := len(names.TransactionalIDs) > 0
	if size, uniform := names.UniformSize(); !markers && kafka.OwnRecords(c.ids.slice(int(from-c.from), 1)) {
		return kafka.CoordinatorRecordBytes * int64(to-from)
	} else if !markers && uniform {
		return int64(size) * int64(to-from)
	}
	var sum int64
	for from < to {
		ids := c.ids.slice(int(from-c.from), int(to-from))
		for _, id := range ids {
			if id == kafka.NoRecord {
				sum += kafka.CoordinatorRecordBytes
				continue
			}
			sum += int64(names.RecordSize(id))
		}
		from += kafka.Offset(len(ids))
	}
	return sum
}

// Brokers lists the brokers that have a replica of the partition, in ascending order.
func (l *Logs) Brokers(p kafka.PartitionID) []kafka.NodeID {
	if p < 0 || int(p) >= len(l.partitions) {
		return nil
	}
	brokers := make([]kafka.NodeID, len(l.partitions[p].replicas))
	for i := range brokers {
		brokers[i] = l.partitions[p].replicas[i].broker
	}
	return brokers
}
