package client

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// fails reports whether the work on the first record of a piece fails: that of plan.Consumer.Fails does, once.
func (c *Consumer) fails(p *piece) bool {
	id := p.IDs()[0]
	if _, listed := slices.BinarySearch(c.spec.Fails, id); !listed || slices.Contains(c.app.failed, id) {
		return false
	}
	c.app.failed = append(c.app.failed, id)
	return true
}

// workFailed is the application's error handler: it gives up what poll() has handed out and goes back, in each partition,
// to the first record that is not done. One that forgets to goes on behind them all.
func (c *Consumer) workFailed(out *node.Out) {
	a := &c.app
	var back []kafka.PartitionID
	for i := range a.work {
		if p := &a.work[i]; !c.config.SkipsFailed && !slices.Contains(back, p.partition) {
			back = append(back, p.partition)
			c.seek(p, out)
		}
	}
	a.work, a.until, a.owes = nil, 0, false
}

// seek moves the position back to the beginning of a piece (KafkaConsumer.seek).
func (c *Consumer) seek(to *piece, out *node.Out) {
	p := c.position(to.partition)
	if p == nil || p.state != standing && p.state != validating {
		return
	}
	c.dropFetched(to.partition)
	p.offset, p.read = to.offset, to.epoch
	out.Because(to.cause)
	c.tellPosition(p, event.FoundBySeek, out)
	c.stand(p)
}
