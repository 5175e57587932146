package sim

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// scheduleConsumers has the consumers that do not run from the beginning start when they should.
func (c *Cluster) scheduleConsumers() {
	for i := range c.plan.Consumers {
		if at := c.plan.Consumers[i].Starts; at > 0 && at < kafka.Never {
			c.queue.push(at, classFault, &item{kind: itemStart, node: c.plan.Consumers[i].ID})
		}
	}
}

// takeStart begins a process that did not run yet.
func (c *Cluster) takeStart(id kafka.NodeID) {
	c.begin(0)
	if m := c.member(id); !m.up {
		c.startConsumer(m)
	}
	c.flush()
}

// startConsumer begins a consumer's process, the first time or again.
func (c *Cluster) startConsumer(m *member) {
	if other := c.otherHalf(m.id); other != nil && !other.up {
		c.restartProducer(other)
	}
	m.up = true
	m.incarnation++
	began := c.out.Emit(event.Event{Kind: event.ConsumerStarted, Node: m.id})
	c.input = node.Input{Kind: node.Restart, Now: c.queue.now, Cause: began, From: kafka.NoNode}
	if !m.begun {
		m.begun, c.input.Kind = true, node.Start
	}
	c.give(m)
}

// stall has a consumer's application stand still.
func (c *Cluster) stall(f *plan.Fault, index int) {
	if m := c.member(f.Node); m.up {
		c.input = node.Input{Kind: node.Stall, Now: c.queue.now, Until: f.Until, Cause: c.faults[index], From: kafka.NoNode}
		c.give(m)
	}
	if f.Until < kafka.Never {
		c.queue.push(f.Until, classFault, &item{kind: itemFaultEnd, index: int32(index)})
	}
}

// perform has an effect happen outside of Kafka, or be refused: a table with a unique key takes a record once.
func (c *Cluster) perform(m *member, e *node.Effect) {
	spec := c.consumer(m.id)
	ids := e.Deed.Records.IDs()
	if spec.Feeds != nil {
		c.tell(m, spec.Feeds.Producer, &node.Words{Say: node.SayWork, Records: e.Deed.Records}, e.Cause)
	}
	if !spec.Effect.Unique {
		c.tellEffect(event.EffectHappened, m.id, e, 0, ids)
		return
	}
	for i := range ids {
		kind := event.EffectHappened
		if !c.world.Insert(spec.Group, ids[i]) {
			kind = event.EffectRefused
		}
		c.tellEffect(kind, m.id, e, i, ids[i:i+1])
	}
}

// tellEffect emits what became of some of a deed's records, from the first of them on.
func (c *Cluster) tellEffect(kind event.Kind, who kafka.NodeID, e *node.Effect, first int, ids []kafka.RecordID) {
	c.out.BecauseExactly(e.Cause)
	c.out.EmitIDs(event.Event{
		Kind: kind, Node: who, Partition: e.Deed.Partition, Offset: e.Deed.Offset + kafka.Offset(first), About: e.Cause,
	}, ids)
}

func (c *Cluster) consumer(id kafka.NodeID) *plan.Consumer {
	for i := range c.plan.Consumers {
		if c.plan.Consumers[i].ID == id {
			return &c.plan.Consumers[i]
		}
	}
	return nil
}
