package screen

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"replog/internal/event"
	"replog/internal/run"
	"replog/internal/scenario"
	"replog/scenarios"
)

var update = flag.Bool("update", false, "accept the screens as they are now")

// recorded runs a variant of a scenario once, for all tests.
func recorded(t testing.TB, name, variant string) *run.Recording {
	t.Helper()
	recordings.Lock()
	defer recordings.Unlock()
	if r := recordings.of[name+variant]; r != nil {
		return r
	}
	data, err := scenarios.FS.ReadFile(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	file, err := scenario.Load(name+".yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := file.Plan(variant, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := run.NewRecording(plan.Names)
	if _, err := run.Do(plan, run.Options{Sink: r, Unchecked: true}); err != nil {
		t.Fatal(err)
	}
	recordings.of[name+variant] = r
	return r
}

var recordings = struct {
	sync.Mutex
	of map[string]*run.Recording
}{of: map[string]*run.Recording{}}

var footer = []KeyHelp{
	{Key: "?", Short: "help"}, {Key: "q", Short: "quit"}, {Key: "space", Short: "play"}, {Key: "n/p", Short: "step"},
	{Key: "]/[", Short: "next mark"}, {Key: "w", Short: "what-if"}, {Key: "c", Short: "compare"}, {Key: "e", Short: "why"},
}

// modelAt is the frame after n events, one step on from the event before, with order 8812 followed in its partition.
func modelAt(r *run.Recording, n int) *Model {
	m := &Model{
		Picture: r.At(n), Before: r.At(n - 1), Log: &r.Log, Cursor: n, Length: r.Len(), End: r.Log.At(r.Len() - 1).At,
		Title:   "12:40: broker 2 dies, and order 8812 is on the packing screen twice",
		Variant: r.Names.Variant, Settings: "acks=all idempotence=off", Speed: "1x",
		Selection: NoRecord, Footer: footer, Marks: marksOf(r),
	}
	if ids := r.Names.FindRecords("8812"); len(ids) > 0 {
		m.Selection.Record, m.Selection.Partition = ids[0], 2
	}
	if e := r.Log.Get(event.Seq(n)); e != nil {
		m.Changes = []string{event.Sentence(e, r.Log.Records(e), r.Names)}
	}
	return m
}

func marksOf(r *run.Recording) []Mark {
	letters := map[event.Kind]rune{event.FaultBegan: 'X', event.LeaderElected: 'E', event.ProduceRetryScheduled: 'R'}
	var marks []Mark
	for i, e := range r.Log.All() {
		if letter := letters[e.Kind]; letter != 0 && e.At > 0 {
			marks = append(marks, Mark{Event: i + 1, Tick: e.At, Letter: letter, Label: event.Sentence(e, r.Log.Records(e), r.Names)})
		}
	}
	return marks
}

// nth is the number of events up to the nth one of a kind that speaks of order 8812, or of none. Of the readings those of the
// packing screen count.
func nth(t testing.TB, r *run.Recording, kind event.Kind, n int) int {
	t.Helper()
	order := r.Names.FindRecords("8812")[0]
	for i, e := range r.Log.All() {
		if kind == event.RecordsRead && r.Names.Group(e.Node) != "packing" {
			continue
		}
		if ids := r.Log.Records(e); e.Kind == kind && (ids == nil || slices.Contains(ids, order)) {
			if n--; n == 0 {
				return i + 1
			}
		}
	}
	t.Fatalf("%s does not happen so often", kind)
	return 0
}

// moment is one of the five of the 12:40 story.
type moment struct {
	name  string
	event int
}

func moments(t testing.TB, r *run.Recording) []moment {
	return []moment{
		{"before", nth(t, r, event.FaultBegan, 1) - 1},
		{"held-back", nth(t, r, event.RecordsRead, 1)},
		{"failure", nth(t, r, event.BrokerCrashed, 1)},
		{"retry", nth(t, r, event.BatchAppended, 2)},
		{"twice", nth(t, r, event.RecordsRead, 2)},
	}
}

var sizes = [][2]int{{160, 48}, {120, 36}, {80, 24}, {40, 12}}

// TestMoments holds the five moments of the story against their golden screens at four sizes.
func TestMoments(t *testing.T) {
	r := recorded(t, "broker-2-dies", "as it was")
	for _, moment := range moments(t, r) {
		for _, size := range sizes {
			m := modelAt(r, moment.event)
			if moment.name == "twice" {
				m.Selection.Pane = PaneReader
			}
			g := NewGrid(size[0], size[1])
			Draw(g, m)
			golden(t, fmt.Sprintf("%s-%dx%d", moment.name, size[0], size[1]), g)
		}
	}
}

// TestOtherScreens pins what the five moments do not show: layouts, a comparison, ASCII, questions.
func TestOtherScreens(t *testing.T) {
	r, other := recorded(t, "broker-2-dies", "as it was"), recorded(t, "broker-2-dies", "idempotent")
	n := nth(t, r, event.RecordsRead, 2)
	draw := func(name string, w, h int, change func(*Model)) {
		m := modelAt(r, n)
		change(m)
		g := NewGrid(w, h)
		Draw(g, m)
		golden(t, name, g)
	}
	draw("compared", 160, 48, func(m *Model) {
		m.Second = modelAt(other, other.Find(m.Picture.Tick()))
		m.Parted = Parted{First: n - 200, Second: 9000, Text: "only the second recognises the retry"}
	})
	draw("ascii", 120, 36, func(m *Model) { m.ASCII = true })
	draw("large", 120, 36, func(m *Model) { m.Layout = LayoutLarge })
	draw("zoom", 80, 24, func(m *Model) { m.Layout, m.Selection.Pane = LayoutZoom, PaneProducer })
	draw("question", 100, 30, func(m *Model) {
		m.Overlays = []Overlay{&Question{
			Heading: "question 1 of 3", Text: "Who wrote the second copy of order 8812?", Picked: 0, Solved: true,
			Choices: []Choice{{"a follower", false, "Followers copy each offset once."}, {"its producer", true, "It had no answer."}},
			Verdict: []string{"12:40:20.181 order-service-11 sends 8812 again."},
		}}
	})
	draw("metrics", 100, 30, func(m *Model) {
		m.Overlays = []Overlay{&Metrics{
			Clock: "12:40:01.000", Since: "12:40:00.000  broker 2's disk controller fails",
			Rows: []Metric{
				{"UnderReplicatedPartitions", "a leader has an ISR smaller than its replicas", 0, 6},
				{"OfflinePartitionsCount", "no leader", 2, 2}, {"IsrShrinks", "too long for the room that is left behind the numbers, so it is left out", 3, 0},
			},
			Earlier: []string{"12:39:56.000  something else: IsrExpands 0 -> 1 (+1)"},
		}}
	})
	draw("segments", 100, 30, func(m *Model) {
		m.Overlays = []Overlay{&Segments{Title: "menu-0 on broker 1, segment by segment, at 12:50:00.000", Rows: []SegmentRow{
			{Base: 0, End: 47, Bytes: 1671, Records: 10, Newest: "12:42:30.000", Age: "7 min 30 s", Text: "clean; it goes through the next pass again",
				Past: []Slot{SlotGone, SlotGone, SlotTombstone, SlotOld, SlotKept}},
			{Base: 47, End: 54, Bytes: 1127, Records: 7, Newest: "12:49:30.000", Age: "30 s", Goes: true, Text: "goes"},
			{Base: 54, End: 54, Active: true, Text: "the active segment, empty: it takes the appends"},
		}}}
	})
	lost := recorded(t, "acks-1-loses", firstVariant(t, "acks-1-loses"))
	m := modelAt(lost, nth(t, lost, event.BrokerFenced, 1)+60)
	m.Selection.Record, m.Selection.Partition = lost.Names.FindRecords("8841")[0], 5
	g := NewGrid(120, 36)
	Draw(g, m)
	golden(t, "lost", g)
}

// TestCompactedLog: what the cleaner took is told apart from what is there, and nothing counts as lost.
func TestCompactedLog(t *testing.T) {
	r := recorded(t, "menu-prices", "compacted")
	m := modelAt(r, r.Len())
	m.Selection = NoRecord
	m.Selection.Pane, m.Selection.Offset = PanePartition, 52
	g := NewGrid(100, 30)
	Draw(g, m)
	golden(t, "compacted", g)
	if line, _ := rowOf(t, g, "broker 1 L"); strings.Contains(line, "!") {
		t.Errorf("a compacted record is shown as lost: %q", line)
	}
}

func firstVariant(t testing.TB, name string) string {
	t.Helper()
	data, err := scenarios.FS.ReadFile(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	file, err := scenario.Load(name+".yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	return file.Variants()[0]
}

// golden compares a screen with the file of its name, without the blanks at the ends of lines.
func golden(t *testing.T, name string, g *Grid) {
	t.Helper()
	lines := strings.Split(g.Plain(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	got := strings.Join(lines, "\n") + "\n"
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not as it was (-update accepts it)\n%s", name, difference(string(want), got))
	}
}

// difference lists the lines in which two screens differ.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out strings.Builder
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			fmt.Fprintf(&out, "line %d\n- %s\n+ %s\n", i+1, a[i], b[i])
		}
	}
	return out.String()
}
