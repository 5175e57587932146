package fetch

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// Position is what a leader remembers of one partition of a session.
type Position struct {
	kafka.FetchPartition
	// SentHighWatermark is the high watermark that the other side was last told; NoOffset before the first answer.
	SentHighWatermark kafka.Offset
	// SentLogStart is the log start offset that it was last told.
	SentLogStart kafka.Offset
}

// Session is the answering end: one follower's or reader's positions, and its request while it is parked.
type Session struct {
	Positions []Position // ordered by partition
	Reply     node.Reply
	Deadline  kafka.Tick // of the parked request
	Timer     kafka.Tick // when the timer for the deadline fires, 0 when it is not armed
	Cause     event.Seq  // of the parked request
	From      kafka.NodeID
	// BrokerEpoch and MaxWait are those of the parked request.
	BrokerEpoch int64
	MaxWait     kafka.Tick
	Follower    bool
	Isolation   kafka.IsolationLevel // of a reader
	Parked      bool
	// Idle: since Deadline the request comes back empty and is sent again, over and over. That is computed when
	// something depends on it.
	Idle bool
	// Awaited: the other side has something to ask for, and waits for this request to come back.
	Awaited bool
	// Arriving: a timer brings the request that follows on idle polls.
	Arriving bool
}

// Clone copies the session.
func (s *Session) Clone() Session {
	c := *s
	c.Positions = append([]Position(nil), s.Positions...)
	return c
}

// Update takes over what a request changes in the session.
func (s *Session) Update(request *kafka.FetchRequest) {
	if request.Full {
		s.Positions = s.Positions[:0]
	}
	for _, p := range request.Forgotten {
		s.forget(p)
	}
	for i := range request.Partitions {
		s.set(&request.Partitions[i])
	}
}

// find is where a partition is or belongs.
func (s *Session) find(p kafka.PartitionID) (at int, found bool) {
	for at < len(s.Positions) && s.Positions[at].Partition < p {
		at++
	}
	return at, at < len(s.Positions) && s.Positions[at].Partition == p
}

func (s *Session) set(position *kafka.FetchPartition) {
	at, found := s.find(position.Partition)
	if !found {
		s.Positions = slices.Insert(s.Positions, at, Position{SentHighWatermark: kafka.NoOffset})
	}
	s.Positions[at].FetchPartition = *position
}

func (s *Session) forget(p kafka.PartitionID) {
	if at, found := s.find(p); found {
		s.Positions = slices.Delete(s.Positions, at, at+1)
	}
}

// Position is where the session stands in a partition, or nil when it does not fetch it.
func (s *Session) Position(p kafka.PartitionID) *Position {
	if at, found := s.find(p); found {
		return &s.Positions[at]
	}
	return nil
}
