package client

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

const consumerID kafka.NodeID = kafka.FirstClientID

// asked is a request of the consumer that the test has not answered.
type asked struct {
	body    kafka.Body
	to      kafka.NodeID
	channel node.Channel
	corr    uint32
}

// member is the rig of a consumer. Metadata and FindCoordinator it answers itself: broker 1 leads everything and coordinates
// the group.
type member struct {
	rig
	plan   *plan.Plan
	c      *Consumer
	asked  []asked
	deeds  []string
	closed []node.Channel
	exited bool
	mute   bool // no answers of its own
	small  bool // orders-1 is not there yet
	epoch  kafka.Epoch
}

// usualMember is a configuration with Kafka's own defaults where they matter, and no auto-commit.
func usualMember() kafka.ConsumerConfig {
	return kafka.ConsumerConfig{
		ReaderConfig:   kafka.ReaderConfig{FetchWait: 500, AnswerTimeout: 30000, RetryBackoff: 100, MetadataRetry: 100},
		Assignors:      []string{"range"},
		SessionTimeout: 45000, HeartbeatInterval: 3000, MaxPollInterval: 300000, RebalanceTimeout: 300000, MaxPollRecords: 500,
		AutoCommitTicks: 5000, Reset: kafka.ResetEarliest, APITimeout: 60000,
	}
}

func driveMember(t *testing.T, config kafka.ConsumerConfig) *member {
	d := newMember(t, config)
	d.launch()
	return d
}

// launch starts the consumer of the plan.
func (d *member) launch() {
	d.t.Helper()
	d.c = NewConsumer(d.plan, &d.plan.Consumers[0])
	d.client, d.effect = d.c, d.take
	d.give(node.Input{Kind: node.Start})
}

func newMember(t *testing.T, config kafka.ConsumerConfig) *member {
	return &member{rig: rig{t: t}, plan: &plan.Plan{
		Names: &kafka.Names{
			TickMicros: 1000, StartMicros: -1, Topics: []kafka.TopicName{{Name: "orders", Partitions: 2}},
			Nodes: []kafka.NodeName{{ID: consumerID, Name: "packing-0"}}, Groups: []string{"packing"},
		},
		Brokers:    []plan.Broker{{ID: 1}, {ID: 2}},
		Partitions: []plan.Partition{{}, {}},
		Consumers:  []plan.Consumer{{ID: consumerID, Topics: []kafka.TopicID{0}, Config: config, Effect: plan.Effect{Kind: plan.Show}}},
	}}
}

func (d *member) take(e *node.Effect) {
	switch e.Kind {
	case node.SendRequest:
		d.asked = append(d.asked, asked{e.Body, e.Peer, e.Channel, e.Corr})
		if !d.mute {
			d.answerControl()
		}
	case node.Perform:
		for i := range e.Deed.Records.Len() {
			d.deeds = append(d.deeds, fmt.Sprintf("p%d:%d", e.Deed.Partition, int(e.Deed.Offset)+i))
		}
	case node.CloseConnection:
		d.closed = append(d.closed, e.Channel)
		d.asked = slices.DeleteFunc(d.asked, func(a asked) bool { return a.to == e.Peer && a.channel == e.Channel })
	case node.Exit:
		d.exited = true
	}
}

func (d *member) answerControl() {
	for _, a := range d.asked {
		switch a.body.(type) {
		case *kafka.MetadataRequest:
			d.answer(kafka.KindMetadataRequest, d.leaders())
			return
		case *kafka.FindCoordinatorRequest:
			d.answer(kafka.KindFindCoordinatorRequest, &kafka.FindCoordinatorResponse{Node: 1})
			return
		}
	}
}

func (d *member) leaders() *kafka.MetadataResponse {
	r := &kafka.MetadataResponse{Partitions: []kafka.PartitionLeader{
		{Partition: 0, Leader: 1, Epoch: d.epoch}, {Partition: 1, Leader: 1, Epoch: d.epoch},
	}}
	if d.small {
		r.Partitions[1].Leader, r.Partitions[1].Epoch = kafka.NoNode, kafka.NoEpoch
	}
	return r
}

// answer answers the oldest open request of a kind.
func (d *member) answer(kind kafka.MessageKind, body kafka.Body) {
	d.t.Helper()
	for i, a := range d.asked {
		if a.body.Kind() == kind {
			d.asked = slices.Delete(d.asked, i, i+1)
			d.give(node.Input{Kind: node.Response, From: a.to, Channel: a.channel, Corr: a.corr, Body: body})
			return
		}
	}
	d.t.Fatalf("tick %d: no %v is open, only %s", d.now, kind, d.open())
}

