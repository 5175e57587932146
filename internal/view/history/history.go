// Package history writes event histories by hand, for the tests of the packages that fold events. It keeps the replicas'
// logs the plain way, so that a test can also compute from them what a fold should have found.
//
// Its one rule: only tests import it.
package history

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// Entry is one stored record.
type Entry struct {
	Epoch kafka.Epoch
	ID    kafka.RecordID
}

// Replica is one replica's log.
type Replica struct {
	Start   kafka.Offset
	Entries []Entry
}

// End is the log end offset.
func (r *Replica) End() kafka.Offset { return r.Start + kafka.Offset(len(r.Entries)) }

// Partition is what the writer knows of a partition.
type Partition struct {
	Leader   kafka.NodeID // NoNode: offline
	Last     kafka.NodeID // who led last
	Epoch    kafka.Epoch
	ISR      kafka.BrokerSet
	Replicas map[kafka.NodeID]*Replica
}

// History is a run being written. Now is the tick of the next event.
type History struct {
	Log        event.Log
	Now        kafka.Tick
	Partitions []*Partition
	sentAt     map[kafka.RecordID]kafka.Tick
}

// New starts a run of some partitions, each replicated on the brokers and led by the first of them in epoch 1.
func New(partitions int, start kafka.Offset, brokers ...kafka.NodeID) *History {
	h := &History{sentAt: map[kafka.RecordID]kafka.Tick{}}
	h.Add(event.Event{Kind: event.RunStarted, Count: int32(len(brokers))})
	for p := range partitions {
		state := &Partition{Leader: kafka.NoNode, Last: kafka.NoNode, Replicas: map[kafka.NodeID]*Replica{}}
		h.Partitions = append(h.Partitions, state)
		for _, b := range brokers {
			state.Replicas[b] = &Replica{Start: start}
			h.Load(b, kafka.PartitionID(p))
		}
		h.Elect(0, kafka.PartitionID(p), brokers[0], kafka.SetOf(brokers...))
	}
	return h
}

// Add writes one event with the next sequence number at the present tick.
func (h *History) Add(e event.Event, ids ...kafka.RecordID) event.Seq {
	e.Seq, e.At = event.Seq(h.Log.Len()+1), h.Now
	if e.Kind.Spec().Fields&event.Records != 0 {
		e.Count = int32(len(ids))
	}
	h.Log.Append(&e, ids)
	return e.Seq
}

// Steps gives the whole run to a sink, an event a step.
func (h *History) Steps(sink event.Sink) {
	for _, e := range h.Log.All() {
		step := event.Step{Events: []event.Event{*e}, IDs: h.Log.Records(e)}
		step.Events[0].Records = 0
		sink.Consume(&step)
	}
}

// Load writes that a broker opens its log.
func (h *History) Load(broker kafka.NodeID, p kafka.PartitionID) event.Seq {
	r := h.Partitions[p].Replicas[broker]
	return h.Add(event.Event{
		Kind: event.LogLoaded, Node: broker, Partition: p, Offset: r.End(), Prev: int64(r.Start), Value: int64(r.Start),
	})
}

// Elect writes that the controller makes a broker the leader in the next epoch, that it takes over, and that the live
// members of the ISR follow and cut what it does not have.
func (h *History) Elect(cause event.Seq, p kafka.PartitionID, leader kafka.NodeID, isr kafka.BrokerSet) event.Seq {
	s := h.Partitions[p]
	was := s.ISR
	s.Leader, s.Last, s.ISR = leader, leader, isr
	s.Epoch++
	elected := h.Add(event.Event{
		Kind: event.LeaderElected, Cause: cause, Peer: leader, Partition: p, Epoch: s.Epoch, Value: int64(isr), Prev: int64(was),
	})
	end := s.Replicas[leader].End()
	h.Add(event.Event{
		Kind: event.BecameLeader, Cause: elected, Node: leader, Partition: p, Epoch: s.Epoch, Offset: end, Prev: int64(s.Replicas[leader].Start),
	})
	for b := isr.Next(0); b != kafka.NoNode; b = isr.Next(b) {
		if b != leader {
			h.Add(event.Event{Kind: event.BecameFollower, Cause: elected, Node: b, Peer: leader, Partition: p, Epoch: s.Epoch})
		}
	}
	return elected
}

// Offline writes that a partition has no leader any more.
func (h *History) Offline(cause event.Seq, p kafka.PartitionID) event.Seq {
	s := h.Partitions[p]
	s.Leader = kafka.NoNode
	s.Epoch++
	return h.Add(event.Event{
		Kind: event.PartitionOffline, Cause: cause, Partition: p, Epoch: s.Epoch, Value: int64(s.ISR), Prev: int64(s.ISR),
	})
}

