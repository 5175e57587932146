package broker

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// compactedBench is a broker that leads a partition of a compacted topic, alone.
func compactedBench(t *testing.T) *bench {
	n := newBench(t, 1, 1)
	n.plan.Broker.CleanerBackoff = 15_000
	n.plan.Partitions[0].Config.Log = kafka.LogConfig{
		SegmentBytes: 1 << 20, SegmentTicks: 1000, SegmentIndexBytes: 10 << 20, IndexIntervalBytes: 4096, Compact: true,
		MaxCompactionLag: kafka.Never, MinDirtyRatio: 500_000, DeleteRetention: 60_000,
	}
	n.p.log.Configure(&n.plan.Partitions[0].Config.Log)
	n.lead(1, 0, 0, 1)
	return n
}

// put writes one keyed record.
func (n *bench) put(key kafka.KeyID) kafka.ConnID {
	n.t.Helper()
	columns := kafka.NewColumns(1)
	batch := kafka.Batch{
		Records:    columns.Append(kafka.Record{Key: key, Size: 100, Timestamp: n.now}),
		ProducerID: kafka.NoProducerID, BaseSequence: kafka.NoSequence,
	}
	return n.request(kafka.FirstClientID, &kafka.ProduceRequest{Batches: []kafka.PartitionBatch{{Batch: batch}}, Timeout: 1000, Acks: kafka.AcksOne})
}

func (n *bench) count(kind event.Kind) (count int) {
	for i := range n.events {
		if n.events[i].Kind == kind {
			count++
		}
	}
	return count
}

func (n *bench) armed(kind uint8) (count int) {
	for i := range n.timers {
		if n.timers[i].Kind == kind {
			count++
		}
	}
	return count
}

// TestNoCleanerWithoutACompactedTopic: a cluster that compacts nothing has no timer for it.
func TestNoCleanerWithoutACompactedTopic(t *testing.T) {
	n := newBench(t, 1, 1)
	n.plan.Broker.CleanerBackoff = 15_000
	n.give(node.Input{Kind: node.Start})
	if n.armed(timerCleaner) != 0 {
		t.Error("the cleaner's timer is armed")
	}
}

// TestCleanerWaitsUntilThereIsEnoughToDo: nothing is cleaned in the active segment; then a pass takes what is closed, and the
// next look is log.cleaner.backoff.ms later.
func TestCleanerWaitsUntilThereIsEnoughToDo(t *testing.T) {
	n := compactedBench(t)
	n.give(node.Input{Kind: node.Start})
	for range 3 {
		n.put(1)
	}
	n.pass(0, timerCleaner)
	if n.count(event.LogCleaned) != 0 || n.armed(timerCleaner) != 1 {
		t.Fatalf("%d passes over an active segment, %d timers", n.count(event.LogCleaned), n.armed(timerCleaner))
	}
	n.now = 5000
	n.put(2) // closes the segment
	n.pass(9_999, timerCleaner)
	if n.count(event.LogCleaned) != 0 {
		t.Error("the cleaner looks before its time")
	}
	n.pass(1, timerCleaner)
	if n.count(event.LogCleaned) != 1 || n.count(event.RecordsCompacted) != 1 || n.p.log.EndOffset() != 4 {
		t.Errorf("%d passes, %d removals, the log ends at %d", n.count(event.LogCleaned), n.count(event.RecordsCompacted), n.p.log.EndOffset())
	}
	n.pass(15_000, timerCleaner)
	if n.count(event.LogCleaned) != 1 || n.armed(timerCleaner) != 1 {
		t.Errorf("%d passes although nothing is dirty, %d timers", n.count(event.LogCleaned), n.armed(timerCleaner))
	}
}

func TestCompactedTopicRefusesRecordsWithoutAKey(t *testing.T) {
	n := compactedBench(t)
	n.wantProduced(n.put(1), "NONE")
	n.wantProduced(n.put(kafka.NoKey), "INVALID_RECORD")
	if kafka.InvalidRecord.Retriable() {
		t.Error("a client would send it again")
	}
}

// TestCompactedTopicRefusesDeleteRecords unless it deletes as well.
func TestCompactedTopicRefusesDeleteRecords(t *testing.T) {
	n := compactedBench(t)
	for range 3 {
		n.put(1)
	}
	ask := func() {
		n.give(node.Input{Kind: node.DeleteRecords, Topic: []kafka.PartitionID{0}, Before: kafka.NoOffset})
	}
	ask()
	if start := n.p.log.StartOffset(); start != 0 || n.count(event.DeleteRecordsRefused) != 1 {
		t.Errorf("the log begins at %d", start)
	}
	n.plan.Partitions[0].Config.Log.Delete = true
	ask()
	if start := n.p.log.StartOffset(); start != 3 {
		t.Errorf("the log begins at %d, expected the high watermark 3", start)
	}
}

// TestReaderInAGapWaits: a position behind which no batch can be read yet is no reason to answer at once, again and again.
func TestReaderInAGapWaits(t *testing.T) {
	n := compactedBench(t)
	for _, at := range []kafka.Tick{0, 5000, 10_000} {
		n.now = at
		n.put(1)
	}
	n.give(node.Input{Kind: node.TimerFired, Timer: node.Timer{Kind: timerCleaner}})
	n.p.log.TruncateTo(1) // as an unclean election may leave it: offset 0 is gone, and nothing stands behind it
	n.p.hw = 1
	conn := n.fetch(kafka.FirstClientID, kafka.FetchPartition{CurrentLeaderEpoch: 0, LastFetchedEpoch: kafka.NoEpoch})
	if n.answer(conn) != nil {
		t.Errorf("answered %+v, expected to wait", n.answer(conn))
	}
}

// TestLogAppendTimeDatesRecordsByTheLeadersClock: then segment.ms and retention.ms count from the append.
func TestLogAppendTimeDatesRecordsByTheLeadersClock(t *testing.T) {
	for _, appendTime := range []bool{false, true} {
		n := compactedBench(t)
		n.plan.Partitions[0].Config.Log.AppendTime = appendTime
		sent := n.now
		batch := kafka.Batch{
			Records:    kafka.NewColumns(1).Append(kafka.Record{Key: 1, Size: 100, Timestamp: sent}),
			ProducerID: kafka.NoProducerID, BaseSequence: kafka.NoSequence,
		}
		n.now = 70_000 // it waited in its producer
		conn := n.request(kafka.FirstClientID, &kafka.ProduceRequest{Batches: []kafka.PartitionBatch{{Batch: batch}}, Acks: kafka.AcksOne})
		n.wantProduced(conn, "NONE")
		want := sent
		if appendTime {
			want = n.now
		}
		if got := n.p.log.Active().Largest; got != want {
			t.Errorf("LogAppendTime %v: the segment's newest record is of %d, expected %d", appendTime, got, want)
		}
	}
}
