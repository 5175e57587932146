package screen

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"replog/internal/event"
	"replog/internal/kafka"
)

// rowOf is the line of a screen that has a text, and its number.
func rowOf(t *testing.T, g *Grid, text string) (string, int) {
	t.Helper()
	for y, line := range strings.Split(g.Plain(), "\n") {
		if strings.Contains(line, text) {
			return line, y
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", text, g.Plain())
	return "", 0
}

// TestWhatChangedIsMarked: the cells that a step changed say by how much, and only for that step.
func TestWhatChangedIsMarked(t *testing.T) {
	r := recorded(t, "broker-2-dies", "as it was")
	g := NewGrid(160, 48)
	n := nth(t, r, event.BatchAppended, 1)
	Draw(g, modelAt(r, n))
	if line, _ := rowOf(t, g, "▸ p2"); !strings.Contains(line, "L 40118+1") || strings.Count(line, "+") != 1 {
		t.Errorf("the append is not marked: %q", line)
	}
	Draw(g, modelAt(r, n+1))
	if line, _ := rowOf(t, g, "▸ p2"); strings.Contains(line, "L 40118+1") {
		t.Errorf("the mark stays: %q", line)
	}
	Draw(g, modelAt(r, nth(t, r, event.LeaderElected, 3)))
	if line, _ := rowOf(t, g, "▸ p2"); !strings.Contains(line, "broker 2*") {
		t.Errorf("the election is not marked: %q", line)
	}
}

// TestRowsStayWhileStepping: names of partitions, replicas and workers, and the panes, stand in the same place at each step.
func TestRowsStayWhileStepping(t *testing.T) {
	r := recorded(t, "broker-2-dies", "as it was")
	g := NewGrid(160, 48)
	fixed := []string{" p0 ", " p5 ", "broker 3  ", "── events", "── timeline", "── packing", "orders-2, offset", "offset   "}
	places := map[string]int{}
	for n := 6700; n < 7300; n += 7 {
		Draw(g, modelAt(r, n))
		for _, text := range fixed {
			_, y := rowOf(t, g, text)
			if was, ok := places[text]; ok && was != y {
				t.Fatalf("after %d events %q moves from line %d to %d", n, text, was, y)
			}
			places[text] = y
		}
	}
}

// TestHits: what one clicks on is what stands there.
func TestHits(t *testing.T) {
	r := recorded(t, "broker-2-dies", "as it was")
	n := nth(t, r, event.RecordsRead, 2) // by packing-1 again
	m := modelAt(r, n)
	g := NewGrid(160, 48)
	Draw(g, m)
	at := func(line, text string) Hit {
		row, y := rowOf(t, g, line)
		before, _, ok := strings.Cut(row, text)
		if !ok {
			t.Fatalf("%q is not in %q", text, row)
		}
		return g.At(textWidth(before), y)
	}
	order := r.Names.FindRecords("8812")[0]
	if h := at(" p3 ", "p3"); h.Kind != HitPartition || h.Partition != 3 {
		t.Errorf("p3: %+v", h)
	}
	if h := at(" p3 ", "L "); h.Kind != HitReplica || h.Broker != 3 || h.Partition != 3 {
		t.Errorf("the leader of p3: %+v", h)
	}
	if h := at("broker 1 F", "8812="); h.Kind != HitOffset || h.Broker != 1 || h.Offset != 40117 || h.Record != order {
		t.Errorf("8812 on broker 1: %+v", h)
	}
	if h := at("◆ packing", "packing"); h.Kind != HitEvent || int(h.Event) != n {
		t.Errorf("the latest event: %+v", h)
	}
	if h := at("? help", "space"); h.Kind != HitKey || m.Footer[h.Index].Key != "space" {
		t.Errorf("the key space: %+v", h)
	}
	if h := at("12:40:35.000", "━"); h.Kind != HitTimeline || h.Tick != 0 {
		t.Errorf("the beginning of the timeline: %+v", h)
	}
	if h := g.At(-1, 500); h.Kind != HitNothing {
		t.Errorf("outside: %+v", h)
	}
}

// TestTimelineLeadsBack: the cell of a tick leads to a tick that lies in it.
func TestTimelineLeadsBack(t *testing.T) {
	for _, s := range []scale{{3, 100, 65000}, {0, 7, 12}, {0, 1, 5}, {2, 50, 0}} {
		for x := s.from; x < s.from+s.cells; x++ {
			if got := s.cell(s.tick(x)); s.end >= kafka.Tick(s.cells) && (got < x-1 || got > x) {
				t.Errorf("%+v: cell %d leads to tick %d, which is in cell %d", s, x, s.tick(x), got)
			}
		}
	}
}

// TestStylesAreWrittenWhereTheyChange: no code twice in a row, and none with a theme that has none.
func TestStylesAreWrittenWhereTheyChange(t *testing.T) {
	r := recorded(t, "broker-2-dies", "as it was")
	g := NewGrid(120, 36)
	m := modelAt(r, 7000)
	Draw(g, m)
	for level, want := range map[Level]string{TrueColour: "38;2;", Colours256: "38;5;", Colours16: "9", NoColour: "1m"} {
		if text := g.ANSI(level); !strings.Contains(text, want) {
			t.Errorf("level %d has no %q", level, want)
		}
	}
	if text := g.ANSI(NoColour); strings.Contains(text, "38;") || strings.Contains(text, "[3") || strings.Contains(text, "[9") {
		t.Error("there is colour without colour")
	}
	m.Theme, m.ASCII = Mono, true
	Draw(g, m)
	if text := g.ANSI(TrueColour); strings.Contains(text, "38;") {
		t.Error("the theme mono has a colour")
	}
	for _, c := range g.Plain() {
		if c > 0x7e {
			t.Fatalf("%q is not ASCII", c)
		}
	}
}

// TestPicturesAreWellFormed reads the SVG and the HTML back.
func TestPicturesAreWellFormed(t *testing.T) {
	r := recorded(t, "broker-2-dies", "as it was")
	m := modelAt(r, 7000)
	m.Title = `a <b> & "c"`
	g := NewGrid(120, 36)
	Draw(g, m)
	for name, text := range map[string]string{"SVG": g.SVG(), "HTML": g.HTML()} {
		d := xml.NewDecoder(strings.NewReader(text))
		var err error
		for err == nil {
			_, err = d.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCast reads an asciicast back.
func TestCast(t *testing.T) {
	r := recorded(t, "broker-2-dies", "as it was")
	var out bytes.Buffer
	g := NewGrid(60, 20)
	c := NewCast(&out, 60, 20, "12:40", TrueColour)
	for n := range 3 {
		Draw(g, modelAt(r, n+1))
		c.Frame(time.Duration(n)*time.Second, g)
	}
	if err := c.Close(time.Second); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 5 || !strings.Contains(lines[0], `"version":3`) || !strings.HasPrefix(lines[2], `[1.000,"o",`) {
		t.Errorf("%d lines: %.80s", len(lines), lines)
	}
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %.60s", line)
		}
	}
}

// BenchmarkFrame steps through two runs side by side at 200x60: draw, and write for the terminal.
func BenchmarkFrame(b *testing.B) {
	r, other := recorded(b, "broker-2-dies", "as it was"), recorded(b, "broker-2-dies", "idempotent")
	models := make([]*Model, 64)
	for i := range models {
		models[i] = modelAt(r, 9400+i)
		models[i].Second = modelAt(other, 9000+i)
	}
	g := NewGrid(200, 60)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		Draw(g, models[i%len(models)])
		_ = g.ANSI(TrueColour)
	}
}
