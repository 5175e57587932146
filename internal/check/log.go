package check

import (
	"slices"
	"sort"

	"replog/internal/kafka"
)

// A branch is what one broker appended as leader of one epoch, without a break. Every copy of it on other disks is a
// run that points here, so a record's id is kept once, however many replicas hold it.
type branch struct {
	ids    []kafka.RecordID
	from   kafka.Offset
	epoch  kafka.Epoch
	writer kafka.NodeID
	// What happened to the records, a bit each, counted from the branch's first.
	marks [markCount]bits
}

// mark names what may have happened to a record.
type mark uint8

const (
	acknowledged mark = iota // with acks=all: a promise
	weaklyAcked              // with less: good until the leader dies
	read                     // shown to a reader
	reportedLost             // acknowledged and already reported as lost
	markCount
)

func (b *branch) end() kafka.Offset { return b.from + kafka.Offset(len(b.ids)) }

// id is the record at the offset, or NoRecord where the branch has none.
func (b *branch) id(o kafka.Offset) kafka.RecordID {
	if o < b.from || o >= b.end() {
		return kafka.NoRecord
	}
	return b.ids[o-b.from]
}

// matching counts how many of the ids the branch holds side by side from the offset on.
func (b *branch) matching(o kafka.Offset, ids []kafka.RecordID) int {
	if o < b.from || o >= b.end() {
		return 0
	}
	return samePrefix(b.ids[o-b.from:], ids)
}

func samePrefix(a, b []kafka.RecordID) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

func (b *branch) mark(m mark, o kafka.Offset, count int) { b.marks[m].set(int(o-b.from), count) }

func (b *branch) marked(m mark, o kafka.Offset) bool {
	return o >= b.from && o < b.end() && b.marks[m].has(int(o-b.from))
}

// nextMarked is the first marked offset from o on.
func (b *branch) nextMarked(m mark, o kafka.Offset) (kafka.Offset, bool) {
	i := b.marks[m].next(int(max(o, b.from) - b.from))
	return b.from + kafka.Offset(i), i >= 0
}

// A run is a span of offsets that hold the records of one branch.
type run struct {
	*branch
	from, to kafka.Offset
}

// A replicaLog is what is on one disk: runs in order of offset. What lies below start was taken by retention, which was
// its right (LogStartBelowHighWatermark): it counts as held for ever.
type replicaLog struct {
	runs  []run
	start kafka.Offset
	// early is what retention took before it was committed: nobody had the right to, so it does not count as held.
	early kafka.Spans
	end   kafka.Offset
	// gone are the offsets whose records the cleaner removed. The runs go on through them, as if they were held.
	gone kafka.Spans
}

func (l *replicaLog) append(b *branch, from, to kafka.Offset) {
	l.end = to
	if n := len(l.runs); n > 0 && l.runs[n-1].branch == b && l.runs[n-1].to == from {
		l.runs[n-1].to = to
		return
	}
	l.runs = append(l.runs, run{b, from, to})
}

func (l *replicaLog) truncate(end kafka.Offset) {
	for n := len(l.runs); n > 0 && l.runs[n-1].to > end; n-- {
		if l.runs[n-1].from < end {
			l.runs[n-1].to = end
			break
		}
		l.runs = l.runs[:n-1]
	}
	l.gone.Truncate(end)
	l.end = end
}

// at is the run that holds the offset, or nil. Most questions are about the newest run.
func (l *replicaLog) at(o kafka.Offset) *run {
	n := len(l.runs)
	if n == 0 || o >= l.runs[n-1].to {
		return nil
	}
	if o >= l.runs[n-1].from {
		return &l.runs[n-1]
	}
	i := sort.Search(n, func(i int) bool { return l.runs[i].to > o })
	if o < l.runs[i].from {
		return nil
	}
	return &l.runs[i]
}

// id is the record at the offset, or NoRecord.
func (l *replicaLog) id(o kafka.Offset) kafka.RecordID {
	if r := l.at(o); r != nil {
		return r.id(o)
	}
	return kafka.NoRecord
}

// heldUntil is the end of the stretch of the branch that the log holds from the offset on; the offset itself when it
// does not hold it.
func (l *replicaLog) heldUntil(b *branch, o kafka.Offset) kafka.Offset {
	until := max(o, l.start)
	if r := l.at(o); r != nil && r.branch == b {
		until = r.to
	}
	l.early.Within(o, until, func(gone kafka.Span) bool {
		until = gone.From
		return false
	})
	return until
}

// strike returns the wanted records, in order, that do not stand anywhere in the log. Ids grow with time, so nearly every
// record of a long log is told apart by the two comparisons with the ends.
func (l *replicaLog) strike(wanted []kafka.RecordID) []kafka.RecordID {
	if len(wanted) == 0 {
		return nil
	}
	slices.Sort(wanted)
	found := make([]bool, len(wanted))
	for _, r := range l.runs {
		lo, hi := max(r.from, r.branch.from), min(r.to, r.branch.end())
		for o := lo; o < hi; o++ {
			id := r.ids[o-r.branch.from]
			if id < wanted[0] || id > wanted[len(wanted)-1] || l.early.Has(o) {
				continue
			}
			if i, ok := slices.BinarySearch(wanted, id); ok {
				found[i] = true
			}
		}
	}
	missing := wanted[:0]
	for i, id := range wanted {
		if !found[i] {
			missing = append(missing, id)
		}
	}
	return missing
}

// agreement is the first offset from o on, below limit, at which the logs differ; limit when they do not. An entry is
// the same when both its leader epoch and its record are.
func agreement(a, b *replicaLog, o, limit kafka.Offset) kafka.Offset {
	for o < limit {
		x, y := a.at(o), b.at(o)
		if x == nil || y == nil || x.epoch != y.epoch {
			return o
		}
		stop := min(x.to, y.to, limit)
		if x.branch != y.branch {
			if o = o + kafka.Offset(sameEntries(x.branch, y.branch, o, stop)); o < stop {
				return o
			}
		}
		o = stop
	}
	return max(o, limit)
}

// sameEntries counts the offsets from o on at which two branches of one epoch hold the same record: more than one
// leader wrote in that epoch, or one wrote twice, so only the records can tell. Kafka's own cannot be told apart: what was
// appended twice counts as different.
func sameEntries(a, b *branch, o, stop kafka.Offset) int {
	if o < a.from || o < b.from || a.id(o) == kafka.NoRecord {
		return 0
	}
	stop = min(stop, a.end(), b.end())
	if o >= stop {
		return 0
	}
	return samePrefix(a.ids[o-a.from:stop-a.from], b.ids[o-b.from:stop-b.from])
}
