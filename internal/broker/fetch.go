package broker

import (
	"replog/internal/fetch"
	"replog/internal/kafka"
	"replog/internal/node"
)

// maxReaderBytes bounds what a reader gets of one partition in one answer (max.partition.fetch.bytes).
const maxReaderBytes = 1 << 20

// handleFetch answers a follower or a reader when there is something to say, and parks the request otherwise
// (ReplicaManager.fetchMessages). A follower's request also tells what the follower holds.
func (b *Broker) handleFetch(in *node.Input, request *kafka.FetchRequest, out *node.Out) {
	s := b.session(in.From)
	s.Update(request)
	s.Follower, s.Isolation = request.Replica.IsBroker(), request.Isolation
	s.Reply, s.Cause, s.BrokerEpoch, s.MaxWait = in.Reply, in.Cause, request.BrokerEpoch, request.MaxWait
	s.Idle, s.Arriving, s.Awaited = false, false, false
	b.serveFetch(s, in.Now, out)
}

// serveFetch answers the request of a session, or parks it.
func (b *Broker) serveFetch(s *fetch.Session, now kafka.Tick, out *node.Out) {
	// The answer carries the high watermark from before this request moved it (Partition.fetchRecords).
	answer := b.read(s)
	s.Parked = answer == nil
	if answer == nil {
		s.Deadline = now + s.MaxWait
		b.watchFetch(s, out)
	}
	if s.Follower {
		b.learnFollowerOffsets(s, s.BrokerEpoch, now, out)
	}
	if answer != nil {
		out.BecauseOfInput()
		out.Answer(s.Reply, answer)
	}
}

func (b *Broker) session(from kafka.NodeID) *fetch.Session {
	at := len(b.sessions)
	for i := range b.sessions {
		if b.sessions[i].From == from {
			return &b.sessions[i]
		}
		if b.sessions[i].From > from {
			at = i
			break
		}
	}
	b.sessions = append(b.sessions, fetch.Session{})
	copy(b.sessions[at+1:], b.sessions[at:])
	b.sessions[at] = fetch.Session{From: from}
	return &b.sessions[at]
}

// dropSession forgets a fetcher whose connection is gone.
func (b *Broker) dropSession(from kafka.NodeID) {
	for i := range b.sessions {
		if b.sessions[i].From == from {
			b.sessions = append(b.sessions[:i], b.sessions[i+1:]...)
			return
		}
	}
}

// read builds the answer for a session, or nil when there is nothing that the other side waits for.
func (b *Broker) read(s *fetch.Session) *kafka.FetchResponse {
	for i := range s.Positions {
		if b.hasNews(s, &s.Positions[i]) {
			return b.answer(s)
		}
	}
	return nil
}

// hasNews reports whether a request need not wait any longer: there are records to send, or there is something wrong. A
// high watermark that moved is no reason to answer.
func (b *Broker) hasNews(s *fetch.Session, position *fetch.Position) bool {
	p := b.parts[position.Partition]
	if p != nil && p.agrees(position) {
		return p.log.HasNews(position.FetchOffset, b.visible(s, p))
	}
	parting, code := b.examine(p, position)
	return code != kafka.None || parting.Defined() || p.log.HasNews(position.FetchOffset, b.visible(s, p))
}

// agrees is the common case, found quickly: a position inside the log, in its latest epoch.
func (p *partition) agrees(position *fetch.Position) bool {
	return p.leading && position.CurrentLeaderEpoch == p.leaderEpoch &&
		(position.LastFetchedEpoch == kafka.NoEpoch || position.LastFetchedEpoch == p.log.LatestEpoch()) &&
		position.FetchOffset >= p.log.StartOffset() && position.FetchOffset <= p.log.EndOffset()
}

// visible is the offset up to which the other side may read: followers everything, readers up to the high watermark, or with
// read_committed up to the last stable offset (FetchIsolation).
func (b *Broker) visible(s *fetch.Session, p *partition) kafka.Offset {
	switch {
	case s.Follower:
		return p.log.EndOffset()
	case s.Isolation == kafka.ReadCommitted && !b.config.Rules.OpenTransactionsShown:
		return p.lastStable()
	case b.config.Rules.ReadToLogEnd:
		return p.log.EndOffset()
	}
	return p.hw
}

// lastStable is the last stable offset.
func (p *partition) lastStable() kafka.Offset {
	return p.producers.LastStableOffset(p.hw, p.log.StartOffset())
}

// stableView is what a reader with read_committed is told beside the batches, which end before an offset
// (UnifiedLog.addAbortedTransactions). The broker sends aborted records too: it is the client that leaves them out.
func (p *partition) stableView(from, end kafka.Offset) *kafka.StableView {
	view := &kafka.StableView{LastStableOffset: p.lastStable()}
	view.Aborted, _ = p.producers.AbortedWithin(from, end)
	return view
}

