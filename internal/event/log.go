package event

import (
	"iter"
	"slices"

	"replog/internal/kafka"
)

// Log keeps every event of a run. It is a Sink.
//
// Events are packed, blockLen to a block: a run has many of them, and they are read far less often than they are kept. A
// finished block never changes, so several may read a Log that nobody writes.
type Log struct {
	blocks [][]byte // finished, blockLen events each
	open   []byte   // the block that is being filled
	last   columns  // of the last event in it
	room   []byte   // where finished blocks go
	length int

	ids   [][]kafka.RecordID // in chunks, so that growing never moves what is there
	idLen uint32
}

const (
	blockLen = 64      // events
	roomLen  = 1 << 16 // bytes
	chunkLen = 4096    // record ids
)

// Len is the number of events.
func (l *Log) Len() int { return l.length }

// At is a copy of event i, from 0; its Seq is i+1 in a log that was recorded from the start. Read more than a few with Span.
func (l *Log) At(i int) *Event {
	var c columns
	packed := l.block(i / blockLen)
	for range i%blockLen + 1 {
		packed = c.unpack(packed)
	}
	e := c.event()
	return &e
}

// Get is a copy of the event with the sequence number, or nil.
func (l *Log) Get(s Seq) *Event {
	if s == 0 || int(s) > l.length {
		return nil
	}
	return l.At(int(s) - 1)
}

// All goes through the events in order.
func (l *Log) All() iter.Seq2[int, *Event] { return l.Span(0, l.length) }

// Span goes through the events from one index up to, not including, another.
func (l *Log) Span(from, to int) iter.Seq2[int, *Event] {
	return func(yield func(int, *Event) bool) {
		r := l.Reader()
		for i := from; i < to && yield(i, r.At(i)); i++ {
		}
	}
}

// Backward goes through the first n events, the last of them first.
func (l *Log) Backward(n int) iter.Seq2[int, *Event] {
	return func(yield func(int, *Event) bool) {
		r := l.Reader()
		for i := n - 1; i >= 0 && yield(i, r.At(i)); i-- {
		}
	}
}

// Reader reads events that stand near one another: it unpacks a block at a time.
type Reader struct {
	log    *Log
	block  int
	events []Event // of the block
}

// Reader is a reader of the log.
func (l *Log) Reader() *Reader { return &Reader{log: l} }

// At is event i, from 0. It stays as it is when the reader moves on.
func (r *Reader) At(i int) *Event {
	if block := i / blockLen; block != r.block || i%blockLen >= len(r.events) {
		r.block, r.events = block, unpacked(r.log.block(block))
	}
	return &r.events[i%blockLen]
}

func (l *Log) block(i int) []byte {
	if i == len(l.blocks) {
		return l.open
	}
	return l.blocks[i]
}

// Same is the number of events with which two logs begin alike. Where the record ids stand in a log does not matter.
func Same(a, b *Log) int {
	one, other, most := a.Reader(), b.Reader(), min(a.length, b.length)
	for i := range most {
		e, f := *one.At(i), *other.At(i)
		same := slices.Equal(a.Records(&e), b.Records(&f))
		e.Records, f.Records = 0, 0
		if !same || e != f {
			return i
		}
	}
	return most
}

// Records lists the record ids of an event of this log; the caller must not change them.
func (l *Log) Records(e *Event) []kafka.RecordID {
	if e.Count == 0 || catalogue[e.Kind].Fields&Records == 0 {
		return nil
	}
	chunk, at := e.Records/chunkLen, e.Records%chunkLen
	return l.ids[chunk][at : at+uint32(e.Count)]
}

// Consume implements Sink.
func (l *Log) Consume(step *Step) {
	for i := range step.Events {
		l.Append(&step.Events[i], step.Records(&step.Events[i]))
	}
}

// Append adds one event and the record ids it speaks of, and returns these as they are kept.
func (l *Log) Append(e *Event, ids []kafka.RecordID) []kafka.RecordID {
	now := columnsOf(e)
	now[recordsColumn] = 0
	if len(ids) > 0 {
		now[recordsColumn], ids = l.keep(ids)
	}
	l.open = l.last.pack(l.open, &now)
	l.length++
	if l.length%blockLen == 0 {
		l.finish()
	}
	return ids
}

// finish puts the open block where it stays, and begins another.
func (l *Log) finish() {
	size := len(l.open)
	if size > len(l.room) {
		l.room = make([]byte, max(size, roomLen))
	}
	copy(l.room, l.open)
	l.blocks = append(l.blocks, l.room[:size:size])
	l.room = l.room[size:]
	l.open, l.last = l.open[:0], columns{}
}

// keep stores ids side by side within one chunk and returns their place and the copy. A list longer than a chunk takes
// several chunk numbers, backed by one long array.
func (l *Log) keep(ids []kafka.RecordID) (place int64, kept []kafka.RecordID) {
	at := l.idLen % chunkLen
	if room := chunkLen - at; at != 0 && uint32(len(ids)) > room {
		l.idLen += room
		at = 0
	}
	if at == 0 {
		for uint32(len(l.ids)) < l.idLen/chunkLen {
			l.ids = append(l.ids, nil) // numbers that a long list has taken
		}
		l.ids = append(l.ids, make([]kafka.RecordID, 0, max(chunkLen, len(ids))))
	}
	place = int64(l.idLen)
	chunk := append(l.ids[place/chunkLen][:at], ids...)
	l.ids[place/chunkLen] = chunk
	l.idLen += uint32(len(ids))
	if len(ids) > chunkLen {
		l.idLen = (l.idLen + chunkLen - 1) / chunkLen * chunkLen
	}
	return place, chunk[at:len(chunk):len(chunk)]
}
