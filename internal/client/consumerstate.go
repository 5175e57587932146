package client

import (
	"replog/internal/kafka"
	"replog/internal/node"
)

// Clone implements node.Node.
func (c *Consumer) Clone() node.Node {
	d := *c
	d.fetcher = c.fetcher.clone()
	d.armed = append([]kafka.Tick(nil), c.armed...)
	d.calls = append([]call(nil), c.calls...)
	d.commits = append([]commit(nil), c.commits...)
	d.buffer = append([]fetched(nil), c.buffer...)
	for i := range d.buffer {
		d.buffer[i].batches = append([][]kafka.Batch(nil), d.buffer[i].batches...)
	}
	d.app.work = append([]piece(nil), c.app.work...)
	d.app.finishes = append([]kafka.PartitionOffset(nil), c.app.finishes...)
	d.app.failed = append([]kafka.RecordID(nil), c.app.failed...)
	d.app.done = append([]kafka.PartitionOffset(nil), c.app.done...)
	return &d
}

// Fingerprint implements node.Node.
func (c *Consumer) Fingerprint(h *node.Hash) {
	h.Bool(c.running)
	h.Int(int64(c.lives))
	c.fingerprint(h)
	for _, known := range c.known {
		h.Bool(known)
	}
	for i := range c.positions {
		c.positions[i].held.fingerprint(h)
	}
	for i := range c.sessions {
		if s := &c.sessions[i]; s.InFlight {
			h.Time(s.deadline)
		}
	}
	for i := range c.calls {
		open := &c.calls[i]
		h.Int(int64(open.to)<<32 | int64(open.channel))
		h.Int(int64(open.generation))
		h.Bool(open.corr == c.group.round)
		h.Time(open.deadline)
		h.Message(open.body)
	}
	c.group.fingerprint(h)
	for i := range c.commits {
		c.commits[i].fingerprint(h)
	}
	for i := range c.buffer {
		c.buffer[i].fingerprint(h)
	}
	c.app.fingerprint(h)
}

func (p *held) fingerprint(h *node.Hash) {
	h.Int(int64(p.state))
	h.Int(int64(p.committed))
	h.Int(int64(p.stored.Offset))
	h.Int(int64(p.stored.LeaderEpoch))
	h.Int(int64(p.lost))
	h.Int(int64(p.read)<<32 | int64(p.checked))
	h.Bool(p.asked)
	hashComing(h, p.retryAt)
}

func (g *membership) fingerprint(h *node.Hash) {
	h.Text(g.member)
	h.Text(g.protocol)
	h.Partitions(g.owned)
	h.Partitions(g.dealt)
	for _, t := range g.watched {
		h.Int(int64(t))
	}
	h.Int(int64(g.counted))
	h.Bool(g.elected != nil)
	if g.elected != nil {
		h.Message(g.elected)
	}
	h.Int(int64(g.coordinator))
	h.Int(int64(g.generation)<<32 | int64(g.dealtIn))
	h.Int(int64(g.ownedIn))
	h.Bool(g.round != 0)
	h.Int(int64(g.state))
	for _, b := range [...]bool{g.leader, g.rejoin, g.prepared, g.arrived, g.settled, g.tellsAll, g.tellsOwned, g.stale} {
		h.Bool(b)
	}
	if g.arrived {
		h.Partitions(g.assignment)
	}
	for _, t := range [...]kafka.Tick{g.findAt, g.retryAt, g.heartbeatAt, g.sessionEnds, g.nextCommit} {
		hashComing(h, t)
	}
	if g.round != 0 {
		h.Time(g.sentAt)
	}
	if g.prepareEnds != 0 {
		h.Partitions(g.taking)
		h.Time(g.prepareEnds)
	}
}

func (open *commit) fingerprint(h *node.Hash) {
	h.Int(int64(open.reason))
	h.Bool(open.corr != 0)
	h.Time(open.deadline)
	hashComing(h, open.retryAt)
	h.Offsets(open.offsets)
}

func (f *fetched) fingerprint(h *node.Hash) {
	h.Int(int64(f.partition))
	h.Int(int64(f.broker))
	h.Int(int64(f.next))
	for _, batches := range f.batches {
		for i := range batches {
			h.Batch(&batches[i])
		}
	}
}

func (a *application) fingerprint(h *node.Hash) {
	h.Int(int64(a.state))
	for i := range a.work {
		p := &a.work[i]
		h.Int(int64(p.partition))
		h.Int(int64(p.offset))
		h.Int(int64(p.epoch))
		for _, id := range p.IDs() {
			h.Int(int64(id))
		}
	}
	h.Offsets(a.done)
	h.Offsets(a.finishes)
	h.Text(a.member)
	h.Int(int64(a.generation))
	for _, id := range a.failed {
		h.Int(int64(id))
	}
	for _, t := range [...]kafka.Tick{a.until, a.stalled, a.again, a.closeEnd} {
		hashTime(h, t)
	}
	if a.state != polling {
		h.Time(a.leftPoll)
	}
	for _, b := range [...]bool{a.closing, a.exits, a.leaving, a.left, a.owes, a.acted, a.orphaned} {
		h.Bool(b)
	}
}

// Owned lists the partitions that the member believes to have, for those who compare that with what the events say. The
// caller must not change it.
func (c *Consumer) Owned() []kafka.PartitionID { return c.group.owned }

// Position is the offset that the application is handed next of a partition, or NoOffset, likewise.
func (c *Consumer) Position(id kafka.PartitionID) kafka.Offset {
	if p := c.position(id); p != nil && p.state != unassigned {
		return p.offset
	}
	return kafka.NoOffset
}
