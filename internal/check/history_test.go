package check_test

import (
	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
)

const (
	orders   = kafka.PartitionID(0)
	careful  = kafka.FirstClientID     // a producer with acks=all
	hasty    = kafka.FirstClientID + 1 // acks=1
	careless = kafka.FirstClientID + 2 // acks=0
	screen   = kafka.FirstClientID + 3 // a reader
	stable   = kafka.FirstClientID + 4 // a reader with read_committed
	exact    = kafka.FirstClientID + 5 // a producer with enable.idempotence
	one      = kafka.FirstClientID + 6 // members of group packing, which print slips
	two      = kafka.FirstClientID + 7
	hurried  = kafka.FirstClientID + 8 // one that commits before its work

	feeder = kafka.FirstClientID + 9 // a processor, whose producer is careful

	offsets = kafka.PartitionID(1) // the group's home
)

func acksOf(producer kafka.NodeID) kafka.Acks {
	switch producer {
	case hasty:
		return kafka.AcksOne
	case careless:
		return kafka.AcksNone
	}
	return kafka.AcksAll
}

// names gives record n the order number n, and the records 10 to 14 the keys a, b, a, b and c; 14 is a tombstone.
func names() *kafka.Names {
	return &kafka.Names{
		TickMicros: 1000, StartMicros: -1,
		TransactionalIDs: []string{"totals"},
		Topics: []kafka.TopicName{
			{Name: "orders", Partitions: 1}, {Name: "__consumer_offsets", Partitions: 1, Numbers: []int{17}, Internal: true},
		},
		Keys: []string{"a", "b", "c"},
		Loads: []kafka.RecordRange{{Orders: 1 << 30, Keyed: []kafka.StepKeys{{
			Keys: []kafka.KeyID{0, 1, 2, 0, 0, 1}, Tombstones: []bool{false, false, true, false, false, false},
		}}}},
		Nodes: []kafka.NodeName{
			packer(one, "packing-1", false), packer(two, "packing-2", false), packer(hurried, "hurried", true),
			{ID: stable, Name: "stable", ReadsCommitted: true},
			{ID: feeder, Name: "feeder", Producer: careful, Exactly: true},
		},
		Groups: []string{"packing"}, GroupHomes: []kafka.PartitionID{offsets},
	}
}

func packer(id kafka.NodeID, name string, early bool) kafka.NodeName {
	return kafka.NodeName{ID: id, Name: name, Consumes: "packing", Subscribes: []kafka.TopicID{0}, Effect: "is printed on a slip", CommitsEarly: early}
}

// A history is a run that a test writes down by hand: each call is one step of one partition.
type history struct {
	sink event.Sink
	step event.Step
	seq  event.Seq
	term event.Event // leader and epoch, as the controller has them
	late kafka.Tick  // how much later it is than the number of events
}

// opened is a history in which brokers 1, 2 and 3 have opened empty logs and broker 1 leads in epoch 0.
func opened(sink event.Sink) *history {
	h := &history{sink: sink}
	h.term.Peer = 1
	h.add(event.Event{Kind: event.LeaderElected, Peer: 1, Value: int64(kafka.SetOf(1, 2, 3)), Prev: int64(kafka.SetOf(1, 2, 3))})
	for _, node := range []kafka.NodeID{1, 2, 3} {
		h.add(event.Event{Kind: event.LogLoaded, Node: node})
	}
	h.flush()
	h.leads(1, 0, 0, 0)
	return h
}

// happens is a step of one event.
func (h *history) happens(e event.Event, ids ...kafka.RecordID) {
	h.add(e, ids...)
	h.flush()
}

func (h *history) add(e event.Event, ids ...kafka.RecordID) {
	h.seq++
	e.Seq, e.At = h.seq, kafka.Tick(h.seq)+h.late
	if len(ids) > 0 {
		e.Records, e.Count = uint32(len(h.step.IDs)), int32(len(ids))
		h.step.IDs = append(h.step.IDs, ids...)
	}
	h.step.Events = append(h.step.Events, e)
}

func (h *history) flush() {
	h.sink.Consume(&h.step)
	h.step.Events, h.step.IDs = h.step.Events[:0], h.step.IDs[:0]
}

func (h *history) elect(leader kafka.NodeID, epoch kafka.Epoch, isr, before kafka.BrokerSet) {
	h.term.Peer, h.term.Epoch = leader, epoch
	h.happens(event.Event{Kind: event.LeaderElected, Peer: leader, Epoch: epoch, Value: int64(isr), Prev: int64(before)})
}

func (h *history) leads(node kafka.NodeID, epoch kafka.Epoch, end, hw kafka.Offset) {
	h.happens(event.Event{Kind: event.BecameLeader, Node: node, Epoch: epoch, Offset: end, Prev: int64(hw)})
}

func (h *history) follows(node, leader kafka.NodeID, epoch kafka.Epoch) {
	h.happens(event.Event{Kind: event.BecameFollower, Node: node, Peer: leader, Epoch: epoch})
}

