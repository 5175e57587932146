package event

import (
	"encoding/binary"
	"math/bits"

	"replog/internal/kafka"
)

// columns are the fields of an event as numbers. Most of them are what they were in the event before, so an event is packed
// as its differences from that one: a bit for each column that differs, in maskLen bytes, and the differences as varints.
type columns [columnCount]int64

const (
	columnCount = 19
	maskLen     = (columnCount + 7) / 8

	seqColumn     = 0 // grows by one from event to event, and that counts as no difference
	recordsColumn = 3
)

func columnsOf(e *Event) columns {
	return columns{
		seqColumn: int64(e.Seq), int64(e.Cause), int64(e.About), int64(e.Records), int64(e.At), int64(e.Offset), e.Prev, e.Value,
		int64(e.Partition), int64(e.Epoch), int64(e.Producer), int64(e.Sequence), int64(e.Count), int64(e.Kind), int64(e.Message),
		int64(e.Node), int64(e.Peer), int64(e.Error), int64(e.ProducerEpoch),
	}
}

func (c *columns) event() Event {
	return Event{
		Seq: Seq(c[seqColumn]), Cause: Seq(c[1]), About: Seq(c[2]), Records: uint32(c[3]), At: kafka.Tick(c[4]),
		Offset: kafka.Offset(c[5]), Prev: c[6], Value: c[7], Partition: kafka.PartitionID(c[8]), Epoch: kafka.Epoch(c[9]),
		Producer: kafka.ProducerID(c[10]), Sequence: int32(c[11]), Count: int32(c[12]), Kind: Kind(c[13]),
		Message: kafka.MessageKind(c[14]), Node: kafka.NodeID(c[15]), Peer: kafka.NodeID(c[16]), Error: kafka.ErrorCode(c[17]),
		ProducerEpoch: int16(c[18]),
	}
}

// pack moves on to the next event and writes how it differs behind what is in to.
func (c *columns) pack(to []byte, next *columns) []byte {
	at, mask := len(to), uint32(0)
	to = append(to, make([]byte, maskLen)...)
	c[seqColumn]++
	for i := range c {
		if difference := next[i] - c[i]; difference != 0 {
			mask |= 1 << i
			to = binary.AppendVarint(to, difference)
		}
	}
	to[at], to[at+1], to[at+2] = byte(mask), byte(mask>>8), byte(mask>>16)
	*c = *next
	return to
}

// unpack moves on to the next event, which stands at the beginning of from, and returns what is behind it.
func (c *columns) unpack(from []byte) []byte {
	mask := uint32(from[0]) | uint32(from[1])<<8 | uint32(from[2])<<16
	from = from[maskLen:]
	c[seqColumn]++
	for ; mask != 0; mask &= mask - 1 {
		column := &c[bits.TrailingZeros32(mask)%columnCount]
		if b := from[0]; b < 0x80 { // most are so small
			*column += int64(b>>1) ^ -int64(b&1)
			from = from[1:]
			continue
		}
		difference, n := binary.Varint(from)
		*column += difference
		from = from[n:]
	}
	return from
}

// unpacked is all events of a block.
func unpacked(block []byte) []Event {
	events := make([]Event, 0, blockLen)
	for c := (columns{}); len(block) > 0; {
		block = c.unpack(block)
		events = append(events, c.event())
	}
	return events
}
