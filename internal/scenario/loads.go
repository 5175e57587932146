package scenario

import (
	"cmp"
	"fmt"
	"math"

	"replog/internal/kafka"
	"replog/internal/plan"
)

const (
	// maxRecords bounds what a run may send: a simulated record takes some 20 bytes on each replica.
	maxRecords = 50_000_000
	maxLoads   = 500
	maxSteps   = 20
	maxRepeats = 1000
	maxNumber  = 1 << 48
)

// step is one record of each order of a load.
type step struct {
	name      string
	after     kafka.Tick
	producers []kafka.NodeID
	keys      []kafka.KeyID
	deletes   []bool // which of the records are tombstones
}

func (c *compiler) readLoads(file block) {
	n := file.get("loads")
	if n == nil || !c.is(n, sequence, "loads") {
		return
	}
	if len(n.items) > maxLoads {
		c.report(n, "", "there are more than %d loads", maxLoads)
		return
	}
	for _, item := range n.items {
		c.readLoad(c.open(item, loadShape))
	}
}

// readLoad reads one load; it becomes a load of the plan for each step of its orders.
func (c *compiler) readLoad(b block) {
	first := c.names.RecordCount()
	round := int(b.integer("count", 1, 1, math.MaxInt32))
	orders := round * int(b.integer("repeat", 1, 1, maxRepeats))
	number := b.integer("first", c.nextNumber(), 0, maxNumber)
	c.checkNumbers(b, orders, number)
	start, every := b.instant("start", 0), b.span("every", 0)
	if start > c.plan.End {
		c.report(b.get("start"), "", "the load starts after the end of the run")
	}
	burst := int(b.integer("burst", 1, 1, math.MaxInt32))
	period := b.span("repeat.every", c.clock.roundUp(day))
	if length := kafka.Tick((round-1)/burst) * every; orders > round && length >= period {
		c.report(cmp.Or(b.get("repeat.every"), b.get("repeat"), b.node), "", "the load takes longer than the time after which it is repeated")
	}
	size := int32(b.integer("size", 100, 1, 1<<30))
	to := c.loadTopic(b)
	steps := c.readSteps(b, number, orders)
	if total := int64(first) + int64(orders)*int64(len(steps)); total > maxRecords {
		c.report(cmp.Or(b.get("count"), b.node), "set a smaller count", "the loads send %d records; a run takes at most %d", total, maxRecords)
		return
	}
	size = c.compressed(b, size, steps)
	records := kafka.RecordRange{First: kafka.RecordID(first), Orders: orders, FirstNumber: number, Size: size}
	for i, s := range steps {
		c.plan.Loads = append(c.plan.Loads, plan.Load{
			Producers: turn(s.producers, number), Topic: to, Keys: s.keys, Tombstones: s.deletes,
			Start: start + s.after, Every: every, Count: orders, Burst: burst,
			Round: round, Period: period,
			First: records.First + kafka.RecordID(i), Stride: int32(len(steps)), Size: size,
		})
		if s.name != "" {
			records.Steps = append(records.Steps, s.name)
		}
		if len(to) > 0 && c.plan.Partitions[to[0]].Config.Log.Compact {
			records.Keyed = append(records.Keyed, kafka.StepKeys{Keys: s.keys, Tombstones: s.deletes})
		}
	}
	c.names.Loads = append(c.names.Loads, records)
}

// compressed is what is left of a record, by the compression of whoever sends it.
func (c *compiler) compressed(b block, size int32, steps []step) int32 {
	ratio := int64(0)
	for _, s := range steps {
		for _, id := range s.producers {
			if r := c.ratios[id]; ratio != 0 && r != ratio {
				c.report(b.node, "make it two loads", "the steps of a load are sent by producers that compress differently")
			}
			ratio = c.ratios[id]
		}
	}
	if ratio == 0 {
		return size
	}
	return int32(max(1, int64(size)*ratio/100))
}

// turn is the workers in the order in which a load takes them, so that order n goes through worker n mod workers.
func turn(workers []kafka.NodeID, number int64) []kafka.NodeID {
	turned := make([]kafka.NodeID, len(workers))
	for i := range workers {
		turned[i] = workers[(number+int64(i))%int64(len(workers))]
	}
	return turned
}

// nextNumber is the order number behind those of all loads so far.
func (c *compiler) nextNumber() int64 {
	next := int64(1)
	for i := range c.names.Loads {
		next = max(next, c.names.Loads[i].FirstNumber+int64(c.names.Loads[i].Orders))
	}
	return next
}

// checkNumbers refuses orders whose numbers another load has: a number must mean one order in every report.
func (c *compiler) checkNumbers(b block, orders int, number int64) {
	for i := range c.names.Loads {
		other := &c.names.Loads[i]
		if number < other.FirstNumber+int64(other.Orders) && other.FirstNumber < number+int64(orders) {
			c.report(cmp.Or(b.get("first"), b.node), fmt.Sprintf("write first: %d", c.nextNumber()),
				"the orders %d to %d overlap with those of the load %d", number, number+int64(orders)-1, i)
			return
		}
	}
}

func (c *compiler) loadTopic(b block) []kafka.PartitionID {
	if n, ok := c.scalar(b.get("topic"), "topic"); ok {
		if t := c.topicOf(n); t != nil {
			return t.partitions
		}
	}
	return nil
}

// readSteps is the steps of each order; a load without steps has one without a name.
func (c *compiler) readSteps(b block, number int64, orders int) []step {
	whole := step{}
	if n, ok := c.scalar(b.get("producer"), "producer"); ok {
		whole.producers = c.producer(n)
	}
	n := b.get("steps")
	if n == nil || !c.is(n, sequence, "steps") {
		whole.keys = c.readKeys(b.get("key"), number, orders)
		whole.deletes = c.readTombstones(b.get("tombstone"), number, orders)
		return []step{whole}
	}
	if len(n.items) == 0 || len(n.items) > maxSteps {
		c.report(n, "", "an order has from 1 to %d steps, not %d", maxSteps, len(n.items))
		return []step{whole}
	}
	var steps []step
	for _, item := range n.items {
		steps = append(steps, c.readStep(c.open(item, stepShape), b, whole, number, orders))
	}
	return steps
}

// readStep is one step of the orders of a load: what it does not say itself, the load says.
func (c *compiler) readStep(own, load block, s step, number int64, orders int) step {
	s.name = own.text("name")
	if !isName(s.name) && own.get("name") != nil {
		c.report(own.get("name"), "letters, digits and _", "%s can not be the name of a step", quoted(s.name))
	}
	s.after = own.span("after", 0)
	if n, ok := c.scalar(own.get("producer"), "producer"); ok {
		s.producers = c.producer(n)
	}
	key := own.get("key")
	if key == nil {
		key = load.get("key")
	}
	s.keys = c.readKeys(key, number, orders)
	deletes := own.get("tombstone")
	if deletes == nil {
		deletes = load.get("tombstone")
	}
	s.deletes = c.readTombstones(deletes, number, orders)
	return s
}
