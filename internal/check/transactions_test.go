package check_test

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// transactional is a history in which careful has the transactional id 1.
func transactional(sink event.Sink) *history {
	h := opened(sink)
	h.happens(event.Event{Kind: event.TransactionBegun, Node: careful, Value: 1})
	return h
}

// stores has a producer's batch appended by broker 1.
func (h *history) stores(client kafka.NodeID, id kafka.ProducerID, at kafka.Offset, ids ...kafka.RecordID) {
	h.happens(event.Event{Kind: event.BatchAppended, Node: 1, Peer: client, Offset: at, Producer: id}, ids...)
}

// opens appends the first batch of a transaction.
func (h *history) opens(node kafka.NodeID, id kafka.ProducerID, at kafka.Offset, ids ...kafka.RecordID) {
	h.stores(careful, id, at, ids...)
	h.happens(event.Event{Kind: event.TransactionOpened, Node: node, Producer: id, Offset: at})
}

// prepares is a decision of the coordinator, broker 2.
func (h *history) prepares(id kafka.ProducerID, commit bool) {
	h.happens(event.Event{Kind: event.TransactionPrepared, Node: 2, Value: 1, Prev: event.Flag(commit), Producer: id})
}

// marks appends a marker.
func (h *history) marks(node kafka.NodeID, id kafka.ProducerID, at kafka.Offset, commit bool) {
	h.happens(event.Event{
		Kind: event.BatchAppended, Node: node, Peer: 2, Offset: at, Producer: id, Sequence: kafka.NoSequence,
	}, kafka.NoRecord)
	h.happens(event.Event{Kind: event.TransactionMarked, Node: node, Producer: id, Offset: at, Value: event.Flag(commit)})
}

func (h *history) readsCommitted(at kafka.Offset, ids ...kafka.RecordID) {
	h.happens(event.Event{Kind: event.RecordsRead, Node: stable, Peer: 1, Offset: at}, ids...)
}

// brokenTransactions holds counterexamples for the promises about transactions.
var brokenTransactions = []counterexample{
	{"LastStableOffset", "a reader is shown what lies behind an open transaction", func(sink event.Sink) {
		h := transactional(sink)
		h.opens(1, 7, 0, 10)
		h.appends(1, 0, 1, 11)
		h.advances(1, 0, 2)
		h.readsCommitted(1, 11)
	}, "is shown offset 1 of orders-0, but a transaction of producer 7 is open from 0 on"},

	{"ReadCommitted", "a reader is shown an aborted record", func(sink event.Sink) {
		h := transactional(sink)
		h.opens(1, 7, 0, 10)
		h.marks(1, 7, 1, false)
		h.advances(1, 0, 2)
		h.readsCommitted(0, 10)
	}, "shows 10 at offset 0 of orders-0, whose transaction is aborted"},

	{"ReadCommitted", "a reader drops a committed record", func(sink event.Sink) {
		h := transactional(sink)
		h.opens(1, 7, 0, 10)
		h.prepares(7, true)
		h.marks(1, 7, 1, true)
		h.advances(1, 0, 2)
		h.happens(event.Event{Kind: event.RecordsDropped, Node: stable, Peer: 1}, 10)
	}, "drops 10 at offset 0 of orders-0, whose transaction is committed"},

	{"ExactlyOnce", "a processor's result is committed twice", func(sink event.Sink) {
		h := transactional(sink)
		h.happens(event.Event{Kind: event.RecordsSent, Node: careful}, 10)
		h.opens(1, 7, 0, 10)
		h.prepares(7, true)
		h.marks(1, 7, 1, true)
		h.opens(1, 7, 2, 10)
		h.marks(1, 7, 3, true)
		h.advances(1, 0, 4)
		h.readsCommitted(0, 10)
		h.readsCommitted(2, 10)
	}, "stable is handed 10 at offset 2 of orders-0, and it was read at offset 0 of orders-0 before"},

	{"NoSkippingPolls", "a reader with read_committed passes over a record behind one that it dropped", func(sink event.Sink) {
		h := transactional(sink)
		h.opens(1, 7, 0, 10)
		h.prepares(7, false)
		h.marks(1, 7, 1, false)
		h.appends(1, 0, 2, 11, 12)
		h.advances(1, 0, 4)
		h.happens(event.Event{Kind: event.RecordsDropped, Node: stable, Peer: 1}, 10)
		h.readsCommitted(3, 12)
	}, "goes from offset 1 of orders-0 to 3 and is not handed 11 at 2"},

	{"ReadCommitted", "a marker that was cut off decides nothing", func(sink event.Sink) {
		h := transactional(sink)
		h.opens(1, 7, 0, 10)
		h.copies(2, 1, 0, 0, 1, 0)
		h.copies(3, 1, 0, 0, 1, 0)
		h.advances(1, 0, 1)
		h.prepares(7, true)
		h.marks(1, 7, 1, true)
		h.elect(2, 1, kafka.SetOf(2, 3), all)
		h.leads(2, 1, 1, 0)
		h.appends(2, 1, 1, 11)
		h.copies(3, 2, 1, 1, 1, 0)
		h.advances(2, 1, 2)
		h.readsCommitted(0, 10)
	}, "shows 10 at offset 0 of orders-0, whose transaction is open"},

	{"AtomicTransaction", "the coordinator commits what nobody asked to commit", func(sink event.Sink) {
		h := transactional(sink)
		h.happens(event.Event{Kind: event.TransactionEnding, Node: careful, Value: 1, Prev: 0})
		h.prepares(7, true)
	}, "broker 2 commits a transaction of totals that its producer has not asked to commit"},

	{"AtomicTransaction", "a late commit meets the next transaction (C17)", func(sink event.Sink) {
		h := transactional(sink)
		h.happens(event.Event{Kind: event.TransactionEnding, Node: careful, Value: 1, Prev: 1})
		h.prepares(7, true)
		h.happens(event.Event{Kind: event.TransactionBegun, Node: careful, Value: 1})
		h.prepares(7, true)
	}, "broker 2 commits a transaction of totals that its producer has not asked to commit"},

	{"AtomicTransaction", "a partition gets another marker than was decided", func(sink event.Sink) {
		h := transactional(sink)
		h.opens(1, 7, 0, 10)
		h.happens(event.Event{Kind: event.TransactionEnding, Node: careful, Value: 1, Prev: 1})
		h.prepares(7, true)
		h.marks(1, 7, 1, false)
	}, "the marker at offset 1 of orders-0 is not what was decided of the transaction of totals"},

	{"DistinctProducerEpochs", "two clients have one producer id and epoch", func(sink event.Sink) {
		h := transactional(sink)
		h.stores(careful, 7, 0, 10)
		h.stores(hasty, 7, 1, 11)
	}, "writes to orders-0 under producer id 7 and epoch 0, which are those of"},
}
