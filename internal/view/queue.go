package view

import (
	"slices"

	"replog/internal/kafka"
)

// queue holds records that wait in a producer, oldest first. It is taken from at the front, save for records that fail
// while they wait.
type queue struct {
	ids   []kafka.RecordID
	since []kafka.Tick // when the application sent each
	head  int
}

func (q *queue) push(ids []kafka.RecordID, since kafka.Tick) {
	if q.head == len(q.ids) {
		q.ids, q.since, q.head = q.ids[:0], q.since[:0], 0
	}
	// Half of it gone: move the rest to the front, so that the queue stays as long as what waits.
	if q.head > 64 && q.head*2 > len(q.ids) {
		q.ids = q.ids[:copy(q.ids, q.ids[q.head:])]
		q.since = q.since[:copy(q.since, q.since[q.head:])]
		q.head = 0
	}
	q.ids = append(q.ids, ids...)
	for range ids {
		q.since = append(q.since, since)
	}
}

// take removes one record, and says when the application sent it; false when it was not there.
func (q *queue) take(id kafka.RecordID) (since kafka.Tick, ok bool) {
	if q.head < len(q.ids) && q.ids[q.head] == id {
		q.head++
		return q.since[q.head-1], true
	}
	at := slices.Index(q.waiting(), id)
	if at < 0 {
		return 0, false
	}
	at += q.head
	since = q.since[at]
	q.ids, q.since = slices.Delete(q.ids, at, at+1), slices.Delete(q.since, at, at+1)
	return since, true
}

// oldest is since when the first record waits; kafka.Never when none does.
func (q *queue) oldest() kafka.Tick {
	if q.head == len(q.ids) {
		return kafka.Never
	}
	return q.since[q.head]
}

func (q *queue) waiting() []kafka.RecordID { return q.ids[q.head:] }

func (q *queue) clone() queue {
	return queue{ids: slices.Clone(q.waiting()), since: slices.Clone(q.since[q.head:])}
}
