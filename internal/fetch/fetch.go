// Package fetch holds the two ends of a fetch session (KIP-227): what a follower or a reader tells, and what the leader
// remembers of it, so that a request names only the partitions whose position changed.
package fetch

import (
	"slices"

	"replog/internal/kafka"
)

// Requester is the asking end: the positions of all partitions that are fetched from one broker. At most one request
// is in flight, as in Kafka's fetcher thread.
type Requester struct {
	positions []kafka.FetchPartition // ordered by partition
	dirty     []bool                 // the broker does not know this position yet
	forgotten []kafka.PartitionID
	// Corr numbers the request in flight.
	Corr     uint32
	Source   kafka.NodeID
	InFlight bool
	// Full makes the next request start the session anew.
	Full bool
}

// NewRequester is a requester that fetches nothing from source yet.
func NewRequester(source kafka.NodeID) Requester { return Requester{Source: source, Full: true} }

// Clone copies the requester.
func (r *Requester) Clone() Requester {
	c := *r
	c.positions = append([]kafka.FetchPartition(nil), r.positions...)
	c.dirty = append([]bool(nil), r.dirty...)
	c.forgotten = append([]kafka.PartitionID(nil), r.forgotten...)
	return c
}

// Empty reports whether there is nothing to fetch.
func (r *Requester) Empty() bool { return len(r.positions) == 0 }

// Changed reports whether the broker does not know all of the session yet: the next request will tell.
func (r *Requester) Changed() bool { return len(r.forgotten) > 0 || slices.Contains(r.dirty, true) }

// Positions lists all partitions of the session; the caller must not change them.
func (r *Requester) Positions() []kafka.FetchPartition { return r.positions }

// find is where a partition is or belongs. From one broker a handful of partitions are fetched.
func (r *Requester) find(p kafka.PartitionID) (at int, found bool) {
	for at < len(r.positions) && r.positions[at].Partition < p {
		at++
	}
	return at, at < len(r.positions) && r.positions[at].Partition == p
}

// Position is the place in one partition, if it is fetched.
func (r *Requester) Position(p kafka.PartitionID) (kafka.FetchPartition, bool) {
	i, found := r.find(p)
	if !found {
		return kafka.FetchPartition{}, false
	}
	return r.positions[i], true
}

// Asked is the place in one partition that the latest request asked for; ok is false when the partition is gone since,
// or was set anew: then the answer is for somebody else (AbstractFetcherThread.processFetchRequest).
func (r *Requester) Asked(p kafka.PartitionID) (position kafka.FetchPartition, ok bool) {
	i, found := r.find(p)
	if !found || r.dirty[i] {
		return kafka.FetchPartition{}, false
	}
	return r.positions[i], true
}

// Set adds a partition or moves its position.
func (r *Requester) Set(position kafka.FetchPartition) {
	i, found := r.find(position.Partition)
	if !found {
		r.positions = append(r.positions, kafka.FetchPartition{})
		copy(r.positions[i+1:], r.positions[i:])
		r.dirty = append(r.dirty, false)
		copy(r.dirty[i+1:], r.dirty[i:])
		r.remember(position.Partition)
	}
	r.positions[i], r.dirty[i] = position, true
}

// remember takes a partition off the list of those to forget.
func (r *Requester) remember(p kafka.PartitionID) {
	for i, f := range r.forgotten {
		if f == p {
			r.forgotten = append(r.forgotten[:i], r.forgotten[i+1:]...)
			return
		}
	}
}

// Remove ends the fetching of a partition.
func (r *Requester) Remove(p kafka.PartitionID) {
	i, found := r.find(p)
	if !found {
		return
	}
	r.positions = append(r.positions[:i], r.positions[i+1:]...)
	r.dirty = append(r.dirty[:i], r.dirty[i+1:]...)
	r.forgotten = append(r.forgotten, p)
}

// Lost says that the connection is gone and with it the session.
func (r *Requester) Lost() { r.InFlight, r.Full = false, true }

// Next fills the session part of the next request and takes it as sent.
func (r *Requester) Next(request *kafka.FetchRequest) {
	request.Full = r.Full
	for i := range r.positions {
		if r.Full || r.dirty[i] {
			request.Partitions = append(request.Partitions, r.positions[i])
		}
		r.dirty[i] = false
	}
	if !r.Full && len(r.forgotten) > 0 {
		request.Forgotten = append([]kafka.PartitionID(nil), r.forgotten...)
	}
	r.forgotten = r.forgotten[:0]
	r.Full, r.InFlight = false, true
	r.Corr++
}

// Answered takes the answer to the request in flight; false when it is none, but a second copy of an earlier answer.
func (r *Requester) Answered(corr uint32) bool {
	if !r.InFlight || corr != r.Corr {
		return false
	}
	r.InFlight = false
	return true
}
