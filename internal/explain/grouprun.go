package explain

import (
	"fmt"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/outcome"
)

// takeOfGroup adds what befell a consumer group to the story of a run.
func (d *digest) takeOfGroup(e *event.Event) {
	switch e.Kind {
	case event.ConsumerStarted:
		if e.At > 0 {
			d.add(e, topic{kind: e.Kind, node: e.Node}, nil)
		}
	case event.ConsumerCrashed, event.ConsumerClosed, event.ConsumerFailed:
		d.add(e, topic{kind: e.Kind, node: e.Node, code: e.Error}, nil)
	case event.MemberExpired, event.MemberRemoved, event.PollIntervalExceeded:
		d.add(e, topic{kind: e.Kind, group: e.Group()}, nil)
	case event.GroupsLoaded:
		if e.At > 0 {
			d.add(e, topic{kind: e.Kind, node: e.Node}, nil)
		}
	case event.RebalanceBegan, event.TargetAssigned, event.GroupStable, event.OffsetExpired, event.PartitionsNoticed:
		d.add(e, topic{kind: e.Kind, group: e.Group()}, nil)
	case event.OffsetCommitRefused, event.MemberFenced:
		d.add(e, topic{kind: e.Kind, group: e.Group(), code: e.Error}, nil)
	case event.PartitionLost, event.PositionTruncated:
		d.add(e, topic{kind: e.Kind, node: e.Node}, nil)
	case event.EffectHappened:
		d.takeDone(e)
	case event.EffectRefused:
		d.add(e, topic{kind: e.Kind, node: e.Node}, d.log.Records(e))
	}
}

// takeDone tells of what a group does a second time.
func (d *digest) takeDone(e *event.Event) {
	g, known := d.names.FindGroup(d.names.Consumes(e.Node))
	if !known {
		return
	}
	for int(g) >= len(d.done) {
		d.done = append(d.done, nil)
	}
	var again []kafka.RecordID
	for _, id := range d.log.Records(e) {
		if d.done[g].add(id) {
			again = append(again, id)
		}
	}
	if again != nil {
		d.add(e, topic{kind: e.Kind, node: e.Node}, again)
	}
}

