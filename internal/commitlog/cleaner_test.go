package commitlog

import (
	"slices"
	"testing"

	"replog/internal/kafka"
	"replog/internal/testdata"
)

type compactionVector struct {
	vectorID
	Kind  string
	Steps []struct {
		Op                                       string
		Batches                                  []vectorBatch
		FirstDirtyOffset, FirstUncleanableOffset kafka.Offset
		NowMs, DeleteRetentionMs                 kafka.Tick
		OffsetMapSlots                           int
		Expect                                   compactionExpect
	}

	LogStartOffset, LogEndOffset, LastCleanOffset kafka.Offset
	ActiveSegmentBase                             *kafka.Offset
	Logs                                          []struct {
		Name                      string
		CleanBytes, DirtyBytes    int64
		OldestDirtyFirstTimestamp kafka.Tick
	}
	NowMs, MaxCompactionLagMs kafka.Tick
	MinCleanableDirtyRatio    float64

	Expect struct {
		FirstDirty      kafka.Offset
		CheckpointReset bool
		Selected        any
	}
}

type vectorBatch struct {
	Base, Seg kafka.Offset
	Type      string
	Pid       *kafka.ProducerID
	Txn       bool
	Records   [][2]*string
}

type compactionExpect struct {
	BatchLastOffsets, BatchBaseOffsets, KeptOffsets, AllRecordOffsets []kafka.Offset
	Keys                                                              []string
	FirstDirtyAfter                                                   *kafka.Offset
	AbortedIndex                                                      [][3]int64
}

func TestCompactionVectors(t *testing.T) {
	for _, c := range testdata.Vectors[compactionVector](t, "compaction.json") {
		t.Run(c.ID, func(t *testing.T) {
			t.Log(c.Desc)
			switch {
			case c.Kind == "":
				runCompactionCase(t, &c)
			case len(c.Logs) > 0:
				runSelectionCase(t, &c)
			default:
				runRangeCase(t, &c)
			}
		})
	}
}

// cleanedLog is a log with what the cleaner needs beside it: the producer state and the transaction index.
type cleanedLog struct {
	*Log
	config    kafka.LogConfig
	producers ProducerStates
	index     []AbortedTransaction
	open      map[kafka.ProducerID]kafka.Offset
	sequences map[kafka.ProducerID]int32
	keys      []string
}

func runCompactionCase(t *testing.T, c *compactionVector) {
	l := &cleanedLog{
		Log: New(0), config: kafka.LogConfig{SegmentBytes: 1 << 20, SegmentTicks: 1 << 40, SegmentIndexBytes: 1 << 20, IndexIntervalBytes: 4096, Compact: true},
		open: map[kafka.ProducerID]kafka.Offset{}, sequences: map[kafka.ProducerID]int32{},
	}
	for _, step := range c.Steps {
		if step.Op == "append" {
			for i := range step.Batches {
				l.add(t, &step.Batches[i])
			}
			continue
		}
		if step.FirstUncleanableOffset > l.active.BaseOffset {
			l.Roll(l.EndOffset())
		}
		l.config.DeleteRetention = step.DeleteRetentionMs
		l.Configure(&l.config)
		p := Pass{
			FirstDirty: step.FirstDirtyOffset, FirstUncleanable: step.FirstUncleanableOffset, Now: step.NowMs,
			Producers: &l.producers, Aborted: l.index, MapKeys: 1 << 30,
		}
		if step.OffsetMapSlots > 0 {
			p.MapKeys = step.OffsetMapSlots * 3 / 4
		}
		before := l.Clone()
		did := l.Clean(&p)
		l.index = did.Aborted
		l.compare(t, &did, &step.Expect)
		checkCleaning(t, before, l.Log, &did)
	}
}

