package view

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Showing is a stretch of records that a reader showed at once: what one leader epoch wrote at these offsets.
type Showing struct {
	At        kafka.Tick
	Offset    kafka.Offset
	Partition kafka.PartitionID
	Epoch     kafka.Epoch
	Count     int32
}

// Shown is one showing of one record.
type Shown struct {
	Reader    kafka.NodeID
	At        kafka.Tick
	Partition kafka.PartitionID
	Offset    kafka.Offset
	Record    kafka.RecordID
}

type reader struct {
	id        kafka.NodeID
	positions []kafka.Offset // indexed by kafka.PartitionID; NoOffset before the first read
	shown     column[Showing]
}

func (c *Cluster) reader(id kafka.NodeID) *reader {
	at := 0
	for ; at < len(c.readers) && c.readers[at].id <= id; at++ {
		if c.readers[at].id == id {
			return &c.readers[at]
		}
	}
	c.readers = slices.Insert(c.readers, at, reader{id: id})
	return &c.readers[at]
}

func (r *reader) apply(e *event.Event, logs *Logs) {
	for int(e.Partition) >= len(r.positions) {
		r.positions = append(r.positions, kafka.NoOffset)
	}
	switch e.Kind {
	case event.OffsetReset, event.PositionFound, event.PositionTruncated, event.FetchedPassedOver:
		r.positions[e.Partition] = e.Offset
		return
	case event.PartitionAssigned, event.PartitionRevoked, event.PartitionLost:
		r.positions[e.Partition] = kafka.NoOffset // it has to look it up
		return
	case event.RecordsDropped:
		r.positions[e.Partition] = e.End()
		return
	}
	r.positions[e.Partition] = e.End()
	for at := e.Offset; at < e.End(); {
		epoch, end := logs.runAt(e.Partition, e.Peer, at, e.End())
		r.shown.append(Showing{At: e.At, Offset: at, Partition: e.Partition, Epoch: epoch, Count: int32(end - at)})
		at = end
	}
}

// forget empties the memory of a process that ended.
func (r *reader) forget() {
	for i := range r.positions {
		r.positions[i] = kafka.NoOffset
	}
}

// runAt is the epoch that a replica has at an offset, and where its run ends, at most limit.
func (l *Logs) runAt(p kafka.PartitionID, broker kafka.NodeID, at, limit kafka.Offset) (kafka.Epoch, kafka.Offset) {
	r := l.known(p, broker)
	if r == nil {
		return kafka.NoEpoch, limit
	}
	for i := len(r.epochs) - 1; i >= 0; i-- {
		if r.epochs[i].start <= at {
			return r.epochs[i].epoch, limit
		}
		limit = min(limit, r.epochs[i].start)
	}
	return kafka.NoEpoch, limit
}

// Readers lists the readers that have shown something, ordered by id.
func (c *Cluster) Readers() []kafka.NodeID {
	readers := make([]kafka.NodeID, len(c.readers))
	for i := range c.readers {
		readers[i] = c.readers[i].id
	}
	return readers
}

// Position is the offset that a reader reads next in a partition, or NoOffset.
func (c *Cluster) Position(id kafka.NodeID, p kafka.PartitionID) kafka.Offset {
	for i := range c.readers {
		if r := &c.readers[i]; r.id == id && int(p) < len(r.positions) {
			return r.positions[p]
		}
	}
	return kafka.NoOffset
}

// Recent lists the last records that a reader has shown, at most n, oldest first.
func (c *Cluster) Recent(id kafka.NodeID, n int) []Shown {
	for i := range c.readers {
		if c.readers[i].id == id {
			return c.readers[i].recent(n, &c.logs)
		}
	}
	return nil
}

func (r *reader) recent(n int, logs *Logs) []Shown {
	var shown []Shown // newest first
	for i := r.shown.len() - 1; i >= 0 && len(shown) < n; i-- {
		s := r.shown.ref(i)
		for at := s.Offset + kafka.Offset(s.Count) - 1; at >= s.Offset && len(shown) < n; at-- {
			shown = append(shown, Shown{r.id, s.At, s.Partition, at, logs.RecordIn(s.Partition, s.Epoch, at)})
		}
	}
	slices.Reverse(shown)
	return shown
}

// ShowingsOf lists when and where each reader has shown a record, in the order of the readers and of time.
func (c *Cluster) ShowingsOf(id kafka.RecordID) []Shown {
	places := c.logs.Places(id)
	var shown []Shown
	for i := range c.readers {
		r := &c.readers[i]
		for j := range r.shown.len() {
			s := r.shown.ref(j)
			for _, place := range places {
				if s.has(place) {
					shown = append(shown, Shown{r.id, s.At, place.Partition, place.Offset, id})
				}
			}
		}
	}
	return shown
}

// HasShown reports whether a reader has shown what was appended at a place.
func (c *Cluster) HasShown(reader kafka.NodeID, at Place) bool {
	for i := range c.readers {
		if r := &c.readers[i]; r.id == reader {
			for j := r.shown.len() - 1; j >= 0; j-- {
				if r.shown.ref(j).has(at) {
					return true
				}
			}
		}
	}
	return false
}

func (s *Showing) has(p Place) bool {
	return p.Partition == s.Partition && p.Epoch == s.Epoch && p.Offset >= s.Offset && p.Offset < s.Offset+kafka.Offset(s.Count)
}
