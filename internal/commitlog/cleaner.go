package commitlog

import (
	"slices"

	"replog/internal/kafka"
)

// Pass is one pass of the cleaner over a log (Cleaner.doClean).
type Pass struct {
	// FirstDirty and FirstUncleanable bound the dirty part (Cleanable); the clean part before it is gone through too.
	FirstDirty, FirstUncleanable kafka.Offset
	Now                          kafka.Tick
	// Producers are those whose last batch stays, empty if need be: it holds their last sequence.
	Producers *ProducerStates
	// Aborted is the log's transaction index.
	Aborted []AbortedTransaction
	// MapKeys is how many keys fit into the offset map (log.cleaner.dedupe.buffer.size).
	MapKeys int
	// ByModification takes the age of a tombstone from its segment's last write, as Kafka did before 3.1.
	ByModification bool
}

// Cleaning is what a pass did.
type Cleaning struct {
	// CleanedTo is the new end of the clean part.
	CleanedTo kafka.Offset
	Replaced  []Replaced
	Changes   []Change // in the order of offsets
	// Aborted is what is left of the transaction index.
	Aborted []AbortedTransaction
}

// Replaced is a segment that took the place of one or several.
type Replaced struct {
	Segment
	Before     []Segment
	NextOffset kafka.Offset // the base of the segment behind it
}

// Change is what the cleaner did to a stretch of offsets.
type Change struct {
	From, Next kafka.Offset // Next is behind the last
	Kind       ChangeKind
	Producer   kafka.ProducerID // EmptyBatchKept, EmptyBatchRemoved
	Epoch      kafka.Epoch      // of the batch
	Horizon    kafka.Tick       // HorizonSet, MarkerHorizonSet, TombstoneRemoved, MarkerRemoved
}

// ChangeKind says what became of the records.
type ChangeKind uint8

const (
	// Superseded: removed, because a newer record of the key stands below the end of the dirty part.
	Superseded ChangeKind = iota
	// TombstoneRemoved: removed, because the delete horizon of the batch has passed.
	TombstoneRemoved
	// AbortedRemoved: removed, because the transaction was aborted.
	AbortedRemoved
	// MarkerRemoved: the marker of a transaction of which nothing is left, removed because its delete horizon has passed.
	MarkerRemoved
	// HorizonSet: a batch with tombstones was given its delete horizon.
	HorizonSet
	// MarkerHorizonSet: a marker was, because nothing is left of its transaction.
	MarkerHorizonSet
	// EmptyBatchKept: the batch has lost its last record, and stays because it holds the last sequence of its producer.
	EmptyBatchKept
	// EmptyBatchRemoved: a batch that was kept empty is no longer its producer's last.
	EmptyBatchRemoved
)

// Removes reports whether records are gone.
func (k ChangeKind) Removes() bool { return k <= MarkerRemoved }

// cleaner is one pass at work.
type cleaner struct {
	*Pass
	config  *kafka.LogConfig
	offsets offsetMap
	seen    cleanedTransactions
	horizon kafka.Tick // ByModification: tombstones in segments that were last written to up to here go
	kept    []int
	batches []kafka.Batch
	did     Cleaning
}

// Clean makes one pass over the log, from its first segment to the end of the dirty part. Stored batches never change: the
// segments are written anew, and whoever shares the old ones keeps them.
func (l *Log) Clean(p *Pass) Cleaning {
	c := cleaner{Pass: p, config: l.config, seen: newTransactions(p.Aborted), horizon: -1}
	c.offsets.build(l, p)
	c.did.CleanedTo = c.offsets.latest + 1
	for i := 0; i < len(l.rolled) && l.rolled[i].BaseOffset < p.FirstDirty; i++ {
		c.horizon = l.rolled[i].Largest - l.config.DeleteRetention // at last, of the youngest clean segment
	}
	count := 0
	for count < len(l.rolled) && l.rolled[count].BaseOffset < c.did.CleanedTo {
		count++
	}
	var segments []Segment
	for first := 0; first < count; {
		next := l.group(first, count)
		segments = append(segments, c.clean(l, first, next))
		first = next
	}
	boundary := l.base(count)
	l.rolled = append(segments, l.rolled[count:]...)
	l.replaceBefore(boundary, c.batches)
	l.cleaned, l.gaps = c.did.CleanedTo, true
	c.did.Aborted = append(c.seen.left, aborted(p.Aborted, boundary)...)
	return c.did
}

// aborted are the transactions whose markers the pass did not reach.
func aborted(index []AbortedTransaction, from kafka.Offset) []AbortedTransaction {
	return slices.DeleteFunc(slices.Clone(index), func(a AbortedTransaction) bool { return a.MarkerOffset < from })
}

// group is the end of the run of segments, from first on, that together fit into one (Cleaner.groupSegmentsBySize).
func (l *Log) group(first, count int) int {
	size := l.rolled[first].Bytes
	next := first + 1
	for next < count && size+l.rolled[next].Bytes <= l.config.SegmentBytes {
		size += l.rolled[next].Bytes
		next++
	}
	return next
}

// clean writes the segments from first up to next anew, as one (Cleaner.cleanSegments).
func (c *cleaner) clean(l *Log, first, next int) Segment {
	done := Replaced{Segment: Segment{BaseOffset: l.base(first)}, NextOffset: l.base(next)}
	done.Before = slices.Clone(l.rolled[first:next])
	at := len(c.batches)
	for i := range done.Before {
		retain := done.Before[i].Largest > c.horizon
		for b := range l.from(done.Before[i].BaseOffset) {
			if b.BaseOffset >= l.base(first+i+1) {
				break
			}
			c.filter(b, retain)
		}
	}
	for i := range c.batches[at:] {
		b := &c.batches[at+i]
		done.Segment.take(b.Bytes()+kafka.BatchOverhead, b.MaxTimestamp(), c.config)
	}
	if done.Bytes == 0 {
		done.Largest = done.Before[len(done.Before)-1].Largest // the file's modification time is carried over
	}
	c.did.Replaced = append(c.did.Replaced, done)
	return done.Segment
}

