package run

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/outcome"
	"replog/internal/scenario"
	"replog/internal/sim"
	"replog/internal/view"
)

// randomGroups writes a scenario with a consumer group, and troubles of all kinds until the 90th second; the rest of the run
// heals.
func randomGroups(r *rand.Rand) string {
	pick := func(choices ...string) string { return choices[r.IntN(len(choices))] }
	members, partitions := 1+r.IntN(4), 1+r.IntN(4)
	static := pick("false", "false", "true")
	protocol := pick("group.protocol: classic", "group.protocol: classic, partition.assignment.strategy: cooperative-sticky", "group.protocol: consumer")
	var b strings.Builder
	fmt.Fprintf(&b, `
title: a group in trouble
end: 400s
latency: {min: 1ms, max: %dms}
brokers: {count: 3}
topics:
  orders: {partitions: %d, replication.factor: 3, config: {min.insync.replicas: 2}}
producers: {shop: {}}
consumers:
  packing:
    topic: orders
    members: %d
    static: %s
    work: %s
    commit: %s
    effect: print
    config: {%s, auto.offset.reset: earliest, session.timeout.ms: 10000, max.poll.interval.ms: 30000}
loads: [{producer: shop, topic: orders, start: 1s, every: 200ms, count: %d, key: kitchen-$(order mod 30)}]
timeline:
`, 1+r.IntN(5), partitions, members, static, pick("0ms", "20ms", "150ms"), pick("after-record", "after-poll"), protocol, 300)
	if strings.Contains(protocol, "consumer") {
		// The session is the broker's to say; and a static member whose join is answered late ends with UNRELEASED_INSTANCE_ID.
		text := strings.NewReplacer(", session.timeout.ms: 10000", "", "static: true", "static: false").Replace(b.String())
		b.Reset()
		b.WriteString(text)
	}
	at, free := 8, make([]int, members) // until when a member has a trouble of its own
	for at < 90 {
		i, broker, kind := r.IntN(members), 1+r.IntN(3), r.IntN(9)
		member, back := fmt.Sprintf("packing-%d", i), at+2+r.IntN(20)
		if members == 1 {
			member = "packing"
		}
		if kind < 2 || kind == 4 || kind == 5 {
			if at <= free[i] {
				at++
				continue
			}
			free[i] = back + 35
		}
		switch kind {
		case 0:
			fmt.Fprintf(&b, "  - {at: %ds, crash: %s}\n  - {at: %ds, restart: %s}\n", at, member, back, member)
		case 1:
			fmt.Fprintf(&b, "  - {at: %ds, shutdown: %s}\n  - {at: %ds, restart: %s}\n", at, member, back, member)
		case 2, 3:
			fmt.Fprintf(&b, "  - {at: %ds, crash: broker %d}\n  - {at: %ds, restart: broker %d}\n", at, broker, back, broker)
			at = back + 10 // never two brokers at once: commits need two
		case 4:
			fmt.Fprintf(&b, "  - {at: %ds, for: %ds, pause: %s}\n", at, 2+r.IntN(30), member)
		case 5:
			fmt.Fprintf(&b, "  - {at: %ds, for: %ds, stall: %s}\n", at, 2+r.IntN(50), member)
		case 6:
			fmt.Fprintf(&b, "  - {at: %ds, for: 20s, pause: broker %d}\n", at, broker)
			at += 30
		default:
			message := pick("HeartbeatRequest", "HeartbeatResponse", "OffsetCommitRequest", "OffsetCommitResponse", "JoinGroupRequest", "JoinGroupResponse",
				"SyncGroupResponse", "ConsumerGroupHeartbeatRequest", "ConsumerGroupHeartbeatResponse", "OffsetFetchResponse", "FetchResponse")
			fmt.Fprintf(&b, "  - {at: %ds, for: 20s, drop: {message: %s, count: %d}}\n", at, message, 1+r.IntN(3))
		}
		at += 1 + r.IntN(12)
	}
	return b.String()
}

// TestGroupsInTroubleKeepTheirPromises runs groups through random troubles: no promise breaks, the fold is what coordinators
// and members know at every step, and in the end everything is done.
func TestGroupsInTroubleKeepTheirPromises(t *testing.T) {
	t.Parallel()
	runs := 150
	if testing.Short() {
		runs = 8
	}
	for seed := range uint64(runs) {
		text := randomGroups(rand.New(rand.NewPCG(seed, 7)))
		if !soak(t, text) {
			t.Fatalf("seed %d:\n%s", seed, text)
		}
	}
}

func soak(t *testing.T, text string) bool {
	file, err := scenario.Load("soak.yaml", []byte(text))
	if err != nil {
		t.Error(err)
		return false
	}
	p, err := file.Plan(file.Variants()[0], nil)
	if err != nil {
		t.Error(err)
		return false
	}
	fold := outcome.NewFold(p.Names, producersOf(p))
	checker := check.New(p.Names, checkSettings(p))
	w := &watcher{t: t, plan: p, picture: view.New(p.Names)}
	w.cluster = sim.New(p, event.Sinks{w.picture, w, fold, checker})
	for w.cluster.Step() && !t.Failed() {
		w.look()
	}
	w.cluster.Finish()
	for _, v := range checker.Violations() {
		t.Errorf("broken promise %s at tick %d: %s", v.Promise, v.At, v.Sentence)
	}
	g := fold.Outcome().Groups[0]
	if len(g.Unread) > 0 || len(g.PassedOver) > 0 {
		t.Errorf("%d orders are not done, and %d were passed over", len(g.Unread), len(g.PassedOver))
	}
	return !t.Failed()
}
