package check

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// This file follows what a group commits, and whether the work behind it is done.

// commits is what became of a group's commits of one partition, from the last one on that a member knows to be kept.
type commits struct {
	written   []written
	confirmed int  // index of the last one that was answered; -1 for none
	expired   bool // a tombstone was written after it, so it may be gone
	void      int  // those from here on were never kept: the coordinator that wrote them has lost its place
	found     bool // the new coordinator has told of it
}

// written is one commit in the coordinator's log.
type written struct {
	by     kafka.NodeID
	offset kafka.Offset
}

func (g *group) commits(p kafka.PartitionID) *commits {
	for int(p) >= len(g.offsets) {
		g.offsets = append(g.offsets, commits{confirmed: -1})
	}
	return &g.offsets[p]
}

func (x *commits) expire() { x.expired = true }

// committing notes a commit that was written down, and that all work before it is done or given up.
func (c *Checker) committing(g *group, e *event.Event) {
	x := g.commits(e.Partition)
	x.written = append(x.written[:min(x.void, len(x.written))], written{e.Peer, e.Offset})
	x.void = len(x.written)
	c.checkDone(g, e)
}

// pending is an offset of an open transaction, and who has read up to there.
type pending struct {
	producer kafka.ProducerID
	by       kafka.NodeID
}

// pend notes who commits an offset in a transaction. A new coordinator tells of what it found, and does not know whose it is.
func (g *group) pend(c *Checker, e *event.Event) {
	if by := c.names.ProcessorOf(e.Peer); by != kafka.NoNode {
		g.pending = slices.DeleteFunc(g.pending, func(x pending) bool { return x.producer == e.Producer })
		g.pending = append(g.pending, pending{e.Producer, by})
	}
}

// pendingEnded takes in the end of an offset of a transaction; it is a commit like others if the transaction is committed.
func (c *Checker) pendingEnded(g *group, e *event.Event) {
	if e.Prev != 1 {
		return
	}
	commit := *e
	commit.Peer = kafka.NoNode
	for _, x := range g.pending {
		if x.producer == e.Producer {
			commit.Peer = x.by
		}
	}
	c.committing(g, &commit)
}

// commitHeard notes that a member has the answer to a commit: from now on it must not be lost. Of the commits before it
// nobody will ask any more.
func (c *Checker) commitHeard(g *group, e *event.Event) {
	x := g.commits(e.Partition)
	for i := len(x.written) - 1; i >= 0; i-- {
		if x.written[i] != (written{e.Node, e.Offset}) {
			continue
		}
		if i >= x.void {
			c.reportOf(committedOffsetsSurvive, e.Partition, kafka.NoRecord, "%s hears that offset %d of %s is committed, which group %s does not have",
				c.names.Node(e.Node), e.Offset, c.names.Partition(e.Partition), c.names.ConsumerGroup(g.id))
			return
		}
		if i > x.confirmed || x.confirmed < 0 {
			x.written, x.void, x.confirmed, x.expired = x.written[i:], x.void-i, 0, false
		}
		return
	}
}

// load begins the time of a new coordinator, which tells of every offset that it has.
func (g *group) load() {
	for i := range g.offsets {
		g.offsets[i].found = false
	}
}

// offsetLoaded checks that what a new coordinator found is the last answered commit, or a later one.
func (c *Checker) offsetLoaded(g *group, e *event.Event) {
	x := g.commits(e.Partition)
	x.found = true
	for i := x.void - 1; i >= max(x.confirmed, 0); i-- {
		if x.written[i].offset == e.Offset {
			x.void = i + 1
			return
		}
	}
	if x.confirmed >= 0 {
		c.reportOf(committedOffsetsSurvive, e.Partition, kafka.NoRecord, "the new coordinator %s of group %s finds offset %d of %s, but %d was committed and answered",
			c.names.Node(e.Node), c.names.ConsumerGroup(g.id), e.Offset, c.names.Partition(e.Partition), x.written[x.confirmed].offset)
	}
	*x = commits{written: []written{{kafka.NoNode, e.Offset}}, confirmed: -1, void: 1, found: true}
}

