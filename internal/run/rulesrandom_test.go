package run

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/plan"
	"replog/internal/scenario"
	"replog/internal/sim"
	"replog/internal/view"
)

// TestAnyRulesUnderFaults switches rules at random, under random faults. Whatever is switched, nothing panics, the fold of the
// events is what the cluster knows at every step, and every story can be told. Where no single rule is switched, in a
// version since 3.5, and no disk loses anything, every promise holds.
func TestAnyRulesUnderFaults(t *testing.T) {
	t.Parallel()
	runs := 250
	if testing.Short() {
		runs = 60
	}
	broken := map[string]bool{}
	for seed := range uint64(runs) {
		text, sound := randomRules(rand.New(rand.NewPCG(seed, 11)))
		violations := anyRules(t, text)
		for _, v := range violations {
			broken[v.Promise] = true
		}
		if sound && len(violations) > 0 {
			t.Errorf("%s breaks: %s", violations[0].Promise, violations[0].Sentence)
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, text)
		}
	}
	for _, promise := range []string{"CommittedRead", "LeaderInIsr", "ValidIsr", "LogMatching"} {
		if !broken[promise] && !testing.Short() {
			t.Errorf("no run breaks %s: the rules that protect it were not drawn, or do nothing", promise)
		}
	}
}

// anyRules runs a scenario to its end and returns which promises it breaks.
func anyRules(t *testing.T, text string) []check.Violation {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("panic: %v", r)
		}
	}()
	file, err := scenario.Load("random.yaml", []byte(text))
	if err != nil {
		t.Error(err)
		return nil
	}
	p, err := file.Plan(file.Variants()[0], nil)
	if err != nil {
		t.Error(err)
		return nil
	}
	var log event.Log
	fold, checker := outcome.NewFold(p.Names, producersOf(p)), check.New(p.Names, checkSettings(p))
	w := &watcher{t: t, plan: p, picture: view.New(p.Names)}
	w.cluster = sim.New(p, event.Sinks{w.picture, w, fold, checker, NewMetrics(p), &log})
	for w.cluster.Step() && !t.Failed() {
		w.look()
	}
	w.full()
	w.cluster.Finish()
	if !t.Failed() {
		tellAll(t, p, &log, fold.Outcome())
	}
	return checker.Violations()
}

func tellAll(t *testing.T, p *plan.Plan, log *event.Log, o *outcome.Outcome) {
	t.Helper()
	if len(explain.Run(log, p.Names, o)) == 0 {
		t.Error("the run has no story")
	}
	for id := range kafka.RecordID(p.Names.RecordCount()) {
		if explain.Record(log, p.Names, id).Verdict == "" { // one that was never handed over has no more
			t.Errorf("record %d has no verdict", id)
		}
	}
}

