package client

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// refusedSequence is an idempotent producer whose third batch the broker refuses for its sequence; the fourth is in flight.
func refusedSequence(t *testing.T, fatal bool) *driver {
	config := idempotent()
	config.SequenceErrorFatal = fatal
	d := drive(t, config, 1)
	d.leaders(0, 1)
	d.identify(9, 0)
	for range 4 {
		d.send(0)
	}
	d.answer(1, 0, kafka.None)
	d.answer(1, 1, kafka.None)
	d.answer(1, kafka.NoOffset, kafka.OutOfOrderSequenceNumber)
	return d
}

func TestGapRaisesTheEpoch(t *testing.T) {
	d := refusedSequence(t, false)
	d.answer(1, kafka.NoOffset, kafka.OutOfOrderSequenceNumber) // the fourth, sent under the epoch before
	d.send(0)
	d.until(200)
	d.wantOpen("p0:3 | p0:4 | p0:5")
	for i := range 3 {
		d.wantBatch(i, 1, int32(i))
	}
	d.wantTold(event.RecordsFailed, "")
}

func TestGapIsFatalInLibrdkafka(t *testing.T) {
	d := refusedSequence(t, true)
	d.wantTold(event.RecordsFailed, "3")
	d.send(0)
	d.wantTold(event.RecordsFailed, "3 5")
	d.until(1000)
	d.wantOpen("p0:4")
}

// TestOtherPartitionsFollowToTheEpoch: a partition keeps its epoch and its numbers while something of it is open.
func TestOtherPartitionsFollowToTheEpoch(t *testing.T) {
	d := drive(t, idempotent(), 2)
	d.leaders(0, 1, 1)
	d.identify(9, 0)
	d.send(0)
	d.send(1)
	d.answer(1, kafka.NoOffset, kafka.OutOfOrderSequenceNumber)
	d.send(1)
	d.wantBatch(1, 0, 1) // behind the open one
	d.answer(1, 0, kafka.None)
	d.answer(1, 1, kafka.None)
	d.send(1)
	d.until(100)
	d.wantOpen("p1:4 | p0:1")
	d.wantBatch(0, 1, 0)
	d.wantBatch(1, 1, 0)
}

func TestOvertakenFirstBatchIsReportedStored(t *testing.T) {
	config := idempotent()
	config.SequenceErrorFatal = true
	d := drive(t, config, 1)
	d.leaders(0, 1)
	d.identify(9, 0)
	d.send(0)
	d.send(0)
	d.answer(1, kafka.NoOffset, kafka.NotLeaderOrFollower)
	d.answer(1, 0, kafka.None) // the leader did not know the producer id
	d.leaders(1, 1)
	d.until(100)
	d.answer(1, kafka.NoOffset, kafka.OutOfOrderSequenceNumber)
	d.wantTold(event.RecordsAcknowledged, "2 1")
}

func TestDeliveryTimeoutInTheQueue(t *testing.T) {
	config := usual()
	config.DeliveryTimeout = 500
	d := drive(t, config, 1)
	d.send(0)
	d.until(100)
	d.send(0)
	d.until(500)
	d.wantTold(event.RecordsFailed, "1")
	if e := d.log.At(d.log.Len() - 1); e.Error != kafka.MessageTimedOut || e.Value != 0 {
		t.Errorf("told %+v", e)
	}
	d.until(600)
	d.wantTold(event.RecordsFailed, "1 2")
}

func TestDeliveryTimeoutInFlight(t *testing.T) {
	for _, java := range []bool{true, false} {
		config := usual()
		config.DeliveryTimeout, config.ExpiresInFlight = 500, java
		d := drive(t, config, 1)
		d.leaders(0, 1)
		d.send(0)
		d.until(500)
		if !java {
			d.wantTold(event.RecordsFailed, "")
			continue
		}
		d.wantTold(event.RecordsFailed, "1")
		if e := d.log.At(d.log.Len() - 1); e.Value != 1 {
			t.Error("it may be stored, and the application is not told so")
		}
		d.answer(1, 0, kafka.None)
		d.wantTold(event.RecordsAcknowledged, "")
	}
}

func TestBackoffGrows(t *testing.T) {
	config := usual()
	config.RetryBackoffMax = 1000
	d := drive(t, config, 1)
	d.leaders(0, 1)
	d.send(0)
	for _, wait := range []kafka.Tick{100, 200, 400, 800, 1000, 1000} {
		d.answer(1, kafka.NoOffset, kafka.NotEnoughReplicas)
		d.until(d.now + wait - 1)
		d.wantOpen("")
		d.until(d.now + 1)
		d.wantOpen("p0:1")
	}
}

func TestRestartedProducerAsksForAnotherID(t *testing.T) {
	config := idempotent()
	config.Resends = true
	d := drive(t, config, 1)
	d.leaders(0, 1)
	d.identify(9, 0)
	d.send(0)
	d.requests = nil
	d.give(node.Input{Kind: node.Restart})
	d.leaders(0, 1)
	d.identify(10, 0)
	d.until(0)
	d.wantOpen("p0:1")
	if b := &d.requests[0].Batches[0]; b.ProducerID != 10 || b.BaseSequence != 0 {
		t.Errorf("sent as producer %d, sequence %d", b.ProducerID, b.BaseSequence)
	}
	d.wantTold(event.RecordsResent, "1")
}
