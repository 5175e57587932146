package outcome

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// groupsFold follows what the consumer groups of a run read and do. In a run without groups it does nothing.
type groupsFold struct {
	names    *kafka.Names
	view     view.Groups
	groups   []groupFold    // by id
	high     []kafka.Offset // by partition: the high watermark, as its leader last said
	appended []kafka.Growth // by partition: when its records came into the log, a batch each
}

// groupFold is what one group has done.
type groupFold struct {
	parts   []partFold // by partition
	begun   kafka.Tick // when the first of its processes started; Never before that
	effects bool       // its work shows outside of Kafka; otherwise a record that was read is done

	done   bitset
	doneBy []kafka.NodeID // by record: whose effect came first; 0 for nobody's
	// Lists of records in the order in which it happened; they may repeat.
	twice, byTwo, refused, cut []kafka.RecordID
	reread                     [view.AgainCount][]kafka.RecordID // by why the group came to them again

	rebalances, fenced, commitsRefused, commitsFailed int
}

// partFold is what a group has done in one partition.
type partFold struct {
	seen  sightings
	first kafka.Offset // where it first began to read; NoOffset before that
	left  kafka.Spans  // what auto.offset.reset has left out
	// The member that reads it now: from where on, and how far it has come.
	reader   kafka.NodeID
	from, at kafka.Offset

	owner    kafka.NodeID
	last     kafka.NodeID // who had it before nobody did
	idle     kafka.Tick   // since when nobody has had it
	standing kafka.Tick   // the longest time for which nobody had it
	stops    int          // how often nobody had it, after somebody had
	moved    int          // how often it went to another member
}

func newGroupsFold(names *kafka.Names) groupsFold {
	f := groupsFold{names: names, view: view.NewGroups(names), groups: make([]groupFold, len(names.Groups))}
	for i := range f.groups {
		f.groups[i].begun = kafka.Never
	}
	for i := range names.Nodes {
		if g, member := names.FindGroup(names.Nodes[i].Consumes); member && names.Nodes[i].Effect != "" && names.Nodes[i].Effect != kafka.HandedOn {
			f.groups[g].effects = true
		}
	}
	return f
}

// isMember reports whether a node is a consumer in some group, and in which.
func (f *groupsFold) isMember(node kafka.NodeID) (kafka.GroupID, bool) {
	_, g, is := f.view.Member(node)
	return g, is
}

// take takes in an event.
func (f *groupsFold) take(e *event.Event, ids []kafka.RecordID) {
	if len(f.groups) == 0 {
		return
	}
	f.view.Apply(e)
	switch e.Kind {
	case event.BatchAppended:
		f.stamp(e)
	case event.HighWatermarkAdvanced:
		*f.highOf(e.Partition) = e.Offset
	case event.BecameLeader:
		*f.highOf(e.Partition) = kafka.Offset(e.Prev)
	case event.RebalanceBegan, event.TargetAssigned, event.MemberFenced, event.OffsetCommitRefused, event.OffsetCommitFailed:
		f.count(e)
	case event.MemberLeft, event.MemberExpired, event.MemberRemoved, event.MemberLoaded:
		if g := e.Group(); g >= 0 && int(g) < len(f.groups) {
			f.watch(g, e.At)
		}
	default:
		if g, is := f.isMember(e.Node); is {
			f.takeMember(g, e, ids)
		}
	}
}

func (f *groupsFold) stamp(e *event.Event) {
	if f.names.Internal(e.Partition) {
		return
	}
	for int(e.Partition) >= len(f.appended) {
		f.appended = append(f.appended, kafka.Growth{})
	}
	f.appended[e.Partition].Add(e.Offset, e.At)
}

func (f *groupsFold) highOf(p kafka.PartitionID) *kafka.Offset {
	for int(p) >= len(f.high) {
		f.high = append(f.high, 0)
	}
	return &f.high[p]
}

// count counts what coordinators and members report of one group.
func (f *groupsFold) count(e *event.Event) {
	g := e.Group()
	if g < 0 || int(g) >= len(f.groups) {
		return
	}
	switch d := &f.groups[g]; e.Kind {
	case event.RebalanceBegan, event.TargetAssigned:
		d.rebalances++
	case event.MemberFenced:
		d.fenced++
	case event.OffsetCommitRefused:
		d.commitsRefused++
	case event.OffsetCommitFailed:
		d.commitsFailed++
	}
}

// takeMember takes in what a consumer does.
func (f *groupsFold) takeMember(g kafka.GroupID, e *event.Event, ids []kafka.RecordID) {
	d := &f.groups[g]
	switch e.Kind {
	case event.ConsumerStarted:
		d.begun = min(d.begun, e.At)
	case event.ConsumerCrashed, event.ConsumerClosed, event.ConsumerFailed, event.PartitionAssigned, event.PartitionRevoked, event.PartitionLost:
		f.watch(g, e.At)
	case event.PositionFound, event.OffsetReset, event.PositionTruncated, event.FetchedPassedOver:
		d.part(e.Partition).begin(e)
	case event.RecordsRead:
		d.read(e, ids, func(at kafka.Offset) view.Again {
			committed, _ := f.view.Partition(g, e.Partition)
			return committed.WhyAgain(at)
		})
	case event.RecordsDropped:
		d.drop(e, ids)
	case event.EffectHappened:
		if f.names.Effect(e.Node) != kafka.HandedOn { // else it is not outside of Kafka
			d.do(e, ids)
		}
	case event.EffectRefused:
		d.refused = append(d.refused, ids...)
	}
}

