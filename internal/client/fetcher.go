package client

import (
	"replog/internal/event"
	"replog/internal/fetch"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// fetcher is what a reader and a member of a group have in common: where it stands in each of its partitions, who leads
// them, and a fetch session with each broker, with at most one request in flight.
type fetcher struct {
	positions []position // in the order of the plan
	index     []int32    // partition -> place in positions + 1, 0 where it does not read; shared, read only
	sessions  []session  // one a broker, ordered by broker
	metadata  metadata
	id        kafka.NodeID
	isolation kafka.IsolationLevel
	// quietUntil is when faults may begin (plan.Plan.QuietUntil).
	quietUntil kafka.Tick
}

// position is where a client stands in one partition.
type position struct {
	offset    kafka.Offset // of the next record to read
	partition kafka.PartitionID
	epoch     kafka.Epoch
	leader    kafka.NodeID
	held      // a member of a group only
}

// session is a fetch session with one broker.
type session struct {
	fetch.Requester
	deadline kafka.Tick // of the fetch in flight
	watched  bool       // the timer for the deadline is armed
	blocked  bool       // the connection broke: wait for the timer
	awaited  bool       // the fetch in flight must come back: there is something else to ask for
}

// newFetcher knows no leader yet and stands at the log start of each partition.
func newFetcher(p *plan.Plan, id kafka.NodeID, partitions []kafka.PartitionID) fetcher {
	f := fetcher{
		id: id, metadata: newMetadata(p, id), index: make([]int32, len(p.Partitions)), quietUntil: p.QuietUntil(),
	}
	for i, partition := range partitions {
		f.index[partition] = int32(i + 1)
		f.positions = append(f.positions, position{
			partition: partition, offset: p.Partitions[partition].StartOffset, epoch: kafka.NoEpoch, leader: kafka.NoNode,
		})
	}
	for i := range p.Brokers {
		f.sessions = append(f.sessions, session{Requester: fetch.NewRequester(p.Brokers[i].ID)})
	}
	return f
}

func (f *fetcher) session(broker kafka.NodeID) *session {
	for i := range f.sessions {
		if f.sessions[i].Source == broker {
			return &f.sessions[i]
		}
	}
	return nil
}

func (f *fetcher) position(id kafka.PartitionID) *position {
	if at := f.index[id]; at > 0 {
		return &f.positions[at-1]
	}
	return nil
}

// learn takes over who leads a partition and returns the session with the leader, nil while there is none.
func (f *fetcher) learn(p *position, fresh kafka.PartitionLeader, out *node.Out) *session {
	if old := f.session(p.leader); old != nil {
		old.Remove(p.partition)
	}
	p.leader, p.epoch = fresh.Leader, fresh.Epoch
	s := f.session(p.leader)
	if s == nil {
		return nil
	}
	out.BecauseOfInput()
	out.Emit(event.Event{
		Kind: event.LeaderLearned, Node: f.id, Peer: p.leader, Partition: p.partition, Epoch: p.epoch,
	})
	return s
}

// forgetLeader ends the fetching of a partition until metadata came. Its epoch is forgotten, so that the next metadata
// counts as news.
func (f *fetcher) forgetLeader(s *session, p *position) {
	s.Remove(p.partition)
	p.leader, p.epoch = kafka.NoNode, p.epoch-1
}

func (p *position) fetchPosition() kafka.FetchPartition {
	return kafka.FetchPartition{
		Partition: p.partition, FetchOffset: p.offset, CurrentLeaderEpoch: p.epoch, LastFetchedEpoch: kafka.NoEpoch,
	}
}

// fetch sends the next request of a session, unless there is nothing to ask or one is in flight. limit is how long it waits
// for the answer.
func (f *fetcher) fetch(s *session, wait, limit kafka.Tick, out *node.Out) bool {
	if s.InFlight && s.Changed() && !s.awaited {
		s.awaited = true
		out.Await(s.Source)
	}
	if s.InFlight || s.blocked || s.Empty() {
		return false
	}
	request := &kafka.FetchRequest{MaxWait: wait, Replica: kafka.NoNode, Isolation: f.isolation}
	s.Next(request)
	s.awaited = false
	out.Request(s.Source, node.DataChannel, s.Corr, request)
	s.deadline = kafka.Never
	if limit > 0 && limit < kafka.Never && f.quietUntil < kafka.Never {
		// While all is quiet an answer may be left out as well as be lost: then nothing is lost.
		s.deadline = max(out.Now(), f.quietUntil) + limit
	}
	return true
}

// tellDropped tells of records whose transaction was aborted, from an offset of the batch on.
func (f *fetcher) tellDropped(broker kafka.NodeID, p kafka.PartitionID, b *kafka.Batch, at kafka.Offset, out *node.Out) {
	cause := out.Cause()
	b.Stretches(b.IndexFrom(at), func(from, to int) bool {
		out.EmitIDs(event.Event{
			Kind: event.RecordsDropped, Node: f.id, Peer: broker, Partition: p, Offset: b.OffsetOf(from),
		}, b.IDs()[from:to])
		return true
	})
	out.BecauseExactly(cause)
}

// lose takes the session with a broker as gone; after retry.backoff.ms the timer brings it back.
func (f *fetcher) lose(s *session, backoff kafka.Tick, timer uint8, out *node.Out) {
	s.Lost()
	s.blocked = true
	out.Timer(out.Now()+max(1, backoff), node.Timer{Kind: timer, Arg: int32(s.Source)})
}

func (f *fetcher) clone() fetcher {
	c := *f
	c.positions = append([]position(nil), f.positions...)
	c.sessions = append([]session(nil), f.sessions...)
	for i := range c.sessions {
		c.sessions[i].Requester = f.sessions[i].Requester.Clone()
	}
	return c
}

func (f *fetcher) fingerprint(h *node.Hash) {
	for i := range f.positions {
		p := &f.positions[i]
		h.Int(int64(p.partition))
		h.Int(int64(p.offset))
		h.Int(int64(p.leader)<<32 | int64(p.epoch))
	}
	for i := range f.sessions {
		s := &f.sessions[i]
		h.Bool(s.InFlight)
		h.Bool(s.Full)
		h.Bool(s.blocked)
		for _, p := range s.Positions() {
			h.Int(int64(p.Partition))
			h.Int(int64(p.FetchOffset))
		}
	}
	f.metadata.fingerprint(h)
}
