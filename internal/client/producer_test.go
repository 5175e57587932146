package client

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

func TestRecordGoesAtOnceWithoutLinger(t *testing.T) {
	d := drive(t, usual(), 1)
	d.leaders(0, 1)
	d.send(0)
	d.send(0)
	d.wantOpen("p0:1 | p0:2")
	d.answer(1, 7, kafka.None)
	d.wantTold(event.RecordsAcknowledged, "1")
}

func TestNothingGoesBeforeTheLeaderIsKnown(t *testing.T) {
	d := drive(t, usual(), 1)
	d.send(0)
	d.wantOpen("")
	d.leaders(0, 1)
	d.wantOpen("p0:1")
}

func TestLingerCollectsABatch(t *testing.T) {
	config := usual()
	config.LingerTicks = 5
	d := drive(t, config, 1)
	d.leaders(0, 1)
	d.send(0)
	d.until(3)
	d.send(0)
	d.until(4)
	d.wantOpen("")
	d.until(5)
	d.wantOpen("p0:1,2")
	d.send(0)
	d.until(9)
	d.wantOpen("p0:1,2")
	d.until(10)
	d.wantOpen("p0:1,2 | p0:3")
}

func TestFullBatchGoesBeforeItHasLingered(t *testing.T) {
	config := usual()
	config.LingerTicks, config.BatchBytes = 50, 300 // 61 bytes of header and two records
	d := drive(t, config, 1)
	d.leaders(0, 1)
	d.send(0)
	d.send(0)
	d.wantOpen("")
	d.send(0)
	d.wantOpen("p0:1,2") // the third waits for more
	d.until(50)
	d.wantOpen("p0:1,2 | p0:3")
}

func TestFullBatchByCount(t *testing.T) {
	config := usual()
	config.LingerTicks, config.BatchRecords = 50, 3
	d := drive(t, config, 1)
	d.leaders(0, 1)
	for range 4 {
		d.send(0)
	}
	d.wantOpen("p0:1,2,3")
	d.until(50)
	d.wantOpen("p0:1,2,3 | p0:4")
}

func TestRecordLargerThanABatchGoesAlone(t *testing.T) {
	config := usual()
	config.LingerTicks, config.BatchBytes = 50, 300
	d := drive(t, config, 1)
	d.leaders(0, 1)
	d.sendSized(0, 1000)
	d.wantOpen("p0:1")
}

func TestMaxInFlight(t *testing.T) {
	config := usual()
	config.MaxInFlight = 2
	d := drive(t, config, 1)
	d.leaders(0, 1)
	for range 4 {
		d.send(0)
	}
	d.wantOpen("p0:1 | p0:2")
	d.answer(1, 0, kafka.None)
	d.wantOpen("p0:2 | p0:3,4") // what waited meanwhile goes together
}

func TestPartitionsOfARequest(t *testing.T) {
	for _, one := range []bool{true, false} {
		config := usual()
		config.LingerTicks, config.OnePartitionARequest = 5, one
		d := drive(t, config, 3)
		d.leaders(0, 1, 2, 1)
		for p := range 3 {
			d.send(p)
		}
		d.until(5)
		if one {
			d.wantOpen("p0:1 | p2:3 | p1:2")
		} else {
			d.wantOpen("p0:1 p2:3 | p1:2")
		}
	}
}

// TestReadyPartitionTakesOthersAlong: the Java client's request carries what has not lingered yet as well.
func TestReadyPartitionTakesOthersAlong(t *testing.T) {
	for _, one := range []bool{true, false} {
		config := usual()
		config.LingerTicks, config.OnePartitionARequest = 5, one
		d := drive(t, config, 2)
		d.leaders(0, 1, 1)
		d.send(0)
		d.until(3)
		d.send(1)
		d.until(5)
		if one {
			d.wantOpen("p0:1")
		} else {
			d.wantOpen("p0:1 p1:2")
		}
	}
}

// TestTwoBatchesOfAPartitionAreTwoRequests: a request carries at most one batch a partition.
func TestTwoBatchesOfAPartitionAreTwoRequests(t *testing.T) {
	config := usual()
	config.LingerTicks, config.BatchRecords = 5, 2
	d := drive(t, config, 1)
	d.send(0)
	d.send(0)
	d.send(0)
	d.until(6)
	d.leaders(0, 1)
	d.wantOpen("p0:1,2 | p0:3")
}

func TestAcks0ForgetsWhatItSent(t *testing.T) {
	config := usual()
	config.Acks, config.MaxInFlight = kafka.AcksNone, 1
	d := drive(t, config, 1)
	d.leaders(0, 1)
	d.send(0)
	d.send(0)
	d.wantOpen("p0:1 | p0:2")
	d.wantTold(event.RecordsUntracked, "1 2")
	d.reset(1)
	d.wantTold(event.ProduceRetryScheduled, "")
}