// watch notes who has which partition now.
func (f *groupsFold) watch(g kafka.GroupID, now kafka.Tick) {
	for _, p := range f.view.Partitions(g) {
		f.groups[g].part(p.Partition).give(p.Owner, now)
	}
}

func (d *groupFold) part(p kafka.PartitionID) *partFold {
	for int(p) >= len(d.parts) {
		d.parts = append(d.parts, partFold{first: kafka.NoOffset, owner: kafka.NoNode, last: kafka.NoNode, reader: kafka.NoNode, at: kafka.NoOffset})
	}
	return &d.parts[p]
}

// give notes the owner, and how long there was none.
func (p *partFold) give(owner kafka.NodeID, now kafka.Tick) {
	switch {
	case owner == p.owner:
		return
	case owner == kafka.NoNode:
		p.idle, p.last, p.stops = now, p.owner, p.stops+1
	case p.owner == kafka.NoNode && p.last != kafka.NoNode:
		p.standing = max(p.standing, now-p.idle)
	}
	if before := p.before(); owner != kafka.NoNode && before != kafka.NoNode && before != owner {
		p.moved++
	}
	p.owner = owner
	if p.reader != owner {
		p.reader, p.at = kafka.NoNode, kafka.NoOffset
	}
}

// before is who has the partition, or had it last.
func (p *partFold) before() kafka.NodeID {
	if p.owner != kafka.NoNode {
		return p.owner
	}
	return p.last
}

// begin notes a position that a member did not come to by reading.
func (p *partFold) begin(e *event.Event) {
	if p.first == kafka.NoOffset {
		p.first = e.Offset
	}
	switch {
	case e.Kind == event.OffsetReset:
		p.left.Add(kafka.Offset(e.Prev), e.Offset)
	case e.Value == event.FoundLatest, e.Value == event.FoundByDuration:
		p.left.Add(0, e.Offset)
	}
	p.reader, p.from, p.at = e.Node, e.Offset, e.Offset
}

// read notes what a poll handed to the application; why says why the group comes to an offset again.
func (d *groupFold) read(e *event.Event, ids []kafka.RecordID, why func(kafka.Offset) view.Again) {
	p := d.part(e.Partition)
	for i, id := range ids {
		at := e.Offset + kafka.Offset(i)
		switch before := p.seen.put(at, sighting{id, e.Node}); {
		case before == id:
			reason := why(at)
			d.reread[reason] = append(d.reread[reason], id)
		case before != kafka.NoRecord:
			d.cut = append(d.cut, before) // something else stands there now
		}
		if !d.effects {
			d.done.set(id)
		}
	}
	if p.first == kafka.NoOffset {
		p.first = e.Offset
	}
	if p.reader != e.Node {
		p.reader, p.from = e.Node, e.Offset
	}
	p.at = e.End()
}

// drop notes what a member reads over, as its transaction was aborted: nobody has to do it.
func (d *groupFold) drop(e *event.Event, ids []kafka.RecordID) {
	p := d.part(e.Partition)
	for _, id := range ids {
		d.done.set(id)
	}
	if p.reader == e.Node && p.at == e.Offset {
		p.at = e.End()
	}
}

// do notes an effect, and whether it happened before.
func (d *groupFold) do(e *event.Event, ids []kafka.RecordID) {
	for _, id := range ids {
		for int(id) >= len(d.doneBy) {
			d.doneBy = append(d.doneBy, 0)
		}
		d.done.set(id)
		switch first := d.doneBy[id]; {
		case first == 0:
			d.doneBy[id] = e.Node
			continue
		case first != e.Node:
			d.byTwo = append(d.byTwo, id)
		}
		d.twice = append(d.twice, id)
	}
}

// sightings are what a group read at each offset of a partition, in pieces that are made where it reads.
type sightings struct {
	pieces map[kafka.Offset]*[sightingsPiece]sighting
}

const sightingsPiece = 256

// sighting is a record that was read, and the member that read it last; the zero value is none.
type sighting struct {
	id kafka.RecordID
	by kafka.NodeID
}

// put notes what was read at an offset and returns what was read there before, or NoRecord.
func (s *sightings) put(at kafka.Offset, now sighting) kafka.RecordID {
	if s.pieces == nil {
		s.pieces = map[kafka.Offset]*[sightingsPiece]sighting{}
	}
	piece := s.pieces[at/sightingsPiece]
	if piece == nil {
		piece = new([sightingsPiece]sighting)
		s.pieces[at/sightingsPiece] = piece
	}
	was := piece[at%sightingsPiece]
	piece[at%sightingsPiece] = now
	if was.by == 0 {
		return kafka.NoRecord
	}
	return was.id
}

// get is who read which record at an offset last; NoRecord where nobody has.
func (s *sightings) get(at kafka.Offset) sighting {
	if piece := s.pieces[at/sightingsPiece]; piece != nil && piece[at%sightingsPiece].by != 0 {
		return piece[at%sightingsPiece]
	}
	return sighting{id: kafka.NoRecord, by: kafka.NoNode}
}

// each yields everything that was read, in the order of the offsets.
func (s *sightings) each(yield func(kafka.Offset, kafka.RecordID)) {
	var order []kafka.Offset
	for piece := range s.pieces {
		order = append(order, piece)
	}
	slices.Sort(order)
	for _, piece := range order {
		for i, seen := range s.pieces[piece] {
			if seen.by != 0 {
				yield(piece*sightingsPiece+kafka.Offset(i), seen.id)
			}
		}
	}
}
