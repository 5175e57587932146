package broker

import (
	"slices"

	"replog/internal/coordinator/txn"
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file hosts the transaction coordinators: the leader of a partition of __transaction_state answers for the transactional
// ids that fall into it. A state of theirs counts when its record is committed (TransactionStateManager).

// transacts is the coordinator of the transactional ids of one partition that this broker leads.
type transacts struct {
	ids     *txn.Transactions
	written []writtenState // not known to be committed yet, ordered by what they need
	timer   kafka.Tick     // the earliest tick for which a timer is set, 0 when there is none
}

// writtenState is a record that waits until everything below need is committed.
type writtenState struct {
	need     kafka.Offset
	deadline kafka.Tick
	id       kafka.TransactionalID
}

func (h *transacts) clone() *transacts {
	if h == nil {
		return nil
	}
	c := *h
	c.ids, c.written = h.ids.Clone(), slices.Clone(h.written)
	return &c
}

func (h *transacts) fingerprint(hash *node.Hash) {
	if h == nil {
		return
	}
	h.ids.Fingerprint(hash)
	for i := range h.written {
		hash.Int(int64(h.written[i].need)<<32 | int64(h.written[i].id))
		hash.Time(h.written[i].deadline)
	}
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

// hostTransactions begins to coordinate the transactional ids of a partition: it reads the whole log, also above the high
// watermark, and has the markers of every decided transaction written.
func (b *Broker) hostTransactions(p *partition, now kafka.Tick, out *node.Out) {
	if p.transacts != nil || !b.plan.CoordinatesTransactions(p.id) {
		return
	}
	ids := txn.New(b.transactionSetting(p))
	for batch := range p.log.All() {
		for i := range batch.Len() {
			if r := batch.Coordinator(i); r != nil {
				ids.Apply(r)
			}
		}
	}
	p.transacts = &transacts{ids: ids}
	var w txn.Write
	ids.Loaded(now, out, &w)
	b.carryOutTransactions(p, &w, now, out)
}

// unhostTransactions ends the coordinator of a partition that is led elsewhere now.
func (b *Broker) unhostTransactions(p *partition, out *node.Out) {
	if p.transacts != nil {
		p.transacts.ids.Resign(out)
		p.transacts = nil
	}
}

// handleTransactional takes what only producers with transactions, and brokers on their behalf, ask for.
func (b *Broker) handleTransactional(in *node.Input, out *node.Out) {
	switch body := in.Body.(type) {
	case *kafka.AddPartitionsToTxnRequest:
		b.handleTransactionRequest(in, body.TransactionID, out)
	case *kafka.AddOffsetsToTxnRequest:
		b.handleTransactionRequest(in, body.TransactionID, out)
	case *kafka.EndTxnRequest:
		b.handleTransactionRequest(in, body.TransactionID, out)
	case *kafka.WriteTxnMarkersRequest:
		b.handleMarkers(in, body, out)
	}
}

// handleTransactionRequest hands a request to the coordinator of its transactional id.
func (b *Broker) handleTransactionRequest(in *node.Input, id kafka.TransactionalID, out *node.Out) {
	p := b.parts[b.plan.TransactionHome(id)]
	if p == nil || p.transacts == nil {
		out.Answer(in.Reply, txn.Refuse(in.Body, kafka.NotCoordinator))
		return
	}
	w := txn.Write{FreshID: b.freshProducerID()}
	p.transacts.ids.Handle(in, out, &w)
	b.carryOutTransactions(p, &w, in.Now, out)
}

// carryOutTransactions writes what the coordinator decided, and sends markers. A record that can not be written now is none.
func (b *Broker) carryOutTransactions(p *partition, w *txn.Write, now kafka.Tick, out *node.Out) {
	if w.Used {
		b.life.producerIDs++
	}
	b.sendMarkers(p.id, w.Markers, out)
	switch {
	case len(w.Records) == 0:
	case p.underMinISR():
		for i := range w.Records {
			b.settleState(p, w.Records[i].Key.ID, kafka.NotEnoughReplicas, now, out)
		}
	default:
		b.writeStates(p, w.Records, now, out)
	}
	b.watchTransactions(p, out)
}

func (b *Broker) writeStates(p *partition, records []kafka.CoordinatorRecord, now kafka.Tick, out *node.Out) {
	b.store(p, kafka.Batch{
		Records:    kafka.CoordinatorRecords(records, now, kafka.CoordinatorRecordBytes),
		ProducerID: kafka.NoProducerID, BaseSequence: kafka.NoSequence,
	}, b.id, out)
	for i := range records {
		p.transacts.written = append(p.transacts.written, writtenState{
			need: p.log.EndOffset(), id: records[i].Key.ID,
			deadline: deadline(now, records[i].Value.(*kafka.TransactionValue).Timeout),
		})
	}
	b.afterAppend(p.id, now, out)
}

// transactionsCommitted lets the states count whose records are committed.
func (b *Broker) transactionsCommitted(p *partition, now kafka.Tick, out *node.Out) {
	for p.transacts != nil && len(p.transacts.written) > 0 && p.transacts.written[0].need <= p.hw {
		b.settleWritten(p, 0, kafka.None, now, out)
	}
}

func (b *Broker) settleWritten(p *partition, i int, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	id := p.transacts.written[i].id
	p.transacts.written = slices.Delete(p.transacts.written, i, i+1)
	b.settleState(p, id, code, now, out)
}

// settleState tells the coordinator what became of a record.
func (b *Broker) settleState(p *partition, id kafka.TransactionalID, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	w := txn.Write{FreshID: b.freshProducerID()}
	p.transacts.ids.Committed(id, code, now, out, &w)
	b.carryOutTransactions(p, &w, now, out)
}

// transactionsDue gives up the records that were not committed in time, and lets the coordinator do what is due.
func (b *Broker) transactionsDue(id kafka.PartitionID, now kafka.Tick, out *node.Out) {
	p := b.parts[id]
	if p == nil || p.transacts == nil || p.transacts.timer == 0 || p.transacts.timer > now {
		return // an earlier one was set since this one
	}
	h := p.transacts
	h.timer = 0
	for i := 0; i < len(h.written); {
		if h.written[i].deadline > now {
			i++
			continue
		}
		b.settleWritten(p, i, kafka.RequestTimedOut, now, out)
	}
	if h.ids.Deadline() <= now {
		w := txn.Write{FreshID: b.freshProducerID()}
		h.ids.Expire(now, out, &w)
		b.carryOutTransactions(p, &w, now, out)
	}
	b.watchTransactions(p, out)
}

// watchTransactions arms the timer for the next thing that is due.
func (b *Broker) watchTransactions(p *partition, out *node.Out) {
	h := p.transacts
	at := h.ids.Deadline()
	for i := range h.written {
		at = min(at, h.written[i].deadline)
	}
	if at = max(at, out.Now()+1); at >= kafka.Never || h.timer != 0 && h.timer <= at {
		return
	}
	h.timer = at
	out.Timer(at, node.Timer{Kind: timerTransactions, Arg: int32(p.id)})
}

// configureTransactions hands a coordinator its new settings.
func (b *Broker) configureTransactions(p *partition, out *node.Out) {
	if p.transacts != nil {
		p.transacts.ids.Configure(b.transactionSetting(p))
		b.watchTransactions(p, out)
	}
}

// Transactions is the coordinator that the broker hosts in a partition, nil where it hosts none; for those who compare what it
// knows with what the events say.
func (b *Broker) Transactions(id kafka.PartitionID) *txn.Transactions {
	if p := b.parts[id]; p != nil && p.transacts != nil {
		return p.transacts.ids
	}
	return nil
}
