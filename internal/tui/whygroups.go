package tui

import (
	"slices"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/screen"
)

// groupWonders ask about the consumer groups: those without a reader of the selected partition, members that read nothing,
// where the present owner began, what the selected member was refused.
func (m *model) groupWonders() []wonder {
	picture, p := m.deck.Picture(), m.look.Partition
	names, groups := picture.Names(), picture.Groups()
	refused := m.refused()
	var wonders []wonder
	ask := func(title string, answer func(at *explain.Moment) explain.WhyNot) {
		wonders = append(wonders, wonder{screen.PaneReader, title, m.whyNot(answer)})
	}
	for _, g := range groups.List() {
		part, known := groups.Partition(g.ID, p)
		switch {
		case names.Internal(p):
		case known && part.Owner != kafka.NoNode:
			ask("Why did "+names.Node(part.Owner)+" begin to read "+names.Partition(p)+" where it began?",
				func(at *explain.Moment) explain.WhyNot { return at.BeganAt(part.Owner, p) })
		default:
			ask("Why does nobody of group "+names.ConsumerGroup(g.ID)+" read "+names.Partition(p)+"?",
				func(at *explain.Moment) explain.WhyNot { return at.NobodyReads(g.ID, p) })
		}
		ask("Why did group "+names.ConsumerGroup(g.ID)+" rebalance?", func(at *explain.Moment) explain.WhyNot { return at.Rebalanced(g.ID) })
		for _, member := range groups.Members(g.ID) {
			id := member.ID
			if !m.claims(g.ID, id) {
				ask("Why does "+names.Node(id)+" read nothing?", func(at *explain.Moment) explain.WhyNot { return at.IdleMember(id) })
			}
			if slices.Contains(refused, id) {
				ask("Why was the commit of "+names.Node(id)+" refused?", func(at *explain.Moment) explain.WhyNot { return at.CommitRefused(id) })
			}
		}
	}
	return wonders
}

// claims reports whether a member believes to have some partition.
func (m *model) claims(g kafka.GroupID, id kafka.NodeID) bool {
	for _, c := range m.deck.Picture().Groups().Claims(g) {
		if c.Member == id {
			return true
		}
	}
	return false
}

// refused are the members of which a coordinator has refused a commit so far.
func (m *model) refused() []kafka.NodeID {
	var members []kafka.NodeID
	for _, e := range m.deck.Tape.Log.Span(0, m.deck.At()) {
		if e.Kind == event.OffsetCommitRefused && !slices.Contains(members, e.Peer) {
			members = append(members, e.Peer)
		}
	}
	return members
}
