package explain_test

import (
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/view"
	"replog/internal/view/history"
)

// TestWhyOfGroups: each question, asked after a history, and what the answer must say; fails is the first condition in the way.
func TestWhyOfGroups(t *testing.T) {
	idle := func(m *explain.Moment) explain.WhyNot { return m.IdleMember(two) }
	nobody := func(m *explain.Moment) explain.WhyNot { return m.NobodyReads(0, 0) }
	rebalanced := func(m *explain.Moment) explain.WhyNot { return m.Rebalanced(0) }
	began := func(m *explain.Moment) explain.WhyNot { return m.BeganAt(two, 0) }
	refused := func(m *explain.Moment) explain.WhyNot { return m.CommitRefused(one) }
	for name, test := range map[string]struct {
		ask   func(*explain.Moment) explain.WhyNot
		write func(g *history.Group)
		fails string
		says  string
	}{
		"more members than partitions": {idle, func(g *history.Group) { g.Join(two); g.Stable(1, 2) },
			"a partition has one reader in a group, so 1 of its members has none", "2 members and reads 1 partition"},
		"it has yet to join":     {idle, func(*history.Group) {}, "has yet to join", ""},
		"its process has ended":  {idle, func(g *history.Group) { g.Crash(two) }, "its process has ended (crashed)", ""},
		"the group rebalances":   {idle, func(g *history.Group) { g.Join(two); g.Rebalance(two, 1) }, "waits until all of its members have joined again", ""},
		"the leader has to deal": {idle, func(g *history.Group) { g.Join(two); g.Generation(one, 2, 2) }, "waits for packing-1, which assigns", ""},
		"it does not poll": {idle, func(g *history.Group) {
			g.Join(two)
			g.Add(event.Event{Kind: event.PollIntervalExceeded, Node: two})
		}, "has not called poll()", ""},
		"a dead owner counts until its session is over": {nobody, func(g *history.Group) { g.Crash(one) },
			"packing-1 is dead, and its group does not know", "packing-1 had it"},
		"the last member has gone": {nobody, func(g *history.Group) { g.Crash(one); g.Out(event.MemberExpired, one) }, "the group has no members", "has removed packing-1"},
		"somebody has it":          {nobody, func(*history.Group) {}, "", "Somebody does: packing-1 has it since"},
		"its topic got it, and the group does not know": {func(m *explain.Moment) explain.WhyNot { return m.NobodyReads(0, 1) },
			func(g *history.Group) {
				g.Add(event.Event{Kind: event.LeaderElected, Peer: 2, Partition: 1, At: 60_000})
			}, "is new, and the group has not noticed: packing-1, which assigns, goes by metadata", ""},
		"it has noticed": {func(m *explain.Moment) explain.WhyNot { return m.NobodyReads(0, 1) },
			func(g *history.Group) {
				g.Add(event.Event{Kind: event.LeaderElected, Peer: 2, Partition: 1, At: 60_000})
				g.Add(event.Event{Kind: event.PartitionsNoticed, Node: one, Count: 2})
			}, "", "a member is about to hear"},
		"because it noticed new partitions": {rebalanced, func(g *history.Group) {
			g.Add(event.Event{Kind: event.PartitionsNoticed, Node: one, Count: 2})
			g.Rebalance(one, 1)
		}, "", "Because: packing-1 notices that the topics of group packing have 2 partitions by now"},
		"because of a death": {rebalanced, func(g *history.Group) { dies(g, 40117) }, "",
			"Because: packing-1 dies: what it had in work is not finished"},
		"there was none": {rebalanced, func(*history.Group) {}, "", "It has not yet."},
		"where the last one committed": {began, func(g *history.Group) {
			g.Commit(one, 0, 40117, kafka.NoOffset)
			dies(g, 40117)
		}, "", "packing-1 had committed that"},
		"and what comes again": {began, func(g *history.Group) { dies(g, 40117) }, "", "The group had read up to 40,118: 1 record comes again."},
		"without a commit": {began, func(g *history.Group) {
			g.Begin(two, 0, 40117, event.FoundEarliest)
		}, "", "so auto.offset.reset decided"},
		"a member that is out commits": {refused, func(g *history.Group) {
			g.Out(event.MemberExpired, one)
			g.Generation(two, 2, 1)
			g.Add(event.Event{Kind: event.OffsetCommitRefused, Node: 1, Peer: one, Offset: 40118, Error: kafka.IllegalGeneration})
		}, "has heard nothing of packing-1 for session.timeout.ms", "packing-1 was last in generation or epoch 1"},
	} {
		g, _ := grouped()
		test.write(g)
		c := view.New(packing(false))
		for i := range g.Log.Len() {
			c.Apply(g.Log.At(i), g.Log.Records(g.Log.At(i)))
		}
		answer := test.ask(&explain.Moment{Picture: c, Log: &g.Log})
		text := ""
		for i, line := range answer.Lines {
			text += line.Text + "\n"
			if i == answer.Fails && !strings.Contains(line.Text, test.fails) {
				t.Errorf("%s: it fails at %q, want %q", name, line.Text, test.fails)
			}
		}
		if (answer.Fails >= 0) != (test.fails != "") || !strings.Contains(text, test.says) {
			t.Errorf("%s (fails at %d, want %q and %q):\n%s", name, answer.Fails, test.fails, test.says, text)
		}
	}
}

// TestRebalanceIsBecauseOfWhatCameBefore: the first one of a run, asked when the member that it was about has died since.
func TestRebalanceIsBecauseOfWhatCameBefore(t *testing.T) {
	m := momentOf(t, "slip-printed-twice", "auto-commit", "12:00:31")
	answer := m.Rebalanced(0)
	began := event.Seq(0)
	for _, line := range answer.Lines {
		if began == 0 {
			began = line.Seq
		} else if line.Seq >= began {
			t.Errorf("event %d is because of event %d: %s", began, line.Seq, line.Text)
		}
	}
	if last := answer.Lines[len(answer.Lines)-1].Text; last != "Because: packing-0 starts." {
		t.Error(last)
	}
}
