package run

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"replog/internal/scenario"
	"replog/scenarios"
)

// TestAnyRulesInAnyWorld switches rules at random where there are idempotent producers, transactions, groups of both protocols and
// processors in trouble, and in the scenarios of the museum. Promises may break; but see anyRules.
func TestAnyRulesInAnyWorld(t *testing.T) {
	t.Parallel()
	runs := 200
	if testing.Short() {
		runs = 40
	}
	broken := map[string]bool{}
	for seed := range uint64(runs) {
		text := ruledWorld(t, rand.New(rand.NewPCG(seed, 21)), int(seed))
		for _, v := range anyRules(t, text) {
			broken[v.Promise] = true
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, text)
		}
	}
	for _, promise := range []string{"ReadCommitted", "DistinctProducerEpochs", "NoDoubleOwner", "ValidMemberEpoch", "MonotonicPolls", "NoSkippingPolls"} {
		if !broken[promise] && !testing.Short() {
			t.Errorf("no run breaks %s: the rules that protect it were not drawn, or do nothing", promise)
		}
	}
}

var rulesLine = regexp.MustCompile(`(?m)^rules: .*\n`)

// ruledWorld is a scenario of the others' making, with rules of its own.
func ruledWorld(t *testing.T, rng *rand.Rand, seed int) string {
	text := ""
	switch rng.IntN(5) {
	case 0:
		text = randomScenario(rng, seed)
	case 1:
		text = randomTransactions(rng, seed)
	case 2:
		text = randomGroups(rng)
	case 3:
		text = randomProcessors(rng, seed)
	default:
		text = fromTheMuseum(t, rng)
	}
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(rulesLine.ReplaceAllString(text, ""), "\n") + "\nrules:\n")
	rare := 2 + rng.IntN(6)
	for i, rule := range scenario.Rules() {
		if rng.IntN(rare) == 0 || i == seed%len(scenario.Rules()) {
			fmt.Fprintf(&b, "  %s: true\n", rule.Name)
		}
	}
	return b.String()
}

func fromTheMuseum(t *testing.T, rng *rand.Rand) string {
	var museum []string
	for _, path := range scenarios.Paths() {
		if strings.HasPrefix(path, "museum/") {
			museum = append(museum, path)
		}
	}
	data, err := scenarios.FS.ReadFile(museum[rng.IntN(len(museum))] + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
