package client

import (
	"replog/internal/kafka"
	"replog/internal/node"
)

// Clone implements node.Node.
func (p *Producer) Clone() node.Node {
	c := *p
	// The clone begins new columns and blocks: what the two add must not meet in one place.
	c.arena, c.outgoing = nil, kafka.Block[outgoing]{}
	c.queues = append([]queue(nil), p.queues...)
	for i := range c.queues {
		q := &c.queues[i]
		q.records = append([]waiting(nil), q.records[q.head:]...)
		q.head = 0
		q.retries = cloneFlights(q.retries)
		q.parked = cloneFlights(q.parked)
	}
	c.leaders = append([]kafka.PartitionLeader(nil), p.leaders...)
	c.links = append([]link(nil), p.links...)
	for i := range c.links {
		c.links[i].flights = cloneFlights(c.links[i].flights)
	}
	c.stuck = append([]stuck(nil), p.stuck...)
	c.blocked = append([]blocked(nil), p.blocked...)
	c.resends = append([]resend(nil), p.resends...)
	c.transaction, c.feed = p.transaction.clone(), p.feed.clone()
	c.producible = append([]kafka.PartitionID(nil), p.producible...)
	return &c
}

func cloneFlights(flights []flight) []flight {
	c := append([]flight(nil), flights...)
	for i := range c {
		c[i].attempts = append([]int32(nil), c[i].attempts...)
	}
	return c
}

// Fingerprint implements node.Node.
func (p *Producer) Fingerprint(h *node.Hash) {
	h.Int(int64(p.identity.id))
	h.Int(int64(p.identity.epoch))
	h.Bool(p.identity.settled)
	h.Bool(p.fatal)
	p.transaction.fingerprint(h)
	p.feed.fingerprint(h)
	for _, s := range p.stuck {
		h.Int(int64(s.topic)<<32 | int64(s.at))
		if p.config.Sticky == kafka.StickyForTime {
			h.Time(max(s.since, h.Now-p.config.StickyTicks))
		} else {
			h.Int(s.bytes)
		}
	}
	h.Int(int64(p.held))
	h.Int(p.heldBytes)
	for i := range p.blocked {
		h.Int(int64(p.blocked[i].ID))
		h.Time(p.blocked[i].since)
	}
	for i := range p.resends {
		h.Int(int64(p.resends[i].ID))
	}
	hashTime(h, p.expiry)
	for i := range p.leaders {
		h.Int(int64(p.leaders[i].Leader)<<32 | int64(p.leaders[i].Epoch))
	}
	for i := range p.queues {
		p.queues[i].fingerprint(p.config, h)
	}
	for i := range p.links {
		p.links[i].fingerprint(p.config, h)
	}
	p.metadata.fingerprint(h)
	if p.config.MetadataMinAge > 0 {
		h.Time(max(p.metadata.fresh, h.Now-p.config.MetadataMinAge))
	}
}

func (q *queue) fingerprint(config *kafka.ProducerConfig, h *node.Hash) {
	for j := q.head; j < len(q.records); j++ {
		h.Int(int64(q.records[j].ID)<<32 | int64(q.records[j].attempts))
		h.Bool(q.records[j].doubt)
	}
	hashComing(h, q.notBefore)
	h.Int(int64(q.sequence))
	h.Int(int64(q.acked)<<16 | int64(q.epoch))
	h.Bool(q.stalled)
	if config.OneUntilAcknowledged {
		h.Int(int64(q.trusted))
	}
	hashTime(h, q.packed)
	fingerprintFlights(q.retries, h)
	fingerprintFlights(q.parked, h)
}

func (l *link) fingerprint(config *kafka.ProducerConfig, h *node.Hash) {
	h.Int(int64(l.state))
	h.Bool(l.blocked)
	h.Int(int64(l.failures))
	hashComing(h, l.retryAt)
	if l.state == linkUp && config.ReconnectGrows {
		h.Time(max(l.upSince, h.Now-config.ReconnectBackoffMax)) // older makes no difference
	}
	fingerprintFlights(l.flights, h)
}

func fingerprintFlights(flights []flight, h *node.Hash) {
	h.Int(int64(len(flights)))
	for i := range flights {
		f := &flights[i]
		h.Int(int64(f.Partition))
		h.Batch(&f.Batch)
		for j := range f.Len() {
			h.Int(int64(f.attemptsOf(j)))
		}
		h.Time(f.deadline)
		h.Bool(f.doubt)
		h.Bool(f.over)
	}
}

// hashTime mixes in a time that is 0 when it is not set.
func hashTime(h *node.Hash, t kafka.Tick) {
	if t > 0 {
		h.Time(t)
	}
}

// hashComing mixes in a time that makes no difference once it is past.
func hashComing(h *node.Hash, t kafka.Tick) {
	if t > h.Now {
		h.Time(t)
	}
}

func (m *metadata) fingerprint(h *node.Hash) {
	h.Int(int64(m.next))
	h.Int(int64(m.refused))
	h.Bool(m.inFlight)
	h.Bool(m.wanted)
	hashTime(h, m.deadline)
	hashComing(h, m.timer)
}

// Clone implements node.Node.
func (r *Reader) Clone() node.Node {
	c := *r
	c.fetcher = r.fetcher.clone()
	return &c
}

// Fingerprint implements node.Node.
func (r *Reader) Fingerprint(h *node.Hash) {
	r.fingerprint(h)
	h.Time(max(r.metadata.fresh, h.Now-r.config.RetryBackoff)) // older makes no difference
}
