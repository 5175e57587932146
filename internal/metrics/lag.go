package metrics

import (
	"cmp"
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// Lag is how far a consumer group is behind in one partition, by Kafka's two definitions. They differ by what a member was
// handed and has not committed; and where nobody has the partition, no member reports anything.
type Lag struct {
	Group     kafka.GroupID
	Partition kafka.PartitionID
	// Committed is the high watermark less the committed offset, as kafka-consumer-groups has it; what it was when, and how
	// long the first of these records had been waiting at most.
	Committed Gauge
	MostAt    kafka.Tick
	Oldest    kafka.Tick
	// Position is the high watermark less the position of the member that has the partition, as its metric records-lag has it.
	Position Gauge
	// Pace is by how many records the lag has grown (or shrunk, below 0) within the last PaceMicros before the end.
	Pace int
}

// PaceMicros is the time over which the pace of a lag is taken.
const PaceMicros = 10_000_000

// Drain is how long it takes until the lag is gone if it goes on shrinking at its pace; Never when it does not shrink.
func (l *Lag) Drain(names *kafka.Names) kafka.Tick {
	if l.Pace >= 0 || l.Committed.End == 0 {
		return kafka.Never
	}
	return kafka.Tick(int64(l.Committed.End) * PaceMicros / names.TickMicros / int64(-l.Pace))
}

// lagFold follows the lags of all groups. In a run without groups it does nothing.
type lagFold struct {
	names  *kafka.Names
	groups view.Groups
	parts  []lagPartition // by id
	lags   []lag          // by group, then by partition
	step   kafka.Tick     // a tenth of PaceMicros
	marked kafka.Tick     // when the lags were noted last, for the pace
	now    kafka.Tick
}

// lagPartition is what is readable of a partition, and since when.
type lagPartition struct {
	high   kafka.Offset
	raised kafka.Growth // when the high watermark came up to what
}

// lag is one lag with what it is reckoned from.
type lag struct {
	Lag
	from     kafka.Offset // committed, or where the group began without a commit; NoOffset before that
	position kafka.Offset // NoOffset: nobody has the partition
	reader   kafka.NodeID
	past     [paceMarks]int // the lag at the last marks, the latest first
}

// paceMarks is how often within PaceMicros the lags are noted.
const paceMarks = 10

func newLagFold(names *kafka.Names) lagFold {
	f := lagFold{names: names}
	if names == nil || len(names.Groups) == 0 {
		return f
	}
	f.groups = view.NewGroups(names)
	f.step = max(kafka.Tick(PaceMicros/paceMarks/max(names.TickMicros, 1)), 1)
	for g := range names.Groups {
		for _, p := range names.Subscribed(kafka.GroupID(g)) {
			f.lag(kafka.GroupID(g), p)
		}
	}
	return f
}

func (f *lagFold) active() bool { return f.names != nil && len(f.names.Groups) > 0 }

// lag is the lag of a group in a partition, made when it is new.
func (f *lagFold) lag(g kafka.GroupID, p kafka.PartitionID) *lag {
	at, found := slices.BinarySearchFunc(f.lags, Lag{Group: g, Partition: p}, func(l lag, w Lag) int {
		return cmp.Or(cmp.Compare(l.Group, w.Group), cmp.Compare(l.Partition, w.Partition))
	})
	if !found {
		f.lags = slices.Insert(f.lags, at, lag{
			Lag: Lag{Group: g, Partition: p}, from: kafka.NoOffset, position: kafka.NoOffset, reader: kafka.NoNode,
		})
	}
	return &f.lags[at]
}

func (f *lagFold) partition(p kafka.PartitionID) *lagPartition {
	for int(p) >= len(f.parts) {
		f.parts = append(f.parts, lagPartition{})
	}
	return &f.parts[p]
}

// take takes in an event and reports whether a lag may have changed.
func (f *lagFold) take(e *event.Event) bool {
	f.mark(e.At)
	f.groups.Apply(e)
	switch e.Kind {
	case event.HighWatermarkAdvanced, event.BecameLeader:
		if f.names.Internal(e.Partition) {
			return false
		}
		f.raised(e)
	case event.OffsetCommitWritten, event.OffsetLoaded, event.PendingOffsetEnded:
		if e.Kind == event.PendingOffsetEnded && e.Prev == 0 {
			return false // with its transaction aborted, or overtaken
		}
		if g := e.Group(); g >= 0 && int(g) < len(f.names.Groups) {
			f.committed(f.lag(g, e.Partition), e)
		}
	case event.PositionFound, event.OffsetReset, event.PositionTruncated, event.FetchedPassedOver, event.RecordsRead:
		if _, g, member := f.groups.Member(e.Node); member {
			f.stands(f.lag(g, e.Partition), e)
		}
	case event.PartitionAssigned, event.PartitionRevoked, event.PartitionLost, event.ConsumerCrashed, event.ConsumerClosed, event.ConsumerFailed,
		event.MemberExpired, event.MemberRemoved, event.MemberLeft:
		f.leave(e)
	case event.RunEnded:
		f.waited(e.At)
	default:
		return false
	}
	return true
}

func (f *lagFold) raised(e *event.Event) {
	p := f.partition(e.Partition)
	p.high = e.Offset
	if e.Kind == event.BecameLeader {
		p.high = kafka.Offset(e.Prev)
	}
	p.raised.Add(p.high, e.At)
}

// committed notes a commit; what was before it has waited until now.
func (f *lagFold) committed(l *lag, e *event.Event) {
	f.wait(l, e.At)
	l.from = e.Offset
}

// stands notes where a member is.
func (f *lagFold) stands(l *lag, e *event.Event) {
	l.reader, l.position = e.Node, e.Offset
	if e.Kind == event.RecordsRead {
		l.position = e.End()
	} else if l.from == kafka.NoOffset {
		l.from = e.Offset
	}
}

// leave forgets the positions of members that do not have their partitions any more.
func (f *lagFold) leave(e *event.Event) {
	for i := range f.lags {
		l := &f.lags[i]
		if part, known := f.groups.Partition(l.Group, l.Partition); l.reader != kafka.NoNode && (!known || part.Owner != l.reader) {
			l.reader, l.position = kafka.NoNode, kafka.NoOffset
		}
	}
}

// wait notes how long the first readable record that is not committed has been waiting.
func (f *lagFold) wait(l *lag, now kafka.Tick) {
	p := f.partition(l.Partition)
	if l.from == kafka.NoOffset || l.from >= p.high {
		return
	}
	if m, readable := p.raised.Beyond(l.from); readable {
		l.Oldest = max(l.Oldest, now-m.At)
	}
}

func (f *lagFold) waited(now kafka.Tick) {
	for i := range f.lags {
		f.wait(&f.lags[i], now)
	}
}

// gauge takes the lags anew, and returns those of all groups: committed, and the largest that a member reports.
func (f *lagFold) gauge(now kafka.Tick) (committed, reported int) {
	for i := range f.lags {
		l := &f.lags[i]
		high, was := f.partition(l.Partition).high, l.Committed.Max
		l.Committed.set(behind(l.from, high))
		l.Position.set(behind(l.position, high))
		if l.Committed.Max > was {
			l.MostAt = now
		}
		committed += l.Committed.End
		reported = max(reported, l.Position.End)
	}
	return committed, reported
}

func behind(from, high kafka.Offset) int {
	if from == kafka.NoOffset {
		return 0
	}
	return int(max(high-from, 0))
}

// mark notes the lags in steps of a tenth of PaceMicros, as they were until now.
func (f *lagFold) mark(now kafka.Tick) {
	f.now = now
	for n := 0; f.marked+f.step <= now && n < paceMarks; n++ {
		f.marked += f.step
		for i := range f.lags {
			l := &f.lags[i]
			copy(l.past[1:], l.past[:])
			l.past[0] = l.Committed.End
		}
	}
	if f.marked+f.step <= now {
		f.marked += (now - f.marked) / f.step * f.step
	}
}

// summary is every lag as it stands.
func (f *lagFold) summary() []Lag {
	var all []Lag
	for i := range f.lags {
		l := f.lags[i].Lag
		l.Pace = l.Committed.End - f.lags[i].past[paceMarks-1]
		all = append(all, l)
	}
	return all
}
