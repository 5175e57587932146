package sim

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file lets the two halves of a processor, its consumer and its producer, be one process.

// otherHalf is the producer of a processor, by its consumer; nil for any other node.
func (c *Cluster) otherHalf(id kafka.NodeID) *member {
	if spec := c.consumer(id); spec != nil && spec.Feeds != nil {
		return c.member(spec.Feeds.Producer)
	}
	return nil
}

// endHalf ends the producer of a processor with its process.
func (c *Cluster) endHalf(m *member, died event.Seq) {
	m.up, m.paused = false, 0
	m.incarnation++
	for _, ended := range c.net.Kill(m.id) {
		c.tellOfDeath(c.net.Conn(ended), m.id, died)
	}
}

// tell has one half hear what the other says, in the same tick.
func (c *Cluster) tell(m *member, whom kafka.NodeID, words kafka.Body, cause event.Seq) {
	c.queue.push(c.queue.now, classApplication, &item{
		kind: itemWords, node: whom, body: words, index: int32(m.id), corr: m.incarnation, cause: cause,
	})
}

func (c *Cluster) takeWords(it *item) {
	if c.void(it) {
		return
	}
	c.begin(it.cause)
	m, words := c.member(it.node), it.body.(*node.Words)
	switch words.Say {
	case node.SayAnew:
		c.restartProducer(m)
	case node.SayWork:
		c.produceResults(m, kafka.NodeID(it.index), words, it.cause)
	default:
		c.input = node.Input{Kind: node.Told, Now: c.queue.now, Body: words, From: kafka.NodeID(it.index), Cause: it.cause}
		c.give(m)
	}
	c.flush()
}

// produceResults hands a producer what a processor makes of some records, one of each, with its key.
func (c *Cluster) produceResults(m *member, consumer kafka.NodeID, words *node.Words, cause event.Seq) {
	feeds := c.consumer(consumer).Feeds
	for i := range words.Records.Len() {
		key := words.Records.Key(i)
		c.input = node.Input{
			Kind: node.Send, Now: c.queue.now, Topic: feeds.Topic, From: kafka.NoNode, Cause: cause,
			Record: kafka.Record{ID: feeds.Result(words.Records.ID(i)), Key: key, Size: feeds.Size, Timestamp: c.queue.now},
		}
		if key == kafka.NoKey || c.plan.Names.Keys[key] == "" {
			c.input.Draw = c.chance.Uint64()
		}
		c.give(m)
	}
}
