package report

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/scenario"
)

// sample is a report with something of everything.
func sample() *Scenario {
	s := New("sample")
	seed := uint64(7)
	s.Add(Variant{
		Report: outcome.Report{
			Variant: "acks=all, idempotent", Sent: 20, Acked: 18, AckedThenLost: []string{"11", "12"},
			StoredTwice: []string{"7 paid", "7 placed"}, NeverStored: many(40), Retries: 3,
			AckLatencyMs: &outcome.LatencyMillis{Min: 0.5, P50: 1, P99: 2, Max: 2},
			ShownTwice:   []outcome.ShownReport{{Reader: "screen", Records: []string{"7 paid"}}},
			Groups:       []outcome.GroupReport{sampleGroup()},
		},
		Copies: []Copies{
			{"7 paid", []Place{{"orders-1", 3}, {"orders-1", 9}}},
			{"7 placed", []Place{{"orders-1", 2}, {"orders-2", 0}}},
		},
		Violations: []Violation{{Promise: "LogMatching", At: "5 ms", Sentence: "they differ"}},
		Unmet:      []string{}, Seed: &seed,
	})
	s.Add(Variant{Report: outcome.Report{Variant: "no retries"}, Violations: []Violation{}, Unmet: []string{}})
	return s
}

// sampleGroup is a group that read 7 paid twice and is behind.
func sampleGroup() outcome.GroupReport {
	at := kafka.Offset(40118)
	return outcome.GroupReport{
		Group: "packing", EffectsTwice: []string{"7 paid"}, Rebalances: 2,
		Partitions: []outcome.GroupPartitionReport{
			{Partition: "orders-1", End: 40125, Committed: outcome.LagReport{Offset: &at, Lag: 7, LagMs: 35}, StandMs: 1500.5, Moved: 1},
		},
	}
}

func many(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = "1000" + string(rune('0'+i%10))
	}
	return ids
}

func TestGoldenReadsBack(t *testing.T) {
	want := sample().Golden()
	got, err := ParseGolden(want.Text())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a golden file reads back otherwise (-want +got):\n%s", diff)
	}
	for line := range strings.Lines(want.Text()) {
		if len(line) > rowWidth+1 {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
}

func TestJSONReadsBack(t *testing.T) {
	var b bytes.Buffer
	if err := sample().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	got, err := ReadJSON(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample().Golden(), got.Golden()); diff != "" {
		t.Errorf("a report reads back otherwise (-want +got):\n%s", diff)
	}
}

// TestFactsCoverTheOutcome: whatever an outcome says stands in the table of facts, under the same key.
func TestFactsCoverTheOutcome(t *testing.T) {
	// What is no fact: the name of the run, and sentences that are made of other facts.
	told := map[string]bool{"variant": true, "expected_tradeoffs": true}
	r := reflect.TypeFor[outcome.Report]()
	for i := range r.NumField() {
		key, _, _ := strings.Cut(r.Field(i).Tag.Get("json"), ",")
		if !told[key] && findFact(key) == nil {
			t.Errorf("%s is in no golden file", key)
		}
	}
}

func TestJudge(t *testing.T) {
	n := func(i int) *int { return &i }
	for _, c := range []struct {
		expect scenario.Expect
		want   string // what is unmet
	}{
		{scenario.Expect{Field: "sent", Count: n(20)}, ""},
		{scenario.Expect{Field: "effects_twice", IDs: []string{"7 paid"}}, ""},
		{scenario.Expect{Field: "effects_twice", Count: n(0)}, "effects_twice: expected 0, got 1 (7 paid)"},
		{scenario.Expect{Field: "rebalances", Count: n(2)}, ""},
		{scenario.Expect{Field: "lag.committed", Count: n(7)}, ""},
		{scenario.Expect{Field: "standstill_ms", Count: n(1500)}, "standstill_ms: expected 1500, got 1500.5"},
		{scenario.Expect{Field: "sent", Count: n(19)}, "sent: expected 19, got 20"},
		{scenario.Expect{Field: "acked_then_lost", IDs: []string{"11", "12"}}, ""},
		{scenario.Expect{Field: "acked_then_lost", IDs: []string{"11"}}, "acked_then_lost: expected 11, got 11 12"},
		{scenario.Expect{Field: "acked_then_lost", Count: n(2)}, ""},
		{scenario.Expect{Field: "acked_then_lost", Count: n(0)}, "acked_then_lost: expected 0, got 2 (11 12)"},
		{scenario.Expect{Field: "refused", Count: n(0)}, ""},
		{scenario.Expect{Field: "ack_latency_ms.max", Count: n(2)}, ""},
		{scenario.Expect{Field: "ack_latency_ms.min", Count: n(1)}, "ack_latency_ms.min: expected 1, got 0.5"},
		{scenario.Expect{Field: "ack_latency_ms.min", None: true}, "ack_latency_ms.min: expected none, got 0.5"},
		{scenario.Expect{Field: "retry_latency_ms.min", None: true}, ""},
		{scenario.Expect{Field: "retry_latency_ms.min", Count: n(3)}, "retry_latency_ms.min: expected 3, got none"},
		{scenario.Expect{Field: "sent", IDs: []string{"1"}}, "sent: expected a list of records, but this is the number 20"},
		{scenario.Expect{Field: "violates", Violates: []string{"LogMatching"}}, ""},
		{scenario.Expect{Field: "violates", Violates: []string{"StrongIsr"}}, "violates: expected StrongIsr to break, and it held"},
	} {
		v := sample().Variants[0]
		v.Judge([]scenario.Expect{c.expect})
		if got := strings.Join(v.Unmet, "; "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.expect, got, c.want)
		}
	}
}

