package explain

import (
	"fmt"
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// groupEvent is the last event up to now of one of some kinds that speaks of a group, and fits besides (nil: any).
func (d *doubt) groupEvent(g kafka.GroupID, fits func(*event.Event) bool, kinds ...event.Kind) event.Seq {
	return d.latest(func(e *event.Event) bool {
		for _, k := range kinds {
			if e.Kind == k && e.Group() == g && (fits == nil || fits(e)) {
				return true
			}
		}
		return false
	})
}

// process is the last event that says how a consumer's process is.
func (d *doubt) process(id kafka.NodeID) event.Seq {
	return d.latest(func(e *event.Event) bool {
		switch e.Kind {
		case event.ConsumerStarted, event.ConsumerCrashed, event.ConsumerClosed, event.ConsumerFailed:
			return e.Node == id
		}
		return false
	})
}

// inputGroup says how a group is.
func (d *doubt) inputGroup(g view.Group) {
	kinds := []event.Kind{event.GroupStable, event.RebalanceBegan, event.GenerationBegan, event.TargetAssigned, event.MemberEpochChanged, event.GroupsLoaded}
	d.input(d.groupEvent(g.ID, nil, kinds...), "Group %s is %v, in generation or epoch %d; %s coordinates it.",
		d.names.ConsumerGroup(g.ID), g.State, max(g.Epoch, 0), d.names.Node(g.Host))
}

// IdleMember answers why a member of a group reads nothing.
func (m *Moment) IdleMember(id kafka.NodeID) WhyNot {
	member, group, _ := m.Picture.Groups().Member(id)
	g := m.Picture.Groups().Group(group)
	d := m.doubt("Why does %s read nothing?", m.Picture.Names().Node(id))
	d.rule(event.PartitionAssigned)
	d.inputGroup(g)
	if d.notRunning(&member, group) || d.rebalancing(g) {
		return d.WhyNot
	}
	has := 0
	for _, c := range m.Picture.Groups().Claims(group) {
		if c.Member == id {
			has++
		}
	}
	if has > 0 {
		return d.nothing("It has %s; what it was handed, it has in work, or there is nothing to read.", count(has, "partition"))
	}
	listed := 0
	for _, other := range m.Picture.Groups().Members(group) {
		if other.Listed {
			listed++
		}
	}
	parts := len(d.names.Subscribed(group))
	d.input(0, "The group has %s and reads %s.", count(listed, "member"), count(parts, "partition"))
	if listed > parts {
		d.fails(d.groupEvent(group, nil, event.GroupStable, event.TargetAssigned), "a partition has one reader in a group, so %s of its members %s none.",
			number(listed-parts), verb(listed-parts, "has", "have"))
	}
	return d.nothing("Nothing is in the way: it is about to hear what it gets.")
}

// notRunning reports a process that can read nothing: dead, not in the group, stuck.
func (d *doubt) notRunning(m *view.Member, g kafka.GroupID) bool {
	switch {
	case m.Process == view.ProcessNotStarted:
		d.fails(0, "its process has not started yet.")
	case m.Process != view.ProcessUp:
		d.fails(d.process(m.ID), "its process has ended (%v).", m.Process)
	case m.Stuck:
		d.fails(d.groupEvent(g, func(e *event.Event) bool { return e.Node == m.ID }, event.PollIntervalExceeded),
			"its application has not called poll() for max.poll.interval.ms, and it has left the group.")
	case !m.Listed:
		left := d.groupEvent(g, func(e *event.Event) bool { return e.Peer == m.ID }, event.MemberExpired, event.MemberRemoved, event.MemberLeft, event.MemberFenced)
		d.fails(left, "the group does not count it as a member%s.", pick(left != 0, " any more", ": it has yet to join"))
	default:
		return false
	}
	return true
}

func pick(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// rebalancing reports a classic group in which nobody gets a partition before everybody has joined.
func (d *doubt) rebalancing(g view.Group) bool {
	switch g.State {
	case view.GroupPreparing:
		d.fails(d.groupEvent(g.ID, nil, event.RebalanceBegan), "the group waits until all of its members have joined again, or their max.poll.interval.ms has passed.")
	case view.GroupCompleting:
		d.fails(d.groupEvent(g.ID, nil, event.GenerationBegan), "the group waits for %s, which assigns.", d.names.Node(g.Leader))
	default:
		return false
	}
	return true
}

// NobodyReads answers why no member of a group has a partition.
func (m *Moment) NobodyReads(group kafka.GroupID, p kafka.PartitionID) WhyNot {
	g := m.Picture.Groups().Group(group)
	d := m.doubt("Why does nobody of group %s read %s?", m.Picture.Names().ConsumerGroup(group), m.Picture.Names().Partition(p))
	d.rule(event.PartitionAssigned)
	d.inputGroup(g)
	part, known := m.Picture.Groups().Partition(group, p)
	if known && part.Owner != kafka.NoNode {
		return d.nothing("Somebody does: %s has it since %s.", d.names.Node(part.Owner), d.names.Clock(part.Since))
	}
	if g.Host == kafka.NoNode {
		d.fails(d.latest(func(e *event.Event) bool { return e.Kind == event.BrokerCrashed }), "the group has no coordinator that could give it to somebody.")
	}
	if known && part.Former != kafka.NoNode {
		d.former(group, &part)
	}
	if !slices.ContainsFunc(m.Picture.Groups().Members(group), func(m view.Member) bool { return m.Listed }) {
		d.fails(d.groupEvent(group, nil, event.MemberLeft, event.MemberExpired, event.MemberRemoved, event.GroupsLoaded), "the group has no members.")
	}
	if !d.rebalancing(g) {
		d.unnoticed(g, p)
	}
	return d.nothing("Nothing is in the way: a member is about to hear that it is its own.")
}

// unnoticed reports a partition that its topic got after the group dealt out what it knew of.
func (d *doubt) unnoticed(g view.Group, p kafka.PartitionID) {
	created := d.latest(func(e *event.Event) bool {
		return e.Kind == event.LeaderElected && e.Partition == p && e.Epoch == 0 && e.At > 0
	})
	dealt := d.groupEvent(g.ID, nil, event.GenerationBegan, event.TargetAssigned, event.PartitionsNoticed)
	if created <= dealt {
		return
	}
	how := "its coordinator looks with the next heartbeat of a member"
	if !g.Server {
		how = d.names.Node(g.Leader) + ", which assigns, goes by metadata that may be metadata.max.age.ms old; a static member that came " +
			"back as the leader takes what there is for what it assigned"
	}
	d.fails(created, "%s is new, and the group has not noticed: %s.", d.names.Partition(p), how)
}

// former tells of the member that had the partition last. One that died is counted until its session is over.
func (d *doubt) former(group kafka.GroupID, part *view.GroupPartition) {
	was, _, _ := d.Picture.Groups().Member(part.Former)
	d.input(d.groupEvent(group, func(e *event.Event) bool { return e.Node == part.Former && e.Partition == part.Partition }, event.PartitionAssigned),
		"%s had it, until %s.", capital(d.names.Node(part.Former)), d.names.Clock(part.Since))
	switch {
	case was.Process == view.ProcessCrashed && was.Listed:
		d.fails(d.process(part.Former), "%s is dead, and its group does not know: it counts as a member until session.timeout.ms after its last heartbeat.", d.names.Node(part.Former))
	case !was.Listed:
		d.input(d.groupEvent(group, func(e *event.Event) bool { return e.Peer == part.Former }, event.MemberExpired, event.MemberRemoved, event.MemberLeft),
			"The group has removed %s.", d.names.Node(part.Former))
	}
}

// Rebalanced answers why a group rebalanced last.
func (m *Moment) Rebalanced(group kafka.GroupID) WhyNot {
	d := m.doubt("Why did group %s rebalance?", m.Picture.Names().ConsumerGroup(group))
	began := d.groupEvent(group, nil, event.RebalanceBegan, event.TargetAssigned)
	e := d.Log.Get(began)
	if e == nil {
		return d.nothing("It has not yet.")
	}
	d.rule(e.Kind)
	d.input(began, "%s.", capital(event.Sentence(e, nil, d.names)))
	because := d.latest(func(c *event.Event) bool {
		switch c.Kind {
		case event.MemberJoined, event.MemberLeft, event.MemberExpired, event.MemberRemoved, event.PollIntervalExceeded,
			event.PartitionsNoticed:
			return c.Seq <= began && c.Group() == group && (c.Peer == e.Peer || c.Node == e.Peer)
		}
		return false
	})
	if c := d.Log.Get(because); c != nil {
		d.input(because, "Because: %s.", event.Sentence(c, nil, d.names))
		d.rootOf(c)
	}
	return d.WhyNot
}

// rootOf tells what turned the run towards a change of the membership: a process that ended or began, a fault.
func (d *doubt) rootOf(e *event.Event) {
	for _, seq := range Chain(d.Log, d.names, e.Seq)[1:] {
		if c := d.Log.Get(seq); turning(c.Kind) {
			d.input(seq, "Because: %s.", event.Sentence(c, nil, d.names))
		}
	}
}

// BeganAt answers why a member began to read a partition where it began.
func (m *Moment) BeganAt(id kafka.NodeID, p kafka.PartitionID) WhyNot {
	_, group, _ := m.Picture.Groups().Member(id)
	d := m.doubt("Why did %s begin to read %s where it began?", m.Picture.Names().Node(id), m.Picture.Names().Partition(p))
	d.rule(event.PositionFound)
	found := d.latest(func(e *event.Event) bool {
		return (e.Kind == event.PositionFound || e.Kind == event.OffsetReset) && e.Node == id && e.Partition == p
	})
	e := d.Log.Get(found)
	if e == nil {
		return d.nothing("It does not read it yet.")
	}
	d.input(found, "%s.", capital(event.Sentence(e, nil, d.names)))
	if e.Kind == event.OffsetReset || e.Value != event.FoundCommitted {
		gone := d.groupEvent(group, func(c *event.Event) bool { return c.Partition == p && c.Seq < found }, event.OffsetExpired)
		d.input(gone, "%s", pick(gone != 0, "What the group had committed had expired.", "Nothing that helps was committed, so auto.offset.reset decided."))
		return d.WhyNot
	}
	written := d.groupEvent(group, func(c *event.Event) bool { return c.Partition == p && c.Offset == e.Offset && c.Seq < found }, event.OffsetCommitWritten)
	if w := d.Log.Get(written); w != nil {
		d.input(written, "%s had committed that, %s before.", capital(d.names.Node(w.Peer)), span(e.At-w.At, d.names))
	}
	if beyond := d.readBeyond(group, p, e); beyond != "" {
		d.input(0, "%s", beyond)
	}
	return d.WhyNot
}

// readBeyond says how much the group had read beyond what was committed: that comes again.
func (d *doubt) readBeyond(group kafka.GroupID, p kafka.PartitionID, found *event.Event) string {
	read := d.latest(func(e *event.Event) bool {
		_, g, is := d.Picture.Groups().Member(e.Node)
		return e.Kind == event.RecordsRead && is && g == group && e.Partition == p && e.Seq < found.Seq
	})
	if e := d.Log.Get(read); e != nil && e.End() > found.Offset {
		n := int(e.End() - found.Offset)
		return fmt.Sprintf("The group had read up to %s: %s %s again.", number(e.End()), count(n, "record"), verb(n, "comes", "come"))
	}
	return ""
}

// CommitRefused answers why a member's last commit was refused.
func (m *Moment) CommitRefused(id kafka.NodeID) WhyNot {
	_, group, _ := m.Picture.Groups().Member(id)
	d := m.doubt("Why was the commit of %s refused?", m.Picture.Names().Node(id))
	refused := d.groupEvent(group, func(e *event.Event) bool { return e.Peer == id }, event.OffsetCommitRefused)
	e := d.Log.Get(refused)
	if e == nil {
		return d.nothing("None was.")
	}
	d.rule(e.Kind)
	d.input(refused, "%s.", capital(event.Sentence(e, nil, d.names)))
	joined := d.groupEvent(group, func(c *event.Event) bool { return c.Node == id && c.Seq < refused }, event.GroupJoined)
	if j := d.Log.Get(joined); j != nil {
		d.input(joined, "%s was last in generation or epoch %d.", capital(d.names.Node(id)), j.Epoch)
	}
	removed := d.groupEvent(group, func(c *event.Event) bool { return c.Peer == id && c.Seq < refused && c.Seq > joined },
		event.MemberExpired, event.MemberRemoved, event.MemberLeft, event.MemberFenced)
	if r := d.Log.Get(removed); r != nil && removed < refused {
		d.fails(removed, "%s.", event.Sentence(r, nil, d.names))
	}
	g := m.Picture.Groups().Group(group)
	d.fails(d.groupEvent(group, nil, event.GenerationBegan, event.TargetAssigned), "the group is in generation or epoch %d by now.", g.Epoch)
	return d.WhyNot
}