// randomRules writes a scenario in which some rules are switched; sound when none is by itself, and no data can be lost but by
// a mistake of the model.
func randomRules(rng *rand.Rand) (text string, sound bool) {
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	var b strings.Builder
	fmt.Fprintf(&b, "title: random\nend: 90s\nlatency: {min: 1ms, max: %sms}\n", pick("1", "4"))
	if sound = rng.IntN(3) == 0; sound {
		fmt.Fprintf(&b, "version: %q\n", pick(scenario.Versions()[1:]...)) // before 3.3 an ISR may hold who is fenced
	} else {
		fmt.Fprintf(&b, "rules:\n  %s: true\n", scenario.Rules()[0].Name)
		for rare, i := 2+rng.IntN(4), 1; i < len(scenario.Rules()); i++ {
			if rng.IntN(rare) == 0 {
				fmt.Fprintf(&b, "  %s: true\n", scenario.Rules()[i].Name)
			}
		}
	}
	fmt.Fprintf(&b, "brokers: {count: 3, config: {broker.session.timeout.ms: 2000, broker.heartbeat.interval.ms: 400, replica.lag.time.max.ms: %s}}\n",
		pick("1500", "5000", "30000"))
	unclean := !sound && rng.IntN(3) == 0
	fmt.Fprintf(&b, "topics:\n  orders: {partitions: 2, replication.factor: 3, config: {min.insync.replicas: %s, cleanup.policy: %s, unclean.leader.election.enable: %v}}\n",
		pick("1", "2"), pick("delete", "delete", "compact"), unclean)
	fmt.Fprintf(&b, "producers:\n  careful: {config: {acks: all, enable.idempotence: %s, request.timeout.ms: 3000, delivery.timeout.ms: 20000}}\n", pick("true", "false"))
	fmt.Fprintf(&b, "  hasty: {config: {acks: 1, enable.idempotence: false}}\n")
	fmt.Fprintf(&b, "readers:\n  screen: {topic: orders}\n  stable: {topic: orders, config: {isolation.level: read_committed}}\n")
	fmt.Fprintf(&b, "consumers: {packing: {topic: orders, members: 2, config: {auto.offset.reset: earliest}}}\n")
	fmt.Fprintf(&b, "loads:\n  - {producer: careful, topic: orders, start: 1s, every: 150ms, count: 150, key: k-$(order mod 7)}\n")
	fmt.Fprintf(&b, "  - {producer: hasty, topic: orders, start: 1s, every: 400ms, count: 50, key: k-$(order mod 7), first: 501}\ntimeline:\n")
	upFrom := [4]int{} // the second from which a broker is up, and not paused
	for at := 2 + rng.IntN(4); at < 45; at += 1 + rng.IntN(7) {
		broker, down := 1+rng.IntN(3), 0
		if at > upFrom[broker] {
			down = 1 + rng.IntN(8)
		}
		text, away := randomTrouble(rng, at, broker, down, sound)
		if b.WriteString(text); away {
			upFrom[broker] = at + down
		}
	}
	return b.String(), sound
}

// randomTrouble is an entry of the timeline, or two where the broker dies; away says that it is down or paused, for so many seconds.
// A kind trouble takes no data from a disk.
func randomTrouble(rng *rand.Rand, at, broker, down int, kind bool) (text string, away bool) {
	entry := func(at int, format string, args ...any) string {
		return fmt.Sprintf("  - {at: %ds, %s}\n", at, fmt.Sprintf(format, args...))
	}
	death := func(format string, args ...any) (string, bool) {
		return entry(at, format, args...) + entry(at+down, "restart: broker %d", broker), true
	}
	peer := []string{"controller", "brokers"}[rng.IntN(2)]
	switch choice := rng.IntN(11); {
	case choice == 0 && !kind && down > 0:
		return death("power.loss: {broker: broker %d, unflushed: %d}", broker, 1+rng.IntN(9))
	case choice == 1 && !kind && down > 0:
		return death("crash: broker %d", broker)
	case choice == 2 && !kind:
		return entry(at, "elect: {type: unclean}"), false
	case choice <= 3 && down > 0:
		return death("crash: broker %d", broker)
	case choice == 4 && down > 0:
		return death("shutdown: broker %d", broker)
	case choice == 5:
		return entry(at, "for: %ds, cut: {between: [broker %d, %s]}", 1+rng.IntN(9), broker, peer), false
	case choice == 6 && down > 0:
		return entry(at, "for: %ds, pause: broker %d", down, broker), true
	case choice == 7:
		return entry(at, "elect: {type: preferred}"), false
	case choice == 8:
		return entry(at, "duplicate: {message: MetadataFetchResponse, count: 1}, for: 10s"), false
	}
	message := []string{"FetchRequest", "FetchResponse", "AlterPartitionRequest", "MetadataFetchResponse", "ProduceRequest"}[rng.IntN(5)]
	if rng.IntN(2) == 0 {
		return entry(at, "for: %ds, hold: {message: %s, from: broker %d}", 1+rng.IntN(5), message, broker), false
	}
	return entry(at, "for: 20s, delay: {message: %s, by: %dms, count: %d}", message, 500+rng.IntN(6000), 1+rng.IntN(3)), false
}
