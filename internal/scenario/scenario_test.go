package scenario_test

import (
	"io/fs"
	"testing"

	"replog/internal/scenario"
	"replog/scenarios"
)

func load(t *testing.T, name string) *scenario.File {
	t.Helper()
	data, err := fs.ReadFile(scenarios.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := scenario.Load(name, data)
	if err != nil {
		t.Fatal("\n" + err.Error())
	}
	return f
}

func TestEveryScenarioPlans(t *testing.T) {
	names, err := fs.Glob(scenarios.FS, "*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, name := range names {
		f := load(t, name)
		for _, v := range f.Variants() {
			if _, err := f.Plan(v, nil); err != nil {
				t.Errorf("%s, %s:\n%v", name, v, err)
			}
		}
	}
}
