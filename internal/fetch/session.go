package fetch

import (
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
	Parked      bool
	// Idle: since Deadline the request comes back empty and is sent again, over and over. That is computed when
	// something depends on it.
	Idle bool
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

func (s *Session) set(position *kafka.FetchPartition) {
	at := len(s.Positions)
	for i := range s.Positions {
		if s.Positions[i].Partition == position.Partition {
			s.Positions[i].FetchPartition = *position
			return
		}
		if s.Positions[i].Partition > position.Partition {
			at = i
			break
		}
	}
	s.Positions = append(s.Positions, Position{})
	copy(s.Positions[at+1:], s.Positions[at:])
	s.Positions[at] = Position{FetchPartition: *position, SentHighWatermark: kafka.NoOffset}
}

func (s *Session) forget(p kafka.PartitionID) {
	for i := range s.Positions {
		if s.Positions[i].Partition == p {
			s.Positions = append(s.Positions[:i], s.Positions[i+1:]...)
			return
		}
	}
}

// Position is where the session stands in a partition, or nil when it does not fetch it.
func (s *Session) Position(p kafka.PartitionID) *Position {
	for i := range s.Positions {
		if s.Positions[i].Partition == p {
			return &s.Positions[i]
		}
	}
	return nil
}
