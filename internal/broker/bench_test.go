package broker

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// bench is broker 1 alone on a table: the test plays the controller, the followers and the clients. A tick is 1 ms.
type bench struct {
	t        *testing.T
	b        *Broker
	p        *partition // of partition 0
	out      node.Out
	plan     *plan.Plan
	now      kafka.Tick
	conn     kafka.ConnID                  // of the latest request; each comes on a connection of its own
	answers  map[kafka.ConnID][]kafka.Body // what was answered on it
	alter    *kafka.AlterPartitionRequest  // the latest proposal
	asked    int                           // how many there were
	proposal uint32                        // number of the latest proposal
	fetched  *kafka.FetchRequest           // the latest fetch that broker 1 sent
	corr     uint32                        // of it
	timers   []timer                       // that are set
	events   []event.Event
}

type timer struct {
	at kafka.Tick
	node.Timer
}

// newBench has one partition with the replicas, and broker 1 up.
func newBench(t *testing.T, minISR int, replicas ...kafka.NodeID) *bench {
	p := &plan.Plan{
		Names: &kafka.Names{TickMicros: 1000, Topics: []kafka.TopicName{{Name: "orders", Partitions: 1}}},
		Partitions: []plan.Partition{{
			Replicas: replicas, Config: kafka.TopicConfig{MinInSyncReplicas: int32(minISR)},
		}},
		Broker: kafka.BrokerConfig{
			ReplicaLagTimeTicks: 30000, ReplicaFetchWait: 500, ReplicaFetchBackoff: 1000, ReplicaFetchMaxBytes: 1 << 20,
			HeartbeatTicks: 2000, CheckpointTicks: 5000,
		},
	}
	for id := kafka.NodeID(1); id <= 4; id++ {
		// Nobody is dead; the partition is offline until the test says who leads.
		p.Brokers = append(p.Brokers, plan.Broker{ID: id})
	}
	n := &bench{t: t, plan: p, answers: map[kafka.ConnID][]kafka.Body{}}
	n.b = New(p, 1)
	n.p = n.b.parts[0]
	n.b.image.partitions[0] = kafka.PartitionState{Leader: kafka.NoNode, LeaderEpoch: kafka.NoEpoch, PartitionEpoch: -1}
	return n
}

// give hands an input to the broker and notes what it asks for.
func (n *bench) give(in node.Input) {
	n.t.Helper()
	in.Now = n.now
	n.out.Begin(n.now, 0, event.Seq(len(n.events)+1), true)
	n.b.Handle(&in, &n.out)
	n.events = append(n.events, n.out.Step.Events...)
	for i := range n.out.Effects {
		e := &n.out.Effects[i]
		switch e.Kind {
		case node.SendReply:
			n.answers[e.Reply.Conn] = append(n.answers[e.Reply.Conn], e.Body)
		case node.SetTimer:
			n.timers = append(n.timers, timer{e.At, e.Timer})
		case node.SendRequest:
			n.note(e)
		}
	}
}

func (n *bench) note(e *node.Effect) {
	switch body := e.Body.(type) {
	case *kafka.AlterPartitionRequest:
		n.alter, n.proposal = body, e.Corr
		n.asked++
	case *kafka.FetchRequest:
		n.fetched, n.corr = body, e.Corr
	}
}

// request hands in a request on a connection of its own and returns that.
func (n *bench) request(from kafka.NodeID, body kafka.Body) kafka.ConnID {
	n.t.Helper()
	n.conn++
	n.give(node.Input{Kind: node.Request, From: from, Body: body, Reply: node.Reply{Conn: n.conn}})
	return n.conn
}

// metadata hands in records of the metadata log.
func (n *bench) metadata(records ...kafka.MetadataRecord) {
	n.t.Helper()
	n.give(node.Input{
		Kind: node.Response, From: kafka.ControllerID, Channel: node.MetadataChannel,
		Body: &kafka.MetadataFetchResponse{Offset: n.b.image.offset, Records: records},
	})
}

// lead says who leads, with which ISR, in which leader epoch; every call is a change of its own.
func (n *bench) lead(leader kafka.NodeID, epoch kafka.Epoch, partitionEpoch int32, isr ...kafka.NodeID) {
	n.t.Helper()
	n.metadata(kafka.MetadataRecord{Kind: kafka.PartitionChange, Partition: kafka.PartitionState{
		Leader: leader, LeaderEpoch: epoch, PartitionEpoch: partitionEpoch, ISR: kafka.SetOf(isr...),
	}})
}

