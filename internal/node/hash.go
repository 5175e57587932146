package node

import "replog/internal/kafka"

// Hash is a 64-bit running hash of state. The zero value is ready; Now is subtracted from times.
type Hash struct {
	Now kafka.Tick
	sum uint64
	set uint64 // of elements, in any order
}

// Sum is the hash of all that was written.
func (h *Hash) Sum() uint64 { return h.sum ^ h.set }

// Element mixes in the hash of one element of a set; the order of the elements does not matter.
func (h *Hash) Element(hash uint64) { h.set += hash }

// Int mixes in a number (the finalizer of MurmurHash3).
func (h *Hash) Int(v int64) {
	x := h.sum ^ uint64(v)
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	h.sum = x ^ x>>33
}

// Bool mixes in a truth value.
func (h *Hash) Bool(v bool) {
	if v {
		h.Int(1)
		return
	}
	h.Int(0)
}

// Time mixes in a tick as a span from now; kafka.Never stays itself.
func (h *Hash) Time(t kafka.Tick) {
	if t == kafka.Never {
		h.Int(int64(t))
		return
	}
	h.Int(int64(t - h.Now))
}

// Reply mixes in where an answer goes; with Conn 0 nobody waits for one.
func (h *Hash) Reply(r Reply) {
	h.Int(int64(r.Conn))
	if r.Conn != 0 {
		h.Int(int64(r.Corr))
	}
}

// Batch mixes in a batch with its records.
func (h *Hash) Batch(b *kafka.Batch) {
	h.Int(int64(b.BaseOffset))
	h.Int(int64(b.LeaderEpoch))
	h.Int(int64(b.ProducerID))
	h.Int(int64(b.ProducerEpoch))
	h.Int(int64(b.BaseSequence))
	h.Int(int64(b.Attributes))
	for i, id := range b.IDs() {
		h.Int(int64(id))
		if r := b.Coordinator(i); r != nil {
			h.CoordinatorRecord(r)
		}
	}
	if b.Attributes != 0 {
		h.attributes(b)
	}
}

// attributes mixes in what a batch has beyond the common case.
func (h *Hash) attributes(b *kafka.Batch) {
	h.Int(int64(b.Attributes))
	h.Int(int64(b.Span()))
	h.Time(b.DeleteHorizon())
	for i := range b.Len() {
		h.Int(int64(b.OffsetOf(i)))
	}
}
