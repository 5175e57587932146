package client

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// expired reports whether delivery.timeout.ms has passed for a batch. The Java client counts from the batch's first
// record, librdkafka for each record: there a batch is over with its last.
func (p *Producer) expired(f *flight, now kafka.Tick) bool {
	if p.config.DeliveryTimeout == kafka.Never || p.keeps(f) {
		return false
	}
	since := f.Timestamp(0)
	if p.config.RebatchesRetries && !f.Idempotent() {
		since = f.Timestamp(f.Len() - 1)
	}
	return now-since >= p.config.DeliveryTimeout
}

func (p *Producer) keeps(f *flight) bool { return p.config.KeepsDoubtful && f.Idempotent() && f.doubt }

// lookAt is when the client notices that a time has passed.
func (p *Producer) lookAt(at kafka.Tick) kafka.Tick {
	if p.config.ExpiryLook <= 1 {
		return at
	}
	return (at + p.config.ExpiryLook - 1) / p.config.ExpiryLook * p.config.ExpiryLook
}

// watchExpiry arms the timer for a record that the application handed over at a tick.
func (p *Producer) watchExpiry(since, now kafka.Tick, out *node.Out) {
	if p.expiry != 0 || p.config.DeliveryTimeout == kafka.Never {
		return
	}
	p.expiry = p.lookAt(max(now, since+p.config.DeliveryTimeout))
	out.Timer(p.expiry, node.Timer{Kind: timerExpiry})
}

// expire gives up every record whose delivery.timeout.ms has passed, wherever it waits (RecordAccumulator.expiredBatches,
// rd_kafka_broker_toppars_serve), and arms the timer for the next one.
func (p *Producer) expire(now kafka.Tick, out *node.Out) {
	p.expiry = 0
	oldest := kafka.Never
	for id := range p.queues {
		oldest = min(oldest, p.expireQueue(kafka.PartitionID(id), now, out))
	}
	for i := range p.links {
		oldest = min(oldest, p.expireInFlight(&p.links[i], now, out))
	}
	if oldest < kafka.Never {
		p.watchExpiry(oldest, now+1, out)
	}
}

// expireQueue gives up what waits too long for a partition, and returns since when the oldest of the rest waits.
func (p *Producer) expireQueue(id kafka.PartitionID, now kafka.Tick, out *node.Out) kafka.Tick {
	q := &p.queues[id]
	oldest := kafka.Never
	for len(q.retries) > 0 && p.expired(&q.retries[0], now) {
		f := q.retries[0]
		q.retries = slices.Delete(q.retries, 0, 1)
		out.Because(f.cause)
		p.fail(&f, kafka.MessageTimedOut, out)
		p.afterFailure(&f, kafka.MessageTimedOut, out)
	}
	for i := range q.retries {
		if f := &q.retries[i]; !p.keeps(f) {
			oldest = min(oldest, f.Timestamp(0))
		}
	}
	for q.length() > 0 && now-q.records[q.head].Timestamp >= p.config.DeliveryTimeout {
		p.expireRecords(id, q, now, out)
	}
	if q.length() > 0 {
		oldest = min(oldest, q.records[q.head].Timestamp)
	}
	return oldest
}

// expireRecords gives up the records at the front of a queue that are over and equally in doubt.
func (p *Producer) expireRecords(id kafka.PartitionID, q *queue, now kafka.Tick, out *node.Out) {
	first := q.records[q.head]
	var ids []kafka.RecordID
	p.feed.note(kafka.MessageTimedOut)
	for q.length() > 0 {
		w := &q.records[q.head]
		if w.doubt != first.doubt || now-w.Timestamp < p.config.DeliveryTimeout {
			break
		}
		ids = append(ids, w.ID)
		if p.config.Resends && p.transaction == nil {
			p.resends = append(p.resends, resend{Record: w.Record, partition: id})
		}
		q.bytes -= int64(w.Size)
		p.release(1, int64(w.Size))
		q.head++
	}
	if p.config.Resends {
		out.Timer(now, node.Timer{Kind: timerResend})
	}
	out.Because(first.cause)
	out.EmitIDs(event.Event{
		Kind: event.RecordsFailed, Node: p.id, Partition: id, Error: kafka.MessageTimedOut, Value: event.Flag(first.doubt),
		About: first.sent,
	}, ids)
	if p.transaction != nil {
		p.abortable(kafka.MessageTimedOut, out)
	}
}

// expireInFlight gives up batches in flight, with a client that does not wait for their answers
// (Sender.getExpiredInflightBatches), and returns since when the oldest of the rest waits.
func (p *Producer) expireInFlight(l *link, now kafka.Tick, out *node.Out) kafka.Tick {
	oldest := kafka.Never
	for i := range l.flights {
		f := &l.flights[i]
		switch {
		case f.over || !p.config.ExpiresInFlight:
		case !p.expired(f, now):
			oldest = min(oldest, f.Timestamp(0))
		default:
			f.over, f.doubt = true, true
			out.Because(f.sent)
			p.fail(f, kafka.MessageTimedOut, out)
			p.afterFailure(f, kafka.MessageTimedOut, out)
		}
	}
	return oldest
}
