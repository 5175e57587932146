package explore

import (
	"fmt"
	"testing"

	"replog/internal/kafka"
	"replog/internal/scenario"
)

func TestSurvivalFollowsTheRules(t *testing.T) {
	const minISR2 = "3 replicas, min ISR 2"
	for _, c := range []struct {
		name                     string
		sets                     []scenario.Set
		writes, safe, safeInSync int
	}{
		{"as it is", nil, 1, 1, 2},
		{"min ISR 3", []scenario.Set{{Path: "topics.orders.config.min.insync.replicas", Value: "3"}}, 0, 2, 2},
		{"acks=1", []scenario.Set{
			{Path: "producers.order-service.config.acks", Value: "1"},
			{Path: "producers.order-service.config.enable.idempotence", Value: "false"},
		}, 2, 0, 2},
		{"unclean elections", []scenario.Set{
			{Path: "topics.orders.config.unclean.leader.election.enable", Value: "true"},
			{Path: "topics.orders.config.min.insync.replicas", Value: "1"},
		}, 2, 0, 2},
	} {
		p, with := planned(t, "survive", minISR2, c.sets...)
		s, err := Survive(p, with, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(s.Writes.Lost, s.Safe.Lost, s.SafeInSync.Lost), fmt.Sprint(c.writes, c.safe, c.safeInSync); got != want {
			t.Errorf("%s: accepts writes, data safe, safe in sync with %s lost, want %s", c.name, got, want)
		}
	}
}

func TestSchedulesAreAllOfThem(t *testing.T) {
	e := &explorer{replicas: []kafka.NodeID{1, 2, 3}}
	lags := subsets([]kafka.NodeID{2, 3})
	for lost, want := range map[int]int{1: 4 * 3, 2: 4 * 3 * (1 + 2), 3: 4 * (1 + 6)} {
		seen := map[string]bool{}
		for _, r := range e.schedules(lags, lost) {
			seen[r.String()] = true
		}
		if len(seen) != want {
			t.Errorf("%d lost: %d different schedules, want %d", lost, len(seen), want)
		}
	}
}

func TestInterruptedSearchSaysSo(t *testing.T) {
	p, with := planned(t, "survive", "3 replicas, min ISR 1")
	if _, err := Survive(p, with, Options{Interrupted: func() bool { return true }}); err != ErrInterrupted {
		t.Errorf("the search ended with %v", err)
	}
}
