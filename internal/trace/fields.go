package trace

import (
	"math"

	"replog/internal/event"
	"replog/internal/kafka"
)

// A number is a field of an event that is written as a whole number. Writer and reader both go by this table, so they
// cannot disagree.
type number struct {
	name     string
	of       event.Fields // 0: every event has it
	min, max int64
	get      func(*event.Event) int64
	set      func(*event.Event, int64)
}

// maxOffset leaves room for the count behind an offset.
const maxOffset = math.MaxInt64 - math.MaxInt32

var numbers = [...]number{
	{"node", event.Node, -1, math.MaxInt16,
		func(e *event.Event) int64 { return int64(e.Node) },
		func(e *event.Event, v int64) { e.Node = kafka.NodeID(v) }},
	{"peer", event.Peer, -1, math.MaxInt16,
		func(e *event.Event) int64 { return int64(e.Peer) },
		func(e *event.Event, v int64) { e.Peer = kafka.NodeID(v) }},
	{"partition", event.Partition, -1, maxPartitions - 1,
		func(e *event.Event) int64 { return int64(e.Partition) },
		func(e *event.Event, v int64) { e.Partition = kafka.PartitionID(v) }},
	{"epoch", event.Epoch, -1, math.MaxInt32,
		func(e *event.Event) int64 { return int64(e.Epoch) },
		func(e *event.Event, v int64) { e.Epoch = kafka.Epoch(v) }},
	{"offset", event.Offset, -1, maxOffset,
		func(e *event.Event) int64 { return int64(e.Offset) },
		func(e *event.Event, v int64) { e.Offset = kafka.Offset(v) }},
	{"prev", event.Prev, math.MinInt64, math.MaxInt64,
		func(e *event.Event) int64 { return e.Prev },
		func(e *event.Event, v int64) { e.Prev = v }},
	{"value", event.Value, math.MinInt64, math.MaxInt64,
		func(e *event.Event) int64 { return e.Value },
		func(e *event.Event, v int64) { e.Value = v }},
	{"producer", event.Producer, -1, math.MaxInt32,
		func(e *event.Event) int64 { return int64(e.Producer) },
		func(e *event.Event, v int64) { e.Producer = kafka.ProducerID(v) }},
	{"producer_epoch", event.Producer, -1, math.MaxInt16,
		func(e *event.Event) int64 { return int64(e.ProducerEpoch) },
		func(e *event.Event, v int64) { e.ProducerEpoch = int16(v) }},
	{"sequence", event.Sequence, -1, math.MaxInt32,
		func(e *event.Event) int64 { return int64(e.Sequence) },
		func(e *event.Event, v int64) { e.Sequence = int32(v) }},
	{"count", event.Count, 0, math.MaxInt32,
		func(e *event.Event) int64 { return int64(e.Count) },
		func(e *event.Event, v int64) { e.Count = int32(v) }},
}