// write appends single records to the log behind the broker's back: nothing is evaluated.
func (n *bench) write(records int, epoch kafka.Epoch) {
	for range records {
		n.p.log.AppendAsLeader(batchOf(1), epoch)
	}
}

// produce sends one batch.
func (n *bench) produce(records int, acks kafka.Acks, timeout kafka.Tick) kafka.ConnID {
	n.t.Helper()
	return n.request(kafka.FirstClientID, &kafka.ProduceRequest{
		Batches: []kafka.PartitionBatch{{Batch: batchOf(records)}}, Timeout: timeout, Acks: acks,
	})
}

// fetch is a follower's (or a client's) fetch in a new session.
func (n *bench) fetch(from kafka.NodeID, position kafka.FetchPartition) kafka.ConnID {
	n.t.Helper()
	r := &kafka.FetchRequest{Partitions: []kafka.FetchPartition{position}, Full: true, Replica: from, MaxWait: 500}
	if from.IsBroker() {
		r.BrokerEpoch = int64(from)
	} else {
		r.Replica = kafka.NoNode
	}
	return n.request(from, r)
}

// follow is the fetch of a follower that agrees with the leader up to the offset.
func (n *bench) follow(from kafka.NodeID, offset kafka.Offset) {
	n.t.Helper()
	n.fetch(from, kafka.FetchPartition{
		FetchOffset: offset, CurrentLeaderEpoch: n.p.leaderEpoch, LastFetchedEpoch: kafka.NoEpoch,
	})
}

// committed answers the latest proposal as the controller does.
func (n *bench) committed(partitionEpoch int32) {
	n.t.Helper()
	n.alterAnswer(&kafka.AlterPartitionResponse{
		LeaderEpoch: n.alter.LeaderEpoch, ISR: n.alter.ISR, PartitionEpoch: partitionEpoch,
	})
}

// refused answers the latest proposal with an error.
func (n *bench) refused(code kafka.ErrorCode) {
	n.t.Helper()
	n.alterAnswer(&kafka.AlterPartitionResponse{LeaderEpoch: n.alter.LeaderEpoch, Error: code})
}

func (n *bench) alterAnswer(body *kafka.AlterPartitionResponse) {
	n.t.Helper()
	n.give(node.Input{Kind: node.Response, From: kafka.ControllerID, Channel: node.ControlChannel, Body: body, Corr: n.proposal})
}

// look is the periodic check of the ISRs.
func (n *bench) look() {
	n.t.Helper()
	n.give(node.Input{Kind: node.TimerFired, Timer: node.Timer{Kind: timerISRCheck}})
}

// pass lets time go by and fires the timers of the kinds that are due.
func (n *bench) pass(ticks kafka.Tick, kinds ...uint8) {
	n.t.Helper()
	n.now += ticks
	due := n.timers
	n.timers = nil
	for _, d := range due {
		wanted := false
		for _, k := range kinds {
			wanted = wanted || d.Kind == k
		}
		switch {
		case d.at > n.now:
			n.timers = append(n.timers, d)
		case wanted:
			n.give(node.Input{Kind: node.TimerFired, Timer: d.Timer})
		}
	}
}

// answer is the last answer on a connection, nil while there is none.
func (n *bench) answer(conn kafka.ConnID) kafka.Body {
	if list := n.answers[conn]; len(list) > 0 {
		return list[len(list)-1]
	}
	return nil
}

// produced is the error of the answer to a produce request, "pending" while there is none.
func (n *bench) produced(conn kafka.ConnID) (code string, base kafka.Offset) {
	r, ok := n.answer(conn).(*kafka.ProduceResponse)
	if !ok {
		return "pending", kafka.NoOffset
	}
	return r.Results[0].Error.String(), r.Results[0].BaseOffset
}

// batchOf makes a batch of n records as a producer without idempotence sends it.
func batchOf(n int) kafka.Batch {
	columns := kafka.NewColumns(n)
	list := make([]kafka.Record, n)
	for i := range list {
		list[i] = kafka.Record{ID: kafka.RecordID(i), Key: kafka.NoKey, Size: 100}
	}
	return kafka.Batch{Records: columns.Append(list...), ProducerID: kafka.NoProducerID, BaseSequence: kafka.NoSequence}
}
