package client

import (
	"slices"

	"replog/internal/kafka"
	"replog/internal/node"
)

// This file is an application that hands its work to a thread of its own: poll() goes on meanwhile, so that the member
// is never overdue and rebalances at once, and what it has handed over outlives the ownership of its partition.

// runBoth lets the thread that polls and the one that works go on as far as they can at this instant.
func (c *Consumer) runBoth(out *node.Out) {
	for more := true; more; {
		more = c.app.state == polling && c.poll(out)
		more = out.Now() >= c.app.stalled && c.workOff(out) || more
	}
}

// backlog reports whether the working thread still has something to do, which a close waits for.
func (c *Consumer) backlog() bool { return c.config.HandOff && len(c.app.work) > 0 }

// backlogFull reports whether as much waits for the working thread as may: then poll() hands out nothing, as with all
// partitions paused (KafkaConsumer.pause).
func (c *Consumer) backlogFull() bool {
	waiting := 0
	for i := range c.app.work {
		waiting += c.app.work[i].Len()
	}
	return c.config.HandOff && (waiting >= int(c.config.MaxPollRecords) || c.app.closing)
}

// workOff does what the working thread can do now. It reports whether there is more to do at once.
func (c *Consumer) workOff(out *node.Out) bool {
	a := &c.app
	switch {
	case a.state == ended || len(a.work) == 0:
		return false
	case a.until == 0 && c.config.Work > 0:
		a.until = out.Now() + c.config.Work
		return false
	case out.Now() < a.until:
		return false
	}
	first := &a.work[0]
	c.perform(first, 1, out)
	if !a.orphaned {
		c.storeDone(first, 1)
		c.noteDone(first.end(1))
	}
	a.until, a.orphaned = 0, false
	c.next()
	c.commitDone(out)
	return true
}

// next goes on behind the record that is done; an application that breaks off leaves the rest.
func (c *Consumer) next() {
	a := &c.app
	first := &a.work[0]
	first.Records, first.offset = first.Part(1, first.Len()-1), first.offset+1
	if first.Len() == 0 {
		a.work = a.work[1:]
	}
	if a.closing && c.config.BreaksOff {
		a.work, a.owes = nil, false
	}
}

// noteDone keeps the offset behind what is done, for the commit.
func (c *Consumer) noteDone(done kafka.PartitionOffset) {
	a := &c.app
	at := slices.IndexFunc(a.done, func(o kafka.PartitionOffset) bool { return o.Partition == done.Partition })
	if at < 0 {
		a.done = append(a.done, done)
		return
	}
	a.done[at] = done
}

// commitDone commits what is done, whoever owns the partition by now: after each record, or when nothing waits.
func (c *Consumer) commitDone(out *node.Out) {
	a := &c.app
	switch {
	case c.config.Commit == kafka.CommitAfterRecord:
	case c.config.Commit == kafka.CommitAfterPoll && len(a.work) == 0:
	case c.config.Commit == kafka.CommitAfterPoll:
		return
	default:
		a.done = nil
		return
	}
	c.startCommit(a.done, commitAsync, out)
	a.done = nil
}

// dropWork takes the work on a partition that was taken away from the working thread, where the application does so. What
// the thread is in the middle of it finishes.
func (c *Consumer) dropWork(partition kafka.PartitionID) {
	a := &c.app
	if !c.config.DropsRevoked {
		return
	}
	a.done = slices.DeleteFunc(a.done, func(o kafka.PartitionOffset) bool { return o.Partition == partition })
	var kept []piece
	for i, p := range a.work {
		switch {
		case p.partition != partition:
			kept = append(kept, p)
		case i == 0 && a.until > 0:
			a.orphaned = true
			p.Records = p.Part(0, 1)
			kept = append(kept, p)
		}
	}
	a.work = kept
}
