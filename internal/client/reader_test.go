package client

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// readerDriver is the rig of a reader.
type readerDriver struct {
	rig
	r       *Reader
	fetches []node.Effect
	asked   int
}

func driveReader(t *testing.T, start kafka.Offset) *readerDriver {
	p := &plan.Plan{
		Names: &kafka.Names{}, Brokers: []plan.Broker{{ID: 1}, {ID: 2}},
		Partitions: []plan.Partition{{StartOffset: start}},
	}
	d := &readerDriver{r: NewReader(p, &plan.Reader{
		ID: 65, Partitions: []kafka.PartitionID{0}, Config: kafka.ReaderConfig{FetchWait: 500, RetryBackoff: 100, MetadataRetry: 1000},
	})}
	d.rig = rig{t: t, client: d.r, effect: d.take}
	d.give(node.Input{Kind: node.Start})
	return d
}

func (d *readerDriver) take(e *node.Effect) {
	if e.Body.Kind() == kafka.KindFetchRequest {
		d.fetches = append(d.fetches, *e)
	} else {
		d.asked++
	}
}

func (d *readerDriver) leader(epoch kafka.Epoch, leader kafka.NodeID) {
	d.give(node.Input{Kind: node.Response, Channel: node.ControlChannel, From: 1, Body: &kafka.MetadataResponse{
		Partitions: []kafka.PartitionLeader{{Leader: leader, Epoch: epoch}},
	}})
}

// fetched answers the latest fetch.
func (d *readerDriver) fetched(got kafka.FetchedPartition) {
	last := d.fetches[len(d.fetches)-1]
	d.give(node.Input{
		Kind: node.Response, From: last.Peer, Corr: last.Corr,
		Body: &kafka.FetchResponse{Partitions: []kafka.FetchedPartition{got}},
	})
}

func (d *readerDriver) position() kafka.Offset {
	return d.r.position(0).offset
}

func stored(base kafka.Offset, n int) []kafka.Batch {
	columns := kafka.NewColumns(n)
	b := kafka.Batch{BaseOffset: base, ProducerID: kafka.NoProducerID, BaseSequence: kafka.NoSequence}
	for i := range n {
		b.Records = columns.Extend(b.Records, &kafka.Record{ID: kafka.RecordID(int(base) + i), Key: kafka.NoKey, Size: 100})
	}
	return []kafka.Batch{b}
}

func TestReaderGoesOnFromWhatItHasShown(t *testing.T) {
	d := driveReader(t, 5)
	d.leader(0, 1)
	d.fetched(kafka.FetchedPartition{Batches: stored(5, 3), HighWatermark: 8})
	if d.position() != 8 || len(d.fetches) != 2 {
		t.Fatalf("position %d after %d fetches", d.position(), len(d.fetches))
	}
	// A batch that begins before the position is shown from the position on.
	d.fetched(kafka.FetchedPartition{Batches: stored(6, 4), HighWatermark: 10})
	e := d.log.At(d.log.Len() - 1)
	if e.Kind != event.RecordsRead || e.Offset != 8 || e.Count != 2 {
		t.Errorf("shown %+v", e)
	}
}

func TestReaderTakesAnAnswerOnce(t *testing.T) {
	d := driveReader(t, 0)
	d.leader(0, 1)
	first := d.fetches[0]
	d.fetched(kafka.FetchedPartition{Batches: stored(0, 2), HighWatermark: 2})
	events := d.log.Len()
	d.give(node.Input{Kind: node.Response, From: 1, Corr: first.Corr, Body: &kafka.FetchResponse{
		Partitions: []kafka.FetchedPartition{{Batches: stored(0, 2)}},
	}})
	if d.log.Len() != events {
		t.Error("a second copy of an answer was shown")
	}
}

func TestReaderFollowsTheLeader(t *testing.T) {
	d := driveReader(t, 0)
	d.leader(0, 1)
	d.fetched(kafka.FetchedPartition{Error: kafka.NotLeaderOrFollower})
	if n := len(d.fetches); n != 1 {
		t.Fatalf("%d fetches to one that does not lead", n)
	}
	d.leader(1, 2)
	if last := d.fetches[len(d.fetches)-1]; last.Peer != 2 {
		t.Errorf("fetches from broker %d", last.Peer)
	}
}

func TestReaderResetsAPositionThatTheLogDoesNotHave(t *testing.T) {
	for _, c := range []struct{ start, end, want kafka.Offset }{{10, 20, 10}, {0, 3, 3}} {
		d := driveReader(t, 5)
		d.leader(0, 1)
		d.fetched(kafka.FetchedPartition{Error: kafka.OffsetOutOfRange, LogStartOffset: c.start, HighWatermark: c.end})
		if d.position() != c.want {
			t.Errorf("log %d..%d: goes on from %d, want %d", c.start, c.end, d.position(), c.want)
		}
	}
}

func TestReaderFetchesAgainAfterAReset(t *testing.T) {
	d := driveReader(t, 0)
	d.leader(0, 1)
	asked := d.asked
	d.give(node.Input{Kind: node.Reset, From: 1})
	if d.asked != asked+1 {
		t.Error("a reset asks for metadata")
	}
	if len(d.timers) == 0 || d.timers[0].At != 100 {
		t.Fatalf("timers %+v", d.timers)
	}
	d.now = 100
	d.give(node.Input{Kind: node.TimerFired, Timer: d.timers[0].Timer})
	if len(d.fetches) != 2 || !d.fetches[1].Body.(*kafka.FetchRequest).Full {
		t.Error("no full fetch after the backoff")
	}
}

// TestReaderDoesNotFlood: a leader that refuses, and metadata that knows no better, cost a question each retry.backoff.ms.
func TestReaderDoesNotFlood(t *testing.T) {
	d := driveReader(t, 0)
	d.now = 1
	d.leader(0, 1)
	for refused := len(d.fetches) - 1; d.now < 1000; d.until(d.now + 2) {
		if refused < len(d.fetches) {
			refused = len(d.fetches)
			d.fetched(kafka.FetchedPartition{Error: kafka.FencedLeaderEpoch})
		}
		if d.r.metadata.inFlight {
			d.leader(0, 1)
		}
	}
	if d.asked < 9 || d.asked > 12 {
		t.Errorf("asked %d times in a second", d.asked)
	}
}
