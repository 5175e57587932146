package client

import (
	"fmt"
	"strings"
	"testing"

	choose "replog/internal/client/partition"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

const producerID kafka.NodeID = kafka.FirstClientID

// request is a produce request that the producer has sent and the test has not answered.
type request struct {
	*kafka.ProduceRequest
	to   kafka.NodeID
	corr uint32
}

// records lists the records of each batch, as in "p0:1,2 p1:3".
func (r *request) String() string {
	var words []string
	for i := range r.Batches {
		var ids []string
		for _, id := range r.Batches[i].IDs() {
			ids = append(ids, fmt.Sprint(id))
		}
		words = append(words, fmt.Sprintf("p%d:%s", r.Batches[i].Partition, strings.Join(ids, ",")))
	}
	return strings.Join(words, " ")
}

// driver is the rig of a producer.
type driver struct {
	rig
	p        *Producer
	topic    []kafka.PartitionID
	requests []request    // not answered yet, in the order of sending
	asked    []kafka.Tick // when metadata was asked for
	refuse   map[kafka.NodeID]bool
	closed   []kafka.NodeID // connections that the producer closed
	nextID   kafka.RecordID
}

// usual is a producer's configuration with nothing that makes a test wait.
func usual() kafka.ProducerConfig {
	return kafka.ProducerConfig{
		Acks: kafka.AcksAll, Retries: 1 << 30, MaxInFlight: 1000, BatchBytes: 16384, RequestTimeout: 30000, AnswerTimeout: 30000, ExpiryLook: 1,
		DeliveryTimeout: 120000, RetryBackoff: 100, MetadataRetry: 1000, Partitioner: kafka.Consistent,
	}
}

// drive builds a producer for partitions that broker 1 leads, unless a test says otherwise, and lets it start.
func drive(t *testing.T, config kafka.ProducerConfig, partitions int) *driver {
	d := &driver{refuse: map[kafka.NodeID]bool{}}
	p := &plan.Plan{
		Names:     &kafka.Names{TickMicros: 1000, StartMicros: -1, Topics: []kafka.TopicName{{Name: "orders", Partitions: partitions}}},
		Brokers:   []plan.Broker{{ID: 1}, {ID: 2}},
		Producers: []plan.Producer{{ID: producerID, Config: config}},
	}
	for i := range partitions {
		p.Partitions = append(p.Partitions, plan.Partition{Replicas: []kafka.NodeID{1, 2}})
		p.Names.Keys = append(p.Names.Keys, keyFor(i, partitions))
		d.topic = append(d.topic, kafka.PartitionID(i))
	}
	d.p = NewProducer(p, &p.Producers[0])
	d.rig = rig{t: t, client: d.p, effect: d.take}
	d.give(node.Input{Kind: node.Start})
	return d
}

// keyFor is a key that the partitioner Consistent puts in the partition.
func keyFor(partition, partitions int) string {
	for i := 0; ; i++ {
		key := fmt.Sprint("key-", i)
		if choose.Choose(kafka.Consistent, []byte(key), true, int32(partitions), 0) == int32(partition) {
			return key
		}
	}
}

func (d *driver) take(e *node.Effect) {
	switch e.Kind {
	case node.SendRequest:
		switch body := e.Body.(type) {
		case *kafka.ProduceRequest:
			d.requests = append(d.requests, request{body, e.Peer, e.Corr})
		case *kafka.MetadataRequest:
			d.asked = append(d.asked, d.now)
		}
	case node.Connect:
		kind := node.Connected
		if d.refuse[e.Peer] {
			kind = node.Reset
		}
		d.give(node.Input{Kind: kind, From: e.Peer, Channel: e.Channel})
	case node.CloseConnection:
		d.closed = append(d.closed, e.Peer)
	}
}

// leaders answers the open metadata request: who leads each partition, and in which epoch.
func (d *driver) leaders(epoch kafka.Epoch, leaders ...kafka.NodeID) {
	d.t.Helper()
	answer := &kafka.MetadataResponse{}
	for i, leader := range leaders {
		answer.Partitions = append(answer.Partitions, kafka.PartitionLeader{Partition: kafka.PartitionID(i), Epoch: epoch, Leader: leader})
	}
	d.give(node.Input{Kind: node.Response, Channel: node.ControlChannel, From: 1, Body: answer})
}

// identify answers the request for a producer id.
func (d *driver) identify(id kafka.ProducerID, epoch int16) {
	d.t.Helper()
	d.give(node.Input{
		Kind: node.Response, Channel: node.ControlChannel, From: 1, Corr: d.p.identity.corr,
		Body: &kafka.InitProducerIDResponse{ProducerID: id, Epoch: epoch},
	})
}

// send hands the producer a record of 100 bytes for a partition and returns its id.
func (d *driver) send(partition int) kafka.RecordID {
	d.t.Helper()
	return d.sendSized(partition, 100)
}

func (d *driver) sendSized(partition int, size int32) kafka.RecordID {
	d.t.Helper()
	d.nextID++
	d.give(node.Input{Kind: node.Send, Topic: d.topic, Record: kafka.Record{
		ID: d.nextID, Key: kafka.KeyID(partition), Size: size, Timestamp: d.now,
	}})
	return d.nextID
}

// answer answers the oldest open request to a broker: every batch at the offset, or with the error.
func (d *driver) answer(broker kafka.NodeID, base kafka.Offset, code kafka.ErrorCode) {
	d.t.Helper()
	for i := range d.requests {
		if d.requests[i].to == broker {
			d.answerAt(i, base, code)
			return
		}
	}
	d.t.Fatalf("tick %d: no request to broker %d is open", d.now, broker)
}

// answerAt answers one of the open requests.
func (d *driver) answerAt(i int, base kafka.Offset, code kafka.ErrorCode) {
	d.t.Helper()
	r := d.requests[i]
	d.requests = append(d.requests[:i], d.requests[i+1:]...)
	body := &kafka.ProduceResponse{}
	for j := range r.Batches {
		body.Results = append(body.Results, kafka.ProduceResult{Partition: r.Batches[j].Partition, BaseOffset: base, Error: code})
	}
	d.give(node.Input{Kind: node.Response, Channel: node.DataChannel, From: r.to, Corr: r.corr, Body: body})
}

// reset breaks the connection to a broker, with every request on it.
func (d *driver) reset(broker kafka.NodeID) {
	d.t.Helper()
	kept := d.requests[:0]
	for _, r := range d.requests {
		if r.to != broker {
			kept = append(kept, r)
		}
	}
	d.requests = kept
	d.give(node.Input{Kind: node.Reset, Channel: node.DataChannel, From: broker})
}

// open says which requests have no answer, as in "p0:1 | p0:2,3".
func (d *driver) open() string {
	var words []string
	for i := range d.requests {
		words = append(words, d.requests[i].String())
	}
	return strings.Join(words, " | ")
}

// wantOpen holds the open requests against a text.
func (d *driver) wantOpen(want string) {
	d.t.Helper()
	if got := d.open(); got != want {
		d.t.Fatalf("tick %d: in flight %q, want %q", d.now, got, want)
	}
}

// told lists the records that an event kind named, in order.
func (d *driver) told(kind event.Kind) string {
	var ids []string
	for _, e := range d.log.All() {
		if e.Kind == kind {
			for _, id := range d.log.Records(e) {
				ids = append(ids, fmt.Sprint(id))
			}
		}
	}
	return strings.Join(ids, " ")
}

func (d *driver) wantTold(kind event.Kind, want string) {
	d.t.Helper()
	if got := d.told(kind); got != want {
		d.t.Fatalf("tick %d: %v of %q, want %q", d.now, kind, got, want)
	}
}
