package scenario

import "replog/internal/plan"

// readSurvive reads the question how many brokers may be lost, which is one about a single partition.
func (c *compiler) readSurvive(n *node) {
	if n == nil {
		return
	}
	b := c.open(n, surviveShape)
	if len(c.plan.Partitions) != 1 {
		c.report(n, "one topic with one partition", "survive is about one partition, and the scenario has %d", len(c.plan.Partitions))
	}
	c.plan.Survive = &plan.Survive{Every: b.span("every", 1)}
}
