package check_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
)

// entry is one record in a naive log.
type entry struct {
	epoch kafka.Epoch
	id    kafka.RecordID
}

// disk is one broker of the naive cluster.
type disk struct {
	log   []entry
	hw    int
	epoch kafka.Epoch // in which it follows or leads
	up    bool
}

// A cluster is a replicated log that a child could check: whole logs, record by record, no messages. It writes the
// history of what it does. Unless it is sloppy it keeps every promise.
type cluster struct {
	*history
	t      *rapid.T
	sloppy bool
	disks  map[kafka.NodeID]*disk
	leader kafka.NodeID
	epoch  kafka.Epoch
	start  int // log end offset of the leader when its epoch began
	isr    kafka.BrokerSet
	nextID kafka.RecordID
	acked  int
	shown  int // the reader stands here
}

func newCluster(t *rapid.T, sink event.Sink, sloppy bool) *cluster {
	c := &cluster{t: t, sloppy: sloppy, history: opened(sink), leader: 1, isr: all, disks: map[kafka.NodeID]*disk{}}
	for _, node := range all.Members() {
		c.disks[node] = &disk{up: true}
	}
	return c
}

func (c *cluster) draw(limit int) int { return rapid.IntRange(0, limit).Draw(c.t, "n") }

func (c *cluster) node() kafka.NodeID { return kafka.NodeID(1 + c.draw(2)) }

// inOffice is the leader's disk, or nil while there is none.
func (c *cluster) inOffice() *disk {
	if c.leader == kafka.NoNode {
		return nil
	}
	return c.disks[c.leader]
}

func (c *cluster) produce(*rapid.T) {
	l := c.inOffice()
	if l == nil {
		return
	}
	at := len(l.log)
	var ids []kafka.RecordID
	for range 1 + c.draw(2) {
		c.nextID++
		ids = append(ids, c.nextID)
		l.log = append(l.log, entry{c.epoch, c.nextID})
	}
	c.appends(c.leader, c.epoch, kafka.Offset(at), ids...)
}

// replicate has a follower align its log with the leader's and copy some of it.
func (c *cluster) replicate(*rapid.T) {
	node, l := c.node(), c.inOffice()
	f := c.disks[node]
	if l == nil || node == c.leader || !f.up {
		return
	}
	if f.epoch != c.epoch {
		f.epoch = c.epoch
		c.follows(node, c.leader, c.epoch)
	}
	if !c.sloppy || c.draw(1) == 0 {
		c.truncate(node, f, common(f.log, l.log))
	}
	for from := len(f.log); from < len(l.log); from = len(f.log) {
		to := from + 1
		for to < len(l.log) && l.log[to].epoch == l.log[from].epoch {
			to++
		}
		f.log = append(f.log, l.log[from:to]...)
		f.hw = min(l.hw, len(f.log))
		c.copies(node, c.leader, l.log[from].epoch, kafka.Offset(from), int32(to-from), kafka.Offset(f.hw))
		if c.draw(1) == 0 {
			break
		}
	}
	if hw := min(l.hw, len(f.log)); hw != f.hw {
		f.hw = hw
		c.learns(node, kafka.Offset(hw))
	}
}

func (c *cluster) truncate(node kafka.NodeID, f *disk, end int) {
	if end < len(f.log) {
		c.cuts(node, kafka.Offset(len(f.log)), kafka.Offset(end))
		f.log, f.hw = f.log[:end:end], min(f.hw, end)
	}
}

func common(a, b []entry) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

func (c *cluster) commit(*rapid.T) {
	l := c.inOffice()
	if l == nil {
		return
	}
	hw := len(l.log)
	for _, m := range c.isr.Members() {
		if d := c.disks[m]; !c.sloppy {
			hw = min(hw, common(d.log, l.log))
		} else {
			hw = min(hw, len(d.log))
		}
	}
	if hw > l.hw {
		l.hw = hw
		for _, m := range c.isr.Members() {
			c.hears(c.leader, m, c.epoch, kafka.Offset(hw))
		}
		c.advances(c.leader, c.epoch, kafka.Offset(hw))
	}
}

func (c *cluster) acknowledge(*rapid.T) {
	if l := c.inOffice(); l != nil && l.hw > c.acked {
		c.history.acked(careful, c.leader, kafka.Offset(c.acked), idsOf(l.log[c.acked:l.hw])...)
		c.acked = l.hw
	}
}

func (c *cluster) show(*rapid.T) {
	if l := c.inOffice(); l != nil && c.shown < l.hw {
		to := c.shown + 1 + c.draw(l.hw-c.shown-1)
		c.reads(c.leader, kafka.Offset(c.shown), idsOf(l.log[c.shown:to])...)
		c.shown = to
	}
}

func idsOf(log []entry) []kafka.RecordID {
	ids := make([]kafka.RecordID, len(log))
	for i := range log {
		ids[i] = log[i].id
	}
	return ids
}

func (c *cluster) crash(*rapid.T) {
	node := c.node()
	d := c.disks[node]
	if !d.up {
		return
	}
	d.up = false
	c.crashes(node)
	if node == c.leader {
		c.takeOver()
	} else if c.isr.Has(node) && c.isr.Len() > 1 {
		c.isr = c.isr.Without(node)
		c.history.isr(c.isr, c.isr.With(node))
	}
}

