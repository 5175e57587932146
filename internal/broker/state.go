package broker

import (
	"replog/internal/commitlog"
	"replog/internal/event"
	"replog/internal/fetch"
	"replog/internal/kafka"
	"replog/internal/node"
)

// Clone implements node.Node.
func (b *Broker) Clone() node.Node {
	c := *b
	c.parts = make([]*partition, len(b.parts))
	for i, p := range b.parts {
		if p != nil {
			c.parts[i] = p.clone()
		}
	}
	c.sessions = make([]fetch.Session, len(b.sessions))
	for i := range b.sessions {
		c.sessions[i] = b.sessions[i].Clone()
	}
	c.fetchers = make([]fetcher, len(b.fetchers))
	for i := range b.fetchers {
		c.fetchers[i] = b.fetchers[i]
		c.fetchers[i].Requester = b.fetchers[i].Requester.Clone()
	}
	c.produces = b.produces.clone()
	c.fetched, c.asked, c.produced = kafka.Block[fetched]{}, kafka.Block[asked]{}, kafka.Block[produced]{}
	c.image.partitions = append([]kafka.PartitionState(nil), b.image.partitions...)
	c.verifying, c.marking = cloneVerifying(b.verifying), cloneMarking(b.marking)
	return &c
}

func (p *partition) clone() *partition {
	c := *p
	c.log = p.log.Clone()
	c.producers = p.producers.Clone()
	c.followers = append([]follower(nil), p.followers...)
	c.waiting = append([]waiter(nil), p.waiting...)
	c.host = p.host.clone()
	return &c
}

func (q *pendingProduces) clone() pendingProduces {
	c := pendingProduces{
		slots: append([]pendingProduce(nil), q.slots...), free: append([]int32(nil), q.free...), timer: q.timer,
	}
	for i := range c.slots {
		r := &c.slots[i]
		r.about = append([]event.Seq(nil), r.about...)
		if r.answer != nil {
			r.answer = &kafka.ProduceResponse{Results: append([]kafka.ProduceResult(nil), r.answer.Results...)}
		}
	}
	return c
}

// Fingerprint implements node.Node.
func (b *Broker) Fingerprint(h *node.Hash) {
	h.Int(b.life.epoch)
	h.Int(b.life.incarnation)
	h.Int(int64(b.life.producerIDs))
	h.Bool(b.life.stopping)
	h.Bool(b.life.clean)
	h.Int(int64(b.life.failed))
	h.Int(int64(b.life.reported))
	h.Int(int64(b.image.offset))
	for _, p := range b.parts {
		if p != nil {
			b.fingerprintPartition(p, h)
		}
	}
	for i := range b.sessions {
		b.fingerprintSession(&b.sessions[i], h)
	}
	fingerprintVerifying(b.verifying, h)
	fingerprintMarking(b.marking, h)
	for i := range b.fetchers {
		f := &b.fetchers[i]
		h.Int(int64(f.Source))
		h.Bool(f.InFlight)
		h.Bool(f.Full)
		h.Bool(f.backoff)
		for _, position := range f.Positions() {
			h.Int(int64(position.Partition))
			h.Int(int64(position.FetchOffset))
		}
	}
}

func (b *Broker) fingerprintPartition(p *partition, h *node.Hash) {
	h.Int(int64(p.id))
	h.Bool(p.offline)
	p.fingerprintLog(h)
	h.Int(int64(p.hw))
	h.Int(int64(p.checkpoint))
	h.Int(int64(p.leader))
	h.Int(int64(p.leaderEpoch))
	h.Int(int64(p.partitionEpoch))
	h.Bool(p.leading)
	h.Bool(p.aligned)
	p.host.fingerprint(h)
	if p.leading {
		b.fingerprintLeader(p, h)
	}
}

