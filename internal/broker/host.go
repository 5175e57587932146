package broker

import (
	"slices"

	"replog/internal/coordinator"
	"replog/internal/coordinator/txn"
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file hosts coordinators. A coordinator is a state machine whose input log is a partition: of __consumer_offsets for
// groups (groups.go), of __transaction_state for transactional ids (transactions.go). The leader of the partition hosts it.
//
//	a request, or time ---> a step ---> records ---> the partition's log ---> high watermark ---> what the step deferred:
//	                                                        |                                     answers, states that count
//	                                                        +---> whoever leads the partition next replays them,
//	                                                              and knows what this broker knew
//
// So nothing that a client was told depends on the broker that told it.

// host is the coordinator of a partition that this broker leads.
type host struct {
	hosted
	deferred []deferred     // ordered by what they need (DeferredEventQueue)
	timer    kafka.Tick     // the earliest tick for which a timer is set, 0 when there is none
	arena    *kafka.Columns // holds what it writes; a clone begins its own
}

// hosted is a coordinator as its host sees it.
type hosted interface {
	// ApplyBatch replays a batch of the log.
	ApplyBatch(batch *kafka.Batch)
	// loaded begins the work, when the whole log is replayed.
	loaded(b *Broker, p *partition, now kafka.Tick, out *node.Out)
	// Deadline is when expire has something to do, kafka.Never if nothing is to come.
	Deadline() kafka.Tick
	expire(b *Broker, p *partition, in *node.Input, out *node.Out)
	// configure takes over the settings of the broker's plan.
	configure(b *Broker, p *partition)
	// Resign answers all who wait in the coordinator itself: the partition is led elsewhere now.
	Resign(out *node.Out)
	clone() hosted
	Fingerprint(h *node.Hash)
}

// deferred is an event that happens when everything below need is committed.
type deferred struct {
	event    deferredEvent
	need     kafka.Offset
	deadline kafka.Tick // then it is given up: nobody knows whether it will be committed
}

// deferredEvent is what waits for records of its step to be committed (DeferredEvent). It never changes.
type deferredEvent interface {
	// complete says what became of the records: kafka.None when they are committed.
	complete(b *Broker, p *partition, code kafka.ErrorCode, now kafka.Tick, out *node.Out)
	// refuse answers who waits, unless the coordinator does so itself when it resigns.
	refuse(out *node.Out)
}

func (h *host) clone() *host {
	if h == nil {
		return nil
	}
	return &host{hosted: h.hosted.clone(), deferred: slices.Clone(h.deferred), timer: h.timer}
}

func (h *host) fingerprint(hash *node.Hash) {
	if h == nil {
		return
	}
	h.Fingerprint(hash)
	for i := range h.deferred {
		hash.Int(int64(h.deferred[i].need))
		hash.Time(h.deferred[i].deadline)
	}
}

// newCoordinator makes the coordinator that belongs to a partition, if one does.
func (b *Broker) newCoordinator(p *partition) hosted {
	switch {
	case b.plan.Coordinates(p.id):
		return &groupCoordinator{Groups: coordinator.NewGroups(b.groupSetting(p))}
	case b.plan.CoordinatesTransactions(p.id):
		return &transactionCoordinator{txn.New(b.transactionSetting(p))}
	}
	return nil
}

// host begins to coordinate where the partition is one of a coordinator: it replays the whole log, also above the high
// watermark (CoordinatorLoader, TransactionStateManager.loadTransactionMetadata).
func (b *Broker) host(p *partition, now kafka.Tick, out *node.Out) {
	if p.host != nil {
		return
	}
	c := b.newCoordinator(p)
	if c == nil {
		return
	}
	for batch := range p.log.All() {
		c.ApplyBatch(batch)
	}
	p.host = &host{hosted: c}
	c.loaded(b, p, now, out)
	b.watchCoordinator(p, out)
}

// resign ends the coordinator of a partition that is led elsewhere now. Its clients look for the new one.
func (b *Broker) resign(p *partition, out *node.Out) {
	h := p.host
	if h == nil {
		return
	}
	p.host = nil
	for i := range h.deferred {
		h.deferred[i].event.refuse(out)
	}
	h.Resign(out)
}

// configureCoordinator hands the coordinator its new settings.
func (b *Broker) configureCoordinator(p *partition, out *node.Out) {
	if p.host != nil {
		p.host.configure(b, p)
		b.watchCoordinator(p, out)
	}
}

// arenaLen is how many records share one block of columns.
const arenaLen = 32

// storeRecords writes what a coordinator decided, in one batch with the header that is given.
func (b *Broker) storeRecords(
	p *partition, header kafka.Batch, records []kafka.CoordinatorRecord, now kafka.Tick, out *node.Out,
) kafka.Offset {
	if h := p.host; h.arena == nil || h.arena.Room() < len(records) {
		h.arena = kafka.NewColumns(max(arenaLen, len(records)))
	}
	header.Records = p.host.arena.AppendOwn(records, now, kafka.CoordinatorRecordBytes)
	stored, _ := b.store(p, header, b.id, out)
	return stored.NextOffset()
}

// plainHeader is that of a batch that belongs to no producer, and to no transaction.
func plainHeader() kafka.Batch {
	return kafka.Batch{ProducerID: kafka.NoProducerID, BaseSequence: kafka.NoSequence}
}

// completeDeferred lets happen what has waited for records that are committed now.
func (b *Broker) completeDeferred(p *partition, now kafka.Tick, out *node.Out) {
	for h := p.host; h != nil && len(h.deferred) > 0 && h.deferred[0].need <= p.hw; {
		b.takeDeferred(p, 0).complete(b, p, kafka.None, now, out)
	}
}

func (b *Broker) takeDeferred(p *partition, i int) deferredEvent {
	event := p.host.deferred[i].event
	p.host.deferred = slices.Delete(p.host.deferred, i, i+1)
	return event
}

// coordinatorDue gives up what has waited too long, and lets the coordinator do what is due.
func (b *Broker) coordinatorDue(id kafka.PartitionID, in *node.Input, out *node.Out) {
	p := b.parts[id]
	if p == nil || p.host == nil || p.host.timer == 0 || p.host.timer > in.Now {
		return // an earlier one was set since this one
	}
	h := p.host
	h.timer = 0
	for i := 0; i < len(h.deferred); {
		if h.deferred[i].deadline > in.Now {
			i++
			continue
		}
		b.takeDeferred(p, i).complete(b, p, kafka.RequestTimedOut, in.Now, out)
	}
	if h.Deadline() <= in.Now {
		h.expire(b, p, in, out)
	}
	b.watchCoordinator(p, out)
}

// watchCoordinator arms the timer for the next thing that is due.
func (b *Broker) watchCoordinator(p *partition, out *node.Out) {
	h := p.host
	at := h.Deadline()
	for i := range h.deferred {
		at = min(at, h.deferred[i].deadline)
	}
	at = max(at, out.Now()+1)
	if at >= kafka.Never || h.timer != 0 && h.timer <= at {
		return
	}
	h.timer = at
	out.Timer(at, node.Timer{Kind: timerCoordinator, Arg: int32(p.id)})
}

// findCoordinator tells who leads the partition of a group, or of a transactional id.
func (b *Broker) findCoordinator(request *kafka.FindCoordinatorRequest) *kafka.FindCoordinatorResponse {
	home := kafka.NoPartition
	if id := request.TransactionID; id != kafka.NoTransactionalID {
		home = b.plan.TransactionHome(id)
	} else {
		home = b.plan.Groups[request.Group].Coordinator
	}
	leader := b.image.partitions[home].Leader
	if leader == kafka.NoNode {
		return &kafka.FindCoordinatorResponse{Node: kafka.NoNode, Error: kafka.CoordinatorNotAvailable}
	}
	return &kafka.FindCoordinatorResponse{Node: leader}
}