// takeOver elects a live member of the ISR.
func (c *cluster) takeOver() {
	before := c.isr
	c.epoch++
	c.leader = kafka.NoNode
	for _, m := range before.Members() {
		if d := c.disks[m]; d.up {
			c.leader = m
		} else if c.isr.Len() > 1 {
			c.isr = c.isr.Without(m)
		}
	}
	l := c.inOffice()
	if l == nil {
		c.offline(c.epoch, c.isr)
		return
	}
	c.elect(c.leader, c.epoch, c.isr, before)
	l.epoch, c.start = c.epoch, len(l.log)
	c.history.leads(c.leader, c.epoch, kafka.Offset(c.start), kafka.Offset(l.hw))
}

func (c *cluster) restart(*rapid.T) {
	node := c.node()
	d := c.disks[node]
	if d.up {
		return
	}
	d.up, d.epoch = true, kafka.NoEpoch
	d.hw = c.draw(d.hw) // the checkpoint may be old
	c.restarts(node, kafka.Offset(len(d.log)), kafka.Offset(d.hw))
	if c.leader == kafka.NoNode && c.isr.Has(node) {
		c.takeOver()
	}
}

// join lets a follower into the ISR: at the high watermark and past the start of the leader's epoch.
func (c *cluster) join(*rapid.T) {
	node, l := c.node(), c.inOffice()
	f := c.disks[node]
	if l == nil || !f.up || f.epoch != c.epoch || c.isr.Has(node) {
		return
	}
	if c.sloppy || common(f.log, l.log) >= max(l.hw, c.start) {
		c.isr = c.isr.With(node)
		c.hears(c.leader, node, c.epoch, kafka.Offset(len(f.log)))
		c.history.isr(c.isr, c.isr.Without(node))
	}
}

func (c *cluster) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"produce": c.produce, "replicate": c.replicate, "replicate more": c.replicate, "commit": c.commit,
		"acknowledge": c.acknowledge, "show": c.show, "crash": c.crash, "restart": c.restart, "join": c.join,
	}
}

// logsMatch is LogMatching as the specification writes it: each replica with each, offset by offset.
func (c *cluster) logsMatch() bool {
	for _, a := range c.disks {
		for _, b := range c.disks {
			hw := min(a.hw, b.hw)
			if !slices.Equal(a.log[:hw], b.log[:hw]) {
				return false
			}
		}
	}
	return true
}

// isrIsStrong is StrongIsr as the specification writes it.
func (c *cluster) isrIsStrong() bool {
	l := c.inOffice()
	if l == nil {
		return true
	}
	for _, m := range c.isr.Members() {
		if common(c.disks[m].log, l.log) < l.hw {
			return false
		}
	}
	return true
}

func TestCorrectClusterKeepsEveryPromise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checker := check.New(names(), check.Settings{})
		c := newCluster(t, checker, false)
		actions := c.actions()
		actions[""] = func(t *rapid.T) {
			if v := checker.Violations(); len(v) > 0 {
				t.Fatalf("%s at %d: %s", v[0].Promise, v[0].Seq, v[0].Sentence)
			}
		}
		t.Repeat(actions)
		c.ends()
		if len(checker.Violations()) > 0 || len(checker.Tradeoffs()) > 0 {
			t.Fatalf("at the end: %v %v", checker.Violations(), checker.Tradeoffs())
		}
	})
}

func TestRunsFindWhatRecordByRecordFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checker := check.New(names(), check.Settings{})
		c := newCluster(t, checker, true)
		actions := c.actions()
		actions[""] = func(t *rapid.T) {
			if !c.logsMatch() && checker.Count("LogMatching") == 0 {
				t.Fatal("two logs differ below both high watermarks, and LogMatching did not break")
			}
			if !c.isrIsStrong() && checker.Count("StrongIsr") == 0 {
				t.Fatal("a member of the ISR misses what its leader shows, and StrongIsr did not break")
			}
		}
		t.Repeat(actions)
	})
}

// anybody is a broker, no node at all, a reader, or a member of the group.
func anybody(t *rapid.T, small *rapid.Generator[int64]) kafka.NodeID {
	if clients := []kafka.NodeID{screen, one, two, hurried}; rapid.Bool().Draw(t, "client") {
		return rapid.SampledFrom(clients).Draw(t, "node")
	}
	return kafka.NodeID(small.Draw(t, "node"))
}

func TestNoHistoryPanics(t *testing.T) {
	kinds := event.Kinds()
	rapid.Check(t, func(t *rapid.T) {
		c := check.New(names(), check.Settings{Acks: acksOf})
		h := opened(c)
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			small := rapid.Int64Range(-2, 6)
			e := event.Event{
				Kind: rapid.SampledFrom(kinds).Draw(t, "kind"),
				Node: anybody(t, small), Peer: anybody(t, small),
				Epoch: kafka.Epoch(small.Draw(t, "epoch")), Offset: kafka.Offset(small.Draw(t, "offset")),
				Prev: small.Draw(t, "prev"), Value: small.Draw(t, "value"), Count: int32(small.Draw(t, "count")),
			}
			var ids []kafka.RecordID
			if e.Kind.Spec().Fields&event.Records != 0 {
				e.Count = 0
				ids = rapid.SliceOfN(rapid.Map(rapid.Int32Range(0, 3), func(i int32) kafka.RecordID { return kafka.RecordID(i) }), 0, 3).Draw(t, "ids")
			}
			h.happens(e, ids...)
		}
		c.Finish()
		c.Tradeoffs()
	})
}
