package view

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// Again says why a group comes to an offset that it was at before.
type Again uint8

// The reasons.
const (
	AgainUncommitted Again = iota // nobody had committed behind it
	AgainExpired                  // what was committed has expired (offsets.retention.minutes)
	AgainOverwritten              // a later commit was of an offset further back
	AgainLost                     // the broker that coordinates the group now never had the commit
	AgainByItself                 // it is committed: the application, or a reset of the position, went back by itself
	AgainCount
)

// Commit is what a group has committed of a partition.
type Commit struct {
	Committed kafka.Offset // NoOffset without a commit
	By        kafka.NodeID // who committed it
	At        kafka.Tick   // when
	Furthest  kafka.Offset // the highest offset that was ever committed
	Back      Again        // why Committed is not so far
}

var uncommitted = Commit{Committed: kafka.NoOffset, By: kafka.NoNode, Furthest: kafka.NoOffset}

// WhyAgain says why the group, which read the offset before, comes to it again.
func (c *Commit) WhyAgain(at kafka.Offset) Again {
	switch {
	case at >= c.Furthest:
		return AgainUncommitted
	case at < c.Committed:
		return AgainByItself
	}
	return c.Back
}

// set takes in a commit that counts from now on.
func (c *Commit) set(e *event.Event, by kafka.NodeID) {
	c.Committed, c.By, c.At = e.Offset, by, e.At
	if e.Offset >= c.Furthest {
		c.Furthest = e.Offset
	} else if e.Kind != event.OffsetLoaded { // what a new coordinator has read is the last that it has got
		c.Back = AgainOverwritten
	}
}

// expire takes in the end of offsets.retention.minutes.
func (c *Commit) expire() { c.Committed, c.Back = kafka.NoOffset, AgainExpired }

// reload is what a new coordinator has of it before it tells what it has read.
func (c *Commit) reload() {
	if c.Committed == c.Furthest {
		c.Back = AgainLost
	}
	c.Committed, c.By = kafka.NoOffset, kafka.NoNode
}
