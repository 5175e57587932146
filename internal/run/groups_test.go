package run

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// TestGroupsKeepTheirPromises runs random groups through random joins, leaves, crashes, pauses, broker failures and topics
// that get more partitions. No partition has two owners in one generation, a commit that was answered outlives its
// coordinator, and where an application commits after the work every record that is stored has been worked on in the end. A
// failure prints the scenario.
func TestGroupsKeepTheirPromises(t *testing.T) {
	t.Parallel()
	runs := 400
	if testing.Short() {
		runs = 60
	}
	for seed := range runs {
		text := randomGroup(rand.New(rand.NewPCG(uint64(seed), 7)), seed)
		r := replay(t, text)
		if wrong := brokenGroup(r); wrong != "" {
			t.Fatalf("seed %d: %s\n%s", seed, wrong, text)
		}
	}
}

// randomGroup writes a scenario with one group, whose application commits after its work, and a few faults early on.
func randomGroup(rng *rand.Rand, seed int) string {
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	config := "auto.offset.reset: earliest, enable.auto.commit: false, max.poll.interval.ms: 10000, max.poll.records: " + pick("1", "5", "500")
	static := pick("true", "false")
	switch rng.IntN(3) {
	case 0:
		static = "false" // until its session is over, a static member that died keeps its place from itself (UNRELEASED_INSTANCE_ID)
		config += ", group.protocol: consumer, group.remote.assignor: " + pick("uniform", "range")
	default:
		config += ", session.timeout.ms: " + pick("6000", "10000") + ", heartbeat.interval.ms: 1000" +
			", partition.assignment.strategy: " + pick("range", "roundrobin", "sticky", "cooperative-sticky")
	}
	members := 2 + rng.IntN(3)
	var b strings.Builder
	fmt.Fprintf(&b, "title: random group %d\nseed: %d\nend: 240s\nlatency: {min: 1ms, max: %sms}\n", seed, seed, pick("1", "5"))
	fmt.Fprintf(&b, "brokers:\n  count: 3\n  config: {broker.session.timeout.ms: 2000, broker.heartbeat.interval.ms: 400, "+
		"group.consumer.session.timeout.ms: 45000, group.initial.rebalance.delay.ms: %s}\n", pick("0", "3000"))
	partitions := []int{1, 4, 6}[rng.IntN(3)]
	growth, age := randomGrowth(rand.New(rand.NewPCG(uint64(seed), 9)), partitions)
	joins := strings.Repeat("0s, ", members-1) + "0s"
	if growth != "" {
		// A static leader that returns takes what there is for what it assigned (KIP-814), until somebody has the group rebalance.
		joins += ", 100s"
	}
	config += ", metadata.max.age.ms: " + age
	fmt.Fprintf(&b, "topics:\n  orders: {partitions: %d, replication.factor: 3, config: {min.insync.replicas: 2}}\n", partitions)
	fmt.Fprintf(&b, "producers:\n  shop: {client: java-4.0, config: {metadata.max.age.ms: %s}}\nconsumers:\n  packing: {topic: orders, joins: [%s], static: %s, work: %sms, "+
		"commit: %s, effect: print, config: {%s}}\n", age, joins, static, pick("0", "10", "40"),
		pick("after-record", "after-poll"), config)
	fmt.Fprintf(&b, "loads:\n  - {producer: shop, topic: orders, start: 1s, every: 300ms, count: 200, key: k-$(order mod 17)}\ntimeline:\n")
	b.WriteString(growth)
	ends := map[string]bool{} // who has been ended once: two such faults of one process could overlap
	for range 1 + rng.IntN(4) {
		b.WriteString(randomGroupFault(rng, 2000+rng.IntN(50000), rng.IntN(members), ends))
	}
	return b.String()
}

// randomGrowth is a topic that gets more partitions now and then, and how old the clients' metadata may be.
func randomGrowth(rng *rand.Rand, partitions int) (growth, age string) {
	var b strings.Builder
	for at := 2000 + rng.IntN(20000); at < 60000 && rng.IntN(2) == 0; at += 1000 + rng.IntN(20000) {
		partitions += 1 + rng.IntN(2)
		fmt.Fprintf(&b, "  - {at: %dms, add.partitions: {topic: orders, count: %d}}\n", at, partitions)
	}
	return b.String(), []string{"500", "5000", "20000"}[rng.IntN(3)]
}

