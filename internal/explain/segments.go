package explain

import (
	"fmt"
	"strings"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// Disk is what decides about the old segments of a partition, as it is set at a moment.
type Disk struct {
	Now          kafka.Tick
	Log          kafka.LogConfig
	CheckEvery   kafka.Tick // log.retention.check.interval.ms; 0: there are no checks
	FirstCheck   kafka.Tick // log.initial.task.delay.ms
	CleanerEvery kafka.Tick // log.cleaner.backoff.ms
	// Dated is the timestamp of a record at an offset; Kafka's own records have no id.
	Dated func(kafka.RecordID, kafka.Offset) kafka.Tick
}

// SegmentFate is one segment of a replica's log, and what the next retention check or pass of the cleaner does with it.
type SegmentFate struct {
	view.Segment
	Newest  kafka.Tick // largest timestamp of what is left; kafka.Never for none
	Oldest  kafka.Tick // the time from which segment.ms counts
	Records int        // that are left
	Removed int        // by the cleaner
	Goes    bool       // the next check deletes it, or the next pass takes it
	Dirty   bool       // no pass of the cleaner has been through it
	Text    string     // what comes next, and why
}

// Segments tells of each segment of a replica, oldest first; nil where nobody knows the settings.
func (m *Moment) Segments(p kafka.PartitionID, broker kafka.NodeID) []SegmentFate {
	if m.Disk == nil {
		return nil
	}
	disk := m.Disk(p)
	if disk == nil {
		return nil
	}
	logs, names := m.Picture.Logs(), m.Picture.Names()
	var fates []SegmentFate
	for _, s := range logs.Segments(p, broker, names) {
		f := SegmentFate{Segment: s, Newest: kafka.Never, Oldest: kafka.Never}
		for base, ids := range logs.Slices(p, broker, s.Base, s.End) {
			f.Records += len(ids)
			for i, id := range ids {
				at := disk.Dated(id, base+kafka.Offset(i))
				if f.Newest == kafka.Never || at > f.Newest {
					f.Newest = at
				}
				f.Oldest = min(f.Oldest, at)
			}
		}
		f.Removed = int(logs.Gone(p, broker).Count(s.Base, s.End))
		fates = append(fates, f)
	}
	replica, _ := m.Picture.Replica(p, broker)
	j := judge{disk: disk, names: names, fates: fates, replica: replica, now: disk.Now, start: m.started(broker)}
	switch {
	case disk.Log.Compact && disk.Log.Delete:
		j.retention()
		j.compaction(logs.CleanedTo(p, broker))
	case disk.Log.Compact:
		j.compaction(logs.CleanedTo(p, broker))
	default:
		j.retention()
	}
	return fates
}

// started is when the broker's process began; its checks count from there.
func (m *Moment) started(broker kafka.NodeID) kafka.Tick {
	for seq := m.Picture.Seq(); seq > 0; seq-- {
		if e := m.Log.Get(seq); e != nil && e.Kind == event.BrokerRestarted && e.Node == broker {
			return e.At
		}
	}
	return 0
}

// judge works out what comes next.
type judge struct {
	disk       *Disk
	names      *kafka.Names
	fates      []SegmentFate
	replica    view.ReplicaView
	now, start kafka.Tick
}

// lookFrom is the first look at a time or later, of those that come every so many ticks from the first on.
func lookFrom(first, every, at kafka.Tick) kafka.Tick {
	if at <= first || every <= 0 {
		return first
	}
	return first + (at-first+every-1)/every*every
}

// check is the first retention check behind a time. Those of compacted topics are made by the cleaner.
func (j *judge) check(behind kafka.Tick) kafka.Tick {
	if j.disk.Log.Compact {
		return lookFrom(j.start, j.disk.CleanerEvery, behind+1)
	}
	return lookFrom(j.start+j.disk.FirstCheck, j.disk.CheckEvery, behind+1)
}

// retention says of each segment when it is deleted, or why not (UnifiedLog.deleteOldSegments).
func (j *judge) retention() {
	c := &j.disk.Log
	total := int64(0)
	for i := range j.fates {
		total += j.fates[i].Size.Bytes()
	}
	next, stopped, before := j.check(j.now), false, kafka.Tick(0)
	for i := range j.fates {
		f := &j.fates[i]
		size := f.Size.Bytes()
		if f.Active && size == 0 {
			f.Text = "the active segment, empty: it takes the appends"
			continue
		}
		over := c.RetentionBytes >= 0 && total-size >= c.RetentionBytes
		switch {
		case !stopped && f.End <= j.replica.LogStart && !f.Active:
			f.Goes, f.Text = true, "goes with the check of "+j.names.Clock(next)+": it lies below the log start"
		case j.disk.CheckEvery == 0:
			f.Text = "stays: there are no retention checks"
		case f.End > j.replica.HighWater:
			f.Text, stopped = "stays: it reaches beyond the high watermark", true
		case !stopped && over:
			f.Goes = true
			f.Text = fmt.Sprintf("goes with the check of %s: the %s bytes behind it are still retention.bytes", j.names.Clock(next), number(total-size))
		case c.RetentionTicks < 0 || f.Newest == kafka.Never:
			f.Text, stopped = "stays: "+j.sizeText(total-size), true
		default:
			f.Text = j.byTime(f, &before, stopped)
			f.Goes = !stopped && before == next
			stopped = stopped || !f.Goes
		}
		total -= size
	}
}

func (j *judge) sizeText(left int64) string {
	if j.disk.Log.RetentionBytes < 0 {
		return "the topic has no limit of time or size"
	}
	return fmt.Sprintf("without it %s bytes would be left, less than retention.bytes", number(left))
}

// byTime says at which check a segment goes by its newest record, but not before the one in front of it.
func (j *judge) byTime(f *SegmentFate, before *kafka.Tick, stopped bool) string {
	until := f.Newest + j.disk.Log.RetentionTicks
	at := j.check(max(until, j.now))
	if stopped && at < *before {
		return "stays until the check of " + j.names.Clock(*before) + ": retention stops at the first segment that is too young"
	}
	*before = max(*before, at)
	if until < j.now {
		return "goes with the check of " + j.names.Clock(at) + ": its newest record is older than retention.ms"
	}
	return fmt.Sprintf("stays until the check of %s: its newest record, of %s, is younger than retention.ms until %s", j.names.Clock(at),
		j.names.Clock(f.Newest), j.names.Clock(until))
}

// compaction says of each segment what the cleaner does with it (LogCleanerManager.cleanableOffsets).
func (j *judge) compaction(cleanedTo kafka.Offset) {
	c, pass := &j.disk.Log, lookFrom(j.start, j.disk.CleanerEvery, j.now+1)
	limit, open := kafka.Offset(-1), ""
	var clean, dirty int64
	overdue := false
	for i := range j.fates {
		f := &j.fates[i]
		f.Dirty = f.End > cleanedTo
		switch {
		case f.Active || f.Goes:
		case !f.Dirty:
			clean += f.Size.Bytes()
		case limit >= 0:
		case f.End > j.replica.HighWater:
			limit, open = f.Base, "it reaches beyond the high watermark"
		case c.MinCompactionLag > 0 && f.Newest != kafka.Never && f.Newest > pass-c.MinCompactionLag:
			limit, open = f.Base, "min.compaction.lag.ms keeps it from the cleaner until "+j.names.Clock(f.Newest+c.MinCompactionLag)
		default:
			dirty += f.Size.Bytes()
			overdue = overdue || f.Oldest < pass-c.MaxCompactionLag
		}
	}
	due := dirty > 0 && (overdue || dirty*million > c.MinDirtyRatio*(clean+dirty))
	for i := range j.fates {
		f := &j.fates[i]
		if f.Goes {
			continue // retention takes it
		}
		switch {
		case f.Active:
			f.Text = "active: the cleaner leaves it alone" + j.closes(f)
		case limit >= 0 && f.Base >= limit:
			f.Text = "dirty, and stays so: " + open
		case due:
			f.Goes, f.Text = true, "written anew by the pass of "+j.names.Clock(pass)+": "+j.whyDue(overdue, clean, dirty)
		case f.Dirty:
			f.Text = "dirty: " + j.share(clean, dirty) + " of the log is, and a pass needs more than " + ratio(c.MinDirtyRatio)
		default:
			f.Text = "clean; it goes through the next pass again"
		}
	}
}

// million is the unit of kafka.LogConfig.MinDirtyRatio.
const million = 1_000_000

func (j *judge) whyDue(overdue bool, clean, dirty int64) string {
	if dirty*million > j.disk.Log.MinDirtyRatio*(clean+dirty) {
		return j.share(clean, dirty) + " of the log is dirty, more than " + ratio(j.disk.Log.MinDirtyRatio)
	}
	return "max.compaction.lag.ms is over"
}

func (j *judge) share(clean, dirty int64) string {
	if clean+dirty == 0 {
		return "nothing"
	}
	return ratio(dirty * million / (clean + dirty))
}

// ratio writes millionths as a percentage.
func ratio(millionths int64) string { return fmt.Sprintf("%d%%", (millionths+5000)/10000) }

// closes says what will close the active segment.
func (j *judge) closes(f *SegmentFate) string {
	if f.Oldest == kafka.Never {
		return ""
	}
	at := f.Oldest + j.disk.Log.RollTicks()
	if at < 0 || at >= kafka.Never { // it never comes
		return "; segment.bytes will close it"
	}
	return "; the first append after " + j.names.Clock(at) + " closes it (segment.ms), or one that no longer fits"
}

// because says what comes of a segment as an answer to why: what stands behind the colon is the reason.
func because(text string) string {
	if !strings.HasPrefix(text, "stays") {
		return "is " + text
	}
	return strings.Replace(text, ": ", " because ", 1)
}

// SegmentStays answers why the segment that holds an offset is still there.
func (m *Moment) SegmentStays(p kafka.PartitionID, broker kafka.NodeID, o kafka.Offset) WhyNot {
	names := m.Picture.Names()
	fates := m.Segments(p, broker)
	for i := range fates {
		f := &fates[i]
		if o < f.Base || o >= f.End {
			continue
		}
		d := m.doubt("Why is the segment %s of %s still on %s?", number(f.Base), names.Partition(p), names.Node(broker))
		disk := m.Disk(p)
		if disk.Log.Compact {
			d.rule(event.LogCleaned)
		} else {
			d.rule(event.SegmentDeletedByTime)
			d.rule(event.SegmentDeletedBySize)
		}
		d.input(0, "It holds the offsets %s to %s: %s, %s bytes; compaction has removed %s.", number(f.Base), number(f.End-1),
			count(f.Records, "record"), number(f.Size.Bytes()), count(f.Removed, "record"))
		if f.Newest != kafka.Never {
			d.input(0, "Its newest record is of %s.", names.Clock(f.Newest))
		}
		if f.Goes {
			d.input(0, "It %s.", f.Text)
		} else {
			d.Fails = len(d.Lines)
			d.input(0, "It %s.", because(f.Text))
		}
		return d.WhyNot
	}
	d := m.doubt("Why is this segment still on %s?", names.Node(broker))
	return d.nothing("It is not: no segment of %s holds offset %s any more.", names.Partition(p), number(o))
}
