package run

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// processed is how many orders the processors of randomProcessors are given.
const processed = 120

// TestProcessorsInTroubleAreExact runs processors of several members, in classic and KIP-848 groups, dynamic and static, through
// random troubles. No promise breaks, ExactlyOnce and AtomicTransaction among them, and when the troubles are over a reader with
// read_committed has the result of every order once.
func TestProcessorsInTroubleAreExact(t *testing.T) {
	t.Parallel()
	runs := 200
	if testing.Short() {
		runs = 25
	}
	for seed := range runs {
		text := randomProcessors(rand.New(rand.NewPCG(uint64(seed), 31)), seed)
		r := replay(t, text)
		missing, again := resultsOf(r, processed)
		if len(r.Violations) > 0 || missing > 0 || again > 0 {
			t.Errorf("seed %d: %d results missing, %d twice, violations %v\n%s", seed, missing, again, r.Violations, text)
			return
		}
	}
}

// randomProcessors writes a scenario with a group of processors, and troubles of all kinds until the 60th second; the rest of the
// run heals.
func randomProcessors(rng *rand.Rand, seed int) string {
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	members := 2 + rng.IntN(2)
	protocol := pick("group.protocol: classic", "group.protocol: classic, partition.assignment.strategy: cooperative-sticky", "group.protocol: consumer")
	session := "session.timeout.ms: 6000, heartbeat.interval.ms: 2000"
	if strings.Contains(protocol, "consumer") {
		session = "" // that is the broker's to say
	}
	var b strings.Builder
	fmt.Fprintf(&b, "title: processors %d\nseed: %d\nend: 300s\nlatency: {min: 1ms, max: %sms}\n", seed, seed, pick("1", "4", "20"))
	if pick("1", "2") == "1" {
		fmt.Fprintf(&b, "rules: {transaction.version.1: true}\n")
	}
	fmt.Fprintf(&b, "brokers: {count: 3, config: {broker.session.timeout.ms: 2000, broker.heartbeat.interval.ms: 400, "+
		"group.consumer.session.timeout.ms: 6000, group.consumer.heartbeat.interval.ms: 2000}}\n")
	fmt.Fprintf(&b, "topics:\n  orders: {partitions: %d, replication.factor: 3, config: {min.insync.replicas: 2}}\n", 2+rng.IntN(3))
	fmt.Fprintf(&b, "  totals: {partitions: 2, replication.factor: 3, config: {min.insync.replicas: 2}}\n")
	fmt.Fprintf(&b, "producers:\n  shop: {}\nconsumers:\n  team:\n    topic: orders\n    members: %d\n    static: %s\n    work: %s\n", members,
		pick("false", "true"), pick("0ms", "5ms", "60ms"))
	fmt.Fprintf(&b, "    joins: [%s]\n", strings.TrimSuffix(strings.Repeat(pick("0s, ", "4s, "), members-1)+"5s, ", ", "))
	fmt.Fprintf(&b, "    feeds: {topic: totals, exactly.once: true, first: 1001, config: {linger.ms: %s, transaction.timeout.ms: 10000}}\n", pick("0", "5"))
	fmt.Fprintf(&b, "    restarts.after: 1s\n    config: {%s, auto.offset.reset: earliest, max.poll.records: %s, max.poll.interval.ms: 15000, %s}\n",
		protocol, pick("1", "5", "500"), session)
	fmt.Fprintf(&b, "readers:\n  report: {topic: totals, config: {isolation.level: read_committed}}\n")
	fmt.Fprintf(&b, "loads:\n  - {producer: shop, topic: orders, start: 5s, every: %sms, count: %d, first: 1, key: k-$(order mod 17)}\ntimeline:\n",
		pick("50", "300"), processed)
	processorTroubles(rng, &b, members)
	return b.String()
}

// processorTroubles writes troubles one after the other, so that at most one broker is away at a time.
func processorTroubles(rng *rand.Rand, b *strings.Builder, members int) {
	free := make([]int, members) // until when a member has a trouble of its own
	for at := 6; at < 60; at += 1 + rng.IntN(8) {
		member, broker, span := rng.IntN(members), 1+rng.IntN(3), 2+rng.IntN(15)
		name := fmt.Sprintf("team-%d", member)
		switch kind := rng.IntN(8); {
		case kind < 4 && at <= free[member]:
		case kind == 0:
			fmt.Fprintf(b, "  - {at: %ds, crash: %s}\n  - {at: %ds, restart: %s}\n", at, name, at+span, name)
			free[member] = at + span + 10
		case kind == 1:
			fmt.Fprintf(b, "  - {at: %ds, shutdown: %s}\n  - {at: %ds, restart: %s}\n", at, name, at+span+32, name)
			free[member] = at + span + 42
		case kind < 4:
			fmt.Fprintf(b, "  - {at: %ds, for: %ds, %s: %s}\n", at, span+rng.IntN(10), []string{"pause", "stall"}[kind-2], name)
			free[member] = at + span + 20
		case kind == 4:
			fmt.Fprintf(b, "  - {at: %ds, crash: broker %d}\n  - {at: %ds, restart: broker %d}\n", at, broker, at+span, broker)
			at += span + 8
		default:
			fmt.Fprintf(b, "  - {at: %ds, %s}\n", at, randomProcessorFault(rng))
		}
	}
}

func randomProcessorFault(rng *rand.Rand) string {
	messages := []string{
		"TxnOffsetCommitRequest", "TxnOffsetCommitResponse", "EndTxnRequest", "EndTxnResponse", "WriteTxnMarkersRequest", "ProduceRequest",
		"ProduceResponse", "InitProducerIdResponse", "AddPartitionsToTxnRequest", "HeartbeatResponse", "JoinGroupResponse", "SyncGroupResponse",
		"OffsetFetchResponse", "ConsumerGroupHeartbeatRequest", "ConsumerGroupHeartbeatResponse", "FetchResponse",
	}
	message, count, span := messages[rng.IntN(len(messages))], 1+rng.IntN(3), 100+rng.IntN(9000)
	switch rng.IntN(3) {
	case 0:
		return fmt.Sprintf("reset: {message: %s, count: %d}", message, count)
	case 1:
		return fmt.Sprintf("delay: {message: %s, by: %dms, count: %d}", message, span, count)
	}
	return fmt.Sprintf("hold: {message: %s, count: %d}, for: %dms", message, count, span)
}
