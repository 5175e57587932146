package scenario_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/scenario"
)

const grouped = `
title: t
end: 60s
brokers:
  count: 3
  config: {offsets.retention.minutes: 2, group.consumer.assignors: [range, uniform], min.insync.replicas: 2}
topics: {orders: {partitions: 6, replication.factor: 3}, menus: {}}
producers: {shop: {workers: 2}}
consumers:
  packing: {topic: orders, members: 3, joins: [0s, 5s, never], static: true, work: 20ms, commit: after-poll, commit.mode: async,
    effect: insert, unique.key: true, config: {partition.assignment.strategy: [sticky, range], auto.offset.reset: "by_duration:PT1H30M"}}
  kitchen: {topics: [menus, orders], client: librdkafka, effect: show, coordinator: broker 3}
  helper: {topic: orders, group: packing, client: java-2.8, instance.id: helper-0}
  data-team: {topic: orders, client: franz-go}
loads: [{producer: shop, topic: orders, count: 5}]
timeline:
  - {at: 6s, crash: packing-0}
  - {at: 7s, start: packing-2}
  - {at: 8s, stall: kitchen, for: 5s, say: the kitchen cooks}
  - {at: 9s, restart: packing-0}
  - {at: 10s, shutdown: packing}
  - {at: 11s, drop: {message: HeartbeatRequest, from: consumers, to: brokers}, for: 1s}
  - {at: 12s, elect: {type: preferred, partition: __consumer_offsets-1}}
  - {at: 13s, set: {consumers.kitchen.config.fetch.max.wait.ms: 100}}
`

func groupedPlan(t *testing.T) *plan.Plan {
	t.Helper()
	f, err := scenario.Load("grouped.yaml", []byte(grouped))
	if err != nil {
		t.Fatal("\n" + err.Error())
	}
	return planOf(t, f, f.Variants()[0])
}

// same compares two lists of words.
func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestMembersOfGroups: who the members are, what they subscribe to and when they start.
func TestMembersOfGroups(t *testing.T) {
	p := groupedPlan(t)
	same(t, "groups", p.Names.Groups, []string{"packing", "kitchen", "data-team"})
	var names []string
	for i := range p.Consumers {
		m := &p.Consumers[i]
		names = append(names, p.Names.Node(m.ID)+" of "+p.Names.ConsumerGroup(m.Group)+" "+m.Config.InstanceID)
	}
	same(t, "members", names, []string{"packing-0 of packing packing-0", "packing-1 of packing packing-1",
		"packing-2 of packing packing-2", "kitchen of kitchen ", "helper of packing helper-0", "data-team of data-team "})
	if starts := []kafka.Tick{p.Consumers[1].Starts, p.Consumers[2].Starts}; !slices.Equal(starts, []kafka.Tick{5000, kafka.Never}) {
		t.Errorf("packing-1 and packing-2 start at %v", starts)
	}
	if got := p.Consumers[3].Topics; !slices.Equal(got, []kafka.TopicID{0, 1}) {
		t.Errorf("kitchen subscribes to %v", got)
	}
	first := p.Names.Nodes[slices.IndexFunc(p.Names.Nodes, func(n kafka.NodeName) bool { return n.Name == "packing-0" })]
	if first.Group != "packing" || first.Consumes != "packing" || first.Effect != "is inserted into a table" {
		t.Errorf("packing-0 is %+v", first)
	}
}

// TestConfigurationOfMembers: what the author wrote, and of the rest each client's own defaults.
func TestConfigurationOfMembers(t *testing.T) {
	p := groupedPlan(t)
	got := p.Consumers[0].Config
	got.ReaderConfig = kafka.ReaderConfig{}
	want := kafka.ConsumerConfig{
		Assignors: []string{"sticky", "range"}, InstanceID: "packing-0", SessionTimeout: 45000, HeartbeatInterval: 3000,
		MaxPollInterval: 300_000, RebalanceTimeout: 300_000, MaxPollRecords: 500, AutoCommitTicks: 5000,
		Reset: kafka.ResetByDuration, ResetTicks: 5_400_000, APITimeout: 60_000, MetadataMaxAge: 300_000,
		Work: 20, Commit: kafka.CommitAfterPoll, AsyncCommit: true,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("packing-0:\n got %+v\nwant %+v", got, want)
	}
	kitchen, helper, team := p.Consumers[3].Config, p.Consumers[4].Config, p.Consumers[5].Config
	if !slices.Equal(kitchen.Assignors, []string{"range", "roundrobin"}) || !kitchen.AutoCommit || kitchen.MaxPollRecords != 1 {
		t.Errorf("librdkafka: %+v", kitchen)
	}
	if helper.SessionTimeout != 10_000 || !slices.Equal(helper.Assignors, []string{"range"}) {
		t.Errorf("java-2.8: %+v", helper)
	}
	if team.MaxPollInterval != kafka.Never || team.RebalanceTimeout != 60_000 || team.Reset != kafka.ResetEarliest {
		t.Errorf("franz-go: %+v", team)
	}
	if !p.Consumers[0].Effect.Unique || p.Consumers[0].Effect.Kind != plan.Insert || p.Consumers[3].Effect.Kind != plan.Show {
		t.Errorf("effects %+v, %+v", p.Consumers[0].Effect, p.Consumers[3].Effect)
	}
}

