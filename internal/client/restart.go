package client

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file is about an application that keeps what it has no report of, and sends it again.

// resend is a record that the application will hand over again.
type resend struct {
	kafka.Record
	partition kafka.PartitionID
}

// sendAgainForApplication takes over the records that the application sends again: as new ones, in their order.
func (p *Producer) sendAgainForApplication(now kafka.Tick, out *node.Out) {
	again := p.resends
	p.resends = nil
	if p.fatal {
		return // the application gets an exception, and no report
	}
	slices.SortStableFunc(again, func(a, b resend) int { return int(a.ID - b.ID) })
	for i := range again {
		r := &again[i]
		r.Timestamp = now
		out.BecauseOfInput()
		sent := event.Seq(0)
		if out.Tracing() {
			sent = out.EmitIDs(event.Event{Kind: event.RecordsResent, Node: p.id, Partition: r.partition}, []kafka.RecordID{r.ID})
		}
		p.hold(1, int64(r.Size))
		p.queues[r.partition].push(waiting{Record: r.Record, cause: sent})
		p.mark(r.partition)
	}
	if len(again) > 0 {
		p.watchExpiry(now, now, out)
	}
	p.drain(now, out)
}

// restart begins anew, as a new process does. An application that keeps what it has no report of hands it over again.
func (p *Producer) restart(in *node.Input, out *node.Out) {
	kept := p.resends
	if p.config.Resends {
		kept = append(kept, p.unreported()...)
	}
	fresh := newProducer(p.config, p.table, p.id, len(p.queues), p.metadata.brokers)
	fresh.transaction = p.transaction.restarted(p.config.Resends)
	if p.feed != nil {
		fresh.feed = &feed{consumer: p.feed.consumer}
	}
	if fresh.transaction != nil {
		kept = nil // it has those of its open transaction
	}
	fresh.resends, fresh.added = kept, p.added
	if p.config.Resends {
		fresh.blocked = p.blocked // it goes on trying
	}
	*p = *fresh
	p.askMetadata(in.Now, out)
	p.watchAge(in.Now, out)
	if len(kept) > 0 {
		out.Timer(in.Now, node.Timer{Kind: timerResend})
	}
}

// unreported lists every record of which the application was told nothing.
func (p *Producer) unreported() []resend {
	var list []resend
	add := func(f *flight) {
		for i := range f.Len() {
			list = append(list, resend{Record: f.At(i), partition: f.Partition})
		}
	}
	for i := range p.links {
		for j := range p.links[i].flights {
			if f := &p.links[i].flights[j]; !f.over {
				add(f)
			}
		}
	}
	for id := range p.queues {
		q := &p.queues[id]
		for i := range q.retries {
			add(&q.retries[i])
		}
		for i := range q.parked {
			add(&q.parked[i])
		}
		for _, w := range q.records[q.head:] {
			list = append(list, resend{Record: w.Record, partition: kafka.PartitionID(id)})
		}
	}
	return list
}
