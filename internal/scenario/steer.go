package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"replog/internal/kafka"
)

// readElection reads an operator's kafka-leader-election, and returns it in words.
func (c *compiler) readElection(b block, f *fault) string {
	c.refuseEnd(b, "an election takes no time")
	e := c.open(f.node, electShape)
	f.Election = kafka.ElectPreferred
	if e.choice("type", "preferred", "unclean") == "unclean" {
		f.Election = kafka.ElectUnclean
	}
	words := "an operator asks for a " + f.Election.String() + " election"
	one, topic := e.get("partition"), e.get("topic")
	switch {
	case one != nil && topic != nil:
		c.report(topic, "keep one of the two", "the partition says which topic it is")
	case one != nil:
		if n, ok := c.scalar(one, "partition"); ok {
			f.Partitions, words = []kafka.PartitionID{c.partition(n)}, words+" of "+n.text
		}
	case topic != nil:
		if n, ok := c.scalar(topic, "topic"); ok {
			if t := c.topicOf(n); t != nil {
				f.Partitions, words = t.partitions, words+" of "+n.text
			}
		}
	default:
		for i := range c.plan.Partitions {
			f.Partitions = append(f.Partitions, kafka.PartitionID(i))
		}
	}
	return words
}

// readDeleteRecords reads an operator's kafka-delete-records, and returns it in words.
func (c *compiler) readDeleteRecords(b block, f *fault) string {
	c.refuseEnd(b, "what is deleted does not come back")
	e := c.open(f.node, deleteRecordsShape)
	words := "an operator deletes the records"
	if n, ok := c.scalar(e.get("partition"), "partition"); ok {
		f.Partitions, words = []kafka.PartitionID{c.partition(n)}, words+" of "+n.text
	}
	f.Before = kafka.Offset(e.integer("before", int64(kafka.NoOffset), int64(kafka.NoOffset), maxNumber))
	if f.Before == kafka.NoOffset {
		return words + " that are committed"
	}
	return words + " before offset " + strconv.FormatInt(int64(f.Before), 10)
}

// readCut reads between whom no packet gets through, and returns it in words.
func (c *compiler) readCut(b block, f *fault) string {
	m := c.open(f.node, cutShape)
	c.readEnd(b, f)
	n := m.get("between")
	if n == nil {
		return ""
	}
	if n.kind != sequence || len(n.items) != 2 {
		c.report(n, "between: [broker 2, controller]", "between takes a list of two parties")
		return ""
	}
	one, other := c.nodes(n.items[0], "between"), c.nodes(n.items[1], "between")
	f.Match.From, f.Match.To = apart(one, other), apart(other, one)
	if len(f.Match.From) == 0 || len(f.Match.To) == 0 {
		c.report(n, "", "the same party stands on both sides of the cut")
	}
	return "the link between " + c.joined(n.items[0]) + " and " + c.joined(n.items[1]) + " is cut"
}

// apart leaves out of a larger group whoever stands on the other side: between [broker 1, brokers] are broker 1 and the
// others.
func apart(group, other []kafka.NodeID) []kafka.NodeID {
	if len(group) < len(other) {
		return group
	}
	return slices.DeleteFunc(slices.Clone(group), func(id kafka.NodeID) bool { return slices.Contains(other, id) })
}

// readDiskFailure reads which log directory of which broker fails, and returns it in words.
func (c *compiler) readDiskFailure(b block, f *fault) string {
	c.refuseEnd(b, "a new disk comes with a restart of the broker")
	m := c.open(f.node, diskShape)
	if c.plan.Lesson {
		c.report(f.node, "crash it", "a lesson has no heartbeats, so nobody would hear of a log directory")
	}
	f.LogDir = int32(m.integer("dir", 1, 1, int64(c.plan.Broker.LogDirs)))
	f.node = m.get("broker")
	return fmt.Sprintf("log directory %d of %s fails", f.LogDir, c.readBroker(f.node, f, "broker"))
}

// breakDir notes a log directory that fails, and reports whether the broker halts with it.
func (c *compiler) breakDir(f *fault, failed map[kafka.NodeID]kafka.LogDirs) bool {
	if failed[f.Node].Has(f.LogDir) {
		c.report(f.node, "a restart of the broker brings a new disk", "log directory %d of %s has failed already at that time", f.LogDir,
			brokerName(f.Node))
	}
	failed[f.Node] = failed[f.Node].With(f.LogDir)
	return f.LogDir == c.plan.Broker.MetadataLogDir || failed[f.Node].Len() == int(c.plan.Broker.LogDirs)
}

// readPowerLoss reads which broker loses its power and what had not reached its disk, and returns it in words.
func (c *compiler) readPowerLoss(b block, f *fault) string {
	c.refuseEnd(b, "a broker without power stays down until a restart")
	m := c.open(f.node, powerShape)
	f.Unflushed = int32(m.integer("unflushed", 0, 0, math.MaxInt32))
	f.node = m.get("broker")
	return c.readBroker(f.node, f, "broker") + " loses its power"
}