func (p *partition) fingerprintLog(h *node.Hash) {
	for batch := range p.log.All() {
		h.Batch(batch)
	}
	h.Int(int64(p.log.StartOffset()))
	h.Int(int64(p.log.EndOffset()))
	for _, s := range p.log.Rolled() {
		h.Int(int64(s.BaseOffset))
	}
	h.Int(int64(p.log.Active().BaseOffset))
	h.Int(int64(p.log.CleanedTo()))
	for _, e := range p.log.Epochs() {
		h.Int(int64(e.Epoch))
		h.Int(int64(e.StartOffset))
	}
}

// fingerprintLeader is about what only a leader knows.
func (b *Broker) fingerprintLeader(p *partition, h *node.Hash) {
	h.Int(int64(p.isr))
	h.Int(int64(p.proposed))
	h.Bool(p.requested)
	h.Int(int64(p.epochStart))
	for i := range p.followers {
		f := &p.followers[i]
		h.Int(int64(f.id))
		h.Int(int64(f.logEndOffset))
		h.Time(max(f.lastCaughtUp, h.Now-b.config.ReplicaLagTimeTicks-1))
	}
	for _, w := range p.waiting[p.served:] {
		h.Int(int64(w.need))
		h.Int(int64(b.produces.at(w.slot).from))
		h.Time(b.produces.at(w.slot).deadline)
	}
}

func (b *Broker) fingerprintSession(s *fetch.Session, h *node.Hash) {
	h.Int(int64(s.From))
	h.Int(int64(s.Isolation))
	h.Bool(s.Parked)
	h.Bool(s.Idle)
	h.Bool(s.Arriving)
	switch {
	case s.Idle:
		h.Int(int64((h.Now - s.Deadline) % b.round(s)))
	case s.Parked:
		h.Time(s.Deadline)
	}
	for i := range s.Positions {
		h.Int(int64(s.Positions[i].Partition))
		h.Int(int64(s.Positions[i].FetchOffset))
		h.Int(int64(s.Positions[i].SentHighWatermark))
		h.Int(int64(s.Positions[i].SentLogStart))
	}
}

// Replica is what a broker knows of its replica of a partition.
type Replica struct {
	LastStable    kafka.Offset // last stable offset
	LogStart      kafka.Offset
	LogEnd        kafka.Offset
	HighWatermark kafka.Offset
	Epoch         kafka.Epoch
	Leader        kafka.NodeID
	Leading       bool
	Offline       bool // its log directory has failed
	ISR           kafka.BrokerSet
	CleanedTo     kafka.Offset // where the last pass of the cleaner ended
	Fetchers      int          // how many brokers it is fetched from
}

// Replica tells of a replica; ok is false where the broker holds none.
func (b *Broker) Replica(id kafka.PartitionID) (r Replica, ok bool) {
	p := b.parts[id]
	if p == nil {
		return Replica{}, false
	}
	r = Replica{
		LogStart: p.log.StartOffset(), LogEnd: p.log.EndOffset(), HighWatermark: p.hw, LastStable: p.lastStable(),
		Epoch: p.leaderEpoch, Leader: p.leader, Leading: p.leading, ISR: p.isr, CleanedTo: p.log.CleanedTo(), Offline: p.offline,
	}
	for i := range b.fetchers {
		if _, fetched := b.fetchers[i].Position(id); fetched {
			r.Fetchers++
		}
	}
	return r, true
}

// Records lists the record ids of a replica's log, from the log start offset on.
func (b *Broker) Records(id kafka.PartitionID) []kafka.RecordID {
	var ids []kafka.RecordID
	start := b.parts[id].log.StartOffset()
	for batch := range b.parts[id].log.All() {
		ids = append(ids, batch.IDs()[batch.IndexFrom(start):]...)
	}
	return ids
}

// Segments lists the segments of a replica's log, oldest first.
func (b *Broker) Segments(id kafka.PartitionID) []commitlog.Segment {
	return b.parts[id].log.Segments()
}
