package screen

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// roles says who of a run ever writes, and which readers in memory ever read, so that their rows are there before they act.
type roles struct {
	log              *event.Log
	looked           int // events looked at
	writers, readers []kafka.NodeID
}

// roles looks through the log once, until each client is known.
func (p *painter) roles() *roles {
	r := &p.g.memo().roles[p.slot(0)]
	if r.log != p.m.Log {
		*r = roles{log: p.m.Log}
	}
	if r.log == nil {
		return r
	}
	clients := 0
	for i := range p.names.Nodes {
		if p.names.Nodes[i].ID.IsClient() && p.names.Nodes[i].Consumes == "" {
			clients++
		}
	}
	known := func() bool { return clients > 0 && len(r.writers)+len(r.readers) >= clients }
	if known() {
		return r
	}
	for i, e := range r.log.Span(r.looked, r.log.Len()) {
		r.looked = i + 1
		switch e.Kind {
		case event.RecordsSent:
			r.writers = insert(r.writers, e.Node)
		case event.RecordsRead:
			if p.names.Consumes(e.Node) == "" {
				r.readers = insert(r.readers, e.Node)
			}
		}
		if known() {
			break
		}
	}
	return r
}

// insert keeps a list of ids in their order.
func insert(ids []kafka.NodeID, id kafka.NodeID) []kafka.NodeID {
	at, found := slices.BinarySearch(ids, id)
	if found {
		return ids
	}
	return slices.Insert(ids, at, id)
}