func TestErrorIsRetriedAfterTheBackoff(t *testing.T) {
	d := drive(t, usual(), 1)
	d.leaders(0, 1)
	d.send(0)
	d.until(3)
	d.answer(1, kafka.NoOffset, kafka.NotEnoughReplicas)
	d.until(102)
	d.wantOpen("")
	d.until(103)
	d.wantOpen("p0:1")
	d.answer(1, 0, kafka.None)
	d.wantTold(event.RecordsAcknowledged, "1")
}

func TestResetIsRetriedAfterMetadata(t *testing.T) {
	d := drive(t, usual(), 1)
	d.leaders(0, 1)
	asked := len(d.asked)
	d.send(0)
	d.reset(1)
	if len(d.asked) != asked+1 {
		t.Fatal("a reset asks for metadata")
	}
	d.until(100)
	d.wantOpen("") // no answer about the leader yet
	d.leaders(1, 2)
	d.wantOpen("p0:1")
	if d.requests[0].to != 2 {
		t.Errorf("the retry goes to broker %d", d.requests[0].to)
	}
}

func TestTimeoutClosesTheConnectionAndRetries(t *testing.T) {
	config := usual()
	config.RequestTimeout, config.AnswerTimeout = 500, 500
	d := drive(t, config, 1)
	d.leaders(0, 1)
	d.send(0)
	d.until(10)
	d.send(0)
	d.until(499)
	if len(d.closed) != 0 {
		t.Fatal("closed too early")
	}
	d.until(500)
	if len(d.closed) != 1 || d.closed[0] != 1 {
		t.Fatalf("closed %v at the time-out", d.closed)
	}
	d.requests = nil
	d.leaders(0, 1)
	d.until(600)
	d.wantOpen("p0:1 | p0:2") // both were on the connection
}

func TestAnswerAfterTheTimeoutIsIgnored(t *testing.T) {
	config := usual()
	config.RequestTimeout, config.AnswerTimeout = 500, 500
	d := drive(t, config, 1)
	d.leaders(0, 1)
	d.send(0)
	d.until(500)
	d.answer(1, 3, kafka.None)
	d.wantTold(event.RecordsAcknowledged, "")
}

func TestRetriesAreCounted(t *testing.T) {
	config := usual()
	config.Retries = 2
	d := drive(t, config, 1)
	d.leaders(0, 1)
	d.send(0)
	for range 2 {
		d.answer(1, kafka.NoOffset, kafka.NotEnoughReplicas)
		d.until(d.now + 100)
		d.wantOpen("p0:1")
	}
	d.answer(1, kafka.NoOffset, kafka.NotEnoughReplicas)
	d.wantTold(event.RecordsFailed, "1")
	d.until(d.now + 1000)
	d.wantOpen("")
}

func TestFatalErrorIsNotRetried(t *testing.T) {
	d := drive(t, usual(), 1)
	d.leaders(0, 1)
	d.send(0)
	d.answer(1, kafka.NoOffset, kafka.InvalidRequest)
	d.wantTold(event.RecordsFailed, "1")
}

// TestOrderAfterRetries: three requests are refused one after the other. librdkafka puts each record back to its place and
// into one batch; the Java client puts each batch to the front, as it is.
func TestOrderAfterRetries(t *testing.T) {
	for _, rebatches := range []bool{true, false} {
		config := usual()
		config.RebatchesRetries, config.RetriesToFront = rebatches, !rebatches
		d := drive(t, config, 1)
		d.leaders(0, 1)
		for range 3 {
			d.send(0)
			d.until(d.now + 1)
		}
		d.wantOpen("p0:1 | p0:2 | p0:3")
		d.answer(1, kafka.NoOffset, kafka.NotEnoughReplicas)
		d.answer(1, kafka.NoOffset, kafka.NotEnoughReplicas)
		d.answer(1, kafka.NoOffset, kafka.NotEnoughReplicas)
		d.until(d.now + 200)
		if rebatches {
			d.wantOpen("p0:1,2,3")
		} else {
			d.wantOpen("p0:3 | p0:2 | p0:1")
		}
	}
}

// TestLaterRequestOvertakesARetry is the reordering of max.in.flight > 1 without idempotence.
func TestLaterRequestOvertakesARetry(t *testing.T) {
	d := drive(t, usual(), 1)
	d.leaders(0, 1)
	d.send(0)
	d.send(0)
	d.answer(1, kafka.NoOffset, kafka.NotEnoughReplicas)
	d.wantOpen("p0:2")
	d.answer(1, 0, kafka.None)
	d.until(100)
	d.wantOpen("p0:1")
	d.wantTold(event.RecordsAcknowledged, "2")
}

func idempotent() kafka.ProducerConfig {
	config := usual()
	config.EnableIdempotence, config.MaxInFlight = true, 5
	return config
}

func (d *driver) wantBatch(i int, epoch int16, sequence int32) {
	d.t.Helper()
	if b := &d.requests[i].Batches[0]; b.ProducerID != 9 || b.ProducerEpoch != epoch || b.BaseSequence != sequence {
		d.t.Fatalf("request %d is of producer %d epoch %d sequence %d, want 9, %d, %d",
			i, b.ProducerID, b.ProducerEpoch, b.BaseSequence, epoch, sequence)
	}
}

