package broker

import (
	"replog/internal/coordinator/txn"
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file has the transaction coordinators work in their host (TransactionStateManager): the leader of a partition of
// __transaction_state answers for the transactional ids that fall into it. A state of theirs counts when its record is
// committed.

// transactionCoordinator is the coordinator of the transactional ids of one partition.
type transactionCoordinator struct{ *txn.Transactions }

// transactionStep is a step of the coordinator.
type transactionStep func(c *txn.Transactions, w *txn.Write)

// transactions is the coordinator of the transactional ids of a partition, nil where this broker hosts none.
func (p *partition) transactions() *transactionCoordinator {
	if p == nil || p.host == nil {
		return nil
	}
	c, _ := p.host.hosted.(*transactionCoordinator)
	return c
}

// Transactions is the coordinator that the broker hosts in a partition, nil where it hosts none; for those who compare what it
// knows with what the events say.
func (b *Broker) Transactions(id kafka.PartitionID) *txn.Transactions {
	if c := b.parts[id].transactions(); c != nil {
		return c.Transactions
	}
	return nil
}

func (b *Broker) transactionSetting(p *partition) *txn.Setting {
	homes := make([]kafka.PartitionID, len(b.plan.Groups))
	for i := range homes {
		homes[i] = b.plan.Groups[i].Coordinator
	}
	return &txn.Setting{
		Config: &b.plan.Transaction, Groups: homes, Partition: p.id, Epoch: p.leaderEpoch, Host: b.id,
		Version: b.plan.TransactionVersion(), Phase: b.life.started,
	}
}

// handleTransactionRequest hands a request to the coordinator of its transactional id.
func (b *Broker) handleTransactionRequest(in *node.Input, request kafka.TransactionRequest, out *node.Out) {
	id, _, _ := request.ToTransaction()
	p := b.parts[b.plan.TransactionHome(id)]
	if p.transactions() == nil {
		out.Answer(in.Reply, txn.Refuse(request, kafka.NotCoordinator))
		return
	}
	b.stepTransactions(p, in.Now, func(c *txn.Transactions, w *txn.Write) { c.Handle(in, out, w) }, out)
}

// stepTransactions takes a step, sends markers, and writes what it decided. A record that can not be written now is none.
func (b *Broker) stepTransactions(p *partition, now kafka.Tick, step transactionStep, out *node.Out) {
	w := txn.Write{FreshID: b.freshProducerID()}
	step(p.transactions().Transactions, &w)
	if w.Used {
		b.life.producerIDs++
	}
	b.sendMarkers(p.id, w.Markers, out)
	switch {
	case len(w.Records) == 0:
	case p.underMinISR():
		for i := range w.Records {
			writtenState(w.Records[i].Key.ID).complete(b, p, kafka.NotEnoughReplicas, now, out)
		}
	default:
		b.writeStates(p, w.Records, now, out)
	}
	b.watchCoordinator(p, out)
}

func (b *Broker) writeStates(p *partition, records []kafka.CoordinatorRecord, now kafka.Tick, out *node.Out) {
	need := b.storeRecords(p, plainHeader(), records, now, out)
	for i := range records {
		p.host.deferred = append(p.host.deferred, deferred{
			event: writtenState(records[i].Key.ID), need: need,
			deadline: deadline(now, records[i].Value.(*kafka.TransactionValue).Timeout),
		})
	}
	b.afterAppend(p.id, now, out)
}

// writtenState is the state of a transactional id that counts when its record is committed.
type writtenState kafka.TransactionalID

func (id writtenState) complete(b *Broker, p *partition, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	b.stepTransactions(p, now, func(c *txn.Transactions, w *txn.Write) {
		c.Committed(kafka.TransactionalID(id), code, now, out, w)
	}, out)
}

func (writtenState) refuse(*node.Out) {} // the coordinator has the request, and refuses it

// loaded has the markers of every decided transaction written.
func (c *transactionCoordinator) loaded(b *Broker, p *partition, now kafka.Tick, out *node.Out) {
	b.stepTransactions(p, now, func(c *txn.Transactions, w *txn.Write) { c.Loaded(now, out, w) }, out)
}

func (c *transactionCoordinator) expire(b *Broker, p *partition, in *node.Input, out *node.Out) {
	b.stepTransactions(p, in.Now, func(c *txn.Transactions, w *txn.Write) { c.Expire(in.Now, out, w) }, out)
}

func (c *transactionCoordinator) configure(b *Broker, p *partition) {
	c.Configure(b.transactionSetting(p))
}

func (c *transactionCoordinator) clone() hosted {
	return &transactionCoordinator{c.Transactions.Clone()}
}
