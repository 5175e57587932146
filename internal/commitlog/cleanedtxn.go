package commitlog

import (
	"slices"

	"replog/internal/kafka"
)

// cleanedTransactions follows the transactions of the batches that the cleaner reads, in the order of their offsets
// (CleanedTransactionMetadata).
type cleanedTransactions struct {
	coming    []AbortedTransaction // not reached yet, ordered by FirstOffset
	aborted   []ongoing
	committed []kafka.ProducerID // producers with a batch that is not followed by its commit marker yet
	left      []AbortedTransaction
}

// ongoing is an aborted transaction between its first batch and its marker.
type ongoing struct {
	AbortedTransaction
	seen bool // a batch of it was there
}

func newTransactions(index []AbortedTransaction) cleanedTransactions {
	coming := slices.Clone(index)
	slices.SortStableFunc(coming, func(a, b AbortedTransaction) int { return int(a.FirstOffset - b.FirstOffset) })
	return cleanedTransactions{coming: coming}
}

func (t *cleanedTransactions) reach(o kafka.Offset) {
	for len(t.coming) > 0 && t.coming[0].FirstOffset <= o {
		if t.of(t.coming[0].Producer) < 0 {
			t.aborted = append(t.aborted, ongoing{AbortedTransaction: t.coming[0]})
		}
		t.coming = t.coming[1:]
	}
}

func (t *cleanedTransactions) of(producer kafka.ProducerID) int {
	return slices.IndexFunc(t.aborted, func(o ongoing) bool { return o.Producer == producer })
}

// data takes in a data batch, and reports whether its transaction was aborted: nobody may ever see it.
func (t *cleanedTransactions) data(b *kafka.Batch) bool {
	t.reach(b.LastOffset())
	if !b.IsTransactional() {
		return false
	}
	if i := t.of(b.ProducerID); i >= 0 {
		t.aborted[i].seen = true
		return true
	}
	if !slices.Contains(t.committed, b.ProducerID) {
		t.committed = append(t.committed, b.ProducerID)
	}
	return false
}

// marker takes in a control batch, and reports whether nothing is left of its transaction, so that it may go.
func (t *cleanedTransactions) marker(b *kafka.Batch) bool {
	t.reach(b.LastOffset())
	if b.Len() == 0 {
		return true
	}
	if !b.Commits() {
		i := t.of(b.ProducerID)
		if i < 0 {
			return true
		}
		o := t.aborted[i]
		t.aborted = slices.Delete(t.aborted, i, i+1)
		if o.seen {
			t.left = append(t.left, o.AbortedTransaction)
		}
		return !o.seen
	}
	i := slices.Index(t.committed, b.ProducerID)
	if i < 0 {
		return true
	}
	t.committed = slices.Delete(t.committed, i, i+1)
	return false
}
