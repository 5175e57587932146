package event

import "replog/internal/kafka"

const chunkLen = 4096

// Log keeps every event of a run, in chunks so that growing never moves what is there. It is a Sink.
type Log struct {
	chunks [][]Event
	ids    [][]kafka.RecordID
	length int
	idLen  uint32
}

// Len is the number of events.
func (l *Log) Len() int { return l.length }

// At is event i, from 0; its Seq is i+1 in a log that was recorded from the start. The caller must not change it.
func (l *Log) At(i int) *Event { return &l.chunks[i/chunkLen][i%chunkLen] }

// Get is the event with the sequence number, or nil.
func (l *Log) Get(s Seq) *Event {
	if s == 0 || int(s) > l.length {
		return nil
	}
	return l.At(int(s) - 1)
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
		l.Append(step.Events[i], step.Records(&step.Events[i]))
	}
}

// Append adds one event and the record ids it speaks of.
func (l *Log) Append(e Event, ids []kafka.RecordID) {
	e.Records = 0
	if len(ids) > 0 {
		e.Records = l.keep(ids)
	}
	last := len(l.chunks) - 1
	if last < 0 || len(l.chunks[last]) == chunkLen {
		l.chunks = append(l.chunks, make([]Event, 0, chunkLen))
		last++
	}
	l.chunks[last] = append(l.chunks[last], e)
	l.length++
}

// keep stores ids side by side within one chunk and returns their place. A list longer than a chunk takes several
// chunk numbers, backed by one long array.
func (l *Log) keep(ids []kafka.RecordID) uint32 {
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
	place := l.idLen
	chunk := place / chunkLen
	l.ids[chunk] = append(l.ids[chunk][:at], ids...)
	l.idLen += uint32(len(ids))
	if len(ids) > chunkLen {
		l.idLen = (l.idLen + chunkLen - 1) / chunkLen * chunkLen
	}
	return place
}
