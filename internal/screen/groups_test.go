package screen

import (
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/run"
	"replog/internal/scenario"
)

// packing is a group of two over two partitions that prints slips; packing-0 dies, and its slips since the last commit are
// printed again.
const packing = `
title: "packing"
end: 40s
latency: 1ms
brokers: {count: 3}
topics:
  orders: {partitions: 2, replication.factor: 3}
producers:
  order-service: {}
consumers:
  packing:
    topic: orders
    members: 2
    work: 100ms
    effect: print
    config: {auto.offset.reset: earliest, session.timeout.ms: 6000, heartbeat.interval.ms: 2000}
loads:
  - {producer: order-service, topic: orders, start: 6s, every: 100ms, count: 200, first: 8800, key: kitchen-$(order mod 20)}
timeline:
  - {name: death, at: 20s, crash: packing-0, say: the process of packing-0 dies}
`

func groupRecording(t testing.TB) *run.Recording {
	t.Helper()
	recordings.Lock()
	defer recordings.Unlock()
	if r := recordings.of["packing"]; r != nil {
		return r
	}
	file, err := scenario.Load("packing.yaml", []byte(packing))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := file.Plan("default", nil)
	if err != nil {
		t.Fatal(err)
	}
	r := run.NewRecording(plan.Names)
	if _, err := run.Do(plan, run.Options{Sink: r, Unchecked: true}); err != nil {
		t.Fatal(err)
	}
	recordings.of["packing"] = r
	return r
}

// after is the number of events up to the first one of a kind that fits.
func after(t testing.TB, r *run.Recording, kind event.Kind, fits func(*event.Event) bool) int {
	t.Helper()
	for i, e := range r.Log.All() {
		if e.Kind == kind && (fits == nil || fits(e)) {
			return i + 1
		}
	}
	t.Fatalf("%s does not happen", kind)
	return 0
}

// groupMoments are those of the story of a group, each with what must stand on the screen, at any size that has the pane.
func groupMoments(t testing.TB, r *run.Recording) []struct {
	event int
	want  []string
} {
	died := after(t, r, event.ConsumerCrashed, nil)
	expired := after(t, r, event.MemberExpired, nil)
	moved := after(t, r, event.PartitionAssigned, func(e *event.Event) bool { return int(e.Seq) > expired })
	seen := map[kafka.RecordID]bool{}
	again := after(t, r, event.EffectHappened, func(e *event.Event) bool {
		id := r.Log.Records(e)[0]
		twice := seen[id]
		seen[id] = true
		return twice
	})
	return []struct {
		event int
		want  []string
	}{
		{died - 1, []string{"packing Stable generation 1 at broker", "● packing-0  ● packing-1", "p0  packing-0", "p1  packing-1", "committed", "lag"}},
		{died, []string{"X packing-0", "● packing-1", "packing-0 is dead", "nobody"}},
		{expired, []string{"x packing-0", "nobody"}},
		{moved, []string{"generation 2", "● packing-1"}},
		{again, []string{"="}},
	}
}

func TestGroupsPaneTellsTheStory(t *testing.T) {
	r := groupRecording(t)
	for _, size := range [][2]int{{160, 48}, {120, 36}, {80, 24}} {
		for _, moment := range groupMoments(t, r) {
			m := modelAt(r, moment.event)
			m.Selection = NoRecord
			m.Selection.Pane = PaneReader
			g := NewGrid(size[0], size[1])
			Draw(g, m)
			for _, want := range moment.want {
				if size[0] == 120 && strings.HasPrefix(want, "packing Stable") {
					want = "packing Stable generation 1"
				}
				if size[0] == 80 && strings.HasSuffix(want, "is dead") {
					want = "is dead"
				}
				if !strings.Contains(g.Plain(), want) {
					t.Errorf("%dx%d after %d events does not say %q:\n%s", size[0], size[1], moment.event, want, g.Plain())
				}
			}
		}
	}
}

// TestOffsetsOfAGroup: what is committed, what is read and not committed, what comes next.
func TestOffsetsOfAGroup(t *testing.T) {
	r := groupRecording(t)
	g := NewGrid(160, 48)
	m := modelAt(r, after(t, r, event.ConsumerCrashed, nil)-1)
	m.Selection = NoRecord
	committed, _ := m.Picture.Groups().Partition(0, 0)
	m.Selection.Offset = committed.Committed
	Draw(g, m)
	row, _ := rowOf(t, g, "   packing  ")
	if !strings.Contains(row, "✓") || !strings.Contains(row, "·") {
		t.Errorf("the row of the group is %q", row)
	}
}

// TestKafkasOwnPartitionsStandLast: short, and named in the rule.
func TestKafkasOwnPartitionsStandLast(t *testing.T) {
	r := groupRecording(t)
	g := NewGrid(160, 48)
	m := modelAt(r, r.Len())
	m.Selection = NoRecord
	Draw(g, m)
	_, first := rowOf(t, g, "   p1 ")
	if _, last := rowOf(t, g, "   co1 "); last != first+1 || !strings.Contains(g.Plain(), "co: __consumer_offsets") {
		t.Errorf("rows %d and %d:\n%s", first, last, g.Plain())
	}
	m.Selection.Partition = kafka.PartitionID(m.Picture.Partitions() - 1)
	Draw(g, m)
	rowOf(t, g, "__consumer_offsets-")
	rowOf(t, g, "#○")
}

// TestGroupsFitAnySize: every size gives whole lines.
func TestGroupsFitAnySize(t *testing.T) {
	r := groupRecording(t)
	m := modelAt(r, after(t, r, event.MemberExpired, nil))
	for w := 1; w < 170; w += 7 {
		for h := 1; h < 60; h += 5 {
			for pane := range Panes {
				m.Selection.Pane = pane
				g := NewGrid(w, h)
				Draw(g, m)
				if lines := strings.Split(strings.TrimSuffix(g.Plain(), "\n"), "\n"); len(lines) != h {
					t.Fatalf("%dx%d has %d lines", w, h, len(lines))
				}
			}
		}
	}
}

func BenchmarkDrawGroups(b *testing.B) {
	r := groupRecording(b)
	m := modelAt(r, after(b, r, event.MemberExpired, nil))
	g := NewGrid(200, 60)
	b.ReportAllocs()
	for b.Loop() {
		Draw(g, m)
	}
}
