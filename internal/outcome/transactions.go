package outcome

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// transactionsFold follows what transactions wrote, their markers, and who was fenced.
type transactionsFold struct {
	view.Transactions
	fenced []kafka.NodeID
}

// take takes in an event, after the logs have.
func (f *transactionsFold) take(e *event.Event, logs *view.Logs) {
	f.Apply(e, logs)
	if e.Kind == event.ProducerFenced && e.Peer.IsClient() && !slices.Contains(f.fenced, e.Peer) {
		f.fenced = append(f.fenced, e.Peer)
	}
}

// Transactions is what the transactions of a run came to. Each list is ascending.
type Transactions struct {
	Aborted      []kafka.RecordID // in the final log, and aborted
	Open         []kafka.RecordID // in the final log, and neither committed nor aborted
	Hidden       []kafka.RecordID // in the final log, and behind the last stable offset
	ShownAborted []Shown          // by reader: records that it showed and that were aborted
	Fenced       []kafka.NodeID   // producers that were refused because of their epoch
	Stable       []Stable         // of each partition in which a transaction wrote

	copies []abortedCopy
}

// Stable is how far a partition's final log is decided.
type Stable struct {
	Partition             kafka.PartitionID
	LastStable, EndOffset kafka.Offset
}

// transactionOutcome sums up the transactions, nil where the run has no transactional ids.
func (f *Fold) transactionOutcome(o *Outcome) *Transactions {
	if len(f.names.TransactionalIDs) == 0 {
		return nil
	}
	t := &Transactions{Fenced: slices.Clone(f.transactions.fenced)}
	for id := range min(f.transactions.Partitions(), len(o.leaders)) {
		if p := kafka.PartitionID(id); len(f.transactions.Parts(p)) > 0 && !f.names.Internal(p) {
			f.sumTransactions(t, p, o.leaders[p])
		}
	}
	for _, list := range []*[]kafka.RecordID{&t.Aborted, &t.Open, &t.Hidden} {
		slices.Sort(*list)
	}
	slices.Sort(t.Fenced)
	t.Aborted = slices.Compact(t.Aborted)
	t.ShownAborted = shownBy(f.readers, func(r *reader) []kafka.RecordID {
		var shown []kafka.RecordID
		for _, x := range t.copies {
			if int(x.Partition) < len(r.partitions) && r.partitions[x.Partition].had(x.id, x.Offset, x.Partition, &f.logs) {
				shown = append(shown, x.id)
			}
		}
		return shown
	})
	o.StoredTwice = slices.DeleteFunc(o.StoredTwice, func(id kafka.RecordID) bool { return t.standing(o, id) < 2 })
	return t
}

// AbortedCopies counts the copies of a record that the final logs hold and that were aborted.
func (t *Transactions) AbortedCopies(id kafka.RecordID) int {
	n := 0
	for _, x := range t.copies {
		if x.id == id {
			n++
		}
	}
	return n
}

// abortedCopy is where a final log holds a record of an aborted transaction.
type abortedCopy struct {
	Copy
	id kafka.RecordID
}

// standing counts the copies of a record that were not aborted. A processor that begins anew makes the same record again.
func (t *Transactions) standing(o *Outcome, id kafka.RecordID) int {
	if _, aborted := slices.BinarySearch(t.Aborted, id); !aborted {
		return 2 // as many as there are
	}
	return len(o.Copies(id)) - t.AbortedCopies(id)
}

func (f *Fold) sumTransactions(t *Transactions, p kafka.PartitionID, leader kafka.NodeID) {
	_, end := f.logs.Bounds(p, leader)
	stable := end
	parts := f.transactions.Parts(p)
	for i := range parts {
		x := &parts[i]
		if !x.In(&f.logs, p, leader) {
			continue
		}
		switch x.Ending(&f.logs, p, leader) {
		case view.Open:
			stable = min(stable, x.Data[0].From)
			for _, c := range f.copiesOf(x, p, leader) {
				t.Open = append(t.Open, c.id)
			}
		case view.Aborted:
			for _, c := range f.copiesOf(x, p, leader) {
				t.Aborted, t.copies = append(t.Aborted, c.id), append(t.copies, c)
			}
		}
	}
	for _, ids := range f.logs.Slices(p, leader, stable, end) {
		for _, id := range ids {
			if id != kafka.NoRecord {
				t.Hidden = append(t.Hidden, id)
			}
		}
	}
	t.Stable = append(t.Stable, Stable{Partition: p, LastStable: stable, EndOffset: end})
}

// copiesOf lists the records of a part that a log holds.
func (f *Fold) copiesOf(x *view.Part, p kafka.PartitionID, broker kafka.NodeID) []abortedCopy {
	var list []abortedCopy
	for _, d := range x.Data {
		for o := d.From; o < d.To; o++ {
			if f.logs.EpochAt(p, broker, o) == d.Epoch {
				list = append(list, abortedCopy{Copy{p, o}, f.logs.RecordIn(p, d.Epoch, o)})
			}
		}
	}
	return list
}

// TransactionsReport is Transactions with names.
type TransactionsReport struct {
	Aborted      []string       `json:"aborted"`
	Open         []string       `json:"open"`
	Hidden       []string       `json:"hidden"`
	ShownAborted []ShownReport  `json:"shown_aborted"`
	Fenced       []string       `json:"producers_fenced"`
	Stable       []StableReport `json:"stable"`
}

// StableReport is Stable with names.
type StableReport struct {
	Partition  string       `json:"partition"`
	LastStable kafka.Offset `json:"last_stable_offset"`
	EndOffset  kafka.Offset `json:"log_end_offset"`
}

func (o *Outcome) transactions() *TransactionsReport {
	t := o.Transactions
	if t == nil {
		return nil
	}
	r := &TransactionsReport{
		Aborted: o.recordNames(t.Aborted), Open: o.recordNames(t.Open), Hidden: o.recordNames(t.Hidden),
		ShownAborted: o.shown(t.ShownAborted), Fenced: []string{}, Stable: []StableReport{},
	}
	for _, id := range t.Fenced {
		r.Fenced = append(r.Fenced, o.Names.Node(id))
	}
	for _, s := range t.Stable {
		r.Stable = append(r.Stable, StableReport{o.Names.Partition(s.Partition), s.LastStable, s.EndOffset})
	}
	return r
}