func TestIdempotentWaitsForItsProducerID(t *testing.T) {
	d := drive(t, idempotent(), 2)
	d.leaders(0, 1, 1)
	d.send(0)
	d.wantOpen("")
	d.identify(9, 0)
	d.wantOpen("p0:1")
	d.wantBatch(0, 0, 0)
	d.send(0)
	d.send(1)
	d.wantBatch(1, 0, 1)
	d.wantBatch(2, 0, 0) // each partition counts for itself
}

// TestIdempotentRetryIsTheSameBatch: new records do not join a batch that is sent again.
func TestIdempotentRetryIsTheSameBatch(t *testing.T) {
	config := idempotent()
	config.LingerTicks = 5
	d := drive(t, config, 1)
	d.leaders(0, 1)
	d.identify(9, 0)
	d.send(0)
	d.send(0)
	d.until(5)
	d.reset(1)
	d.leaders(0, 1)
	d.send(0)
	d.until(105)
	d.wantOpen("p0:1,2 | p0:3")
	d.wantBatch(0, 0, 0)
	d.wantBatch(1, 0, 2)
}

// TestIdempotentKeepsTheOrder: those behind a refused batch are refused for their sequence, and all are sent again in
// the order of their sequences.
func TestIdempotentKeepsTheOrder(t *testing.T) {
	d := drive(t, idempotent(), 1)
	d.leaders(0, 1)
	d.identify(9, 0)
	for range 3 {
		d.send(0)
	}
	d.answer(1, kafka.NoOffset, kafka.NotEnoughReplicas)
	d.answer(1, kafka.NoOffset, kafka.OutOfOrderSequenceNumber)
	d.answer(1, kafka.NoOffset, kafka.OutOfOrderSequenceNumber)
	d.wantTold(event.RecordsFailed, "")
	d.until(100)
	d.wantOpen("p0:1 | p0:2 | p0:3")
	for i := range 3 {
		d.wantBatch(i, 0, int32(i))
	}
}

func TestDuplicateSequenceIsASuccess(t *testing.T) {
	d := drive(t, idempotent(), 1)
	d.leaders(0, 1)
	d.identify(9, 0)
	d.p.identity.settled = false // hold the two together in one batch
	d.send(0)
	d.until(1)
	d.send(0)
	d.identify(9, 0)
	d.answer(1, kafka.NoOffset, kafka.DuplicateSequenceNumber)
	d.wantTold(event.RecordsAcknowledged, "1 2")
	if e := d.log.At(d.log.Len() - 1); e.Offset != kafka.NoOffset {
		t.Errorf("acknowledged at offset %d", e.Offset)
	}
}

// TestMetadataRhythm: asked at once when something fails, then every MetadataRetry while a leader is missing.
func TestMetadataRhythm(t *testing.T) {
	d := drive(t, usual(), 1)
	d.leaders(0, 1)
	d.send(0)
	d.asked = nil
	d.until(10)
	d.refuse[1] = true
	d.reset(1)
	for i := range 4 {
		d.leaders(0, 1)
		d.until(kafka.Tick(10 + 1000*(i+1)))
	}
	if len(d.asked) < 4 || d.asked[0] != 10 || d.asked[len(d.asked)-1]-d.asked[len(d.asked)-2] != 1000 {
		t.Errorf("metadata was asked for at %v", d.asked)
	}
	d.refuse[1] = false
	d.leaders(0, 1)
	d.wantOpen("p0:1")
}

// TestUnreachableBrokersAreAskedInTurn: a client whose bootstrap broker is away asks the next one.
func TestUnreachableBrokersAreAskedInTurn(t *testing.T) {
	d := drive(t, usual(), 1)
	d.give(node.Input{Kind: node.Reset, Channel: node.ControlChannel, From: 1})
	if len(d.asked) != 2 || d.asked[1] != 0 {
		t.Fatalf("asked at %v", d.asked)
	}
	d.give(node.Input{Kind: node.Reset, Channel: node.ControlChannel, From: 2})
	d.send(0)
	d.until(1000)
	if len(d.asked) != 3 || d.asked[2] != 1000 {
		t.Fatalf("asked at %v", d.asked)
	}
}

// TestSilentControlConnectionIsGivenUp: nobody answers the question for metadata, so another broker is asked.
func TestSilentControlConnectionIsGivenUp(t *testing.T) {
	config := usual()
	config.RequestTimeout, config.AnswerTimeout = 500, 500
	d := drive(t, config, 1)
	d.until(499)
	if len(d.asked) != 1 {
		t.Fatalf("asked at %v", d.asked)
	}
	d.until(500)
	if len(d.asked) != 2 || d.asked[1] != 500 || len(d.closed) != 1 {
		t.Fatalf("asked at %v, closed %v", d.asked, d.closed)
	}
	d.leaders(0, 1)
	d.until(5000)
	if len(d.asked) != 2 {
		t.Errorf("asked at %v, though it was answered", d.asked)
	}
}
