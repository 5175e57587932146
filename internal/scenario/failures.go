package scenario

import (
	"slices"

	"replog/internal/kafka"
)

// failure is the orders on which the work of some members fails, until the loads are read that have them.
type failure struct {
	orders      *node
	first, last int // of plan.Consumers
}

// noteFailures keeps what the key fails of a consumer says.
func (c *compiler) noteFailures(b block, config *kafka.ConsumerConfig, members int) {
	n, then := b.get("fails"), b.get("on.failure")
	switch {
	case n == nil && then != nil:
		c.report(then, "fails: 12", "on.failure has nothing to follow")
	case n != nil && (config.Work == 0 || config.HandOff):
		c.report(n, "work: 10ms, without hand.off", "only work that takes time, in the thread that polls, can fail")
	case n != nil:
		c.failures = append(c.failures, failure{n, len(c.plan.Consumers), len(c.plan.Consumers) + members})
	}
}

// findFailures turns the orders into records.
func (c *compiler) findFailures() {
	for _, f := range c.failures {
		var ids []kafka.RecordID
		for i, text := range c.words(f.orders, "fails") {
			found := c.names.FindRecords(text)
			if len(found) == 0 {
				c.report(oneOrMore(f.orders)[i], "", "fails: there is no order %s", quoted(text))
			}
			ids = append(ids, found...)
		}
		slices.Sort(ids)
		for i := f.first; i < min(f.last, len(c.plan.Consumers)); i++ {
			c.plan.Consumers[i].Fails = slices.Compact(ids)
		}
	}
}
