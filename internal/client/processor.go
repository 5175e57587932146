package client

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file is the consumer's half of a processor, which consumes, transforms and produces. What comes of the records it hands to
// its producer (feed.go); before it polls again, all of that is stored and its offsets are committed. With transactions the one
// happens if and only if the other does.

// finish has the producer finish what it was handed, and waits for it.
func (c *Consumer) finish(offsets []kafka.PartitionOffset, out *node.Out) {
	a := &c.app
	moved := slices.DeleteFunc(offsets, func(o kafka.PartitionOffset) bool { return c.position(o.Partition).committed == o.Offset })
	words := &node.Words{Say: node.SayFinish, Offsets: moved, Group: c.spec.Group, Generation: -1}
	c.noteGeneration()
	if c.spec.Feeds.Fenced {
		words.MemberID, words.InstanceID, words.Generation = a.member, c.config.InstanceID, a.generation
	}
	a.round++
	words.Round = a.round
	a.finishes = moved
	a.state = committing
	out.Tell(c.spec.Feeds.Producer, words)
}

// noteGeneration keeps what groupMetadata() says: the latest generation that the member was in, also when it has lost that since.
func (c *Consumer) noteGeneration() {
	if c.group.generation > 0 && c.group.member != "" {
		c.app.member, c.app.generation = c.group.member, c.group.generation
	}
}

// told takes what the producer says.
func (c *Consumer) told(words *node.Words, out *node.Out) {
	switch {
	case words.Say == node.SayFatal:
		c.fail(words.Code, out)
	case c.app.state != committing || words.Round != c.app.round:
	case words.Say == node.SayFailed:
		c.rewind(out)
	case !c.spec.Feeds.Exactly && len(c.app.finishes) > 0:
		c.startCommit(c.app.finishes, commitSync, out)
	default:
		c.finished(out)
	}
}

// finished goes on after a commit that was part of the transaction.
func (c *Consumer) finished(out *node.Out) {
	cause := out.Cause()
	for _, o := range c.app.finishes {
		if p := c.position(o.Partition); p != nil && p.state != unassigned {
			p.committed = o.Offset
		}
		out.BecauseExactly(cause)
		out.Emit(event.Event{
			Kind: event.OffsetCommitted, Node: c.id, Peer: c.group.coordinator, Partition: o.Partition, Offset: o.Offset,
			Value: int64(c.spec.Group),
		})
	}
	c.app.state, c.app.finishes = working, nil
}

// rewind begins anew at the committed offsets: what was read since then is to be read again.
func (c *Consumer) rewind(out *node.Out) {
	for _, id := range c.group.owned {
		p := c.position(id)
		if p == nil {
			continue
		}
		if s := c.session(p.leader); s != nil {
			s.Remove(id)
		}
		c.dropFetched(id)
		p.held, p.offset = newHeld(unknown), kafka.NoOffset
	}
	c.app.work, c.app.owes, c.app.finishes, c.app.until, c.app.state = nil, false, nil, 0, polling
}
