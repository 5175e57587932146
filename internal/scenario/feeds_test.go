package scenario_test

import (
	"strings"
	"testing"

	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/scenario"
)

const feeding = `
title: t
end: 60s
brokers: {count: 3}
topics: {orders: {partitions: 2}, totals: {partitions: 2}, bills: {}}
producers: {shop: {}}
consumers:
  team: {topic: orders, members: 2, feeds: {topic: totals, exactly.once: true, first: 1001}}
  clerk: {topics: [totals, orders], effect: print, feeds: {topic: bills, fenced: false}}
readers: {report: {topic: bills, config: {isolation.level: read_committed}}}
loads:
  - {producer: shop, topic: orders, count: 5}
  - {producer: shop, topic: bills, count: 3}
timeline: [{at: 4s, crash: team-1}, {at: 5s, restart: team-1}]
`

// TestProcessors: each member has a producer of its own, and what comes of the records has numbers of its own.
func TestProcessors(t *testing.T) {
	f, err := scenario.Load("feeding.yaml", []byte(feeding))
	if err != nil {
		t.Fatal("\n" + err.Error())
	}
	p := planOf(t, f, f.Variants()[0])
	team, clerk := &p.Consumers[0], &p.Consumers[2]
	half := &p.Producers[1]
	switch {
	case p.Names.Node(team.Feeds.Producer) != "team-0.producer" || half.ID != team.Feeds.Producer || half.Fed != team.ID:
		t.Errorf("the producer of team-0: %+v", half)
	case !half.Transactions.Fed || p.Names.TransactionalIDs[half.Transactions.ID-1] != "team-0":
		t.Errorf("its transactions: %+v", half.Transactions)
	case team.Config.Isolation != kafka.ReadCommitted || team.Config.Commit != kafka.CommitAfterPoll || team.Config.AutoCommit:
		t.Errorf("how team-0 reads and commits: %+v", team.Config)
	case team.Effect.Kind != plan.HandOn || clerk.Effect.Kind != plan.Print || clerk.Feeds.Exactly || clerk.Feeds.Fenced:
		t.Errorf("%+v, %+v", team.Effect, clerk)
	case !p.Names.ReadsCommitted(p.Readers[0].ID) || !p.Names.MakesOnce(half.ID) || p.Names.ProcessorOf(half.ID) != team.ID:
		t.Error("the names do not tell who is exact")
	}
	name := func(id kafka.RecordID) string { return p.Names.Record(id) }
	if got := name(team.Feeds.Result(0)) + " " + name(p.Consumers[1].Feeds.Result(4)); got != "1001 1005" {
		t.Errorf("the totals of the first and the last order are %s", got)
	}
	if team.Feeds.Result(5) != kafka.NoRecord || name(clerk.Feeds.Result(0)) != "1006" || name(clerk.Feeds.Result(team.Feeds.Result(0))) != "1011" {
		t.Errorf("bills: %+v", clerk.Feeds.Results)
	}
}

// TestProcessorsInAnyOrder: a processor makes something of what another one makes, wherever that stands in the file.
func TestProcessorsInAnyOrder(t *testing.T) {
	team, clerk := "", ""
	for line := range strings.Lines(feeding) {
		switch {
		case strings.HasPrefix(line, "  team:"):
			team = line
		case strings.HasPrefix(line, "  clerk:"):
			clerk = line
		}
	}
	f, err := scenario.Load("feeding.yaml", []byte(strings.Replace(feeding, team+clerk, clerk+team, 1)))
	if err != nil {
		t.Fatal("\n" + err.Error())
	}
	p := planOf(t, f, f.Variants()[0])
	first, second := p.Consumers[1].Feeds, p.Consumers[0].Feeds
	total := first.Result(0)
	if bill := second.Result(total); total == kafka.NoRecord || bill == kafka.NoRecord || p.Names.Record(bill) == p.Names.Record(second.Result(0)) {
		t.Errorf("order 0 becomes the total %d, and that the bill %d: %+v", total, bill, second.Results)
	}
}

// TestMistakesOfProcessors: what is refused, and with which words.
func TestMistakesOfProcessors(t *testing.T) {
	for change, want := range map[string]string{
		"topic: orders, members: 2, feeds|topic: orders, members: 2, commit: after-poll, feeds": "commit has no meaning",
		"first: 1001|first: 2":                                                   "overlap",
		"{topic: totals, exactly|{topic: nowhere, exactly":                       "nowhere",
		"exactly.once: true, |exactly.once: true, id: one, ":                     "2 workers can not have one transactional.id",
		"first: 1001}|config: {acks: 1}}":                                        "enable.idempotence",
		"effect: print, feeds: {topic: bills, fenced: false}|effect: hand-on":    "nobody to hand it on to",
		"{producer: shop, topic: bills|{producer: team-0.producer, topic: bills": "there is no producer",
		"restart: team-1|restart: team-1.producer":                               "there is no",
		"topic: bills, fenced: false|topic: totals":                              "what clerk makes would come back to it, without end",
		"feeds: {topic: totals, exactly|feeds: {topic: orders, exactly":          "what team-0 makes would come back to it, without end",
		"topics: {orders: {partitions: 2}, totals: {partitions: 2}|topics: {orders: {partitions: 2}, totals: {partitions: 2, config: {cleanup.policy: compact}}": "compacted",
	} {
		old, new, _ := strings.Cut(change, "|")
		text := strings.Replace(feeding, old, new, 1)
		if text == feeding {
			t.Errorf("%q changes nothing", change)
		}
		_, err := scenario.Load("feeding.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q in\n%v", new, want, err)
		}
	}
}