func (h *history) isr(isr, before kafka.BrokerSet) {
	h.happens(event.Event{Kind: event.ISRChanged, Peer: h.term.Peer, Epoch: h.term.Epoch, Value: int64(isr), Prev: int64(before)})
}

func (h *history) eligible(elr kafka.BrokerSet) {
	h.happens(event.Event{Kind: event.ELRChanged, Value: int64(elr)})
}

func (h *history) offline(epoch kafka.Epoch, isr kafka.BrokerSet) {
	h.term.Peer, h.term.Epoch = kafka.NoNode, epoch
	h.happens(event.Event{Kind: event.PartitionOffline, Epoch: epoch, Value: int64(isr), Prev: int64(isr)})
}

func (h *history) appends(node kafka.NodeID, epoch kafka.Epoch, at kafka.Offset, ids ...kafka.RecordID) {
	h.happens(event.Event{Kind: event.BatchAppended, Node: node, Epoch: epoch, Offset: at}, ids...)
}

// copies has a follower copy count records of the epoch from the leader, and learn its high watermark; the leader hears of
// it with the next fetch.
func (h *history) copies(node, leader kafka.NodeID, epoch kafka.Epoch, at kafka.Offset, count int32, hw kafka.Offset) {
	h.happens(event.Event{
		Kind: event.ReplicaAppended, Node: node, Peer: leader, Epoch: epoch, Offset: at, Count: count, Value: int64(hw),
	})
	h.hears(leader, node, epoch, at+kafka.Offset(count))
}

func (h *history) hears(leader, follower kafka.NodeID, epoch kafka.Epoch, end kafka.Offset) {
	h.happens(event.Event{Kind: event.FollowerOffsetLearned, Node: leader, Peer: follower, Epoch: epoch, Offset: end})
}

func (h *history) cuts(node kafka.NodeID, from, to kafka.Offset) {
	h.happens(event.Event{Kind: event.LogTruncated, Node: node, Offset: to, Prev: int64(from)})
}

func (h *history) advances(leader kafka.NodeID, epoch kafka.Epoch, hw kafka.Offset) {
	h.happens(event.Event{Kind: event.HighWatermarkAdvanced, Node: leader, Epoch: epoch, Offset: hw})
}

func (h *history) learns(follower kafka.NodeID, hw kafka.Offset) {
	h.happens(event.Event{Kind: event.HighWatermarkLearned, Node: follower, Offset: hw})
}

func (h *history) acked(producer, broker kafka.NodeID, at kafka.Offset, ids ...kafka.RecordID) {
	h.happens(event.Event{Kind: event.RecordsAcknowledged, Node: producer, Peer: broker, Offset: at}, ids...)
}

func (h *history) untracked(ids ...kafka.RecordID) {
	h.happens(event.Event{Kind: event.RecordsUntracked, Node: careless}, ids...)
}

func (h *history) reads(broker kafka.NodeID, at kafka.Offset, ids ...kafka.RecordID) {
	h.readsBy(screen, broker, at, ids...)
}

func (h *history) readsBy(reader, broker kafka.NodeID, at kafka.Offset, ids ...kafka.RecordID) {
	h.happens(event.Event{Kind: event.RecordsRead, Node: reader, Peer: broker, Offset: at}, ids...)
}

// stands has a reader go on from another offset, since a broker does not have the one where it stood.
func (h *history) stands(reader, broker kafka.NodeID, from, to kafka.Offset) {
	h.happens(event.Event{Kind: event.OffsetReset, Node: reader, Peer: broker, Offset: to, Prev: int64(from)})
}

func (h *history) crashes(node kafka.NodeID) {
	h.happens(event.Event{Kind: event.BrokerCrashed, Node: node})
}

// restarts starts a broker again, with what its log and its checkpoint hold.
func (h *history) restarts(node kafka.NodeID, end, hw kafka.Offset) {
	h.happens(event.Event{Kind: event.BrokerRestarted, Node: node})
	h.happens(event.Event{Kind: event.LogLoaded, Node: node, Offset: end, Value: int64(hw)})
}

func (h *history) fences(node kafka.NodeID) {
	h.happens(event.Event{Kind: event.BrokerFenced, Peer: node})
}

func (h *history) unfences(node kafka.NodeID) {
	h.happens(event.Event{Kind: event.BrokerUnfenced, Peer: node})
}

func (h *history) ends() { h.happens(event.Event{Kind: event.RunEnded}) }

// committed is a history in which order 10 is on all three brokers, committed and known to be.
func committed(sink event.Sink) *history {
	h := opened(sink)
	h.appends(1, 0, 0, 10)
	h.copies(2, 1, 0, 0, 1, 0)
	h.copies(3, 1, 0, 0, 1, 0)
	h.advances(1, 0, 1)
	h.learns(2, 1)
	h.learns(3, 1)
	return h
}

// judge runs a history against all promises.
func judge(play func(sink event.Sink)) *check.Checker {
	c := check.New(names(), check.Settings{
		Acks: acksOf, Idempotent: func(node kafka.NodeID) bool { return node == exact },
		MinISR: func(kafka.PartitionID) int { return 2 },
	})
	play(c)
	return c
}
