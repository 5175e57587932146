package client

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// waiting is a record that is not in flight.
type waiting struct {
	kafka.Record
	attempts int32     // times it was sent
	cause    event.Seq // RecordsSent, or the latest ProduceRetryScheduled
	sent     event.Seq // the latest ProduceSent, 0 before the first
	doubt    bool      // an attempt may have stored it
}

// queue is what waits for one partition (the record accumulator's deque): whole batches to send again first, then
// records. With idempotence a batch stays the batch it was, so that the broker can recognise it; without, librdkafka and
// Sarama form new batches of what is sent again and of newer records, and for the others it stays so, too.
type queue struct {
	records   []waiting
	head      int
	bytes     int64        // of the waiting records
	retries   []flight     // batches to send again as they are, the next one first
	parked    []flight     // batches that wait for a takeover (the lesson's retry)
	notBefore kafka.Tick   // backoff
	packed    kafka.Tick   // when its next batch is compressed; 0: nobody has begun
	timer     kafka.Tick   // when the linger timer fires, 0 when it is not armed
	sequence  int32        // of the next new record (idempotent)
	acked     int32        // behind the highest sequence that was acknowledged
	trusted   kafka.NodeID // the leader that acknowledged its latest answered batch, NoNode after an error
	epoch     int16        // producer epoch under which the sequences count
	stalled   bool         // waits for fresh metadata after an error (ClientHabits.RetryAfterMetadata)
	marked    bool         // stands in Producer.producible
}

func (q *queue) length() int { return len(q.records) - q.head }

func (q *queue) empty() bool { return q.length() == 0 && len(q.retries) == 0 }

func (q *queue) push(w waiting) {
	if q.head == len(q.records) {
		q.records, q.head = q.records[:0], 0
	} else if q.head > 256 && q.head*2 > len(q.records) {
		q.records = q.records[:copy(q.records, q.records[q.head:])]
		q.head = 0
	}
	q.records = append(q.records, w)
	q.bytes += int64(w.Size)
}

// next is how many records the next batch takes: as many as fit, at least one.
func (q *queue) next(maxRecords int32, maxBytes int64) int {
	n, bytes := 0, int64(kafka.BatchOverhead)
	for _, w := range q.records[q.head:] {
		bytes += int64(w.Size)
		if n > 0 && (bytes > maxBytes || maxRecords > 0 && int32(n) >= maxRecords) {
			break
		}
		n++
	}
	return n
}

// full reports whether a batch is ready before it has lingered.
func (q *queue) full(maxRecords int32, maxBytes int64) bool {
	return q.bytes+kafka.BatchOverhead >= maxBytes || maxRecords > 0 && int32(q.length()) >= maxRecords
}

// putBack returns the records of a batch to their place in the order of sending: to the front, or behind those of batches
// that were sent before them and are back already.
func (q *queue) putBack(f *flight, cause event.Seq) {
	n := f.Len()
	if n > q.head {
		joined := make([]waiting, n+q.length())
		copy(joined[n:], q.records[q.head:])
		q.records, q.head = joined, n
	}
	q.head -= n
	for i := range n {
		q.records[q.head+i] = waiting{Record: f.At(i), attempts: f.attemptsOf(i), cause: cause, sent: f.sent, doubt: f.doubt}
	}
	q.bytes += f.Bytes()
	q.settleRetried(n)
}

// settleRetried moves the n records at the front behind those that the application sent before them.
func (q *queue) settleRetried(n int) {
	waiting := q.records[q.head:]
	for ; n < len(waiting) && waiting[n].before(&waiting[n-1]); n++ {
		for at := n; at > 0 && waiting[at].before(&waiting[at-1]); at-- {
			waiting[at], waiting[at-1] = waiting[at-1], waiting[at]
		}
	}
}

func (w *waiting) before(v *waiting) bool {
	return w.Timestamp < v.Timestamp || w.Timestamp == v.Timestamp && w.ID < v.ID
}

// retry enters a batch that stays as it is, in the order of sending.
func (q *queue) retry(f flight) {
	at := len(q.retries)
	q.retries = append(q.retries, f)
	for ; at > 0 && f.before(&q.retries[at-1]); at-- {
		q.retries[at] = q.retries[at-1]
	}
	q.retries[at] = f
}

// before reports whether a batch was made before another of its partition: by their sequences, where they have some.
func (f *flight) before(g *flight) bool {
	if f.Idempotent() {
		return f.BaseSequence < g.BaseSequence
	}
	return f.Timestamp(0) < g.Timestamp(0) || f.Timestamp(0) == g.Timestamp(0) && f.ID(0) < g.ID(0)
}
