package client

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// failures lists the ticks at which records were reported as failed with the error.
func (d *driver) failures(code kafka.ErrorCode) (at []kafka.Tick) {
	for _, e := range d.log.All() {
		if e.Kind == event.RecordsFailed && e.Error == code {
			at = append(at, e.At)
		}
	}
	return at
}

func TestFullQueueFailsAtOnce(t *testing.T) {
	config := sticky(kafka.StickyForTime)
	config.QueueMessages = 2
	d := drive(t, config, 1)
	d.leaders(0, 1)
	for range 3 {
		d.sendUnkeyed(0)
	}
	if got := d.failures(kafka.QueueFull); len(got) != 1 || got[0] != 0 {
		t.Errorf("_QUEUE_FULL at %v, want once at 0", got)
	}
	d.until(5)
	d.wantOpen("p0:1,2")
	d.answer(1, 0, kafka.None)
	d.sendUnkeyed(0)
	if got := d.failures(kafka.QueueFull); len(got) != 1 {
		t.Error("there is room again, and the record is refused")
	}
}

func TestSendBlocksForRoom(t *testing.T) {
	config := sticky(kafka.StickyForTime)
	config.BufferBytes, config.MaxBlock = 250, 1000
	d := drive(t, config, 1)
	d.leaders(0, 1)
	for range 5 {
		d.sendUnkeyed(0) // 3, 4 and 5 have to wait, one call after the other
	}
	d.until(500)
	d.wantOpen("p0:1,2")
	d.until(1500)
	if got := d.failures(kafka.MessageTimedOut); !slices.Equal(got, []kafka.Tick{1000}) {
		t.Errorf("max.block.ms is over at %v, want at 1000 for the first that waits", got)
	}
	d.answer(1, 0, kafka.None)
	d.until(1510)
	d.wantOpen("p0:4,5")
	if got := d.failures(kafka.MessageTimedOut); len(got) != 1 {
		t.Errorf("failures at %v: what fits in time is taken", got)
	}
}

func TestRoundRobinGoesRoundWhoeverHasALeader(t *testing.T) {
	config := usual()
	config.RoundRobin = true
	d := drive(t, config, 3)
	d.leaders(0, 1, kafka.NoNode, 1)
	for range 4 {
		d.send(1) // the key does not count
	}
	d.wantOpen("p0:1 | p2:2 | p0:3 | p2:4")
}
