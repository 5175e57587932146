package view

import (
	"fmt"
	"iter"
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Logs is what every replica of every partition holds. The leader of an epoch gives out each offset once, so partition,
// epoch and offset identify a record: its id is kept once for all replicas, and a replica is no more than where its
// epochs start and where its log ends, as in Kafka's own leader-epoch cache.
type Logs struct {
	partitions []partitionLogs // indexed by kafka.PartitionID
}

type partitionLogs struct {
	columns  []epochColumn // ordered by epoch
	replicas []replicaLog  // ordered by broker
}

// epochColumn holds what the leader of one epoch appended.
type epochColumn struct {
	epoch kafka.Epoch
	from  kafka.Offset
	ids   column[kafka.RecordID]
	// batches holds where each batch begins, counted from the column's first record.
	batches column[int32]
}

type replicaLog struct {
	broker     kafka.NodeID
	start, end kafka.Offset
	epochs     []epochStart // ascending; shared with clones, so it is cut with a cap
	// segments holds the base offset of each segment, ascending. It is shared with clones like epochs.
	segments []kafka.Offset
	// gone are the offsets whose records the cleaner removed, here or on the leader that they would have come from.
	gone kafka.Spans
	// empty holds the base offsets of the batches that stay without a record, ascending.
	empty []kafka.Offset
	// cleanedTo is where the last pass of the cleaner ended.
	cleanedTo kafka.Offset
}

type epochStart struct {
	epoch kafka.Epoch
	start kafka.Offset
}

// Run is a stretch of one replica's log that one leader epoch wrote.
type Run struct {
	Epoch    kafka.Epoch
	From, To kafka.Offset // To is behind the last
}

// Place is where a record was stored, in whichever replicas hold that epoch so far.
type Place struct {
	Partition kafka.PartitionID
	Epoch     kafka.Epoch
	Offset    kafka.Offset
}

// Apply takes in one event; the kinds that change no log are ignored. The ids are copied.
func (l *Logs) Apply(e *event.Event, ids []kafka.RecordID) {
	switch e.Kind {
	case event.BatchAppended:
		p := l.partition(e.Partition)
		p.column(e.Epoch, e.Offset).append(e.Offset, ids)
		p.replica(e.Node, e.Offset).append(e.Epoch, e.Offset, e.Count)
	case event.ReplicaAppended:
		l.partition(e.Partition).replica(e.Node, e.Offset).append(e.Epoch, e.Offset, e.Count)
	case event.LogTruncated, event.LogTailLost:
		l.partition(e.Partition).replica(e.Node, e.Offset).truncate(e.Offset)
	case event.ReplicaOffline:
		l.partition(e.Partition).replica(e.Node, e.Offset).wipe(e.Offset)
	case event.LogLoaded:
		l.partition(e.Partition).replica(e.Node, kafka.Offset(e.Prev)).load(kafka.Offset(e.Prev), e.Offset)
	case event.SegmentRolled, event.SegmentDeletedByTime, event.SegmentDeletedBySize, event.SegmentDeletedBelowLogStart,
		event.LogStartAdvanced:
		l.applySegment(e)
	case event.RecordsCompacted, event.TombstonesRemoved, event.AbortedRecordsRemoved, event.MarkersRemoved,
		event.EmptyBatchKept, event.EmptyBatchRemoved, event.SegmentCleaned,
		event.LogCleaned, event.GapCopied:
		l.partition(e.Partition).replica(e.Node, e.Offset).clean(e)
	}
}

func (l *Logs) partition(p kafka.PartitionID) *partitionLogs {
	for int(p) >= len(l.partitions) {
		l.partitions = append(l.partitions, partitionLogs{})
	}
	return &l.partitions[p]
}

func (p *partitionLogs) column(epoch kafka.Epoch, from kafka.Offset) *epochColumn {
	if c := p.find(epoch); c != nil {
		return c
	}
	p.columns = append(p.columns, epochColumn{epoch: epoch, from: from})
	// A new epoch is nearly always the highest; a stale leader's first append may come late.
	at := len(p.columns) - 1
	for ; at > 0 && p.columns[at-1].epoch > epoch; at-- {
		p.columns[at], p.columns[at-1] = p.columns[at-1], p.columns[at]
	}
	return &p.columns[at]
}

// find looks from the newest epoch back, because nearly every question is about it.
func (p *partitionLogs) find(epoch kafka.Epoch) *epochColumn {
	for i := len(p.columns) - 1; i >= 0; i-- {
		if p.columns[i].epoch == epoch {
			return &p.columns[i]
		}
	}
	return nil
}

func (c *epochColumn) append(at kafka.Offset, ids []kafka.RecordID) {
	if end := c.end(); at != end {
		panic(fmt.Sprintf("view: epoch %d appends at offset %d, expected %d", c.epoch, at, end))
	}
	c.batches.append(int32(c.ids.len()))
	for _, id := range ids {
		c.ids.append(id)
	}
}

func (c *epochColumn) end() kafka.Offset { return c.from + kafka.Offset(c.ids.len()) }

// at is the record that the epoch's leader appended at the offset, or NoRecord.
func (c *epochColumn) at(o kafka.Offset) kafka.RecordID {
	if o < c.from || o >= c.end() {
		return kafka.NoRecord
	}
	return c.ids.at(int(o - c.from))
}

// replica is the broker's log, which begins empty at the offset if it is not known yet.
func (p *partitionLogs) replica(broker kafka.NodeID, from kafka.Offset) *replicaLog {
	at := 0
	for ; at < len(p.replicas) && p.replicas[at].broker <= broker; at++ {
		if p.replicas[at].broker == broker {
			return &p.replicas[at]
		}
	}
	p.replicas = append(p.replicas, replicaLog{})
	copy(p.replicas[at+1:], p.replicas[at:])
	p.replicas[at] = replicaLog{broker: broker, start: from, end: from, segments: []kafka.Offset{from}}
	return &p.replicas[at]
}

func (r *replicaLog) append(epoch kafka.Epoch, at kafka.Offset, n int32) {
	if at != r.end {
		panic(fmt.Sprintf("view: broker %d appends at offset %d, its log ends at %d", r.broker, at, r.end))
	}
	if last := len(r.epochs) - 1; last < 0 || r.epochs[last].epoch != epoch {
		r.epochs = append(r.epochs, epochStart{epoch, at})
	}
	r.end += kafka.Offset(n)
}

// load sets the bounds that the broker found on its disk. A log that ends later than it did was started over, empty.
func (r *replicaLog) load(start, end kafka.Offset) {
	if end > r.end || start < r.start {
		r.epochs, r.segments = nil, []kafka.Offset{start}
		r.uncleanFrom(0)
	}
	r.truncate(end)
	r.start, r.end = start, end
}

// wipe leaves an empty log that begins at the offset.
func (r *replicaLog) wipe(at kafka.Offset) {
	r.start, r.end, r.epochs, r.segments = at, at, nil, []kafka.Offset{at}
	r.uncleanFrom(0)
}

func (r *replicaLog) truncate(end kafka.Offset) {
	if end >= r.end {
		return
	}
	keep := len(r.epochs)
	for keep > 0 && r.epochs[keep-1].start >= end {
		keep--
	}
	r.epochs = r.epochs[:keep:keep]
	r.end = end
	r.uncleanFrom(end)
	n := len(r.segments)
	for n > 1 && r.segments[n-1] > end {
		n--
	}
	r.segments = r.segments[:n:n]
}

// epochAt is the epoch of the record at the offset, or NoEpoch where the replica has none.
func (r *replicaLog) epochAt(o kafka.Offset) kafka.Epoch {
	if r.gone.Has(o) {
		return kafka.NoEpoch
	}
	return r.wroteAt(o)
}

// wroteAt is the epoch of the record that stands or stood at the offset, whatever the cleaner has removed.
func (r *replicaLog) wroteAt(o kafka.Offset) kafka.Epoch {
	if o < r.start || o >= r.end {
		return kafka.NoEpoch
	}
	for i := len(r.epochs) - 1; i >= 0; i-- {
		if r.epochs[i].start <= o {
			return r.epochs[i].epoch
		}
	}
	return kafka.NoEpoch
}

// runs leaves out what lies below the log start.
func (r *replicaLog) runs() []Run {
	runs := r.everyRun()
	for len(runs) > 0 && runs[0].To <= r.start {
		runs = runs[1:]
	}
	if len(runs) > 0 {
		runs[0].From = max(runs[0].From, r.start)
	}
	return runs
}

func (r *replicaLog) everyRun() []Run {
	runs := make([]Run, len(r.epochs))
	for i, e := range r.epochs {
		runs[i] = Run{Epoch: e.epoch, From: e.start, To: r.end}
		if i > 0 {
			runs[i-1].To = e.start
		}
	}
	return runs
}

// known is the broker's log in the partition, or nil.
func (l *Logs) known(p kafka.PartitionID, broker kafka.NodeID) *replicaLog {
	if p < 0 || int(p) >= len(l.partitions) {
		return nil
	}
	replicas := l.partitions[p].replicas
	for i := range replicas {
		if replicas[i].broker == broker {
			return &replicas[i]
		}
	}
	return nil
}

// Partitions is the number of partitions that events have spoken of.
func (l *Logs) Partitions() int { return len(l.partitions) }

// Bounds gives a replica's log start offset and log end offset.
func (l *Logs) Bounds(p kafka.PartitionID, broker kafka.NodeID) (start, end kafka.Offset) {
	if r := l.known(p, broker); r != nil {
		return r.start, r.end
	}
	return 0, 0
}

// Runs lists the epochs of a replica's log in the order of their offsets.
func (l *Logs) Runs(p kafka.PartitionID, broker kafka.NodeID) []Run {
	if r := l.known(p, broker); r != nil {
		return r.runs()
	}
	return nil
}

// EpochAt is the leader epoch of the record that a replica holds at an offset, or NoEpoch.
func (l *Logs) EpochAt(p kafka.PartitionID, broker kafka.NodeID, o kafka.Offset) kafka.Epoch {
	if r := l.known(p, broker); r != nil {
		return r.epochAt(o)
	}
	return kafka.NoEpoch
}

// WroteAt is EpochAt with what the cleaner has removed since.
func (l *Logs) WroteAt(p kafka.PartitionID, broker kafka.NodeID, o kafka.Offset) kafka.Epoch {
	if r := l.known(p, broker); r != nil {
		return r.wroteAt(o)
	}
	return kafka.NoEpoch
}

// Gone lists the offsets of a replica whose records compaction has removed; the caller must not change it.
func (l *Logs) Gone(p kafka.PartitionID, broker kafka.NodeID) kafka.Spans {
	if r := l.known(p, broker); r != nil {
		return r.gone
	}
	return nil
}

// CleanedTo is where the last pass of the cleaner over a replica ended; 0 before the first.
func (l *Logs) CleanedTo(p kafka.PartitionID, broker kafka.NodeID) kafka.Offset {
	if r := l.known(p, broker); r != nil {
		return r.cleanedTo
	}
	return 0
}

// RecordAt is the record that a replica holds at an offset, or NoRecord.
func (l *Logs) RecordAt(p kafka.PartitionID, broker kafka.NodeID, o kafka.Offset) kafka.RecordID {
	return l.RecordIn(p, l.EpochAt(p, broker, o), o)
}

// RecordIn is the record that the leader of an epoch appended at an offset, or NoRecord.
func (l *Logs) RecordIn(p kafka.PartitionID, epoch kafka.Epoch, o kafka.Offset) kafka.RecordID {
	if p < 0 || int(p) >= len(l.partitions) {
		return kafka.NoRecord
	}
	if c := l.partitions[p].find(epoch); c != nil {
		return c.at(o)
	}
	return kafka.NoRecord
}

// Slices yields the records of a replica from one offset up to another, in pieces that lie side by side, each with the
// offset of its first. The caller must not change them.
func (l *Logs) Slices(p kafka.PartitionID, broker kafka.NodeID, from, to kafka.Offset) iter.Seq2[kafka.Offset, []kafka.RecordID] {
	return l.pieces(p, l.Runs(p, broker), l.Gone(p, broker), from, to)
}

// Written is Slices with what retention has taken from the replica since.
func (l *Logs) Written(p kafka.PartitionID, broker kafka.NodeID, from, to kafka.Offset) iter.Seq2[kafka.Offset, []kafka.RecordID] {
	var runs []Run
	if r := l.known(p, broker); r != nil {
		runs = r.everyRun()
	}
	return l.pieces(p, runs, l.Gone(p, broker), from, to)
}

// Ever is everything that was ever written into the log that the replica has now, also what retention or compaction took.
func (l *Logs) Ever(p kafka.PartitionID, broker kafka.NodeID) iter.Seq2[kafka.Offset, []kafka.RecordID] {
	var runs []Run
	if r := l.known(p, broker); r != nil {
		runs = r.everyRun()
	}
	return l.pieces(p, runs, nil, 0, kafka.Offset(1)<<62)
}

func (l *Logs) pieces(p kafka.PartitionID, runs []Run, gone kafka.Spans, from, to kafka.Offset) iter.Seq2[kafka.Offset, []kafka.RecordID] {
	return func(yield func(kafka.Offset, []kafka.RecordID) bool) {
		for _, run := range runs {
			column := l.partitions[p].find(run.Epoch)
			if column == nil {
				continue
			}
			end := min(run.To, to, column.end())
			for at := gone.Behind(max(run.From, from)); at < end; at = gone.Behind(at) {
				ids := column.ids.slice(int(at-column.from), int(gone.Before(at, end)-at))
				if !yield(at, ids) {
					return
				}
				at += kafka.Offset(len(ids))
			}
		}
	}
}

// Places lists where a record was ever appended, ordered by partition, epoch and offset; truncated copies count too.
func (l *Logs) Places(id kafka.RecordID) []Place {
	var places []Place
	for p := range l.partitions {
		for i := range l.partitions[p].columns {
			c := &l.partitions[p].columns[i]
			for _, at := range c.offsetsOf(id) {
				places = append(places, Place{kafka.PartitionID(p), c.epoch, at})
			}
		}
	}
	return places
}

func (c *epochColumn) offsetsOf(id kafka.RecordID) []kafka.Offset {
	var offsets []kafka.Offset
	for i := 0; i < c.ids.len(); {
		piece := c.ids.slice(i, chunkLen)
		for j, found := range piece {
			if found == id {
				offsets = append(offsets, c.from+kafka.Offset(i+j))
			}
		}
		i += len(piece)
	}
	return offsets
}

// Holders lists the brokers whose log has what was appended at a place.
func (l *Logs) Holders(at Place) kafka.BrokerSet {
	var holders kafka.BrokerSet
	if at.Partition < 0 || int(at.Partition) >= len(l.partitions) {
		return holders
	}
	replicas := l.partitions[at.Partition].replicas
	for i := range replicas {
		if replicas[i].epochAt(at.Offset) == at.Epoch && at.Epoch != kafka.NoEpoch {
			holders = holders.With(replicas[i].broker)
		}
	}
	return holders
}

// Clone is a copy that shares what cannot change any more.
func (l *Logs) Clone() Logs {
	partitions := make([]partitionLogs, len(l.partitions))
	for i := range l.partitions {
		partitions[i] = l.partitions[i].clone()
	}
	return Logs{partitions: partitions}
}

func (p *partitionLogs) clone() partitionLogs {
	c := partitionLogs{columns: make([]epochColumn, len(p.columns)), replicas: make([]replicaLog, len(p.replicas))}
	for i := range p.columns {
		c.columns[i] = p.columns[i]
		c.columns[i].ids, c.columns[i].batches = p.columns[i].ids.clone(), p.columns[i].batches.clone()
	}
	for i := range p.replicas {
		c.replicas[i] = p.replicas[i]
		n := len(c.replicas[i].epochs)
		c.replicas[i].epochs = c.replicas[i].epochs[:n:n]
		c.replicas[i].segments = slices.Clip(c.replicas[i].segments)
		c.replicas[i].gone, c.replicas[i].empty = p.replicas[i].gone.Clone(), slices.Clone(p.replicas[i].empty)
	}
	return c
}