// examine holds a position against the log: an error, or where the logs part (Partition.readRecords).
func (b *Broker) examine(p *partition, position *fetch.Position) (kafka.EpochEnd, kafka.ErrorCode) {
	code := kafka.None
	switch {
	case p == nil || !p.leading:
		code = p.absence()
	case position.CurrentLeaderEpoch != kafka.NoEpoch && position.CurrentLeaderEpoch < p.leaderEpoch:
		code = kafka.FencedLeaderEpoch
	case position.CurrentLeaderEpoch > p.leaderEpoch:
		code = kafka.UnknownLeaderEpoch
	default:
		return p.log.CheckFetch(position.FetchOffset, position.LastFetchedEpoch)
	}
	return kafka.NoEpochEnd, code
}

// fetched is a response with room for what most of them hold: a partition with records, and one with a new high
// watermark.
type fetched struct {
	kafka.FetchResponse
	room [2]kafka.FetchedPartition
}

// answer builds the answer of a session from every partition that has records, an error, or a new high watermark or log
// start offset (FetchSession.PartitionData.maybeUpdateResponseData).
func (b *Broker) answer(s *fetch.Session) *kafka.FetchResponse {
	response := b.fetched.New()
	told := response.room[:0]
	for i := range s.Positions {
		told = append(told, kafka.FetchedPartition{})
		if at := len(told) - 1; !b.tell(s, &s.Positions[i], &told[at]) {
			told = told[:at]
		}
	}
	response.Partitions = told
	return &response.FetchResponse
}

// tell fills in the answer for one position; false when there is nothing to tell.
func (b *Broker) tell(s *fetch.Session, position *fetch.Position, told *kafka.FetchedPartition) bool {
	p := b.parts[position.Partition]
	told.Partition = position.Partition
	if p == nil || !p.leading {
		told.Error = p.absence()
		return true
	}
	start := p.log.StartOffset()
	told.HighWatermark, told.LogStartOffset, told.LogEndOffset = p.hw, start, p.log.EndOffset()
	if !p.agrees(position) {
		parting, code := b.examine(p, position)
		if told.Error = code; code == kafka.None && parting.Defined() {
			told.Diverging = &parting
		}
	}
	end := b.visible(s, p)
	sound := told.Error == kafka.None && told.Diverging == nil
	if sound && position.FetchOffset < end {
		told.Batches, told.More = p.log.ReadAll(position.FetchOffset, end, b.fetchLimit(s))
		if s.Isolation == kafka.ReadCommitted && len(b.plan.Transactionals) > 0 {
			told.Stable = p.stableView(position.FetchOffset, told.EndOffset())
		}
	} else if sound && position.SentHighWatermark == p.hw && position.SentLogStart == start {
		return false
	}
	position.SentHighWatermark, position.SentLogStart = p.hw, start
	return true
}

// fetchLimit is the number of bytes of one partition that an answer holds; the first batch always fits (KIP-74).
func (b *Broker) fetchLimit(s *fetch.Session) int {
	if s.Follower {
		return int(b.config.ReplicaFetchMaxBytes)
	}
	return maxReaderBytes
}

// wakeFollowers answers the parked fetches of followers that miss what was appended.
func (b *Broker) wakeFollowers(p *partition, out *node.Out) { b.wake(p, true, out) }

// wakeReaders answers the parked fetches of readers that may see more now.
func (b *Broker) wakeReaders(p *partition, out *node.Out) { b.wake(p, false, out) }

func (b *Broker) wake(p *partition, followers bool, out *node.Out) {
	for i := range b.sessions {
		s := &b.sessions[i]
		if !s.Parked || s.Follower != followers {
			continue
		}
		if position := s.Position(p.id); position != nil && b.hasNews(s, position) {
			if s.Idle && !b.rouse(s, out) {
				continue // the next request is on its way
			}
			s.Parked = false
			out.Answer(s.Reply, b.answer(s))
		}
	}
}

// watchFetch arms the timer that ends a long poll.
func (b *Broker) watchFetch(s *fetch.Session, out *node.Out) {
	if s.Timer != 0 && s.Timer <= s.Deadline {
		return
	}
	s.Timer = s.Deadline
	out.Timer(s.Deadline, node.Timer{Kind: timerFetchExpired, Arg: int32(s.From)})
}

// expireFetch answers a long poll whose time is over, with nothing new or just a new high watermark.
func (b *Broker) expireFetch(from kafka.NodeID, now kafka.Tick, out *node.Out) {
	s := b.session(from)
	s.Timer = 0
	switch {
	case !s.Parked || s.Idle:
	case s.Deadline > now:
		b.watchFetch(s, out)
	case b.mayIdle(s, now):
		out.Because(s.Cause)
		s.Idle, s.Cause = true, out.Cause()
	default:
		s.Parked = false
		out.Because(s.Cause)
		out.Answer(s.Reply, b.answer(s))
	}
}
