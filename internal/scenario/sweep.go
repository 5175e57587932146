package scenario

import (
	"cmp"
	"slices"

	"replog/internal/kafka"
	"replog/internal/plan"
)

// readSweeps reads the faults that are tried at every moment. It comes after the timeline, whose entries make them.
func (c *compiler) readSweeps(file block) {
	n := file.get("sweep")
	if n == nil || !c.is(n, sequence, "sweep") {
		return
	}
	for _, item := range n.items {
		b := c.open(item, sweepShape)
		s := plan.Sweep{From: b.instant("from", 0), To: b.instant("to", c.plan.End), Counts: c.readerNamed(b.get("counts"))}
		if to := b.get("to"); to != nil && (s.To < s.From || s.To > c.plan.End) {
			c.report(to, "", "the last moment comes after the first, and before the end of the run")
		}
		if entries := b.get("entries"); entries != nil {
			for _, name := range oneOrMore(entries) {
				if text, ok := c.scalar(name, "entries"); ok {
					c.checkSwept(text, file.get("timeline"))
					s.Entries = append(s.Entries, text.text)
				}
			}
		}
		if len(s.Entries) == 0 {
			c.report(cmp.Or(b.get("entries"), b.node), "entries: [death, back]", "a sweep needs the name of an entry to move")
			continue
		}
		c.plan.Sweeps = append(c.plan.Sweeps, s)
	}
}

// lifeKeys are the keys of the entries that stop or start a process.
var lifeKeys = []string{"crash", "restart", "shutdown", "start"}

// checkSwept reports an entry that is not there, or that can not be moved: only what happens to a process can.
func (c *compiler) checkSwept(name, timeline *node) {
	var known []string
	if timeline != nil {
		for _, item := range timeline.items {
			own := item.get("name")
			if own == nil {
				continue
			}
			known = append(known, own.text)
			if own.text == name.text && !slices.ContainsFunc(lifeKeys, func(key string) bool { return item.get(key) != nil }) {
				c.report(name, "crash, restart, shutdown or start", "the entry %s neither stops nor starts a process", quoted(name.text))
			}
		}
	}
	if !slices.Contains(known, name.text) {
		c.report(name, DidYouMean(name.text, known), "the timeline has no entry %s", quoted(name.text))
	}
}

// readerNamed is the reader of a name.
func (c *compiler) readerNamed(n *node) kafka.NodeID {
	name, ok := c.scalar(n, "counts")
	if !ok {
		return kafka.NoNode
	}
	var known []string
	for _, one := range c.clients {
		if one.sort != readers {
			continue
		}
		if one.name == name.text {
			return one.ids[0]
		}
		known = append(known, one.name)
	}
	c.report(name, DidYouMean(name.text, known), "there is no reader %s", quoted(name.text))
	return kafka.NoNode
}
