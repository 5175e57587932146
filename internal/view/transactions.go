package view

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Transactions is what transactions wrote, and their markers, partition by partition. Whether one is decided is a question to a
// log: it holds one of its markers, or none. The zero value is ready.
type Transactions struct{ partitions [][]Part }

// Part is what one transaction wrote to one partition.
type Part struct {
	Producer kafka.ProducerID
	Data     []Run // in the order of writing; never empty
	Markers  []Marker
}

// Marker is a transaction marker in the log of a leader. There are several where one was lost with its leader, or came again.
type Marker struct {
	Offset kafka.Offset
	Epoch  kafka.Epoch
	Commit bool
}

// Ending is what a log says of a record and its transaction.
type Ending uint8

// What a log may say.
const (
	NoTransaction Ending = iota
	Open
	Committed
	Aborted
	CommitMarker
	AbortMarker
)

// Parts lists what transactions wrote to a partition, in the order in which they began there; the caller must not change it.
func (t *Transactions) Parts(p kafka.PartitionID) []Part {
	if p < 0 || int(p) >= len(t.partitions) {
		return nil
	}
	return t.partitions[p]
}

// Partitions is the number of partitions up to the last in which a transaction wrote.
func (t *Transactions) Partitions() int { return len(t.partitions) }

// Apply takes in an event, after the logs have.
func (t *Transactions) Apply(e *event.Event, logs *Logs) {
	switch e.Kind {
	case event.TransactionOpened:
		for int(e.Partition) >= len(t.partitions) {
			t.partitions = append(t.partitions, nil)
		}
		_, end := logs.Bounds(e.Partition, e.Node)
		t.partitions[e.Partition] = append(t.partitions[e.Partition], Part{
			Producer: e.Producer, Data: []Run{{Epoch: e.Epoch, From: e.Offset, To: end}},
		})
	case event.BatchAppended:
		if x := t.open(e, logs); x != nil && e.Sequence != kafka.NoSequence {
			x.Data = append(x.Data, Run{Epoch: e.Epoch, From: e.Offset, To: e.End()})
		}
	case event.TransactionMarked:
		if x := t.open(e, logs); x != nil {
			x.Markers = append(x.Markers, Marker{Offset: e.Offset, Epoch: e.Epoch, Commit: e.Value == 1})
		}
	}
}

// open is the part of the event's producer that is open in the log of the event's leader, or nil.
func (t *Transactions) open(e *event.Event, logs *Logs) *Part {
	if e.Producer == kafka.NoProducerID {
		return nil
	}
	list := t.Parts(e.Partition)
	for i := len(list) - 1; i >= 0; i-- {
		x := &list[i]
		if x.Producer != e.Producer || !x.In(logs, e.Partition, e.Node) {
			continue
		}
		if x.Ending(logs, e.Partition, e.Node) != Open {
			return nil
		}
		return x
	}
	return nil
}

// In reports whether a broker's log holds the part.
func (x *Part) In(logs *Logs, p kafka.PartitionID, broker kafka.NodeID) bool {
	return logs.EpochAt(p, broker, x.Data[0].From) == x.Data[0].Epoch
}

// Ending says how the part ends in a broker's log.
func (x *Part) Ending(logs *Logs, p kafka.PartitionID, broker kafka.NodeID) Ending {
	if m := x.marker(logs, p, broker); m == nil {
		return Open
	} else if m.Commit {
		return Committed
	}
	return Aborted
}

// marker is the one that the log has, or had until the cleaner came: its transaction stays decided.
func (x *Part) marker(logs *Logs, p kafka.PartitionID, broker kafka.NodeID) *Marker {
	for i := range x.Markers {
		if m := &x.Markers[i]; logs.WroteAt(p, broker, m.Offset) == m.Epoch {
			return m
		}
	}
	return nil
}

// AbortedIn is where a broker's log has records of aborted transactions, or had them until the cleaner came.
func (t *Transactions) AbortedIn(logs *Logs, p kafka.PartitionID, broker kafka.NodeID) kafka.Spans {
	var aborted kafka.Spans
	list := t.Parts(p)
	for i := range list {
		if list[i].Ending(logs, p, broker) != Aborted {
			continue
		}
		for _, d := range list[i].Data {
			if logs.WroteAt(p, broker, d.From) == d.Epoch {
				aborted.Add(d.From, d.To)
			}
		}
	}
	return aborted
}

// Clone is a copy that goes on by itself.
func (t *Transactions) Clone() Transactions {
	c := Transactions{partitions: slices.Clone(t.partitions)}
	for i := range c.partitions {
		c.partitions[i] = slices.Clone(c.partitions[i])
		for j := range c.partitions[i] {
			x := &c.partitions[i][j]
			x.Data, x.Markers = slices.Clip(x.Data), slices.Clip(x.Markers)
		}
	}
	return c
}

// Transactions is what transactions wrote.
func (c *Cluster) Transactions() *Transactions { return &c.transactions }

// EndingAt says what a broker's log says of the record at an offset and its transaction.
func (c *Cluster) EndingAt(p kafka.PartitionID, broker kafka.NodeID, o kafka.Offset) Ending {
	epoch := c.logs.EpochAt(p, broker, o)
	list := c.transactions.Parts(p)
	for i := range list {
		x := &list[i]
		for _, m := range x.Markers {
			if m.Offset == o && m.Epoch == epoch {
				if m.Commit {
					return CommitMarker
				}
				return AbortMarker
			}
		}
		for _, d := range x.Data {
			if d.From <= o && o < d.To && d.Epoch == epoch {
				return x.Ending(&c.logs, p, broker)
			}
		}
	}
	return NoTransaction
}

// LastStable is the last stable offset of a broker's replica: its high watermark, or the first offset of the earliest transaction
// that is open there, or whose marker is not below the high watermark.
func (c *Cluster) LastStable(p kafka.PartitionID, broker kafka.NodeID) kafka.Offset {
	r, known := c.Replica(p, broker)
	if !known {
		return kafka.NoOffset
	}
	stable := r.HighWater
	list := c.transactions.Parts(p)
	for i := range list {
		x := &list[i]
		if !x.In(&c.logs, p, broker) {
			continue
		}
		if m := x.marker(&c.logs, p, broker); m == nil || m.Offset >= r.HighWater {
			stable = min(stable, x.Data[0].From)
		}
	}
	return stable
}
