package outcome

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// orderFold looks for records that stand in a partition behind later ones of the same producer, for keys that went to
// more than one partition, and counts requests.
type orderFold struct {
	stored    bitset              // records that a leader has appended
	lines     []line              // what each producer wrote last to each partition
	reordered []kafka.RecordID    // in the order of their first append
	homes     []kafka.PartitionID // by topic and key: the partition that its first record was put in, or split
	split     int                 // keys that were put in several partitions
	used      []bool              // by partition: some record was stored there
	partsUsed int
	requests  int
	written   int // records in those requests
	latest    request
}

// split stands for a key that is known to have been put in several partitions; unseen for one without a record so far.
const (
	split  kafka.PartitionID = -3
	unseen kafka.PartitionID = -2
)

// line is the latest record of a producer in a partition.
type line struct {
	producer  kafka.NodeID
	partition kafka.PartitionID
	latest    kafka.RecordID
}

// request tells one produce request from another: a producer sends the batches of one side by side.
type request struct {
	producer, broker kafka.NodeID
	correlation      int64
}

// sent notes where a key's record was put.
func (o *orderFold) sent(e *event.Event, names *kafka.Names) {
	key := kafka.KeyID(e.Value)
	if key == kafka.NoKey || names.Key(key) == "" {
		return
	}
	at := int(key)*len(names.Topics) + topicOf(e.Partition, names)
	for at >= len(o.homes) {
		o.homes = append(o.homes, unseen)
	}
	switch home := o.homes[at]; home {
	case unseen:
		o.homes[at] = e.Partition
	case e.Partition, split:
	default:
		o.homes[at] = split
		o.split++
	}
}

// topicOf is the number of a partition's topic.
func topicOf(p kafka.PartitionID, names *kafka.Names) int {
	at := int(p)
	for i := range names.Topics {
		if at < names.Topics[i].Partitions {
			return i
		}
		at -= names.Topics[i].Partitions
	}
	return 0
}

// transmitted counts requests: the batches of one have the same correlation id.
func (o *orderFold) transmitted(e *event.Event, records int) {
	r := request{e.Node, e.Peer, e.Prev}
	if r != o.latest {
		o.latest = r
		o.requests++
	}
	o.written += records
}

// noteOrder looks at the records that a leader appends for the first time. Ids grow with the order of sending within a load
// whose orders have one record each, and only there.
func (f *Fold) noteOrder(e *event.Event, ids []kafka.RecordID) {
	o := &f.order
	for int(e.Partition) >= len(o.used) {
		o.used = append(o.used, false)
	}
	if !o.used[e.Partition] {
		o.used[e.Partition] = true
		o.partsUsed++
	}
	l := o.line(e.Peer, e.Partition)
	for _, id := range ids {
		switch {
		case !o.stored.set(id):
			continue // a second copy
		case id < l.latest && f.names.SameLoad(id, l.latest):
			o.reordered = append(o.reordered, id)
		}
		l.latest = max(l.latest, id)
	}
}

func (o *orderFold) line(producer kafka.NodeID, p kafka.PartitionID) *line {
	for i := range o.lines {
		if o.lines[i].producer == producer && o.lines[i].partition == p {
			return &o.lines[i]
		}
	}
	o.lines = append(o.lines, line{producer, p, kafka.NoRecord})
	return &o.lines[len(o.lines)-1]
}

// late lists the records that stand behind later ones.
func (o *orderFold) late() []kafka.RecordID {
	list := slices.Clone(o.reordered)
	slices.Sort(list)
	return list
}
