package commitlog

import "replog/internal/kafka"

// offsetMap says where the newest record of each key stands in the dirty part (SkimpyOffsetMap). It takes a limited
// number of keys, so a pass over many new keys may come only part of the way.
type offsetMap struct {
	newest map[kafka.CompactionKey]kafka.Offset
	latest kafka.Offset // the last offset that it has taken in
	room   int
}

// put notes a record; false when the map is full.
func (m *offsetMap) put(key kafka.CompactionKey, o kafka.Offset) bool {
	if len(m.newest) >= m.room {
		return false
	}
	m.newest[key], m.latest = o, o
	return true
}

// superseded reports whether the map knows a newer record of the key of record i; what has no key counts as if it did.
func (m *offsetMap) superseded(b *kafka.Batch, i int) bool {
	key, keyed := b.CompactionKey(i)
	newest, known := m.newest[key]
	return !keyed || known && newest > b.OffsetOf(i)
}

// build goes through the dirty part, up to where it ends or the map is full (Cleaner.buildOffsetMap).
func (m *offsetMap) build(l *Log, p *Pass) {
	m.newest, m.latest, m.room = map[kafka.CompactionKey]kafka.Offset{}, p.FirstDirty-1, p.MapKeys
	seen := newTransactions(p.Aborted)
	for n := l.firstOf(p.FirstDirty); n < len(l.rolled) && l.base(n) < p.FirstUncleanable; n++ {
		next := min(l.base(n+1), p.FirstUncleanable)
		if !m.takeSegment(l, l.base(n), next, p.FirstDirty, &seen) {
			return
		}
		// A segment may end in a gap: a follower found its leader's log cleaned there. Without this the last batch would be
		// the end of each pass, and the gap behind it dirty for ever.
		m.latest = next - 1
	}
}

// takeSegment takes in the batches of a segment up to the next one; false when the map is full.
func (m *offsetMap) takeSegment(l *Log, base, next, from kafka.Offset, seen *cleanedTransactions) bool {
	for b := range l.from(base) {
		if b.BaseOffset >= next {
			break
		}
		if !m.take(b, from, seen) {
			return false
		}
		m.latest = max(m.latest, b.LastOffset())
	}
	return true
}

// take takes in the keys of a batch; false when the map is full.
func (m *offsetMap) take(b *kafka.Batch, from kafka.Offset, seen *cleanedTransactions) bool {
	switch {
	case b.IsControl():
		seen.marker(b)
	case seen.data(b):
	default:
		for i := range b.Len() {
			key, keyed := b.CompactionKey(i)
			if o := b.OffsetOf(i); keyed && o >= from && !m.put(key, o) {
				return false
			}
		}
	}
	return true
}
