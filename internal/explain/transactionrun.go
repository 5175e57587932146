package explain

import (
	"fmt"

	"replog/internal/event"
	"replog/internal/kafka"
)

// transactional is what the story of a run has to remember of a transactional id.
type transactional struct {
	holder kafka.NodeID // who has called initTransactions() last
	asked  bool         // its producer has asked for the end of the transaction
	late   bool         // the transaction was open for too long
}

// takeOfTransaction adds what befell transactions to the story of a run. What goes as it should is left out.
func (d *digest) takeOfTransaction(e *event.Event) {
	id := e.Transaction()
	switch e.Kind {
	case event.TransactionsLoaded:
		if e.At > 0 && e.Value > 0 {
			d.add(e, topic{kind: e.Kind, node: e.Node}, nil)
		}
	case event.ProducerInitialised:
		if t := d.transactional(id); t.holder != kafka.NoNode {
			d.add(e, topic{kind: e.Kind, node: e.Peer, id: id}, nil)
		}
		d.transactional(id).holder = e.Peer
	case event.TransactionEnding:
		d.transactional(id).asked = true
	case event.TransactionTimedOut:
		d.transactional(id).late = true
		d.add(e, topic{kind: e.Kind, id: id}, nil)
	case event.TransactionPrepared:
		t := d.transactional(id)
		switch {
		case t.asked, t.late:
		case e.Prev == event.Flag(true):
			d.add(e, topic{kind: e.Kind, id: id, odd: "committed, which its producer has not asked for"}, nil)
		default:
			d.add(e, topic{kind: e.Kind, id: id, odd: "aborted, as another comes for the id, and its producer has not ended it"}, nil)
		}
		t.asked, t.late = false, false
	case event.ProducerFenced:
		d.add(e, topic{kind: e.Kind, node: e.Peer, id: id, code: e.Error}, nil)
	case event.MarkerRefused:
		d.add(e, topic{kind: e.Kind, node: e.Node, code: e.Error}, nil)
	}
}

func (d *digest) transactional(id kafka.TransactionalID) *transactional {
	if d.ids == nil {
		d.ids = map[kafka.TransactionalID]*transactional{}
	}
	if d.ids[id] == nil {
		d.ids[id] = &transactional{holder: kafka.NoNode}
	}
	return d.ids[id]
}

// transactionSentence tells what happened to the transactions of one id.
func (d *digest) transactionSentence(g *group) string {
	id := d.names.TransactionalID(g.id)
	switch g.kind {
	case event.ProducerInitialised:
		return fmt.Sprintf("%s gets the transactional.id %s, with producer epoch %d: whoever had it is fenced%s.", d.names.Node(g.node), id,
			g.last.ProducerEpoch, d.often(g))
	case event.TransactionTimedOut:
		return fmt.Sprintf("a transaction of %s is open for longer than transaction.timeout.ms: %s aborts it, and fences the producer%s.",
			id, d.names.Node(g.last.Node), d.often(g))
	case event.TransactionPrepared:
		return fmt.Sprintf("a transaction of %s is %s%s.", id, g.odd, d.often(g))
	}
	return fmt.Sprintf("%s refuses %s, which comes for %s with an old producer epoch: %v%s.", d.names.Node(g.last.Node), d.names.Node(g.node), id,
		g.code, d.often(g))
}