// add appends a batch of a case, as the leader of a transactional producer would store it.
func (l *cleanedLog) add(t *testing.T, v *vectorBatch) {
	if v.Base != l.EndOffset() {
		t.Fatalf("the case goes on at %d, the log ends at %d", v.Base, l.EndOffset())
	}
	if v.Seg == v.Base && v.Base > l.active.BaseOffset {
		l.Roll(v.Base)
	}
	b := kafka.Batch{ProducerID: kafka.NoProducerID, BaseSequence: kafka.NoSequence}
	columns := kafka.NewColumns(1)
	for _, r := range v.Records {
		record := kafka.Record{Key: kafka.NoKey, Size: 10, Tombstone: r[1] == nil}
		if r[0] != nil {
			record.Key = l.key(*r[0])
		}
		b.Records = columns.Extend(b.Records, &record)
	}
	if v.Type != "data" {
		b.Records = columns.Append(kafka.Record{Key: kafka.NoKey, Size: 10})
		b.Attributes = kafka.Transactional | kafka.Control
		if v.Type == "commit" {
			b.Attributes |= kafka.Commit
		}
	} else if v.Txn {
		b.Attributes = kafka.Transactional
	}
	if v.Pid != nil {
		b.ProducerID = *v.Pid
		if v.Type == "data" {
			b.BaseSequence = l.sequences[*v.Pid]
			l.sequences[*v.Pid] += int32(b.Len())
		}
	}
	stored := l.AppendAsLeader(b, 0)
	l.producers.Update(&stored)
	l.note(v, &stored)
}

// note keeps the transaction index.
func (l *cleanedLog) note(v *vectorBatch, b *kafka.Batch) {
	first, open := l.open[b.ProducerID]
	switch {
	case v.Type == "data" && v.Txn && !open:
		l.open[b.ProducerID] = b.BaseOffset
	case v.Type != "data":
		delete(l.open, b.ProducerID)
		if v.Type == "abort" && open {
			l.index = append(l.index, AbortedTransaction{Producer: b.ProducerID, FirstOffset: first, MarkerOffset: b.BaseOffset})
		}
	}
}

func (l *cleanedLog) key(name string) kafka.KeyID {
	if i := slices.Index(l.keys, name); i >= 0 {
		return kafka.KeyID(i)
	}
	l.keys = append(l.keys, name)
	return kafka.KeyID(len(l.keys) - 1)
}

func (l *cleanedLog) compare(t *testing.T, did *Cleaning, want *compactionExpect) {
	t.Helper()
	var got compactionExpect
	for b := range l.All() {
		got.BatchBaseOffsets = append(got.BatchBaseOffsets, b.BaseOffset)
		got.BatchLastOffsets = append(got.BatchLastOffsets, b.LastOffset())
		control := b.Attributes&kafka.Control != 0
		for i := range b.Len() {
			got.AllRecordOffsets = append(got.AllRecordOffsets, b.OffsetOf(i))
			if control || b.Key(i) != kafka.NoKey && !b.Tombstone(i) {
				got.KeptOffsets = append(got.KeptOffsets, b.OffsetOf(i))
			}
			if !control && b.Key(i) != kafka.NoKey && !b.Tombstone(i) {
				got.Keys = append(got.Keys, l.keys[b.Key(i)])
			}
		}
	}
	for _, a := range did.Aborted {
		got.AbortedIndex = append(got.AbortedIndex, [3]int64{int64(a.Producer), int64(a.FirstOffset), int64(a.MarkerOffset)})
	}
	sameList(t, "base offsets of batches", got.BatchBaseOffsets, want.BatchBaseOffsets)
	sameList(t, "last offsets of batches", got.BatchLastOffsets, want.BatchLastOffsets)
	sameList(t, "offsets kept", got.KeptOffsets, want.KeptOffsets)
	sameList(t, "all offsets", got.AllRecordOffsets, want.AllRecordOffsets)
	sameList(t, "keys", got.Keys, want.Keys)
	sameList(t, "aborted transactions", got.AbortedIndex, want.AbortedIndex)
	if want.FirstDirtyAfter != nil && did.CleanedTo != *want.FirstDirtyAfter {
		t.Errorf("cleaned to %d, expected %d", did.CleanedTo, *want.FirstDirtyAfter)
	}
}

