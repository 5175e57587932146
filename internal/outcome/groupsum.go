package outcome

import (
	"slices"

	"replog/internal/kafka"
	"replog/internal/view"
)

// Group is what a consumer group came to. Each list is ascending.
type Group struct {
	ID kafka.GroupID

	EffectsTwice   []kafka.RecordID // an effect outside of Kafka happened twice
	EffectsByTwo   []kafka.RecordID // and two members did it
	EffectsRefused []kafka.RecordID // a unique key refused the second one
	Reread         []kafka.RecordID // read again from the same offset
	PassedOver     []kafka.RecordID // below what is committed, or jumped over, and never done
	Cut            []kafka.RecordID // read, and cut off from the log afterwards
	Unread         []kafka.RecordID // readable at the end, and not done: what is still to come

	Done           int            // records that some member has done
	Idle           []kafka.NodeID // members that have no partition at the end
	Rebalances     int
	Fenced         int // requests of members that the group did not know any more
	CommitsRefused int
	CommitsFailed  int
	Partitions     []GroupPartition

	again  [view.AgainCount][]kafka.RecordID // Reread, by why the group came to them again, in the order in which it did
	undone []kafka.RecordID                  // of PassedOver: handed out to a member that committed first and did not live to do it
	missed []kafka.RecordID                  // of PassedOver: left out by auto.offset.reset
}

// GroupPartition is one partition of a group at the end of a run.
type GroupPartition struct {
	Partition kafka.PartitionID
	Owner     kafka.NodeID // NoNode: nobody reads it
	Moved     int          // how often it went to another member
	Stops     int          // how often nobody had it, after somebody had
	Standing  kafka.Tick   // the longest time for which nobody had it
	End       kafka.Offset // the high watermark
	Committed Lag
	Position  Lag
	Unread    int
}

// Lag is how far a group is behind the end of a partition, by one of the two definitions of Kafka: kafka-consumer-groups
// looks at the committed offset, the metric records-lag of a consumer at its position.
type Lag struct {
	Offset  kafka.Offset // NoOffset: there is none, and no lag
	Records int64
	Time    kafka.Tick // since when the first of these has been in the log
}

// groupOutcomes sums up what was folded so far, as if the run ended now.
func (f *Fold) groupOutcomes() []Group {
	var all []Group
	for i := range f.groups.groups {
		d := &f.groups.groups[i]
		g := Group{
			ID: kafka.GroupID(i), EffectsTwice: sorted(d.twice), EffectsByTwo: sorted(d.byTwo), EffectsRefused: sorted(d.refused),
			Reread: sorted(slices.Concat(d.reread[:]...)), again: d.reread, Done: d.done.count(), Rebalances: d.rebalances, Fenced: d.fenced,
			CommitsRefused: d.commitsRefused, CommitsFailed: d.commitsFailed,
		}
		for _, p := range f.partitionsOf(g.ID) {
			f.sumPartition(&g, d, p)
		}
		g.Idle = f.idleMembers(&g)
		g.undone, g.missed = sorted(g.undone), sorted(g.missed)
		g.PassedOver, g.Unread, g.Cut = sorted(g.PassedOver), sorted(g.Unread), sorted(append(g.Cut, d.cut...))
		all = append(all, g)
	}
	return all
}

func sorted(ids []kafka.RecordID) []kafka.RecordID {
	list := slices.Clone(ids)
	slices.Sort(list)
	return append([]kafka.RecordID{}, slices.Compact(list)...)
}