// filter writes what is left of a batch (MemoryRecords.filterTo). retain keeps tombstones where their age comes from the
// segment.
func (c *cleaner) filter(b *kafka.Batch, retain bool) {
	control := b.IsControl()
	var done bool // nothing of it may stay: aborted, or a marker whose transaction is gone
	if control {
		done = c.seen.marker(b)
	} else {
		done = c.seen.data(b)
	}
	discard := done && (!control || b.DeleteHorizon() <= c.Now)
	last := c.lastOfProducer(b, control)
	if b.Len() == 0 && !last {
		c.note(b.BaseOffset, b.NextOffset(), EmptyBatchRemoved, b)
		return
	}
	tombstones := c.sort(b, control, discard, retain)
	switch {
	case len(c.kept) > 0:
		horizon := b.DeleteHorizon()
		if (tombstones || control && done) && horizon == kafka.Never && !c.ByModification {
			horizon = c.Now + c.config.DeleteRetention
			kind := HorizonSet
			if control {
				kind = MarkerHorizonSet
			}
			c.note(b.OffsetOf(c.kept[0]), b.OffsetOf(c.kept[len(c.kept)-1])+1, kind, b)
			c.did.Changes[len(c.did.Changes)-1].Horizon = horizon
		}
		if len(c.kept) == b.Len() && horizon == b.DeleteHorizon() {
			c.batches = append(c.batches, *b)
		} else {
			c.batches = append(c.batches, b.Clean(c.kept, horizon))
		}
	case last && b.Len() == 0:
		c.batches = append(c.batches, *b)
	case last:
		c.batches = append(c.batches, b.Clean(nil, kafka.Never))
		c.note(b.BaseOffset, b.NextOffset(), EmptyBatchKept, b)
	}
}

// sort lists in c.kept which records of a batch stay, and reports whether a tombstone is among them.
func (c *cleaner) sort(b *kafka.Batch, control, discard, retain bool) (tombstones bool) {
	c.kept = c.kept[:0]
	for i := range b.Len() {
		o := b.OffsetOf(i)
		switch {
		case discard && control:
			c.note(o, o+1, MarkerRemoved, b)
			continue
		case discard:
			c.note(o, o+1, AbortedRemoved, b)
			continue
		case control || o > c.offsets.latest:
		case c.offsets.superseded(b, i):
			c.note(o, o+1, Superseded, b)
			continue
		case b.Tombstone(i) && !c.spares(b, retain):
			c.note(o, o+1, TombstoneRemoved, b)
			continue
		}
		c.kept = append(c.kept, i)
		tombstones = tombstones || !control && b.Tombstone(i)
	}
	return tombstones
}

// spares reports whether the tombstones of a batch must stay for now (Cleaner.shouldRetainRecord).
func (c *cleaner) spares(b *kafka.Batch, retain bool) bool {
	if c.ByModification {
		return retain
	}
	return c.Now < b.DeleteHorizon()
}

// lastOfProducer reports whether the batch is what a live producer is remembered by: its last data batch or, where it has
// none, the marker with its epoch (Cleaner.cleanInto, isBatchLastRecordOfProducer).
func (c *cleaner) lastOfProducer(b *kafka.Batch, control bool) bool {
	if !b.Idempotent() || c.Producers == nil {
		return false
	}
	p := c.Producers.Producer(b.ProducerID)
	if p == nil {
		return false
	}
	if last := p.LastDataOffset(); last != kafka.NoOffset {
		return b.LastOffset() == last
	}
	return control && b.ProducerEpoch == p.Epoch
}

// note adds to what was done, and lengthens the last note where it says the same of the offsets just before.
func (c *cleaner) note(from, next kafka.Offset, kind ChangeKind, b *kafka.Batch) {
	horizon := kafka.Tick(0)
	if kind == TombstoneRemoved || kind == MarkerRemoved {
		horizon = b.DeleteHorizon()
	}
	if n := len(c.did.Changes); n > 0 && kind.Removes() {
		if last := &c.did.Changes[n-1]; last.Kind == kind && last.Next == from && last.Horizon == horizon {
			last.Next = next
			return
		}
	}
	c.did.Changes = append(c.did.Changes, Change{From: from, Next: next, Kind: kind, Producer: b.ProducerID, Epoch: b.LeaderEpoch, Horizon: horizon})
}

// replaceBefore puts batches in the place of all that lie before the offset.
func (l *Log) replaceBefore(offset kafka.Offset, batches []kafka.Batch) {
	var chunks [][]kafka.Batch
	for len(batches) > largeChunk {
		chunks, batches = append(chunks, batches[:largeChunk:largeChunk]), batches[largeChunk:]
	}
	if len(batches) > 0 {
		chunks = append(chunks, slices.Clip(batches))
	}
	for _, chunk := range l.sealed {
		if rest := chunk[indexOf(chunk, offset):]; len(rest) > 0 {
			chunks = append(chunks, rest)
		}
	}
	l.sealed, l.tail = chunks, l.tail[indexOf(l.tail, offset):]
	if last := len(chunks) - 1; len(l.tail) == 0 && last >= 0 {
		l.tail, l.owned = slices.Clip(chunks[last]), false
		l.sealed = chunks[:last:last]
	}
}