// sameList compares what a case speaks of: a list that it leaves out is nil.
func sameList[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if want != nil && !slices.Equal(got, want) {
		t.Errorf("%s: %v, expected %v", what, got, want)
	}
}

// checkCleaning holds what a pass says that it did against the log before and after it.
func checkCleaning(t interface{ Fatalf(string, ...any) }, before, after *Log, did *Cleaning) {
	gone := map[kafka.Offset]bool{}
	for _, c := range did.Changes {
		if !c.Kind.Removes() {
			continue
		}
		for o := c.From; o < c.Next; o++ {
			gone[o] = true
		}
	}
	left := map[kafka.Offset]kafka.RecordID{}
	for b := range after.All() {
		for i := range b.Len() {
			left[b.OffsetOf(i)] = b.ID(i)
		}
	}
	for b := range before.All() {
		for i := range b.Len() {
			o := b.OffsetOf(i)
			id, there := left[o]
			if there == gone[o] || there && id != b.ID(i) {
				t.Fatalf("offset %d: in the log before and after it: %v (%d, %d), told as removed: %v", o, there, id, b.ID(i), gone[o])
			}
			delete(gone, o)
		}
	}
	if len(gone) > 0 {
		t.Fatalf("told as removed, and never there: %v", gone)
	}
}

// runSelectionCase builds logs with a clean and a dirty part of the given sizes.
func runSelectionCase(t *testing.T, c *compactionVector) {
	const larger = 100
	config := kafka.LogConfig{
		SegmentBytes: 1 << 40, SegmentTicks: 1 << 40, SegmentIndexBytes: 1 << 20, IndexIntervalBytes: 4096, Compact: true,
		MaxCompactionLag: kafka.Never, MinDirtyRatio: int64(c.MinCleanableDirtyRatio * million),
	}
	if c.MaxCompactionLagMs > 0 {
		config.MaxCompactionLag = c.MaxCompactionLagMs
	}
	selected, filthiest := any(nil), Cleanable{}
	for _, v := range c.Logs {
		l := New(0)
		l.Configure(&config)
		for _, bytes := range []int64{v.CleanBytes, v.DirtyBytes} {
			if bytes > 0 {
				l.AppendAsLeader(sized(1, bytes*larger, v.OldestDirtyFirstTimestamp), 0)
				l.Roll(l.EndOffset())
			}
		}
		l.cleaned = 1
		found := l.Cleanable(l.EndOffset(), c.NowMs)
		if found.CleanBytes != v.CleanBytes*larger || found.DirtyBytes != v.DirtyBytes*larger {
			t.Fatalf("%s has %d clean and %d dirty bytes", v.Name, found.CleanBytes, found.DirtyBytes)
		}
		if found.Due(&config) && (selected == nil || found.Filthier(&filthiest)) {
			selected, filthiest = v.Name, found
		}
	}
	if selected != c.Expect.Selected {
		t.Errorf("%v is selected, expected %v", selected, c.Expect.Selected)
	}
}

func runRangeCase(t *testing.T, c *compactionVector) {
	l, config := New(0), kafka.LogConfig{SegmentBytes: 1 << 20, SegmentTicks: 1 << 40, SegmentIndexBytes: 1 << 20, Compact: true}
	l.Configure(&config)
	for l.EndOffset() < c.LogEndOffset {
		l.AppendAsLeader(sized(1, 100, 0), 0)
		if c.ActiveSegmentBase == nil {
			l.Roll(l.EndOffset())
		}
	}
	l.AdvanceStartOffset(c.LogStartOffset)
	l.cleaned = c.LastCleanOffset
	got := l.Cleanable(c.LogEndOffset, 0)
	if c.Expect.Selected == false {
		if got.Due(&config) {
			t.Errorf("%+v is due, expected nothing to clean", got)
		}
		return
	}
	if got.FirstDirty != c.Expect.FirstDirty || (got.FirstDirty != c.LastCleanOffset) != c.Expect.CheckpointReset {
		t.Errorf("the dirty part begins at %d, expected %d", got.FirstDirty, c.Expect.FirstDirty)
	}
}
