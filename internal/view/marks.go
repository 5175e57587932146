package view

import "replog/internal/kafka"

// Marks are the facts about one record that can be drawn beside it.
type Marks uint8

// The marks.
const (
	Sent        Marks = 1 << iota // the application handed it over
	Stored                        // a leader appended it
	StoredAgain                   // a leader appended it a second time
	Retried                       // it went over the wire more than once
	Acked                         // the application heard that it is stored
	Failed                        // the application heard that it failed
	Refused                       // a broker refused it
	Recognised                    // a broker recognised a retry of it
)

// Has reports whether all of the marks are set.
func (m Marks) Has(all Marks) bool { return m&all == all }

const marksChunk = 4096

// recordMarks has the marks of each record, in chunks that clones share until one of them writes.
type recordMarks struct {
	chunks []*markChunk
	owner  *owner
}

type markChunk struct {
	marks [marksChunk]Marks
	owner *owner
}

// owner is an identity: the chunks that carry it may be written in place by the one that has it.
type owner struct{ _ byte }

func newRecordMarks() recordMarks { return recordMarks{owner: new(owner)} }

func (m *recordMarks) get(id kafka.RecordID) Marks {
	if at := int(id) / marksChunk; id >= 0 && at < len(m.chunks) {
		return m.chunks[at].marks[id%marksChunk]
	}
	return 0
}

func (m *recordMarks) add(ids []kafka.RecordID, marks Marks) {
	if kafka.OwnRecords(ids) {
		return
	}
	for _, id := range ids {
		*m.own(id) |= marks
	}
}

// addOrAgain sets the first mark, or the second where the first is set already.
func (m *recordMarks) addOrAgain(ids []kafka.RecordID, first, again Marks) {
	if kafka.OwnRecords(ids) {
		return
	}
	for _, id := range ids {
		if mark := m.own(id); mark.Has(first) {
			*mark |= again
		} else {
			*mark |= first
		}
	}
}

// own is the place of a record's marks, in a chunk that nobody else sees.
func (m *recordMarks) own(id kafka.RecordID) *Marks {
	at := int(id) / marksChunk
	for at >= len(m.chunks) {
		m.chunks = append(m.chunks, &markChunk{owner: m.owner})
	}
	chunk := m.chunks[at]
	if chunk.owner != m.owner {
		mine := *chunk
		mine.owner = m.owner
		chunk = &mine
		m.chunks[at] = chunk
	}
	return &chunk.marks[id%marksChunk]
}

// clone makes the chunks belong to nobody: original and copy each copy what they write next.
func (m *recordMarks) clone() recordMarks {
	m.owner = new(owner)
	return recordMarks{chunks: append([]*markChunk(nil), m.chunks...), owner: new(owner)}
}