// checkLoaded asks, when a new coordinator has told of all offsets, for those of which it has not.
func (c *Checker) checkLoaded(g *group) {
	for p := range g.offsets {
		x := &g.offsets[p]
		if x.found {
			continue
		}
		if x.confirmed >= 0 && !x.expired {
			c.reportOf(committedOffsetsSurvive, kafka.PartitionID(p), kafka.NoRecord, "the new coordinator %s of group %s knows no offset of %s, but %d was committed and answered",
				c.names.Node(g.host), c.names.ConsumerGroup(g.id), c.names.Partition(kafka.PartitionID(p)), x.written[x.confirmed].offset)
		}
		*x = commits{confirmed: -1, written: x.written}
	}
	for i := range g.members {
		if g.members[i].entries == 0 {
			g.orphan(g.members[i].node, false)
		}
	}
}

// work is what the members of a group were handed of one partition and have not done, ordered by offset, and the
// records among it that were committed all the same.
type work struct {
	open   []task
	passed []task
	done   kafka.Spans // by anybody: who is handed it again need not do it for a commit to be right
}

type task struct {
	offset kafka.Offset
	id     kafka.RecordID
}

func (g *group) workOf(p kafka.PartitionID) *work {
	for int(p) >= len(g.work) {
		g.work = append(g.work, work{})
	}
	return &g.work[p]
}

func byOffset(t task, o kafka.Offset) int {
	switch {
	case t.offset < o:
		return -1
	case t.offset > o:
		return 1
	}
	return 0
}

// begin notes records that were handed to an application.
func (w *work) begin(from kafka.Offset, ids []kafka.RecordID) {
	at, _ := slices.BinarySearchFunc(w.open, from, byOffset)
	to, _ := slices.BinarySearchFunc(w.open, from+kafka.Offset(len(ids)), byOffset)
	tasks := make([]task, 0, len(ids))
	for i, id := range ids {
		if o := from + kafka.Offset(i); !w.done.Has(o) {
			tasks = append(tasks, task{o, id})
		}
	}
	w.open = slices.Replace(w.open, at, to, tasks...)
}

// finish notes that some records are done.
func (w *work) finish(from kafka.Offset, n int) {
	at, _ := slices.BinarySearchFunc(w.open, from, byOffset)
	to, _ := slices.BinarySearchFunc(w.open, from+kafka.Offset(n), byOffset)
	w.open = slices.Delete(w.open, at, to)
	w.passed = slices.DeleteFunc(w.passed, func(t task) bool { return t.offset >= from && t.offset < from+kafka.Offset(n) })
	w.done.Add(from, from+kafka.Offset(n))
}

// leaveOut ends the work before the position that auto.offset.reset has found: nobody is to do it.
func (w *work) leaveOut(before kafka.Offset) {
	n, _ := slices.BinarySearchFunc(w.open, before, byOffset)
	w.open = slices.Delete(w.open, 0, n)
}

// checkDone asks whether what lies before a commit is done: work that nobody will be handed again.
func (c *Checker) checkDone(g *group, e *event.Event) {
	w := g.workOf(e.Partition)
	n, _ := slices.BinarySearchFunc(w.open, e.Offset, byOffset)
	if n == 0 {
		return
	}
	if c.names.CommitsEarly(e.Peer) {
		w.passed = append(w.passed, w.open[:n]...)
	} else {
		c.reportOf(noRecordSkipped, e.Partition, w.open[0].id, "%s commits offset %d of %s for group %s, but nobody has done %s at %d",
			c.names.Node(e.Peer), e.Offset, c.names.Partition(e.Partition), c.names.ConsumerGroup(g.id), c.names.Record(w.open[0].id), w.open[0].offset)
	}
	w.open = slices.Delete(w.open, 0, n)
}

// giveUpWork turns what was committed before the work on it, and never done, into a trade-off. What a member that lives
// has in work is not given up.
func (c *Checker) giveUpWork(g *group) {
	for p := range g.work {
		if slices.ContainsFunc(g.held, func(h holding) bool { return h.partition == kafka.PartitionID(p) && !h.orphaned }) {
			c.settleWork(g, kafka.PartitionID(p))
		}
		for _, t := range g.work[p].passed {
			c.tradeoffs[commitBeforeWork] = append(c.tradeoffs[commitBeforeWork], t.id)
		}
	}
}

// settleWork leaves out what the present owner was handed itself.
func (c *Checker) settleWork(g *group, p kafka.PartitionID) {
	for _, h := range g.held {
		if h.partition != p || h.orphaned {
			continue
		}
		if from, to, polls := c.polled(h.node, p); polls {
			w := g.workOf(p)
			w.passed = slices.DeleteFunc(w.passed, func(t task) bool { return t.offset >= from && t.offset < to })
		}
	}
}