// randomGroupFault is a fault of a member or of a broker, which is over after a while.
func randomGroupFault(rng *rand.Rand, at, member int, ends map[string]bool) string {
	span := 500 + rng.IntN(25000)
	broker := 1 + rng.IntN(3)
	again := func(what, who string) string {
		return fmt.Sprintf("  - {at: %dms, %s: %s}\n  - {at: %dms, restart: %s}\n", at, what, who, at+span, who)
	}
	consumer, server := fmt.Sprintf("packing-%d", member), fmt.Sprintf("broker %d", broker)
	kind := rng.IntN(8)
	who := consumer
	if kind < 2 {
		who = server
	}
	if kind < 6 && ends[who] {
		kind = 6
	} else if kind < 6 {
		ends[who] = true
	}
	switch kind {
	case 0, 2:
		return again("crash", who)
	case 1, 3:
		return again("shutdown", who)
	case 4:
		return fmt.Sprintf("  - {at: %dms, pause: %s, for: %dms}\n", at, consumer, span)
	case 5:
		return fmt.Sprintf("  - {at: %dms, stall: %s, for: %dms}\n", at, consumer, span)
	case 6:
		return fmt.Sprintf("  - {at: %dms, cut: {between: [%s, %s]}, for: %dms}\n", at, consumer, server, span)
	}
	message := []string{
		"OffsetCommitResponse", "JoinGroupResponse", "SyncGroupResponse", "HeartbeatResponse", "ConsumerGroupHeartbeatResponse", "FetchResponse",
	}[rng.IntN(6)]
	return fmt.Sprintf("  - {at: %dms, reset: {message: %s, to: %s, count: %d}}\n", at, message, consumer, 1+rng.IntN(3))
}

// owning is a member's claim to a partition.
type owning struct {
	partition  kafka.PartitionID
	generation kafka.Epoch
}

// brokenGroup says what the group has broken, or "".
func brokenGroup(r *Result) string {
	if len(r.Violations) > 0 {
		return r.Violations[0].Sentence
	}
	owners := map[owning]kafka.NodeID{}
	holds := map[kafka.PartitionID]map[kafka.NodeID]bool{}
	for _, e := range r.Log.All() {
		switch e.Kind {
		case event.PartitionAssigned:
			o := owning{e.Partition, e.Epoch}
			if other, taken := owners[o]; taken && other != e.Node {
				return fmt.Sprintf("event %d: generation %d gives %s to both %s and %s", e.Seq, e.Epoch,
					r.Plan.Names.Partition(e.Partition), r.Plan.Names.Node(other), r.Plan.Names.Node(e.Node))
			}
			owners[o] = e.Node
			if holds[e.Partition] == nil {
				holds[e.Partition] = map[kafka.NodeID]bool{}
			}
			holds[e.Partition][e.Node] = true
		case event.PartitionRevoked, event.PartitionLost:
			delete(holds[e.Partition], e.Node)
		case event.ConsumerCrashed, event.ConsumerClosed, event.ConsumerFailed:
			for _, members := range holds {
				delete(members, e.Node)
			}
		}
	}
	return first(lostCommit(r), unowned(r, holds), unworked(r))
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// lostCommit finds a commit that was answered and that a new coordinator did not find, nor a later one.
func lostCommit(r *Result) string {
	since := map[kafka.PartitionID]map[kafka.Offset]bool{} // written since the last one that was answered, that one included
	for _, e := range r.Log.All() {
		switch e.Kind {
		case event.OffsetCommitWritten:
			if since[e.Partition] == nil {
				since[e.Partition] = map[kafka.Offset]bool{kafka.NoOffset: true}
			}
			since[e.Partition][e.Offset] = true
		case event.OffsetCommitted:
			delete(since[e.Partition], kafka.NoOffset)
		case event.OffsetLoaded:
			if !since[e.Partition][e.Offset] {
				return fmt.Sprintf("event %d: the new coordinator found offset %d of %s, which nobody committed", e.Seq, e.Offset,
					r.Plan.Names.Partition(e.Partition))
			}
		}
	}
	return ""
}

// unowned finds a partition that has not one owner at the end, when all is well again. It may never have come to be: when no
// broker could lead it.
func unowned(r *Result, holds map[kafka.PartitionID]map[kafka.NodeID]bool) string {
	exists := map[kafka.PartitionID]bool{}
	for _, e := range r.Log.All() {
		if e.Kind == event.LeaderElected || e.Kind == event.LogLoaded {
			exists[e.Partition] = true
		}
	}
	for p := range r.Plan.Partitions {
		if id := kafka.PartitionID(p); exists[id] && !r.Plan.Names.Internal(id) && len(holds[id]) != 1 {
			return fmt.Sprintf("at the end %d members own %s", len(holds[id]), r.Plan.Names.Partition(id))
		}
	}
	return ""
}

// unworked finds a record that is stored and that nobody has worked on.
func unworked(r *Result) string {
	done := map[kafka.RecordID]bool{}
	for _, e := range r.Log.All() {
		if e.Kind == event.EffectHappened {
			for _, id := range r.Log.Records(e) {
				done[id] = true
			}
		}
	}
	for p := range r.Plan.Partitions {
		if r.Plan.Names.Internal(kafka.PartitionID(p)) {
			continue
		}
		for _, id := range r.Outcome.FinalLog(kafka.PartitionID(p)) {
			if !done[id] {
				return fmt.Sprintf("nobody worked on record %d, which is stored in %s", id, r.Plan.Names.Partition(kafka.PartitionID(p)))
			}
		}
	}
	return ""
}