// TestOffsetsTopic: the partitions that the hashes of packing (1), kitchen (6) and data-team (46) fall into stand behind
// all others, and lie where the author wants them.
func TestOffsetsTopic(t *testing.T) {
	p := groupedPlan(t)
	topic := p.Names.Topics[2]
	if topic.Name != "__consumer_offsets" || !topic.Internal || !slices.Equal(topic.Numbers, []int{1, 6, 46}) {
		t.Errorf("the internal topic is %+v", topic)
	}
	var hosts []string
	for g := range p.Groups {
		at := p.Groups[g].Coordinator
		if at != p.Names.GroupHome(kafka.GroupID(g)) {
			t.Errorf("the home of group %d is partition %d", g, p.Names.GroupHome(kafka.GroupID(g)))
		}
		one := &p.Partitions[at]
		hosts = append(hosts, p.Names.Partition(at)+" on "+p.Names.Node(one.Replicas[0]))
		if len(one.Replicas) != 3 || !one.Config.Log.Compact || one.Config.Log.Delete || one.Config.MinInSyncReplicas != 2 {
			t.Errorf("%s: %+v", p.Names.Partition(at), one)
		}
	}
	same(t, "coordinators", hosts, []string{"__consumer_offsets-1 on broker 2", "__consumer_offsets-6 on broker 3",
		"__consumer_offsets-46 on broker 2"})
	group := &p.Group
	if group.OffsetsRetention != 120_000 || group.InitialRebalanceDelay != 3000 || group.ConsumerAssignors[0] != "range" {
		t.Errorf("the coordinators' settings: %+v", p.Group)
	}
}

// TestFaultsOfMembers: an entry about a group is one about each of its members.
func TestFaultsOfMembers(t *testing.T) {
	p := groupedPlan(t)
	var said []string
	for i := range p.Faults {
		said = append(said, p.Names.Fault(int64(i)))
	}
	same(t, "faults", said, []string{"packing-0 crashes", "packing-2 starts", "the kitchen cooks", "packing-0 comes back",
		"packing-0 is asked to stop", "packing-1 is asked to stop", "packing-2 is asked to stop", "helper is asked to stop",
		"HeartbeatRequest from consumers to brokers lost", "an operator asks for a preferred election of __consumer_offsets-1",
		"from now on fetch.max.wait.ms=100"})
	if f := p.Faults[2]; f.Kind != plan.Stall || f.Until != 13_000 || f.Node != p.Consumers[3].ID {
		t.Errorf("the stall is %+v", f)
	}
	if got := p.Faults[10].After.Consumers[3].Config.FetchWait; got != 100 {
		t.Errorf("the fetches wait %d ticks after the change", got)
	}
}

// TestNoGroupsNoTopic: without consumers a plan has nothing of groups in it.
func TestNoGroupsNoTopic(t *testing.T) {
	p := planOf(t, load(t, "acks-table.yaml"), "acks=1")
	none := len(p.Groups)+len(p.Consumers)+len(p.Names.Groups) == 0 && len(p.Names.Topics) == 1
	if !none || !reflect.DeepEqual(p.Group, kafka.GroupConfig{}) {
		t.Errorf("there are groups in %+v", p)
	}
}

// TestWhoCommitsEarly: auto-commit covers what is not done where the client does not look at that, or where a thread of its
// own does the work.
func TestWhoCommitsEarly(t *testing.T) {
	const text = "title: t\nend: 1s\nbrokers: {count: 1}\ntopics: {orders: {}}\nproducers: {shop: {}}\n" +
		"consumers: {packing: {topic: orders, KEYS}}\nloads: [{producer: shop, topic: orders, count: 1}]\n"
	for keys, want := range map[string]bool{
		"client: java-4.0":                                              false,
		"client: java-4.0, on.shutdown: break-off":                      true,
		"client: java-4.0, hand.off: true":                              true,
		"client: java-4.0, commit: before-work":                         true,
		"client: librdkafka":                                            true,
		"client: librdkafka, commit: after-poll":                        false,
		"client: librdkafka, config: {enable.auto.offset.store: false}": false,
		"client: franz-go":                                              false,
		"client: franz-go, hand.off: true":                              true,
		"client: sarama, hand.off: true":                                false,
	} {
		f, err := scenario.Load("early.yaml", []byte(strings.Replace(text, "KEYS", keys, 1)))
		if err != nil {
			t.Fatal("\n" + err.Error())
		}
		p := planOf(t, f, f.Variants()[0])
		if got := p.Names.CommitsEarly(p.Consumers[0].ID); got != want {
			t.Errorf("%s: %t", keys, got)
		}
	}
}

// TestOneNameForOneClient: a member or a worker has no name that somebody else has.
func TestOneNameForOneClient(t *testing.T) {
	const text = "title: t\nend: 9s\nbrokers: {count: 1}\ntopics: {orders: {}}\nproducers: {shop: {workers: 2}}\nconsumers: {c: {topic: orders, members: 2}, NAME: {topic: orders}}\n"
	for name, fine := range map[string]bool{"c-1": false, "shop-0": false, "shop": false, "c-2": true, "shop-2": true} {
		_, err := scenario.Load("names.yaml", []byte(strings.Replace(text, "NAME", name, 1)))
		if fine && err != nil || !fine && (err == nil || !strings.Contains(err.Error(), `"`+name+`" is the name of another client`)) {
			t.Errorf("a consumer %s: %v", name, err)
		}
	}
}