// groupSentence tells what happened to a group, or to its members.
func (d *digest) groupSentence(g *group) string {
	names, name := d.names, d.names.ConsumerGroup(g.group)
	switch g.kind {
	case event.ConsumerStarted:
		return names.Node(g.node) + " starts."
	case event.ConsumerCrashed:
		return names.Node(g.node) + " dies: what it had in work is not finished, and it commits nothing."
	case event.ConsumerClosed:
		return names.Node(g.node) + " closes its consumer and ends."
	case event.ConsumerFailed:
		return fmt.Sprintf("%s ends with %v.", names.Node(g.node), g.code)
	case event.MemberExpired:
		return fmt.Sprintf("the coordinator of group %s has heard nothing of %s for session.timeout.ms and removes %s.", name, d.whom(g),
			verb(len(g.peers), "it", "them"))
	case event.MemberRemoved:
		return fmt.Sprintf("%s did not do %s part of the rebalance of group %s in time, and %s out.", d.whom(g),
			verb(len(g.peers), "its", "their"), name, verb(len(g.peers), "is", "are"))
	case event.PollIntervalExceeded:
		return fmt.Sprintf("%s %s not called poll() for max.poll.interval.ms and %s group %s.", d.members(g.actors), verb(len(g.actors), "has", "have"),
			verb(len(g.actors), "leaves", "leave"), name)
	case event.GroupsLoaded:
		return fmt.Sprintf("%s hosts the groups of %s from now on; every member gets a fresh session.", names.Node(g.node), d.partitionList(g.partitions))
	case event.RebalanceBegan:
		return fmt.Sprintf("group %s rebalances, because of %s%s.", name, d.whom(g), d.often(g))
	case event.TargetAssigned:
		return fmt.Sprintf("the coordinator of group %s deals its partitions out anew, because of %s%s.", name, d.whom(g), d.often(g))
	case event.PartitionsNoticed:
		return fmt.Sprintf("%s notices that the topics of group %s have %s by now.", names.Node(g.first.Node), name,
			count(int(g.last.Count), "partition"))
	case event.GroupStable:
		return fmt.Sprintf("group %s is stable in generation %d, with %s.", name, g.last.Epoch, count(int(g.last.Count), "member"))
	case event.OffsetExpired:
		return fmt.Sprintf("the offsets of group %s expire, of %s.", name, d.partitionList(g.partitions))
	case event.OffsetCommitRefused:
		return fmt.Sprintf("%s of %s for group %s %s refused: %v.", count(g.events, "commit"), d.partitionList(g.partitions), name,
			verb(g.events, "is", "are"), g.code)
	case event.MemberFenced:
		return fmt.Sprintf("%s of %s %s refused, as group %s does not know %s any more: %v.", count(g.events, "request"), d.whom(g),
			verb(g.events, "is", "are"), name, verb(len(g.peers), "it", "them"), g.code)
	case event.PartitionLost:
		return fmt.Sprintf("%s learns that it has lost %s.", names.Node(g.node), d.partitionList(g.partitions))
	case event.PositionTruncated:
		return fmt.Sprintf("%s finds that what it had read of %s was cut off.", names.Node(g.node), d.partitionList(g.partitions))
	case event.EffectHappened:
		ids := distinct(g.records)
		return fmt.Sprintf("%s does %s, which its group has done before: %s %s once more.", names.Node(g.node),
			theOrders(ids, names), verb(len(ids), "it", "each"), names.Effect(g.node))
	case event.EffectRefused:
		return fmt.Sprintf("a unique key refuses %s, which %s does a second time.", theOrders(distinct(g.records), names), names.Node(g.node))
	}
	return event.Sentence(g.first, d.log.Records(g.first), d.names) + "."
}

// whom names the members that a coordinator speaks of.
func (d *digest) whom(g *group) string { return d.members(g.peers) }

// members names a few members, and counts many.
func (d *digest) members(ids []kafka.NodeID) string {
	var words []string
	for _, id := range ids {
		words = append(words, d.names.Node(id))
	}
	if len(words) > maxPartitions {
		return count(len(words), "member")
	}
	return series(words)
}

// often says that something happened more than once.
func (d *digest) often(g *group) string {
	if g.events == 1 {
		return ""
	}
	return ", " + times(g.events)
}

// groupLines say what each group came to.
func groupLines(o *outcome.Outcome) []Line {
	var lines []Line
	for i := range o.Groups {
		g := &o.Groups[i]
		name := "Group " + o.Names.ConsumerGroup(g.ID) + ", "
		for _, l := range []struct {
			what string
			ids  []kafka.RecordID
		}{
			{"done twice outside of Kafka", g.EffectsTwice}, {"done by two of its members", g.EffectsByTwo},
			{"refused by a unique key", g.EffectsRefused}, {"read again", g.Reread}, {"passed over and never done", g.PassedOver},
			{"read, and cut off afterwards", g.Cut}, {"still to be read", g.Unread},
		} {
			if len(l.ids) > 0 {
				lines = append(lines, Line{Text: name + l.what + ": " + listed(l.ids, o.Names) + "."})
			}
		}
		moved, standing := 0, kafka.Tick(0)
		for _, p := range g.Partitions {
			moved, standing = moved+p.Moved, max(standing, p.Standing)
		}
		text := name + count(g.Rebalances, "rebalance")
		if moved > 0 {
			text += fmt.Sprintf(", a partition went to another member %s", times(moved))
		}
		if standing > 0 {
			text += ", a partition stood still for up to " + span(standing, o.Names)
		}
		lines = append(lines, Line{Text: text + "."})
	}
	return lines
}
