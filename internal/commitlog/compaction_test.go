package commitlog

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"replog/internal/kafka"
)

// history is what a model knows beyond its log: what the log would hold if nobody had ever compacted it.
type history struct {
	all []kafka.Batch
	// emptied is the largest timestamp that segments had before the cleaner emptied them, by base offset.
	emptied map[kafka.Offset]kafka.Tick
	// needed is up to where a log must reach to have the newest record of each key whose older ones were removed.
	needed kafka.Offset
	// lost: the log was cut below that, as no replica with what is committed ever is.
	lost bool
}

func (h *history) clone() history {
	c := *h
	c.all, c.emptied = slices.Clone(h.all), maps.Clone(h.emptied)
	return c
}

func (h *history) truncate(end kafka.Offset) {
	h.lost = h.lost || end < h.needed
	h.all = slices.DeleteFunc(h.all, func(b kafka.Batch) bool { return b.NextOffset() > end })
}

// forget drops what retention deleted.
func (h *history) forget(base kafka.Offset) {
	h.all = slices.DeleteFunc(h.all, func(b kafka.Batch) bool { return b.BaseOffset < base })
}

// copy takes over what a leader wrote in a stretch that a follower has just copied.
func (h *history) copy(leader *history, from, end kafka.Offset) {
	if end == from {
		return
	}
	for _, b := range leader.all {
		if b.NextOffset() > from && b.NextOffset() <= end {
			h.all = append(h.all, b)
		}
	}
	h.extend(from)
	h.needed, h.lost = max(h.needed, leader.needed), h.lost || leader.lost
}

// extend notes an append at the offset: who leads, or is led by another than before, must have what is committed.
func (h *history) extend(at kafka.Offset) { h.lost = h.lost || at < h.needed }

// compact is a pass of the cleaner, over a dirty part that begins and ends anywhere.
func (c *cluster) compact(t *rapid.T) {
	p := c.draw(t, "log")
	now := kafka.Tick(c.nextID)
	found := p.log.Cleanable(drawOffset(t, p.model.start, p.model.end), now)
	if rapid.Bool().Draw(t, "all of it") {
		found.FirstDirty = p.model.start
	}
	if found.FirstDirty >= found.FirstUncleanable {
		return
	}
	var producers ProducerStates
	producers.Rebuild(p.log)
	pass := Pass{
		FirstDirty: found.FirstDirty, FirstUncleanable: found.FirstUncleanable, Now: now, Producers: &producers,
		MapKeys: rapid.SampledFrom([]int{3, 1000}).Draw(t, "keys in the map"),
	}
	before := p.log.Clone()
	did := p.log.Clean(&pass)
	if want := p.model.compact(&pass); did.CleanedTo != want {
		t.Fatalf("cleaned to %d, expected %d", did.CleanedTo, want)
	}
	checkCleaning(t, before, p.log, &did)
}

// compact goes through the batches one by one. It returns the offset up to which it knew all keys.
func (m *model) compact(p *Pass) kafka.Offset {
	newest, end := m.newestOfKeys(p)
	last := map[kafka.ProducerID]kafka.Offset{}
	for i := range m.batches {
		if b := &m.batches[i]; b.Idempotent() && b.NextOffset() > m.start {
			last[b.ProducerID] = b.BaseOffset
		}
	}
	count := 0
	for count < len(m.bases)-1 && m.bases[count] < end {
		count++
	}
	var left []kafka.Batch
	largest := make([]kafka.Tick, count)
	sizes := make([]int64, count)
	for n := range count {
		largest[n] = m.largest(n)
		sizes[n], _ = sum(m.in(n))
	}
	for i := range m.batches {
		b := &m.batches[i]
		if b.BaseOffset >= m.bases[count] {
			left = append(left, *b)
			continue
		}
		offset, known := last[b.ProducerID]
		if cleaned, stays := cleanNaively(b, newest, end, p.Now, known && offset == b.BaseOffset); stays {
			left = append(left, cleaned)
		}
	}
	m.merge(sizes, largest)
	m.batches = left
	m.history.needed = max(m.history.needed, end)
	return end
}

