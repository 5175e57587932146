package outcome

import (
	"math/bits"
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// reader is what one reader has shown. What it showed at an offset is what the broker that served it held there, so the
// epochs of its showings tell it, without a list of records.
type reader struct {
	node       kafka.NodeID
	partitions []showings // indexed by kafka.PartitionID
	shown      bitset
	twice      []kafka.RecordID // shown at two offsets or more, in the order of the second showing; may repeat
	early      []kafka.RecordID // shown before an earlier step of the same order, in the order of showing
	skipped    []kafka.RecordID // gone before it came to them
	beliefs    []kafka.RecordID // of compacted topics: the last record shown of each key, by kafka.KeyID
	told       int              // records of compacted topics that it was shown
}

// showings are the stretches of one partition that a reader has shown, in order.
type showings struct {
	runs []view.Run
	next kafka.Offset // behind the highest offset shown so far
}

func (r *reader) show(e *event.Event, ids []kafka.RecordID, f *Fold) {
	logs := &f.logs
	for int(e.Partition) >= len(r.partitions) {
		r.partitions = append(r.partitions, showings{})
	}
	s := &r.partitions[e.Partition]
	for i, id := range ids {
		at := e.Offset + kafka.Offset(i)
		again := at < s.next && s.had(id, at, e.Partition, logs)
		if new := r.shown.set(id); new && r.misses(id, f) {
			r.early = append(r.early, id)
		} else if !new && !again {
			r.twice = append(r.twice, id)
		}
		s.extend(at, logs.WroteAt(e.Partition, e.Peer, at))
	}
}

// misses reports whether an earlier step of the record's order has not been shown yet: paid before it was placed. What
// retention or compaction took is not missed.
func (r *reader) misses(id kafka.RecordID, f *Fold) bool {
	for first, _ := f.names.Step(id); first < id; first++ {
		if !r.shown.has(first) && f.facts.get(first)&(compacted|expired) == 0 {
			return true
		}
	}
	return false
}

// skip notes what lay between a position that the log no longer had and the one from which the reader went on.
func (r *reader) skip(e *event.Event, logs *view.Logs) {
	for _, ids := range logs.Written(e.Partition, e.Peer, kafka.Offset(e.Prev), e.Offset) {
		for _, id := range ids {
			if id != kafka.NoRecord && !r.shown.has(id) {
				r.skipped = append(r.skipped, id)
			}
		}
	}
}

// had reports whether the record was shown at this very offset before: reading again is not a second copy.
func (s *showings) had(id kafka.RecordID, at kafka.Offset, p kafka.PartitionID, logs *view.Logs) bool {
	for _, run := range s.runs {
		if run.From <= at && at < run.To && logs.RecordIn(p, run.Epoch, at) == id {
			return true
		}
	}
	return false
}

func (s *showings) extend(at kafka.Offset, epoch kafka.Epoch) {
	s.next = max(s.next, at+1)
	if last := len(s.runs) - 1; last >= 0 && s.runs[last].Epoch == epoch && s.runs[last].To == at {
		s.runs[last].To++
		return
	}
	s.runs = append(s.runs, view.Run{Epoch: epoch, From: at, To: at + 1})
}

// bitset has a bit for each record id.
type bitset []uint64

// set sets the record's bit and reports whether that was new.
func (b *bitset) set(id kafka.RecordID) bool {
	word, bit := int(id)/64, uint64(1)<<(id%64)
	if word >= len(*b) {
		*b = append(*b, make([]uint64, word+1-len(*b))...)
	}
	if (*b)[word]&bit != 0 {
		return false
	}
	(*b)[word] |= bit
	return true
}

func (b bitset) has(id kafka.RecordID) bool {
	word := int(id) / 64
	return id >= 0 && word < len(b) && b[word]&(1<<(id%64)) != 0
}

// count is the number of bits that are set.
func (b bitset) count() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// Shown names records that one reader showed: at two offsets or more, or too early.
type Shown struct {
	Reader  kafka.NodeID
	Records []kafka.RecordID // ascending
}

// shownBy gathers one list of records of each reader, where it has some.
func shownBy(readers []reader, list func(*reader) []kafka.RecordID) []Shown {
	var shown []Shown
	for i := range readers {
		records := slices.Clone(list(&readers[i]))
		if len(records) == 0 {
			continue
		}
		slices.Sort(records)
		shown = append(shown, Shown{Reader: readers[i].node, Records: slices.Compact(records)})
	}
	return shown
}
