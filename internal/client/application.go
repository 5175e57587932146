package client

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// closeMillis is how long KafkaConsumer.close() waits for its commit and its leave (DEFAULT_CLOSE_TIMEOUT_MS).
const closeMillis = 30_000

// appState is where the application's only thread is.
type appState uint8

const (
	polling    appState = iota // in poll()
	working                    // on what the latest poll() handed out
	committing                 // in commitSync()
	ended                      // it has closed its consumer
)

// application is the program around a consumer: it polls, works on each record and commits, one after the other.
type application struct {
	work       []piece                 // handed out and not done
	done       []kafka.PartitionOffset // with HandOff, done and not committed, a partition each
	until      kafka.Tick              // when the work on the first record is done, 0 when it has not begun
	stalled    kafka.Tick              // it stands still until then
	leftPoll   kafka.Tick              // when poll() last returned
	again      kafka.Tick              // when it starts anew after an error
	closeEnd   kafka.Tick              // how long a close may take; 0 while it is not closing
	state      appState
	closing    bool             // it will close its consumer instead of the next poll()
	exits      bool             // and end its process
	leaving    bool             // the close has committed and says good-bye
	left       bool             // and nobody has to answer that any more
	owes       bool             // the commit after all records of the poll is still to come
	acted      bool             // it has done something that poll() is to come after
	failed     []kafka.RecordID // the work on these has failed once
	orphaned   bool             // what the thread is at work on belongs to somebody else now
	member     string           // a processor: as which it has what it is at work on
	generation int32
	round      int32                   // of the SayFinish that it waits for, or the latest
	finishes   []kafka.PartitionOffset // what its offsets are then
}

func (a *application) whenDue(d *due) {
	if a.stalled > d.now {
		d.at(a.stalled)
	} else {
		d.at(a.until)
	}
	d.at(a.again)
	d.at(a.closeEnd)
}

// run lets the application go on as far as it can at this instant.
func (c *Consumer) run(out *node.Out) {
	if c.config.HandOff {
		c.runBoth(out)
		return
	}
	for out.Now() >= c.app.stalled && c.step(out) {
	}
}

// step is one step of the application. It reports whether another one can follow at once.
func (c *Consumer) step(out *node.Out) bool {
	switch c.app.state {
	case polling:
		return c.poll(out)
	case working:
		return c.workOn(out)
	}
	return false
}

// stall makes the application stand still, wherever it is; what it has in work takes so much longer.
func (c *Consumer) stall(until kafka.Tick, out *node.Out) {
	a := &c.app
	now := out.Now()
	if a.state == ended || until <= now {
		return
	}
	if a.state == polling && !c.config.HandOff {
		a.state, a.leftPoll = working, now // its poll() has just returned nothing
	}
	if a.until > now {
		a.until += until - max(now, a.stalled)
	}
	a.stalled = until
}

// takeRecords is what follows when poll() returns records.
func (c *Consumer) takeRecords(handed []piece, out *node.Out) {
	a := &c.app
	c.storeHanded(handed)
	if c.spec.Feeds != nil {
		c.noteGeneration()
	}
	if c.config.HandOff {
		a.work = append(a.work, handed...)
		if c.config.Commit == kafka.CommitBeforeWork {
			c.startCommit(c.consumed(), commitAsync, out)
		}
		return
	}
	a.state, a.leftPoll = working, out.Now()
	a.work, a.acted = handed, false
	a.owes = c.config.Commit == kafka.CommitAfterPoll
	if c.config.Commit == kafka.CommitBeforeWork {
		c.applicationCommits(c.consumed(), out)
	}
}

// workOn does what can be done of the work now. With all of it done the application polls again.
func (c *Consumer) workOn(out *node.Out) bool {
	a := &c.app
	switch {
	case len(a.work) == 0 && a.owes:
		a.owes = false
		c.applicationCommits(c.consumed(), out)
	case len(a.work) == 0 && a.acted && len(c.buffer) > 0:
		// What it has just done is told before what the next poll() brings.
		a.acted = false
		out.Timer(out.Now(), node.Timer{Kind: timerConsumer})
		return false
	case len(a.work) == 0:
		a.state = polling
	case c.config.Work == 0 && c.config.Commit != kafka.CommitAfterRecord:
		for i := range a.work {
			c.perform(&a.work[i], a.work[i].Len(), out)
			c.storeDone(&a.work[i], a.work[i].Len())
		}
		a.work = nil
	case a.until == 0 && c.config.Work > 0:
		a.until = out.Now() + c.config.Work
		return false
	case out.Now() < a.until:
		return false
	default:
		c.finishRecord(out)
	}
	return true
}

// finishRecord ends the work on one record.
func (c *Consumer) finishRecord(out *node.Out) {
	a := &c.app
	first := &a.work[0]
	if c.fails(first) {
		c.workFailed(out)
		return
	}
	c.perform(first, 1, out)
	c.storeDone(first, 1)
	done := first.end(1)
	a.until = 0
	c.next()
	if c.config.Commit == kafka.CommitAfterRecord {
		c.applicationCommits([]kafka.PartitionOffset{done}, out)
	}
}

// perform has the effect of records outside of Kafka happen.
func (c *Consumer) perform(p *piece, n int, out *node.Out) {
	if c.spec.Effect.Kind == plan.NoEffect {
		return
	}
	c.app.acted = true
	out.Because(p.cause)
	out.Perform(&node.Deed{Records: p.Part(0, n), Offset: p.offset, Partition: p.partition})
}

// applicationCommits is commitSync() or commitAsync().
func (c *Consumer) applicationCommits(offsets []kafka.PartitionOffset, out *node.Out) {
	if c.spec.Feeds != nil {
		c.finish(offsets, out)
		return
	}
	if c.config.AsyncCommit {
		c.startCommit(offsets, commitAsync, out)
		return
	}
	if len(offsets) > 0 {
		c.app.state = committing // until endCommit
		c.startCommit(offsets, commitSync, out)
	}
}

// close is KafkaConsumer.close(): with auto-commit it commits, then it lets go of everything and leaves the group.
func (c *Consumer) close(out *node.Out) {
	a, now := &c.app, out.Now()
	if a.closeEnd == 0 {
		a.closeEnd = now + c.ticks(closeMillis)
		if c.config.AutoCommit {
			c.startCommit(c.covered(), commitClose, out)
		}
	}
	if !a.leaving {
		if c.committing(commitClose) && now < a.closeEnd {
			return
		}
		c.letGo(out)
		a.leaving, a.left = true, !c.leave(out)
	}
	if a.left || now >= a.closeEnd {
		c.end(out)
	}
}

// letGo gives up all partitions: as their owner, or as one who has lost them already.
func (c *Consumer) letGo(out *node.Out) {
	kind := event.PartitionRevoked
	if c.group.generation < 0 || c.group.state == joining || c.group.state == syncing {
		kind = event.PartitionLost
	}
	c.change(nil, kind, out)
}

// end closes the connections; the process exits, or it stays and starts anew after a while.
func (c *Consumer) end(out *node.Out) {
	exits := c.app.exits
	c.app = application{state: ended, closing: true}
	if !exits {
		c.app.again = out.Now() + c.config.RejoinTicks
	}
	c.calls, c.commits, c.buffer = nil, nil, nil
	for _, broker := range c.metadata.brokers {
		for _, channel := range []node.Channel{node.DataChannel, node.ControlChannel, node.GroupChannel} {
			out.Close(broker, channel)
		}
	}
	if exits {
		out.Exit()
	}
}