func (m *model) newestOfKeys(p *Pass) (newest map[kafka.KeyID]kafka.Offset, end kafka.Offset) {
	newest, end = map[kafka.KeyID]kafka.Offset{}, p.FirstDirty
	for i := range m.batches {
		b := &m.batches[i]
		if b.NextOffset() <= p.FirstDirty || b.BaseOffset >= p.FirstUncleanable {
			continue
		}
		for _, base := range m.bases { // a segment that was gone through counts up to the next one
			if base <= b.BaseOffset {
				end = max(end, base)
			}
		}
		for j := range b.Len() {
			if b.OffsetOf(j) < p.FirstDirty || b.Key(j) == kafka.NoKey {
				continue
			}
			if len(newest) == p.MapKeys {
				return newest, end
			}
			newest[b.Key(j)] = b.OffsetOf(j)
			end = b.OffsetOf(j) + 1
		}
		end = b.NextOffset()
	}
	return newest, max(end, p.FirstUncleanable)
}

// cleanNaively is what is left of one batch.
func cleanNaively(
	b *kafka.Batch, newest map[kafka.KeyID]kafka.Offset, end kafka.Offset, now kafka.Tick, lastOfProducer bool,
) (left kafka.Batch, stays bool) {
	var kept []int
	horizon, tombstones := b.DeleteHorizon(), false
	for i := range b.Len() {
		o := b.OffsetOf(i)
		known := o < end
		if known && (b.Key(i) == kafka.NoKey || newest[b.Key(i)] > o || b.Tombstone(i) && now >= horizon) {
			continue
		}
		kept = append(kept, i)
		tombstones = tombstones || b.Tombstone(i)
	}
	if tombstones && horizon == kafka.Never {
		horizon = now + limits.DeleteRetention
	}
	if len(kept) == 0 && !lastOfProducer {
		return *b, false
	}
	if len(kept) == 0 {
		horizon = kafka.Never
	}
	if len(kept) == b.Len() && horizon == b.DeleteHorizon() {
		return *b, true
	}
	return b.Clean(kept, horizon), true
}

// merge joins segments as long as their sizes from before the pass fit into one.
func (m *model) merge(sizes []int64, largest []kafka.Tick) {
	var bases []kafka.Offset
	for n := 0; n < len(sizes); {
		base, size := m.bases[n], sizes[n]
		for n++; n < len(sizes) && size+sizes[n] <= limits.SegmentBytes; n++ {
			size += sizes[n]
		}
		bases = append(bases, base)
		m.history.emptied[base] = largest[n-1]
	}
	m.bases = append(bases, m.bases[len(sizes):]...)
}

// checkLastValues reads the log to its end: it must come to the same last value of each key as a reader of the log that
// nobody compacted.
func checkLastValues(t *rapid.T, l *Log, m *model) {
	if m.history.lost || m.end < m.history.needed {
		return
	}
	var everything []*kafka.Batch
	for i := range m.history.all {
		everything = append(everything, &m.history.all[i])
	}
	want := lastValues(everything, m.start)
	if got := lastValues(slices.Collect(l.All()), m.start); !maps.Equal(got, want) {
		t.Fatalf("last values %v, expected %v", got, want)
	}
}

// lastValues is the newest record of each key, without those that were deleted.
func lastValues(batches []*kafka.Batch, from kafka.Offset) map[kafka.KeyID]kafka.RecordID {
	values := map[kafka.KeyID]kafka.RecordID{}
	for _, b := range batches {
		for i := b.IndexFrom(from); i < b.Len(); i++ {
			switch {
			case b.Key(i) == kafka.NoKey:
			case b.Tombstone(i):
				delete(values, b.Key(i))
			default:
				values[b.Key(i)] = b.ID(i)
			}
		}
	}
	return values
}
