package scenario_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"replog/internal/scenario"
	"replog/scenarios"
)

// seeds are the scenarios of the repository and the bad ones of the tests.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	bad, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range bad {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	good, err := fs.Glob(scenarios.FS, "*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range good {
		data, err := fs.ReadFile(scenarios.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

// FuzzLoad: whatever a file holds, the answer is a file whose variants all plan, or mistakes that are safe to print.
func FuzzLoad(f *testing.F) {
	for _, data := range seeds(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkLoad(t, data) })
}

func checkLoad(t *testing.T, data []byte) {
	file, err := scenario.Load("fuzz.yaml", data)
	if err != nil {
		checkMistakes(t, err)
		return
	}
	for _, v := range file.Variants() {
		p, err := file.Plan(v, nil)
		if err != nil {
			t.Fatalf("a file without a mistake has a variant with one: %v", err)
		}
		for _, l := range p.Loads {
			if len(l.Producers) == 0 || len(l.Topic) == 0 || len(l.Keys) == 0 || l.Burst < 1 || l.Stride < 1 {
				t.Fatalf("a load that can not run: %+v", l)
			}
		}
		if len(p.Names.Faults) != len(p.Faults) {
			t.Fatalf("%d sentences for %d faults", len(p.Names.Faults), len(p.Faults))
		}
	}
}

func checkMistakes(t *testing.T, err error) {
	t.Helper()
	var all scenario.Errors
	if !errors.As(err, &all) || len(all) == 0 {
		t.Fatalf("not a list of mistakes: %v", err)
	}
	for _, r := range err.Error() {
		if !unicode.IsGraphic(r) && r != '\n' {
			t.Fatalf("a mistake prints %U", r)
		}
	}
}

// TestLoadIsQuick feeds what costs a parser most for its size.
func TestLoadIsQuick(t *testing.T) {
	const size = 256 << 10
	fill := func(text string) string { return strings.Repeat(text, size/len(text)) }
	head := "title: t\nend: 1s\nbrokers: {count: 63}\ntopics: {a: {partitions: 5000, replication.factor: 63}}\n"
	inputs := map[string]string{
		"10 MB of noise": strings.Repeat("\x00\xff noise", 1<<20),
		"open brackets":  fill("["),
		"open mappings":  fill("{a: "),
		"quotes":         fill(`"`),
		"anchors":        fill("&a "),
		"dashes":         fill("- "),
		"question marks": fill("? "),
		"one key":        fill("a: 1\n"),
		"comments":       fill("a: #a\n\n"),
		"unknown keys":   head + numbered(10000, "k%: 1\n"),
		"many variants":  head + "variants:\n" + numbered(39, "  v%: {}\n"),
		"growing texts":  head + "params: {x: " + fill("x")[:10000] + "}\nproducers:\n" + numbered(2000, "  p%: {client: $(x)$(x)}\n"),
		"parentheses":    head + "seed: $(" + fill("(")[:size-200] + "\n",
		"nots":           head + "seed: $(" + fill("not ")[:490] + ")\n",
		"expressions":    head + "story: x\nseed: " + fill("$(1+1)")[:size-200] + "\n",
		"many topics":    head + "readers: {r: {topic: a}}\nproducers:\n" + numbered(1000, "  p%: {}\n"),
		"many loads": head + "producers: {p: {workers: 1000}}\nloads:\n" +
			numbered(500, "  - {producer: p, topic: a, count: 1000, key: k$(order)}\n"),
		"many faults": head + "timeline:\n" + numbered(2000, "  - {at: 1s, drop: {from: [brokers, clients], to: brokers}}\n"),
	}
	for name, input := range inputs {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			checkLoad(t, []byte(input))
			if took := time.Since(begin); took > 4*time.Second {
				t.Errorf("took %v", took)
			} else {
				t.Log(took)
			}
		})
	}
}

func numbered(n int, line string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(line, "%", string(rune('a'+i%26))+strings.Repeat("z", i/26%26)+strings.Repeat("y", i/676)))
	}
	return b.String()
}
