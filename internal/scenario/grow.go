package scenario

import (
	"cmp"
	"fmt"
	"strconv"

	"replog/internal/plan"
)

// partitionsLater is how many partitions the timeline gives a topic; the partitions of a cluster are numbered before the
// timeline is read. What is wrong with an entry is reported when it is.
func (c *compiler) partitionsLater(topic string) int {
	most := 0
	timeline := c.root.get("timeline")
	if timeline == nil || timeline.kind != sequence {
		return 0
	}
	for _, item := range timeline.items {
		grow := item.get("add.partitions")
		if grow == nil || isFalse(item.get("when")) {
			continue
		}
		name, count := grow.get("topic"), grow.get("count")
		if name == nil || count == nil || name.text != topic {
			continue
		}
		if n, err := strconv.Atoi(count.text); err == nil && n <= maxPartitions {
			most = max(most, n)
		}
	}
	return most
}

func isFalse(n *node) bool { return n != nil && n.kind == scalar && n.text == "false" }

// readGrowth reads which topic gets how many partitions, and returns it in words.
func (c *compiler) readGrowth(b block, f *fault) string {
	c.refuseEnd(b, "partitions stay")
	g := c.open(f.node, growShape)
	if c.plan.Lesson {
		c.report(f.node, "", "a lesson has no metadata that a producer would ask for")
	}
	f.grown = int(g.integer("count", 1, 1, maxPartitions))
	n, ok := c.scalar(g.get("topic"), "topic")
	if !ok {
		return ""
	}
	f.topic = c.topicOf(n)
	return fmt.Sprintf("%s has %d partitions from now on", n.text, f.grown)
}

// grow gives each entry that adds partitions its own, in the order of time, with those of the entries before it: one of them
// may have found no broker to lead them.
func (c *compiler) grow(faults []fault) {
	for i := range faults {
		f := &faults[i]
		if f.Kind != plan.AddPartitions || f.topic == nil {
			continue
		}
		if f.grown <= f.topic.exist || f.grown > len(f.topic.partitions) {
			c.report(cmp.Or(f.node.get("count"), f.node), "partitions can only be added", "%s has %d partitions already at that time", f.topic.name, f.topic.exist)
			continue
		}
		f.Partitions = f.topic.partitions[f.topic.first:f.grown]
		f.topic.exist = f.grown
	}
}
