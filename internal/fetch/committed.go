package fetch

import (
	"slices"

	"replog/internal/kafka"
)

// Aborted goes through the batches of one fetch answer as a client with read_committed does, and finds those that were aborted
// (CompletedFetch.consumeAbortedTransactionsUpTo).
type Aborted struct {
	coming []kafka.AbortedTransaction // not reached yet, ordered by their first offsets
	open   []kafka.ProducerID         // whose batches are aborted ones here
}

// NewAborted begins with what the answer says of aborted transactions.
func NewAborted(view *kafka.StableView) Aborted {
	if view == nil || len(view.Aborted) == 0 {
		return Aborted{}
	}
	coming := slices.Clone(view.Aborted)
	slices.SortStableFunc(coming, func(a, b kafka.AbortedTransaction) int { return int(a.FirstOffset - b.FirstOffset) })
	return Aborted{coming: coming}
}

// Drops reports whether the records of the next batch were aborted. An abort marker ends its producer's aborted transaction.
func (a *Aborted) Drops(b *kafka.Batch) bool {
	for len(a.coming) > 0 && a.coming[0].FirstOffset <= b.LastOffset() {
		a.open = append(slices.Clip(a.open), a.coming[0].ProducerID) // copies go on by themselves
		a.coming = a.coming[1:]
	}
	if len(a.open) == 0 || !b.IsTransactional() || !slices.Contains(a.open, b.ProducerID) {
		return false
	}
	if !b.IsControl() {
		return true
	}
	if !b.Commits() {
		a.open = slices.DeleteFunc(slices.Clone(a.open), func(id kafka.ProducerID) bool { return id == b.ProducerID })
	}
	return false
}
