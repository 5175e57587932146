package view

import (
	"slices"

	"replog/internal/kafka"
)

// queue holds records that wait in a producer, oldest first. It is taken from at the front, save for records that fail
// while they wait.
type queue struct {
	ids  []kafka.RecordID
	head int
}

func (q *queue) push(ids []kafka.RecordID) {
	if q.head == len(q.ids) {
		q.ids, q.head = q.ids[:0], 0
	}
	// Half of it gone: move the rest to the front, so that the queue stays as long as what waits.
	if q.head > 64 && q.head*2 > len(q.ids) {
		q.ids = q.ids[:copy(q.ids, q.ids[q.head:])]
		q.head = 0
	}
	q.ids = append(q.ids, ids...)
}

// take removes one record and reports whether it was there.
func (q *queue) take(id kafka.RecordID) bool {
	if q.head < len(q.ids) && q.ids[q.head] == id {
		q.head++
		return true
	}
	at := slices.Index(q.waiting(), id)
	if at < 0 {
		return false
	}
	q.ids = slices.Delete(q.ids, q.head+at, q.head+at+1)
	return true
}

func (q *queue) waiting() []kafka.RecordID { return q.ids[q.head:] }

func (q *queue) clone() queue { return queue{ids: slices.Clone(q.waiting())} }
