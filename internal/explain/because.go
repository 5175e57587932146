package explain

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Because is why an event happened, 0 for a root. What a timer brings is because of what it waited for in vain: the cause
// in the log is only what set the timer last, and counts where nothing else is to blame.
func Because(log *event.Log, names *kafka.Names, e *event.Event) event.Seq {
	if s, waits := silences[e.Kind]; waits {
		if seq := s.blame(log, names, e); seq != 0 {
			return seq
		}
	}
	if find, counts := counted[e.Kind]; counts {
		if seq := find(log, e); seq != 0 {
			return seq
		}
	}
	return e.Cause
}

// waited is a timer that found somebody silent.
type waited struct {
	whom     func(*event.Log, *kafka.Names, *event.Event) []kafka.NodeID
	heard    func(*event.Event) int64 // the tick at which it was heard last; nil where the event does not tell
	messages []kafka.MessageKind      // what would have come
	halts    bool                     // it is the application that does nothing
}

// silences are the timers about the silence of somebody, by the event that they lead to.
var silences = map[event.Kind]waited{
	event.MemberExpired: {whom: peer, heard: func(e *event.Event) int64 { return e.Prev }, messages: []kafka.MessageKind{
		kafka.KindHeartbeatRequest, kafka.KindHeartbeatResponse, kafka.KindConsumerGroupHeartbeatRequest, kafka.KindConsumerGroupHeartbeatResponse,
	}},
	event.MemberRemoved: {whom: peer, halts: true, messages: []kafka.MessageKind{
		kafka.KindJoinGroupRequest, kafka.KindJoinGroupResponse, kafka.KindSyncGroupRequest, kafka.KindSyncGroupResponse,
		kafka.KindConsumerGroupHeartbeatRequest, kafka.KindConsumerGroupHeartbeatResponse,
	}},
	event.PollIntervalExceeded: {whom: itself, halts: true},
	event.BrokerFenced: {whom: peer, heard: func(e *event.Event) int64 { return e.Value }, messages: []kafka.MessageKind{
		kafka.KindBrokerHeartbeatRequest, kafka.KindBrokerHeartbeatResponse,
	}},
	event.ISRChangeProposed:      {whom: leavers, messages: []kafka.MessageKind{kafka.KindFetchRequest, kafka.KindFetchResponse}},
	event.ProduceRequestTimedOut: {whom: peer, messages: []kafka.MessageKind{kafka.KindProduceRequest, kafka.KindProduceResponse}},
	event.TransactionTimedOut: {whom: holder, halts: true, messages: []kafka.MessageKind{
		kafka.KindProduceRequest, kafka.KindProduceResponse, kafka.KindEndTxnRequest, kafka.KindEndTxnResponse,
	}},
}

// counted are the timers that count from something that happened.
var counted = map[event.Kind]func(*event.Log, *event.Event) event.Seq{
	event.OffsetExpired:       emptied,
	event.TransactionTimedOut: begun,
}

func peer(_ *event.Log, _ *kafka.Names, e *event.Event) []kafka.NodeID { return []kafka.NodeID{e.Peer} }

func itself(_ *event.Log, _ *kafka.Names, e *event.Event) []kafka.NodeID {
	return []kafka.NodeID{e.Node}
}

// leavers are the followers that a leader wants out of the ISR.
func leavers(_ *event.Log, _ *kafka.Names, e *event.Event) []kafka.NodeID {
	return (e.PrevISR() &^ e.ISR()).Members()
}

// holder is the producer of a transaction; that of a processor dies and halts with its consumer.
func holder(log *event.Log, names *kafka.Names, e *event.Event) []kafka.NodeID {
	for _, i := range log.Backward(int(e.Seq) - 1) {
		if i.Kind != event.ProducerInitialised || i.Transaction() != e.Transaction() {
			continue
		}
		if consumer := names.ProcessorOf(i.Peer); consumer != kafka.NoNode {
			return []kafka.NodeID{i.Peer, consumer}
		}
		return []kafka.NodeID{i.Peer}
	}
	return nil
}

// blame is what silenced whom the timer waited for: the end of its process, if it had not come back before it was missed;
// else the latest fault that still acted then. 0 where nothing did.
func (w *waited) blame(log *event.Log, names *kafka.Names, e *event.Event) event.Seq {
	whom, since := w.whom(log, names, e), e.At
	if w.heard != nil {
		since = kafka.Tick(w.heard(e))
	}
	back := map[kafka.NodeID]kafka.Tick{} // when its process began anew
	over := map[int64]kafka.Tick{}        // when a fault ended
	fault := event.Seq(0)
	for _, c := range log.Backward(int(e.Seq) - 1) {
		switch c.Kind {
		case event.BrokerRestarted, event.ConsumerStarted, event.ProducerRestarted:
			back[c.Node] = c.At
		case event.BrokerCrashed, event.BrokerStopped, event.ConsumerCrashed, event.ConsumerClosed, event.ConsumerFailed, event.TransactionHung:
			if began, is := back[c.Node]; slices.Contains(whom, c.Node) && (!is || began >= since) {
				return c.Seq
			}
		case event.FaultEnded:
			over[c.Value] = c.At
		case event.FaultBegan:
			if ended, is := over[c.Value]; fault == 0 && (!is || ended >= since) && w.silenced(names, c.Value, whom, e.Node) {
				fault = c.Seq
			}
		}
	}
	return fault
}

// silenced reports whether a fault keeps one of those that are waited for from being heard.
func (w *waited) silenced(names *kafka.Names, fault int64, whom []kafka.NodeID, listener kafka.NodeID) bool {
	return slices.ContainsFunc(whom, func(id kafka.NodeID) bool {
		return w.halts && names.Halts(fault, id) || len(w.messages) > 0 && names.Silences(fault, id, listener, w.messages...)
	})
}

// emptied is what a group's retention of offsets counts from: that its last member went, or else the commit (KIP-211).
func emptied(log *event.Log, e *event.Event) event.Seq {
	members := map[kafka.NodeID]bool{}
	var left, commit event.Seq
	for _, c := range log.Span(0, int(e.Seq)-1) {
		switch c.Kind {
		case event.MemberJoined, event.MemberLoaded:
			if c.Group() == e.Group() {
				members[c.Peer], left = true, 0
			}
		case event.MemberLeft, event.MemberExpired, event.MemberRemoved:
			if delete(members, c.Peer); c.Group() == e.Group() && len(members) == 0 {
				left = c.Seq
			}
		case event.OffsetCommitWritten:
			if c.Group() == e.Group() && c.Partition == e.Partition {
				commit = c.Seq
			}
		}
	}
	if left != 0 {
		return left
	}
	return commit
}

// begun is the first partition of a transaction: transaction.timeout.ms counts from there.
func begun(log *event.Log, e *event.Event) (first event.Seq) {
	for _, c := range log.Backward(int(e.Seq) - 1) {
		switch c.Kind {
		case event.TransactionPartitionAdded:
			if c.Transaction() == e.Transaction() {
				first = c.Seq
			}
		case event.TransactionCompleted, event.ProducerInitialised:
			if c.Transaction() == e.Transaction() {
				return first
			}
		}
	}
	return first
}
