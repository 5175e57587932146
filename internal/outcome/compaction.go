package outcome

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Compaction is what became of the records of the compacted topics, in the final logs.
type Compaction struct {
	Records     int // that were written there, and not deleted by retention
	Removed     int // of them, by the cleaner
	Left        int
	OldVersions int // left, although a newer record has the same key
	Tombstones  int // left
	Shown       int // records of these topics that readers were shown, each time counted
	Readers     []Believer
}

// Believer is a reader that believes in keys that were deleted, and can not learn of that any more.
type Believer struct {
	Reader kafka.NodeID
	Stale  []kafka.KeyID // ascending
}

// compacted counts what the cleaner takes, before it is gone.
func (f *Fold) compacted(e *event.Event) {
	switch e.Kind {
	case event.RecordsCompacted, event.TombstonesRemoved, event.AbortedRecordsRemoved:
		if f.names.Internal(e.Partition) {
			return
		}
		f.bytes.look(&f.logs, f.names, e.At)
		for _, ids := range f.logs.Slices(e.Partition, e.Node, e.Offset, e.End()) {
			f.facts.add(ids, compacted)
		}
	}
}

// anyKeyed reports whether some load goes to a compacted topic.
func anyKeyed(names *kafka.Names) bool {
	return slices.ContainsFunc(names.Loads, func(l kafka.RecordRange) bool { return len(l.Keyed) > 0 })
}

// believe notes what a reader now holds for the keys of the records that it is shown.
func (r *reader) believe(ids []kafka.RecordID, names *kafka.Names) {
	for _, id := range ids {
		key, _, ok := names.RecordKey(id)
		if !ok || key == kafka.NoKey {
			continue
		}
		for int(key) >= len(r.beliefs) {
			r.beliefs = append(r.beliefs, kafka.NoRecord)
		}
		r.beliefs[key] = id
		r.told++
	}
}

// newest is the last record that was written under a key.
type newest struct {
	id        kafka.RecordID
	partition kafka.PartitionID
	offset    kafka.Offset
	gone      bool // the cleaner has removed it
}

// compaction sums up the compacted topics; nil without any.
func (f *Fold) compaction() *Compaction {
	if !f.keyed {
		return nil
	}
	c, last := &Compaction{}, make([]newest, len(f.names.Keys))
	for i := range last {
		last[i].id = kafka.NoRecord
	}
	for i, leader := range f.leaders {
		p := kafka.PartitionID(i)
		start, _ := f.logs.Bounds(p, leader)
		gone, aborted := f.logs.Gone(p, leader), f.transactions.AbortedIn(&f.logs, p, leader)
		for base, ids := range f.logs.Ever(p, leader) {
			for at, id := range ids {
				if key, _, ok := f.names.RecordKey(id); ok && key != kafka.NoKey {
					o := base + kafka.Offset(at)
					c.count(o >= start, gone.Has(o))
					if !aborted.Has(o) {
						last[key] = newest{id, p, o, gone.Has(o)}
					}
				}
			}
		}
	}
	for i, leader := range f.leaders {
		p := kafka.PartitionID(i)
		start, end := f.logs.Bounds(p, leader)
		aborted := f.transactions.AbortedIn(&f.logs, p, leader)
		for base, ids := range f.logs.Slices(p, leader, start, end) {
			for at, id := range ids {
				if !aborted.Has(base + kafka.Offset(at)) {
					c.sort(id, last, f.names)
				}
			}
		}
	}
	f.believers(c, last)
	return c
}

func (c *Compaction) count(kept, gone bool) {
	switch {
	case gone:
		c.Records++
		c.Removed++
	case kept:
		c.Records++
		c.Left++
	}
}

// sort counts old versions and tombstones among the records that are left.
func (c *Compaction) sort(id kafka.RecordID, last []newest, names *kafka.Names) {
	key, tombstone, ok := names.RecordKey(id)
	if !ok || key == kafka.NoKey {
		return
	}
	if last[key].id != id {
		c.OldVersions++
	}
	if tombstone {
		c.Tombstones++
	}
}

// believers finds the keys that a reader holds a value of, that were deleted, and whose tombstone it will not be shown:
// it is gone, or the reader is past it.
func (f *Fold) believers(c *Compaction, last []newest) {
	for i := range f.readers {
		r := &f.readers[i]
		c.Shown += r.told
		b := Believer{Reader: r.node}
		for key, id := range r.beliefs {
			now := &last[key]
			if id == kafka.NoRecord || now.id == kafka.NoRecord {
				continue
			}
			_, deleted, _ := f.names.RecordKey(now.id)
			_, knows, _ := f.names.RecordKey(id)
			if deleted && !knows && (now.gone || r.past(now.partition) > now.offset) {
				b.Stale = append(b.Stale, kafka.KeyID(key))
			}
		}
		c.Readers = append(c.Readers, b)
	}
}

// past is the offset behind the highest that the reader was shown of a partition.
func (r *reader) past(p kafka.PartitionID) kafka.Offset {
	if int(p) < len(r.partitions) {
		return r.partitions[p].next
	}
	return 0
}

// CompactionReport is Compaction as reports print it.
type CompactionReport struct {
	Records     int           `json:"records"`
	Removed     int           `json:"removed"`
	Left        int           `json:"left"`
	OldVersions int           `json:"old_versions"`
	Tombstones  int           `json:"tombstones"`
	Shown       int           `json:"shown"`
	Stale       []StaleReport `json:"stale"`
}

// StaleReport is Believer with names.
type StaleReport struct {
	Reader string   `json:"reader"`
	Keys   []string `json:"keys"`
}

func (o *Outcome) compaction() *CompactionReport {
	c := o.Compaction
	if c == nil {
		return nil
	}
	r := &CompactionReport{c.Records, c.Removed, c.Left, c.OldVersions, c.Tombstones, c.Shown, []StaleReport{}}
	for _, b := range c.Readers {
		if len(b.Stale) == 0 {
			continue
		}
		s := StaleReport{Reader: o.Names.Node(b.Reader)}
		for _, k := range b.Stale {
			s.Keys = append(s.Keys, o.Names.Key(k))
		}
		r.Stale = append(r.Stale, s)
	}
	return r
}