// TestBreakingOnPurpose: a promise that the scenario says it breaks is no violation; another one is.
func TestBreakingOnPurpose(t *testing.T) {
	v := sample().Variants[0]
	if v.OK() {
		t.Error("a broken promise is ok")
	}
	v.Judge([]scenario.Expect{{Field: "violates", Violates: []string{"LogMatching"}}})
	if !v.OK() {
		t.Errorf("a promise broken on purpose is not ok: %v", v.Problems())
	}
}

func TestDiffer(t *testing.T) {
	a, b := sample(), sample()
	b.Variants[0].Acked = 19
	b.Variants[0].NeverStored = append(many(40), "9")
	b.Variants[0].AckedThenLost = nil
	b.Variants[1].Variant = "other"
	got := Differ(Side{Golden: a.Golden(), Where: "before"}, Side{Golden: b.Golden(), Where: "now"})
	want := []Difference{
		{"acks=all, idempotent", []string{
			"acknowledged: 18 before, 19 now",
			"acknowledged, then lost: 11 12 before, none now",
			"never stored: 9 only now",
		}},
		{"no retries", []string{"this variant is only before"}},
		{"other", []string{"this variant is only now"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if same := Differ(Side{Golden: a.Golden(), Where: "before"}, Side{Golden: a.Golden(), Where: "now"}); same != nil {
		t.Errorf("a report differs from itself: %v", same)
	}
}

// TestDifferLinesUp: of facts with a line for each thing only the lines that differ are told, those of one thing together, and of
// a fact that only one run speaks of the other has none.
func TestDifferLinesUp(t *testing.T) {
	outcome := func(facts ...GoldenFact) *Golden { return &Golden{Runs: []GoldenRun{{Variant: "one", Facts: facts}}} }
	a := outcome(GoldenFact{"groups", []string{"packing orders-0: moved 1", "packing orders-1: moved 2", "gone: 3"}},
		GoldenFact{"reordered", []string{"8", "9"}}, GoldenFact{"metrics", []string{"IsrShrinks 1"}})
	b := outcome(GoldenFact{"groups", []string{"packing orders-0: moved 1", "new: 4", "packing orders-1: moved 5"}})
	got := Differ(Side{Golden: a, Where: "in A"}, Side{Golden: b, Where: "in B", Untold: UntoldByTrace})
	want := []Difference{{"one", []string{
		"groups, partition by partition:",
		"  in A: packing orders-1: moved 2",
		"  in B: packing orders-1: moved 5",
		"  in A: gone: 3",
		"  in B: new: 4",
		"records behind later ones in their partition: 8 9 in A, none in B",
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRememberOnlyWhatWasProved(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Variant)
		proved bool
	}{
		{"met", func(*Variant) {}, true},
		{"not all", func(*Variant) {}, false},
		{"unmet", func(v *Variant) { v.Unmet = []string{"sent"} }, false},
		{"not judged", func(v *Variant) { v.Judged = false }, false},
		{"partial", func(v *Variant) { v.Partial = true }, false},
		{"broken", func(v *Variant) { v.Violations = []Violation{{Promise: "LogMatching"}} }, false},
	} {
		s := New("sample")
		s.Remember, s.All = "this", c.name != "not all"
		v := Variant{Report: outcome.Report{Variant: "one"}, Judged: true}
		c.change(&v)
		s.Add(v)
		var b strings.Builder
		if err := s.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "Remember: this"); got != c.proved {
			t.Errorf("%s: remembered %v, want %v", c.name, got, c.proved)
		}
	}
}
