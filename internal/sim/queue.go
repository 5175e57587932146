package sim

import (
	"math/bits"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// class orders the inputs of one tick: the lowest class that has work always goes next.
type class uint8

const (
	classFault class = iota
	classMessage
	classTimer
	classApplication
	classes
)

type itemKind uint8

const (
	itemFault itemKind = iota // index: the fault
	itemFaultEnd
	itemPeerDown // node: who died
	itemPeerUp
	itemDeliver // conn, corr, body; toServer
	itemTake    // conn: the server takes the next request from the socket
	itemConnected
	itemReset
	itemDisconnected
	itemTimer    // node, timer; corr: the node's incarnation
	itemLoad     // index: the load
	itemAnnounce // node, body
	itemExit     // node: its process ends; index: in good order (node.Exit) or at once (node.Halt)
	itemAwaited  // node: a broker; index: whose fetch it must not compute any longer
	itemStart    // node: a consumer that starts later than the run
	itemWords    // node, body; index: who speaks, corr: its incarnation
)

// item is one input that waits for its time.
type item struct {
	body     kafka.Body
	cause    event.Seq
	corr     uint32
	conn     kafka.ConnID
	index    int32
	node     kafka.NodeID
	kind     itemKind
	timer    uint8
	toServer bool
}

// wheelSize is the number of ticks that have a bucket of their own; later ticks wait in a heap.
const wheelSize = 256

// fifo is one class of one tick. Its slice is used again when the wheel comes round.
type fifo struct {
	items []item
	head  int
}

// queue holds the waiting inputs: a wheel of per-tick buckets for the near future, and a heap for the rest. A bucket
// keeps the order of scheduling, which is the order inside a tick.
type queue struct {
	wheel   [wheelSize][classes]fifo
	pending [wheelSize / 64]uint64 // a bit for each bucket with work
	far     []farItem              // a heap by (tick, order)
	now     kafka.Tick
	order   uint64
}

type farItem struct {
	item
	at    kafka.Tick
	order uint64
	class class
}

// push schedules an input; at must not lie in the past.
func (q *queue) push(at kafka.Tick, c class, it *item) {
	if at-q.now >= wheelSize {
		q.order++
		q.pushFar(farItem{item: *it, at: at, order: q.order, class: c})
		return
	}
	q.near(at, c, it)
}

func (q *queue) near(at kafka.Tick, c class, it *item) {
	slot := uint(at) % wheelSize
	f := &q.wheel[slot][c]
	f.items = append(f.items, *it)
	q.pending[slot/64] |= 1 << (slot % 64)
}

// pop takes the next input of the current tick.
func (q *queue) pop(it *item) bool {
	slot := uint(q.now) % wheelSize
	bucket := &q.wheel[slot]
	for c := range bucket {
		f := &bucket[c]
		if f.head < len(f.items) {
			*it = f.items[f.head]
			f.items[f.head].body = nil
			f.head++
			return true
		}
		f.items, f.head = f.items[:0], 0
	}
	q.pending[slot/64] &^= 1 << (slot % 64)
	return false
}

// advance moves to the next tick that has work, at most to limit; it reports whether there is one.
func (q *queue) advance(limit kafka.Tick) bool {
	next := q.nextNear()
	if next == kafka.Never {
		if len(q.far) == 0 {
			return false
		}
		next = q.far[0].at
	}
	if next > limit {
		return false
	}
	q.now = next
	for len(q.far) > 0 && q.far[0].at-q.now < wheelSize {
		f := q.popFar()
		q.near(f.at, f.class, &f.item)
	}
	return true
}

// nextNear is the first tick after now that has a bucket with work, or kafka.Never.
func (q *queue) nextNear() kafka.Tick {
	start := uint(q.now+1) % wheelSize
	for distance := uint(0); distance < wheelSize; {
		slot := (start + distance) % wheelSize
		word := q.pending[slot/64] >> (slot % 64)
		if word != 0 {
			distance += uint(bits.TrailingZeros64(word))
			if distance >= wheelSize {
				break
			}
			return q.now + 1 + kafka.Tick(distance)
		}
		distance += 64 - slot%64
	}
	return kafka.Never
}

func (q *queue) pushFar(f farItem) {
	q.far = append(q.far, f)
	i := len(q.far) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !q.far[i].before(&q.far[parent]) {
			break
		}
		q.far[i], q.far[parent] = q.far[parent], q.far[i]
		i = parent
	}
}

func (q *queue) popFar() farItem {
	top := q.far[0]
	last := len(q.far) - 1
	q.far[0], q.far[last] = q.far[last], farItem{}
	q.far = q.far[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return top
		}
		if child+1 < last && q.far[child+1].before(&q.far[child]) {
			child++
		}
		if !q.far[child].before(&q.far[i]) {
			return top
		}
		q.far[i], q.far[child] = q.far[child], q.far[i]
		i = child
	}
}

func (f *farItem) before(g *farItem) bool {
	if f.at != g.at {
		return f.at < g.at
	}
	return f.order < g.order
}

// clone copies the queue; the copies share nothing that changes.
func (q *queue) clone() queue {
	c := *q
	for slot := range c.wheel {
		for k := range c.wheel[slot] {
			f := &c.wheel[slot][k]
			f.items = append([]item(nil), f.items[f.head:]...)
			f.head = 0
		}
	}
	c.far = append([]farItem(nil), q.far...)
	return c
}

// fingerprint mixes in what waits. Inputs of one tick and class are a set: their order is chance, not state, but for
// those that travel along one connection. stale says which items will be ignored, lane which connection one is on.
func (q *queue) fingerprint(h *node.Hash, stale func(*item) bool, lane func(*item) int64) {
	for distance := kafka.Tick(0); distance < wheelSize; distance++ {
		bucket := &q.wheel[uint(q.now+distance)%wheelSize]
		for c := range bucket {
			f := &bucket[c]
			for i := f.head; i < len(f.items); i++ {
				it := &f.items[i]
				if stale(it) {
					continue
				}
				before := 0
				for j := f.head; j < i; j++ {
					if f.items[j].conn == it.conn && f.items[j].toServer == it.toServer {
						before++
					}
				}
				h.Element(it.hash(int64(distance)<<8|int64(c), int64(before), lane(it)))
			}
		}
	}
	for i := range q.far {
		if f := &q.far[i]; !stale(&f.item) {
			h.Element(f.item.hash(int64(f.at-q.now)<<8|int64(f.class), 0, lane(&f.item)))
		}
	}
}

func (it *item) hash(when, before, lane int64) uint64 {
	var h node.Hash
	h.Int(when)
	h.Int(before)
	h.Int(lane)
	h.Int(int64(it.kind)<<40 | int64(it.timer)<<32 | int64(it.node))
	h.Int(int64(it.index))
	h.Bool(it.toServer)
	h.Message(it.body)
	return h.Sum()
}
