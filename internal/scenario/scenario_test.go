package scenario_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
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
	for _, name := range scenarios.Paths() {
		f := load(t, name+".yaml")
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

// TestPlanIsDeterministic: two readings of a file give the same plans.
func TestPlanIsDeterministic(t *testing.T) {
	for _, name := range []string{"broker-2-dies.yaml", "keys-and-order.yaml"} {
		one, two := load(t, name), load(t, name)
		for _, v := range one.Variants() {
			if !reflect.DeepEqual(planOf(t, one, v), planOf(t, two, v)) {
				t.Errorf("%s, %s: two plans", name, v)
			}
		}
	}
}

// TestHead reads what a file says besides its plan.
func TestHead(t *testing.T) {
	f := load(t, "acks-table.yaml")
	if f.Name != "acks-table" || f.LessonOrder != 50 || f.Title == "" || f.Story == "" || f.Remember == "" || f.Notes == "" {
		t.Errorf("the head of %+v is not complete", f)
	}
	want := []string{"acks=1", "acks=all", "acks=all, idempotent", "acks=0", "retries off"}
	if got := f.Variants(); !slices.Equal(got, want) {
		t.Errorf("variants %q, want %q", got, want)
	}
	if got := f.VariantNote("acks=1"); got != "the leader alone acknowledges" {
		t.Errorf("note %q", got)
	}
	facts := map[string]string{}
	for _, e := range f.Expect("acks=1") {
		if e.Line == 0 || e.Column == 0 {
			t.Errorf("%s has no place", e.Field)
		}
		facts[e.Field] = strings.Join(e.IDs, " ")
		if e.Count != nil {
			facts[e.Field] = strconv.Itoa(*e.Count)
		}
	}
	for field, want := range map[string]string{
		"sent": "20", "acked": "20", "acked_then_lost": "11 12 13", "stored_twice": "0", "ack_latency_ms.max": "0",
	} {
		if facts[field] != want {
			t.Errorf("%s: expected %q, want %q", field, facts[field], want)
		}
	}
}

func TestUnknownVariant(t *testing.T) {
	_, err := load(t, "acks-table.yaml").Plan("acks=al", nil)
	if err == nil || !strings.Contains(err.Error(), `did you mean "acks=all"?`) {
		t.Errorf("got %v", err)
	}
}

// TestNotes: what Kafka's defaults become on a coarse tick, and what a client quietly drops, is told.
func TestNotes(t *testing.T) {
	const file = `
title: t
tick: 300ms
end: 30s
latency: 300ms
brokers: {count: 1}
topics: {orders: {}}
producers:
  shop: {client: java-3.2, config: {acks: 1}}
timeline:
  - {at: 3s, crash: broker 1}
`
	f, err := scenario.Load("notes.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(t, f, "default")
	golden(t, "testdata/notes.txt", strings.Join(p.Notes, "\n")+"\n")
	if p.Producers[0].Config.EnableIdempotence {
		t.Error("idempotence is on with acks=1")
	}
	if got := p.Names.Fault(0); got != "broker 1 crashes" {
		t.Errorf("the sentence of the fault is %q", got)
	}
}
