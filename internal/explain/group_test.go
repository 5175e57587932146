package explain_test

import (
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/view/history"
)

const (
	one = kafka.FirstClientID + 2 + iota
	two
)

// packing is a group of two that prints slips; early says that its members commit before their work.
func packing(early bool) *kafka.Names {
	n := *names
	n.Topics = []kafka.TopicName{{Name: "orders", Partitions: 1}, {Name: "__consumer_offsets", Partitions: 1, Numbers: []int{17}, Internal: true}}
	n.Nodes = append([]kafka.NodeName{}, names.Nodes...)
	for _, id := range []kafka.NodeID{one, two} {
		name := map[kafka.NodeID]string{one: "packing-1", two: "packing-2"}[id]
		n.Nodes = append(n.Nodes, kafka.NodeName{
			ID: id, Name: name, Group: "packing", Consumes: "packing", Effect: "is printed on a slip", Subscribes: []kafka.TopicID{0}, CommitsEarly: early,
		})
	}
	n.Groups, n.GroupHomes = []string{"packing"}, []kafka.PartitionID{1}
	return &n
}

// grouped is a history in which packing-1 has the partition, and is handed order 8812.
func grouped() (*history.Group, event.Seq) {
	h := history.New(2, 40117, 2, 1, 3)
	g := h.Group(0, 1)
	g.Hosted(1, 1)
	g.Start(one, two)
	g.Join(one)
	g.Generation(one, 1, 1)
	g.Stable(1, 1)
	g.Get(one, 1, 0)
	g.Begin(one, 0, 40117, event.FoundEarliest)
	g.Now = 100
	produce := h.Produce(h.Send(worker, 0, 0), 0, worker, 0, 0)
	h.Acknowledge(h.Append(produce), produce, 40117)
	h.Add(event.Event{Kind: event.HighWatermarkAdvanced, Node: 2, Epoch: 1, Offset: 40118, Prev: 40117})
	g.Now = 110
	h.Read(0, one, 2, 0, 40117, 1)
	return g, produce
}

// dies ends packing-1, and gives its partition to packing-2 from an offset on.
func dies(g *history.Group, from kafka.Offset) {
	g.Now += 100
	g.Crash(one)
	g.Now += 6000
	g.Add(event.Event{Kind: event.MemberExpired, Node: 1, Peer: one, Prev: 200})
	g.Rebalance(one, 1)
	g.Join(two)
	g.Generation(two, 2, 1)
	g.Stable(2, 1)
	g.Get(two, 2, 0)
	g.Begin(two, 0, from, event.FoundCommitted)
}

// TestStoryOfWhatAGroupDoesWithAnOrder: each story, the sentences that it must have, and its verdict.
func TestStoryOfWhatAGroupDoesWithAnOrder(t *testing.T) {
	for name, test := range map[string]struct {
		early   bool
		write   func(g *history.Group)
		says    []string
		verdict string
	}{
		"done twice": {false, func(g *history.Group) {
			g.Now = 150
			g.Do(one, 0, 40117, 0)
			dies(g, 40117)
			g.Read(0, two, 2, 0, 40117, 1)
			g.Do(two, 0, 40117, 0)
			g.Commit(two, 0, 40118, 40117)
		}, []string{
			"packing-1 reads it, from offset 40,117.", "packing-1 is done with it: the order is printed on a slip.",
			"packing-1 dies. orders-0 is its own until group packing hears of that by session.timeout.ms. The order was done, and that was not committed.",
			"Group packing removes packing-1: its coordinator has heard nothing of it since",
			"packing-2 begins at 40,117, what group packing has committed: it will be handed the order again.",
			"packing-2 reads it again, from offset 40,117, 6140 ms after packing-1 did: nothing was committed.",
			"the order is printed on a slip a second time, 6100 ms after packing-1 did that first.",
			"packing-2 commits 40,118 for group packing, behind the order",
		}, "Group packing did it twice: the first time was not committed when the partition went on"},
		"committed and never done": {true, func(g *history.Group) {
			g.Commit(one, 0, 40118, kafka.NoOffset)
			dies(g, 40118)
		}, []string{
			"packing-1 commits 40,118 for group packing, behind the order: whoever has orders-0 next will not read it again. It has not done it yet.",
			"packing-1 dies. orders-0 is its own until group packing hears of that by session.timeout.ms. The order was in its hands, and committed.",
		}, "Group packing committed it and never did it: a commit after the work would have handed it out again."},
		"refused by a unique key": {false, func(g *history.Group) {
			g.Do(one, 0, 40117, 0)
			dies(g, 40117)
			g.Read(0, two, 2, 0, 40117, 1)
			g.Refused(two, 0, 40117, 0)
		}, []string{"packing-2 is done with it, and the table has it already: its unique key refuses the second row."},
			"Group packing worked on it twice, and the unique key let it happen once."},
		"a commit that is refused": {false, func(g *history.Group) {
			g.Out(event.MemberExpired, one)
			g.Add(event.Event{Kind: event.OffsetCommitRefused, Node: 1, Peer: one, Offset: 40118, Error: kafka.UnknownMemberID})
		}, []string{"packing-1 commits 40,118 for group packing, behind the order, and is refused: UNKNOWN_MEMBER_ID"}, ""},
		"never handed out": {false, func(g *history.Group) {
			g.Send(worker, 0, 1)
		}, nil, ""},
	} {
		g, _ := grouped()
		test.write(g)
		story := explain.Record(&g.Log, packing(test.early), 0)
		text := ""
		for _, line := range story.Lines {
			text += line.Text + "\n"
		}
		for _, want := range test.says {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the story does not say %q:\n%s", name, want, text)
			}
		}
		if !strings.Contains(story.Verdict, test.verdict) {
			t.Errorf("%s: the verdict is %q, want %q", name, story.Verdict, test.verdict)
		}
	}
}

func TestStoryOfARunTellsOfItsGroups(t *testing.T) {
	g, _ := grouped()
	g.Do(one, 0, 40117, 0)
	dies(g, 40117)
	g.Read(0, two, 2, 0, 40117, 1)
	g.Do(two, 0, 40117, 0)
	f := outcome.NewFold(packing(false), outcome.Settings{})
	g.Steps(f)
	text := ""
	for _, line := range explain.Run(&g.Log, packing(false), f.Outcome()) {
		text += line.Text + "\n"
	}
	for _, want := range []string{
		"packing-1 dies: what it had in work is not finished, and it commits nothing.",
		"The coordinator of group packing has heard nothing of packing-1 for session.timeout.ms and removes it.",
		"Group packing rebalances, because of packing-1.", "Group packing is stable in generation 2, with 1 member.",
		"packing-2 does order 8812, which its group has done before: it is printed on a slip once more.",
		"Group packing, done by two of its members: 1 (8812).", "Group packing, 1 rebalance, a partition went to another member once, a partition stood still for up to 6000 ms.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the story does not say %q:\n%s", want, text)
		}
	}
}
