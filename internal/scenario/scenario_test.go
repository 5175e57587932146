package scenario_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

var update = flag.Bool("update", false, "write the golden files anew")

// TestMistakes holds the text of every mistake in testdata/bad against the golden file beside it.
func TestMistakes(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no bad scenarios: %v", err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, err = scenario.Load(name, data)
			var all scenario.Errors
			if !errors.As(err, &all) {
				t.Fatalf("no mistake found in it, but %v", err)
			}
			golden(t, strings.TrimSuffix(file, ".yaml")+".txt", all.Error())
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
