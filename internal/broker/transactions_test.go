package broker

import (
	"testing"

	"replog/internal/fetch"
	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/testdata"
)

type readVector struct {
	ID, Desc, Kind string
	Steps          []struct {
		Op, Type            string
		Records             int
		Txn                 bool
		PID                 kafka.ProducerID
		Offset              kafka.Offset
		ReadCommittedFetch  *struct{ Offset, LastStableOffset kafka.Offset }
		ClientVisible       *int
		ClientPositionAfter *kafka.Offset
	}
}

// TestWhatAReaderWithReadCommittedGets runs the cases that say so through what a leader answers and what a client makes of it.
func TestWhatAReaderWithReadCommittedGets(t *testing.T) {
	asked := 0
	for _, c := range testdata.Vectors[readVector](t, "txn.json") {
		if c.Kind != "lso" {
			continue
		}
		p := newPartition(0, &plan.Partition{Replicas: []kafka.NodeID{1}}, 1)
		p.leading = true
		for _, step := range c.Steps {
			switch step.Op {
			case "append":
				p.put(ownBatch(step.Records, step.PID, step.Txn))
			case "marker":
				p.put(kafka.NewMarker(step.PID, 0, 0, step.Type == "COMMIT", 0))
			case "highWatermark":
				if step.Offset <= p.log.EndOffset() {
					p.setHighWatermark(step.Offset, 0, 1)
				}
			}
			if step.ClientVisible == nil {
				continue
			}
			asked++
			visible, position := read(p)
			if visible != *step.ClientVisible {
				t.Errorf("%s: a client sees %d records, expected %d: %s", c.ID, visible, *step.ClientVisible, c.Desc)
			}
			if want := step.ClientPositionAfter; want != nil && position != *want {
				t.Errorf("%s: it stands at %d then, expected %d", c.ID, position, *want)
			}
		}
	}
	if asked != 2 {
		t.Errorf("%d questions", asked)
	}
}

// ownBatch is a batch of records, of a producer's transaction or plain.
func ownBatch(n int, id kafka.ProducerID, transactional bool) kafka.Batch {
	columns := kafka.NewColumns(n)
	var view kafka.Records
	for range n {
		view = columns.Extend(view, &kafka.Record{Key: kafka.NoKey, Size: 100})
	}
	b := kafka.Batch{Records: view, ProducerID: kafka.NoProducerID, BaseSequence: kafka.NoSequence}
	if transactional {
		b.ProducerID, b.BaseSequence, b.Attributes = id, 0, kafka.Transactional
	}
	return b
}

func (p *partition) put(b kafka.Batch) {
	stored := p.log.AppendAsLeader(b, 0)
	p.producers.Update(&stored)
}

// read is what a reader from the log start on gets of the leader, and keeps.
func read(p *partition) (got int, position kafka.Offset) {
	end := p.lastStable()
	batches, _ := p.log.ReadAll(0, end, 1<<20)
	aborted := fetch.NewAborted(p.stableView(0, end))
	for i := range batches {
		b := &batches[i]
		if !aborted.Drops(b) && !b.IsControl() {
			got += b.Len()
		}
		position = b.NextOffset()
	}
	return got, position
}
