package player

import (
	"io/fs"
	"strings"
	"sync"
	"testing"

	"replog/internal/scenario"
	"replog/scenarios"
)

func loadFile(t testing.TB, name string) *scenario.File {
	t.Helper()
	data, err := scenarios.FS.ReadFile(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := scenario.Load(name+".yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func scenarioNames(t testing.TB) []string {
	t.Helper()
	paths, err := fs.Glob(scenarios.FS, "*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range paths {
		name := strings.TrimSuffix(path, ".yaml")
		file := loadFile(t, name)
		if p, err := file.Plan(file.Variants()[0], nil); err == nil && p.Names.RecordCount() > 200_000 {
			continue // a tape of it would not fit
		}
		names = append(names, name)
	}
	return names
}

var tapes sync.Map // recorded once for all tests

func tapeOf(t testing.TB, name, variant string) *Tape {
	t.Helper()
	key := name + "/" + variant
	if tape, ok := tapes.Load(key); ok {
		return tape.(*Tape)
	}
	tape, err := Record(loadFile(t, name), variant, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	tapes.Store(key, tape)
	return tape
}
