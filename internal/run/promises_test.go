package run

import (
	"slices"
	"strings"
	"testing"

	"replog/internal/check"
	"replog/scenarios"
)

// held are the promises that no scenario breaks: no rule that can be switched, and no configuration, gives them up. The
// tests of package check break each of them, event by event. A rule for the first, elections without a new leader epoch, would
// let two leaders write in one epoch, and the folds name a record by its epoch and offset.
var held = []string{
	"SingleLeaderPerEpoch",
}

// TestPromisesBreakOnPurpose: what breaks in a golden file its scenario declares with expect: violates, and each promise
// breaks in some scenario, one of replication in the museum, or is on the list of those that nothing gives up.
func TestPromisesBreakOnPurpose(t *testing.T) {
	broken, museum := map[string]bool{}, map[string]bool{}
	for _, name := range scenarios.Paths() {
		file, violated := load(t, name), goldenViolations(t, name)
		for _, variant := range file.Variants() {
			var declared []string
			for _, e := range file.Expect(variant) {
				declared = append(declared, e.Violates...)
			}
			for _, promise := range violated[variant] {
				broken[promise] = true
				museum[promise] = museum[promise] || strings.HasPrefix(name, "museum/")
			}
			if got, want := sorted(violated[variant]), sorted(declared); !slices.Equal(got, want) {
				t.Errorf("%s, %s: %v break, declared are %v", name, variant, got, want)
			}
		}
	}
	for _, p := range check.Promises() {
		switch listed := slices.Contains(held, p.Name); {
		case listed && broken[p.Name]:
			t.Errorf("%s is broken by a scenario: take it off the list", p.Name)
		case !listed && !museum[p.Name]:
			t.Errorf("no scenario of the museum breaks %s", p.Name)
		}
	}
	for _, name := range held {
		if _, found := check.Find(name); !found {
			t.Errorf("the list names %s, which is no promise", name)
		}
	}
}

// goldenViolations reads which promises break, by variant. A list that is longer than its line goes on in the next.
func goldenViolations(t *testing.T, name string) map[string][]string {
	t.Helper()
	data, err := scenarios.FS.ReadFile(name + ".golden")
	if err != nil {
		t.Fatal(err)
	}
	violated, variant, more := map[string][]string{}, "", false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if v, found := strings.CutPrefix(line, "variant: "); found {
			variant = v
		}
		list, found := strings.CutPrefix(line, "violates: ")
		if !found && !more {
			continue
		}
		more = strings.HasSuffix(list, ",")
		for _, promise := range strings.Split(strings.TrimSuffix(list, ","), ", ") {
			if _, known := check.Find(promise); known {
				violated[variant] = append(violated[variant], promise)
			} else if promise != "none" {
				t.Errorf("%s, %s: %q is no promise", name, variant, promise)
			}
		}
	}
	return violated
}

func sorted(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names)
}