// partitionsOf are the partitions that a group subscribes to, or has had.
func (f *Fold) partitionsOf(g kafka.GroupID) []kafka.PartitionID {
	all := f.names.Subscribed(g)
	for _, p := range f.groups.view.Partitions(g) {
		all = append(all, p.Partition)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// sumPartition sums up one partition of a group.
func (f *Fold) sumPartition(g *Group, d *groupFold, id kafka.PartitionID) {
	if f.names.Internal(id) || int(id) >= len(f.leaders) {
		return
	}
	p := d.part(id)
	committed := kafka.NoOffset
	if known, ok := f.groups.view.Partition(g.ID, id); ok {
		committed = known.Committed
	}
	sum := GroupPartition{
		Partition: id, Owner: p.owner, Moved: p.moved, Stops: p.stops, Standing: p.standing, End: *f.groups.highOf(id),
		Committed: f.lag(id, committed), Position: f.lag(id, f.pastMarkers(id, p.position())),
	}
	if p.owner == kafka.NoNode && p.last != kafka.NoNode {
		sum.Standing = max(sum.Standing, f.now-p.idle)
	}
	f.sortOut(g, d, p, &sum)
	f.findCut(g, p, id)
	g.Partitions = append(g.Partitions, sum)
}

// idleMembers are the members that live and have nothing to read.
func (f *Fold) idleMembers(g *Group) []kafka.NodeID {
	var idle []kafka.NodeID
	for _, m := range f.groups.view.Members(g.ID) {
		owns := slices.ContainsFunc(g.Partitions, func(p GroupPartition) bool { return p.Owner == m.ID })
		if m.Listed && m.Process == view.ProcessUp && !owns {
			idle = append(idle, m.ID)
		}
	}
	return idle
}

// pastMarkers is a position behind the transaction markers that follow: the client reads over them, and hands out nothing.
func (f *Fold) pastMarkers(id kafka.PartitionID, at kafka.Offset) kafka.Offset {
	if at == kafka.NoOffset || len(f.names.TransactionalIDs) == 0 {
		return at
	}
	for _, ids := range f.logs.Slices(id, f.leaders[id], at, *f.groups.highOf(id)) {
		for _, record := range ids {
			if record != kafka.NoRecord {
				return at
			}
			at++
		}
	}
	return at
}

// position is where the member that has the partition reads on, or NoOffset.
func (p *partFold) position() kafka.Offset {
	if p.owner == kafka.NoNode || p.reader != p.owner {
		return kafka.NoOffset
	}
	return p.at
}

// lag is how far an offset is behind the high watermark.
func (f *Fold) lag(id kafka.PartitionID, from kafka.Offset) Lag {
	l := Lag{Offset: from}
	if end := *f.groups.highOf(id); from != kafka.NoOffset && from < end {
		l.Records = int64(end - from)
		l.Time = f.now - f.groups.appendedAt(id, from)
	}
	return l
}

// appendedAt is when the record at an offset came into the log.
func (f *groupsFold) appendedAt(id kafka.PartitionID, at kafka.Offset) kafka.Tick {
	if int(id) >= len(f.appended) {
		return 0
	}
	m, _ := f.appended[id].UpTo(at)
	return m.At
}

// appendedFrom is the first offset that came into the log at a tick or later.
func (f *groupsFold) appendedFrom(id kafka.PartitionID, tick kafka.Tick) (kafka.Offset, bool) {
	if int(id) >= len(f.appended) {
		return 0, false
	}
	m, came := f.appended[id].From(tick)
	return m.Offset, came
}

// origin is where a group's duty begins in a partition: where it first began to read, or with the first record that came
// while it ran already. What is older and was never asked for is nobody's loss (auto.offset.reset=latest).
func (f *Fold) origin(d *groupFold, p *partFold, id kafka.PartitionID) (kafka.Offset, bool) {
	from, came := f.groups.appendedFrom(id, d.begun)
	switch {
	case p.first == kafka.NoOffset:
		return from, came
	case came:
		return min(from, p.first), true
	}
	return p.first, true
}

// sortOut puts the records that a group has not done on the list where they belong: passed over, or still to come. What
// a member that lives has in work is on neither.
func (f *Fold) sortOut(g *Group, d *groupFold, p *partFold, sum *GroupPartition) {
	from, any := f.origin(d, p, sum.Partition)
	if !any {
		return
	}
	next := sum.Position.Offset
	if next == kafka.NoOffset {
		next = sum.Committed.Offset
	}
	left := min(sum.Committed.Offset, f.workedUpTo(d, sum.Partition, from, sum.End))
	for base, ids := range f.logs.Written(sum.Partition, f.leaders[sum.Partition], from, sum.End) {
		for i, id := range ids {
			at := base + kafka.Offset(i)
			if id == kafka.NoRecord || d.done.has(id) { // no application sees a transaction marker
				continue
			}
			inWork := p.position() != kafka.NoOffset && p.from <= at && at < p.at && p.seen.get(at) == (sighting{id, p.owner})
			if inWork && at >= left {
				continue
			}
			switch {
			case at < next && p.seen.get(at).id != id:
				if p.left.Has(at) {
					g.missed = append(g.missed, id)
				}
				g.PassedOver = append(g.PassedOver, id)
			case at < next:
				if f.names.CommitsEarly(p.seen.get(at).by) {
					g.undone = append(g.undone, id)
				}
				g.PassedOver = append(g.PassedOver, id)
			default:
				g.Unread = append(g.Unread, id)
				sum.Unread++
			}
		}
	}
}

// workedUpTo is the offset behind the last record that is done. An application works on a partition in its order: what it
// has committed and left behind that it will not come back to.
func (f *Fold) workedUpTo(d *groupFold, id kafka.PartitionID, from, end kafka.Offset) kafka.Offset {
	behind := from
	for base, ids := range f.logs.Written(id, f.leaders[id], from, end) {
		for i, record := range ids {
			if record != kafka.NoRecord && d.done.has(record) {
				behind = base + kafka.Offset(i) + 1
			}
		}
	}
	return behind
}

// findCut looks for what was read and is not in the log any more, though retention did not take it.
func (f *Fold) findCut(g *Group, p *partFold, id kafka.PartitionID) {
	leader := f.leaders[id]
	start, _ := f.logs.Bounds(id, leader)
	epoch := view.Run{}
	runs := f.logs.Runs(id, leader)
	p.seen.each(func(at kafka.Offset, record kafka.RecordID) {
		if at < start {
			return
		}
		if at < epoch.From || at >= epoch.To {
			epoch = runAt(runs, at)
		}
		if f.logs.RecordIn(id, epoch.Epoch, at) != record {
			g.Cut = append(g.Cut, record)
		}
	})
}

// runAt is the run that holds an offset; one of no epoch where none does.
func runAt(runs []view.Run, at kafka.Offset) view.Run {
	for _, r := range runs {
		if r.From <= at && at < r.To {
			return r
		}
	}
	return view.Run{Epoch: kafka.NoEpoch, From: at, To: at}
}
