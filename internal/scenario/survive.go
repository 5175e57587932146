package scenario

import (
	"fmt"
	"slices"

	"replog/internal/plan"
)

// readSurvive reads the question how many brokers may be lost, which is one about a single partition.
func (c *compiler) readSurvive(file block) {
	n := file.get("survive")
	if n == nil {
		return
	}
	b := c.open(n, surviveShape)
	c.plan.Survive = &plan.Survive{Every: b.span("every", 1)}
	if len(c.plan.Partitions) != 1 {
		c.report(n, "one topic with one partition", "survive is about one partition, and the scenario has %d", len(c.plan.Partitions))
		return
	}
	for i, replica := range c.plan.Partitions[0].Replicas {
		c.needsEntry(n, file, fmt.Sprintf("lose-%d", replica))
		if i > 0 {
			c.needsEntry(n, file, fmt.Sprintf("lag-%d", replica))
		}
	}
}

// needsEntry reports a timeline without an entry of the name.
func (c *compiler) needsEntry(n *node, file block, name string) {
	timeline := file.get("timeline")
	if timeline != nil && slices.ContainsFunc(timeline.items, func(item *node) bool {
		own := item.get("name")
		return own != nil && own.text == name
	}) {
		return
	}
	c.report(n, "- {name: "+name+", at: 30s, when: false, ...}", "survive needs the entry %s in the timeline", name)
}