// open lists the kinds of the open requests, without those that only keep watch.
func (d *member) open() string {
	var kinds []string
	for _, a := range d.asked {
		kinds = append(kinds, strings.TrimSuffix(a.body.Kind().String(), "Request"))
	}
	return strings.Join(kinds, " ")
}

func (d *member) wantOpen(want string) {
	d.t.Helper()
	if got := d.open(); got != want {
		d.t.Fatalf("tick %d: open %q, want %q", d.now, got, want)
	}
}

// openCall is the oldest open request of a type.
func openCall[B kafka.Body](d *member) B {
	d.t.Helper()
	for _, a := range d.asked {
		if body, ok := a.body.(B); ok {
			return body
		}
	}
	var none B
	d.t.Fatalf("tick %d: no %T is open, only %s", d.now, none, d.open())
	return none
}

// joinAs brings the consumer into a generation with some partitions.
func (d *member) joinAs(generation int32, partitions ...kafka.PartitionID) {
	d.t.Helper()
	if openCall[*kafka.JoinGroupRequest](d).MemberID == "" {
		d.answer(kafka.KindJoinGroupRequest, &kafka.JoinGroupResponse{MemberID: "packing-0-1", Error: kafka.MemberIDRequired})
	}
	d.answer(kafka.KindJoinGroupRequest, &kafka.JoinGroupResponse{
		MemberID: "packing-0-1", Leader: "another", Protocol: "range", Generation: generation,
	})
	d.answer(kafka.KindSyncGroupRequest, &kafka.SyncGroupResponse{Partitions: partitions})
}

// start brings the consumer to where it fetches: nothing is committed, and the partitions begin at 0.
func (d *member) start(partitions ...kafka.PartitionID) {
	d.t.Helper()
	d.joinAs(1, partitions...)
	d.positions()
}

// positions answers the questions for the positions of new partitions.
func (d *member) positions() {
	d.t.Helper()
	fetched := &kafka.OffsetFetchResponse{}
	listed := &kafka.ListOffsetsResponse{}
	for _, p := range openCall[*kafka.OffsetFetchRequest](d).Partitions {
		fetched.Offsets = append(fetched.Offsets, kafka.PartitionOffset{Partition: p, Offset: kafka.NoOffset, LeaderEpoch: kafka.NoEpoch})
		listed.Partitions = append(listed.Partitions, kafka.ListedOffset{Partition: p, LeaderEpoch: kafka.NoEpoch})
	}
	d.answer(kafka.KindOffsetFetchRequest, fetched)
	d.answer(kafka.KindListOffsetsRequest, listed)
}

// fetched answers the fetch with records of a partition.
func (d *member) fetched(partition kafka.PartitionID, base kafka.Offset, n int) {
	d.t.Helper()
	d.answer(kafka.KindFetchRequest, &kafka.FetchResponse{Partitions: []kafka.FetchedPartition{{
		Partition: partition, Batches: stored(base, n), HighWatermark: base + kafka.Offset(n),
	}}})
}

// told lists the events of a kind, as in "p0@3".
func (d *member) told(kind event.Kind) string {
	var words []string
	for _, e := range d.log.All() {
		if e.Kind == kind {
			words = append(words, fmt.Sprintf("p%d@%d", e.Partition, e.Offset))
		}
	}
	return strings.Join(words, " ")
}

func (d *member) wantTold(kind event.Kind, want string) {
	d.t.Helper()
	if got := d.told(kind); got != want {
		d.t.Fatalf("tick %d: %v of %q, want %q", d.now, kind, got, want)
	}
}

func (d *member) wantDeeds(want string) {
	d.t.Helper()
	if got := strings.Join(d.deeds, " "); got != want {
		d.t.Fatalf("tick %d: done %q, want %q", d.now, got, want)
	}
}

// offset is what the open commit says of a partition.
func (d *member) offset(partition kafka.PartitionID) kafka.Offset {
	d.t.Helper()
	for _, o := range openCall[*kafka.OffsetCommitRequest](d).Offsets {
		if o.Partition == partition {
			return o.Offset
		}
	}
	return kafka.NoOffset
}

// committed answers the open commit.
func (d *member) committed(code kafka.ErrorCode) {
	d.t.Helper()
	d.answer(kafka.KindOffsetCommitRequest, &kafka.OffsetCommitResponse{
		Results: withError(openCall[*kafka.OffsetCommitRequest](d).Offsets, code),
	})
}

func (d *member) heartbeat(code kafka.ErrorCode) {
	d.t.Helper()
	d.answer(kafka.KindHeartbeatRequest, &kafka.HeartbeatResponse{Error: code})
}
