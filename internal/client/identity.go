package client

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// mayRenumber decides on a batch whose sequence the broker does not take. While earlier ones are open it simply waits for
// its turn. Else librdkafka gives it up, but for an unknown producer id; the others send it again under a new epoch.
func (p *Producer) mayRenumber(f *flight, code kafka.ErrorCode) bool {
	if code == kafka.OutOfOrderSequenceNumber && p.earlierUnanswered(f) {
		return true
	}
	return !p.config.SequenceErrorFatal || code == kafka.UnknownProducerID
}

// ackedBehind reports whether a batch behind this one was acknowledged: librdkafka then takes it for a duplicate and
// reports it as stored (rd_kafka_handle_Produce_error_idempotent). It need not be: a leader that does not know the
// producer id takes any first sequence (KAFKA-15591).
func (p *Producer) ackedBehind(f *flight) bool {
	q := &p.queues[f.Partition]
	return f.ProducerEpoch == q.epoch && f.BaseSequence < q.acked && !p.earlierUnanswered(f)
}

// afterFailure keeps the sequence of a partition whole when an idempotent batch was given up: what is behind it begins
// anew under the next epoch, since nobody knows whether the batch is stored.
func (p *Producer) afterFailure(f *flight, code kafka.ErrorCode, out *node.Out) {
	switch {
	case !f.Idempotent():
	case p.transaction != nil:
		p.abortable(code, out)
	case p.config.SequenceErrorFatal && code == kafka.OutOfOrderSequenceNumber:
		p.becomeFatal(code, out)
	default:
		p.bumpEpoch(f.Partition, nil, out)
	}
}

// bumpEpoch goes on under the next producer epoch (KIP-360). The batches of the partition are numbered from 0 again,
// among them retried, which is on no list at the moment; other partitions follow when nothing of theirs is open.
func (p *Producer) bumpEpoch(id kafka.PartitionID, retried *flight, out *node.Out) {
	p.identity.epoch++
	out.Emit(event.Event{
		Kind: event.ProducerEpochBumped, Node: p.id, Partition: id, Producer: p.identity.id, ProducerEpoch: p.identity.epoch,
	})
	open := p.openFlights(id, retried)
	slices.SortStableFunc(open, func(a, b *flight) int { return int(a.BaseSequence - b.BaseSequence) })
	q := &p.queues[id]
	q.epoch, q.sequence, q.acked = p.identity.epoch, 0, 0
	for _, f := range open {
		f.ProducerEpoch, f.BaseSequence = q.epoch, q.sequence
		q.sequence = kafka.AddSequence(q.sequence, int32(f.Len()))
	}
}

// openFlights are the batches of a partition that have a sequence and no answer that settles them.
func (p *Producer) openFlights(id kafka.PartitionID, more *flight) []*flight {
	var open []*flight
	for i := range p.links {
		for j := range p.links[i].flights {
			f := &p.links[i].flights[j]
			if f.Partition == id && f.Idempotent() && !f.over && !f.done || f == more {
				open = append(open, f)
			}
		}
	}
	retries := p.queues[id].retries
	for i := range retries {
		open = append(open, &retries[i])
	}
	return open
}

// renew lets a partition follow to the producer's present epoch as soon as nothing of it is open
// (TransactionManager.maybeUpdateProducerIdAndEpoch).
func (p *Producer) renew(id kafka.PartitionID, q *queue) {
	if q.epoch != p.identity.epoch && len(p.openFlights(id, nil)) == 0 {
		q.epoch, q.sequence, q.acked = p.identity.epoch, 0, 0
	}
}

// becomeFatal ends the producer: everything that waits fails, and so does all that comes.
func (p *Producer) becomeFatal(code kafka.ErrorCode, out *node.Out) {
	p.fatal = true
	out.Emit(event.Event{Kind: event.ProducerFailed, Node: p.id, Error: code})
	for id := range p.queues {
		p.failQueue(kafka.PartitionID(id), kafka.ProducerFatal, out)
	}
	if t := p.transaction; t != nil {
		backlog := t.backlog
		t.backlog, t.open = nil, nil
		for i := range backlog {
			h := &backlog[i]
			p.hand(&node.Input{Kind: node.Send, Now: out.Now(), Record: h.Record, Topic: h.topic, Draw: h.draw}, out)
		}
	}
}

// failQueue gives up what waits for a partition: the producer is in its fatal state, or its transaction can only be aborted.
func (p *Producer) failQueue(id kafka.PartitionID, code kafka.ErrorCode, out *node.Out) {
	q := &p.queues[id]
	cause := out.Cause()
	if !q.empty() {
		p.feed.note(code)
	}
	for i := range q.retries {
		p.fail(&q.retries[i], code, out)
	}
	q.retries = q.retries[:0]
	for q.length() > 0 {
		w := &q.records[q.head]
		out.EmitIDs(event.Event{
			Kind: event.RecordsFailed, Node: p.id, Partition: id, Error: code, Value: event.Flag(w.doubt), About: w.sent,
		}, []kafka.RecordID{w.ID})
		p.release(1, int64(w.Size))
		q.head++
	}
	q.bytes = 0
	out.Because(cause)
}
