package client

import (
	"testing"

	"replog/internal/kafka"
	"replog/internal/node"
)

// sendUnkeyed hands over a record without a key, with a draw that would choose the partition.
func (d *driver) sendUnkeyed(draw uint64) {
	d.t.Helper()
	d.nextID++
	d.give(node.Input{Kind: node.Send, Topic: d.topic, Draw: draw, Record: kafka.Record{
		ID: d.nextID, Key: kafka.NoKey, Size: 100, Timestamp: d.now,
	}})
}

func sticky(s kafka.Stickiness) kafka.ProducerConfig {
	config := usual()
	config.Partitioner, config.Sticky, config.StickyTicks, config.LingerTicks = kafka.Murmur2Random, s, 10, 5
	config.OnePartitionARequest = true
	return config
}

func TestStickyForTime(t *testing.T) {
	d := drive(t, sticky(kafka.StickyForTime), 3)
	d.leaders(0, 1, 1, 1)
	for i, at := range []kafka.Tick{0, 4, 9, 10} {
		d.until(at)
		d.sendUnkeyed([]uint64{0, 1, 2, 1}[i]) // the draws of the second and third do not count
	}
	d.until(20)
	d.wantOpen("p0:1,2 | p0:3 | p1:4")
}

func TestStickyForBatch(t *testing.T) {
	d := drive(t, sticky(kafka.StickyForBatch), 3)
	d.leaders(0, 1, 1, 1)
	d.sendUnkeyed(0)
	d.sendUnkeyed(1)
	d.until(5) // the batch has gone: a new one begins elsewhere
	d.sendUnkeyed(2)
	d.until(10)
	d.wantOpen("p0:1,2 | p2:3")
}

func TestStickyForBytes(t *testing.T) {
	config := sticky(kafka.StickyForBytes)
	config.BatchBytes = 250
	d := drive(t, config, 3)
	d.leaders(0, 1, 1, 1)
	for i := range 4 {
		d.sendUnkeyed(uint64(i))
		d.until(d.now + 6)
	}
	d.wantOpen("p0:1 | p0:2 | p0:3 | p0:4") // the fourth draws 3, which is p0 again
	d.sendUnkeyed(1)
	d.until(d.now + 6)
	if got := d.requests[len(d.requests)-1].String(); got != "p0:5" {
		t.Errorf("%s, want p0:5", got)
	}
}

func TestStickyPassesOverPartitionsWithoutALeader(t *testing.T) {
	d := drive(t, sticky(kafka.StickyForBatch), 3)
	d.leaders(0, 1, kafka.NoNode, 1)
	d.sendUnkeyed(1)
	d.until(5)
	d.wantOpen("p2:1")
}

// TestAdaptiveDrawsWhereLittleWaits: with 0, 3 and 1 batches waiting the draws 0 to 7 fall 4, 1 and 3 times.
func TestAdaptiveDrawsWhereLittleWaits(t *testing.T) {
	config := sticky(kafka.StickyForBytes)
	config.Adaptive, config.BatchBytes, config.LingerTicks = true, 1000, 10_000
	d := drive(t, config, 3)
	d.leaders(0, 1, 1, 1)
	d.p.queues[1].bytes, d.p.queues[2].bytes = 2500, 700
	var fell [3]int
	for draw := range uint64(8) {
		fell[d.p.draw(&node.Input{Topic: d.topic, Draw: draw})]++
	}
	if fell != [3]int{4, 1, 3} {
		t.Errorf("the draws fall %v times, want 4 1 3", fell)
	}
	d.p.queues[1].bytes, d.p.queues[2].bytes = 0, 0
	if got := d.p.draw(&node.Input{Topic: d.topic, Draw: 5}); got != 2 {
		t.Errorf("with nothing waiting the draw 5 falls on %d, want 2: even chances", got)
	}
}