// Send writes that the application hands records over.
func (h *History) Send(producer kafka.NodeID, p kafka.PartitionID, ids ...kafka.RecordID) event.Seq {
	for _, id := range ids {
		h.sentAt[id] = h.Now
	}
	return h.Add(event.Event{Kind: event.RecordsSent, Node: producer, Partition: p, Value: int64(kafka.NoKey)}, ids...)
}

// Produce writes an attempt to send records to the partition's leader; before is the attempt before, or 0.
func (h *History) Produce(cause, before event.Seq, producer kafka.NodeID, p kafka.PartitionID, ids ...kafka.RecordID) event.Seq {
	attempt := int64(1)
	if e := h.Log.Get(before); e != nil {
		attempt = e.Value + 1
	}
	return h.Add(event.Event{
		Kind: event.ProduceSent, Cause: cause, About: before, Node: producer, Peer: h.Partitions[p].Leader, Partition: p, Value: attempt,
		Producer: kafka.NoProducerID, Sequence: kafka.NoSequence,
	}, ids...)
}

// Append writes that the leader stores what a ProduceSent carried.
func (h *History) Append(produce event.Seq) event.Seq {
	sent := h.Log.Get(produce)
	s, ids := h.Partitions[sent.Partition], h.Log.Records(sent)
	r := s.Replicas[s.Leader]
	at := r.End()
	for _, id := range ids {
		r.Entries = append(r.Entries, Entry{s.Epoch, id})
	}
	return h.Add(event.Event{
		Kind: event.BatchAppended, Cause: produce, Node: s.Leader, Peer: sent.Node, Partition: sent.Partition, Epoch: s.Epoch,
		Offset: at, Producer: sent.Producer, Sequence: sent.Sequence,
	}, ids...)
}

// Follow makes a follower take what its leader has: it cuts its log where the two part and copies the rest, an event for
// each run of one epoch.
func (h *History) Follow(cause event.Seq, follower kafka.NodeID, p kafka.PartitionID) {
	s := h.Partitions[p]
	from, to := s.Replicas[s.Leader], s.Replicas[follower]
	same := 0
	for same < len(from.Entries) && same < len(to.Entries) && from.Entries[same] == to.Entries[same] {
		same++
	}
	if same < len(to.Entries) {
		h.Truncate(cause, follower, p, to.Start+kafka.Offset(same))
	}
	for at := same; at < len(from.Entries); {
		end := at
		for end < len(from.Entries) && from.Entries[end].Epoch == from.Entries[at].Epoch {
			end++
		}
		h.Add(event.Event{
			Kind: event.ReplicaAppended, Cause: cause, Node: follower, Peer: s.Leader, Partition: p,
			Epoch: from.Entries[at].Epoch, Offset: from.Start + kafka.Offset(at), Count: int32(end - at), Value: int64(to.Start),
		})
		at = end
	}
	to.Entries = append(to.Entries[:same:same], from.Entries[same:]...)
}

// Truncate writes that a broker cuts its log.
func (h *History) Truncate(cause event.Seq, broker kafka.NodeID, p kafka.PartitionID, end kafka.Offset) event.Seq {
	s := h.Partitions[p]
	r := s.Replicas[broker]
	was := r.End()
	r.Entries = r.Entries[: end-r.Start : end-r.Start]
	return h.Add(event.Event{
		Kind: event.LogTruncated, Cause: cause, Node: broker, Peer: s.Leader, Partition: p, Epoch: s.Epoch, Offset: end, Prev: int64(was),
	})
}

// Acknowledge writes that the producer of a ProduceSent hears of success at an offset.
func (h *History) Acknowledge(cause, produce event.Seq, offset kafka.Offset) event.Seq {
	sent := h.Log.Get(produce)
	ids := h.Log.Records(sent)
	return h.Add(event.Event{
		Kind: event.RecordsAcknowledged, Cause: cause, About: produce, Node: sent.Node, Peer: sent.Peer, Partition: sent.Partition,
		Offset: offset, Value: int64(h.Now - h.sentAt[ids[0]]),
	}, ids...)
}

// Fail writes that the producer gives records up.
func (h *History) Fail(cause event.Seq, producer kafka.NodeID, p kafka.PartitionID, code kafka.ErrorCode, ids ...kafka.RecordID) event.Seq {
	return h.Add(event.Event{Kind: event.RecordsFailed, Cause: cause, Node: producer, Partition: p, Error: code}, ids...)
}

// Read writes that a reader shows what a broker holds in a range of offsets.
func (h *History) Read(cause event.Seq, reader, from kafka.NodeID, p kafka.PartitionID, offset kafka.Offset, n int) event.Seq {
	r := h.Partitions[p].Replicas[from]
	var ids []kafka.RecordID
	for _, entry := range r.Entries[offset-r.Start:][:n] {
		ids = append(ids, entry.ID)
	}
	return h.Add(event.Event{Kind: event.RecordsRead, Cause: cause, Node: reader, Peer: from, Partition: p, Offset: offset}, ids...)
}
