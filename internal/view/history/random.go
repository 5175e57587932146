package history

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Random writes a run of random sends, retries, copies, elections, readings and answers.
type Random struct {
	*History
	Sent int // records 0..Sent-1 were handed over
	// What the application and the wire know of each record, counted.
	Acked, Failed, Untracked, Attempts map[kafka.RecordID]int

	draw     func(label string, n int) int // 0..n-1
	producer kafka.NodeID
	reader   kafka.NodeID
	produced []event.Seq
}

// Draw writes a run of so many random actions; draw gives a number from 0 to n-1.
func Draw(steps int, draw func(label string, n int) int) *Random {
	r := &Random{
		History: New(2, 100, 1, 2, 3), draw: draw, producer: kafka.FirstClientID, reader: kafka.FirstClientID + 1,
		Acked: map[kafka.RecordID]int{}, Failed: map[kafka.RecordID]int{},
		Untracked: map[kafka.RecordID]int{}, Attempts: map[kafka.RecordID]int{},
	}
	for range steps {
		r.Now += kafka.Tick(draw("ticks", 4))
		r.act(kafka.PartitionID(draw("partition", 2)))
	}
	return r
}

func (r *Random) act(p kafka.PartitionID) {
	action := r.draw("action", 9)
	if len(r.produced) == 0 {
		action = 0
	}
	switch action {
	case 0, 1:
		id := kafka.RecordID(r.Sent)
		r.Sent++
		r.attempt(r.Produce(r.Send(r.producer, p, id), 0, r.producer, p, id))
	case 2:
		r.settle(r.anyAttempt())
	case 3:
		r.retry(r.anyAttempt())
	case 4:
		r.Follow(0, r.anyBroker(), p)
	case 5:
		r.Elect(0, p, r.anyBroker(), kafka.SetOf(1, 2, 3))
	case 6:
		r.read(p)
	default:
		r.Append(r.anyAttempt())
	}
}

func (r *Random) anyBroker() kafka.NodeID { return kafka.NodeID(1 + r.draw("broker", 3)) }
func (r *Random) anyAttempt() event.Seq   { return r.produced[r.draw("attempt", len(r.produced))] }
func (r *Random) records(s event.Seq) []kafka.RecordID {
	return slices.Clone(r.Log.Records(r.Log.Get(s)))
}

func (r *Random) attempt(produce event.Seq) {
	r.produced = append(r.produced, produce)
	r.Attempts[r.records(produce)[0]]++
}

func (r *Random) retry(before event.Seq) {
	e, ids := r.Log.Get(before), r.records(before)
	if r.draw("scheduled", 2) == 0 && r.open(ids[0]) {
		r.Add(event.Event{
			Kind: event.ProduceRetryScheduled, Cause: before, About: before, Node: e.Node, Peer: e.Peer, Partition: e.Partition,
			Error: kafka.NetworkException,
		}, ids...)
	}
	r.attempt(r.Produce(before, before, e.Node, e.Partition, ids...))
}

func (r *Random) open(id kafka.RecordID) bool { return r.Acked[id]+r.Failed[id]+r.Untracked[id] == 0 }

func (r *Random) settle(produce event.Seq) {
	e, ids := r.Log.Get(produce), r.records(produce)
	if !r.open(ids[0]) {
		return
	}
	switch r.draw("how", 3) {
	case 0:
		r.Acknowledge(produce, produce, 0)
		r.Acked[ids[0]]++
	case 1:
		r.Fail(produce, e.Node, e.Partition, kafka.NetworkException, ids...)
		r.Failed[ids[0]]++
	default:
		r.Add(event.Event{Kind: event.RecordsUntracked, Cause: produce, Node: e.Node, Partition: e.Partition}, ids...)
		r.Untracked[ids[0]]++
	}
}

func (r *Random) read(p kafka.PartitionID) {
	leader := r.Partitions[p].Leader
	log := r.Partitions[p].Replicas[leader]
	if n := len(log.Entries); n > 0 {
		from := r.draw("from", n)
		r.Read(0, r.reader, leader, p, log.Start+kafka.Offset(from), 1+r.draw("count", n-from))
	}
}
