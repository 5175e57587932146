package screen

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"replog/internal/event"
	"replog/internal/kafka"
)

// overlays is one of each kind.
func overlays() []Overlay {
	return []Overlay{
		&Help{Keys: footer, Top: 2}, &Page{Title: "parcels", Intro: "a ledger", Parts: []Part{{"a town", "a broker", "a column"}}},
		&Why{Title: "why", Links: []Link{{1, "12:40:00.000", "because", "a rule"}}},
		&Question{Heading: "question", Text: "who?", Choices: []Choice{{Text: "the producer"}, {Text: "nobody"}}, Picked: -1},
		&Notes{Text: "ask the class"}, &Picker{Title: "scenarios", Entries: []Entry{{"a", "b", "c"}}, Typing: true},
		&Command{Prompt: ":", Text: "order 8812", At: 3, Error: "no such order"}, &Menu{Title: "what if", Items: []Item{{"acks", "all", ""}}},
		&Score{Right: 1, Of: 2, Lines: []string{"yes"}}, &Message{Title: "a mistake", Text: "line 1\n  ^ here", Mistake: true},
		&Metrics{Clock: "12:40:00.000", Rows: []Metric{{"OfflinePartitionsCount", "no leader", 0, 2}}},
		&Segments{Title: "orders-0", Note: "no log", Rows: []SegmentRow{
			{Base: 7, End: 9, Bytes: 1 << 40, Newest: "12:40:00.000", Age: "2 s", Goes: true, Text: "goes", Past: []Slot{SlotGone, SlotTombstone}}, {},
		}},
		&Help{}, &Page{}, &Why{}, &Question{}, &Notes{}, &Picker{}, &Command{}, &Menu{}, &Score{}, &Message{}, &Metrics{}, &Segments{},
	}
}

// exact fails unless the grid is h lines of w cells, as text and for a terminal.
func exact(t rapid.TB, g *Grid) {
	w, h := g.Size()
	for _, text := range []string{g.Plain(), ansi.Strip(g.ANSI(TrueColour))} {
		lines := strings.Split(text, "\n")
		if len(lines) != h {
			t.Fatalf("%d lines, want %d", len(lines), h)
		}
		for i, line := range lines {
			if n := ansi.StringWidth(line); n != w {
				t.Fatalf("line %d has %d cells, want %d: %q", i, n, w, line)
			}
		}
	}
}

// TestAnySize draws every kind of screen at any size: exactly h lines of w cells, and no panic.
func TestAnySize(t *testing.T) {
	r, other := recorded(t, "broker-2-dies", "as it was"), recorded(t, "broker-2-dies", "idempotent")
	over, grid := overlays(), NewGrid(1, 1)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, r.Len()).Draw(t, "event")
		m := modelAt(r, n)
		m.Selection = Selection{
			Pane:      Pane(rapid.IntRange(0, int(Panes)-1).Draw(t, "pane")),
			Partition: kafka.PartitionID(rapid.IntRange(0, 7).Draw(t, "partition")),
			Broker:    kafka.NodeID(rapid.IntRange(-1, 4).Draw(t, "broker")),
			Offset:    kafka.Offset(rapid.IntRange(-1, 50000).Draw(t, "offset")),
			Record:    kafka.RecordID(rapid.IntRange(-1, 1300).Draw(t, "record")),
			Event:     event.Seq(rapid.IntRange(0, r.Len()+1).Draw(t, "line")),
			Producer:  70, Reader: kafka.NoNode,
		}
		m.Layout = Layout(rapid.IntRange(0, 2).Draw(t, "layout"))
		m.Overlays = over[:rapid.IntRange(0, len(over)).Draw(t, "overlays")]
		m.ASCII = rapid.Bool().Draw(t, "ascii")
		if rapid.Bool().Draw(t, "compare") {
			m.Second = modelAt(other, min(n, other.Len()))
		}
		grid.Resize(rapid.IntRange(1, 250).Draw(t, "w"), rapid.IntRange(1, 250).Draw(t, "h"))
		Draw(grid, m)
		exact(t, grid)
	})
}

// TestSmallSizes draws one screen at every small size.
func TestSmallSizes(t *testing.T) {
	r := recorded(t, "broker-2-dies", "as it was")
	m, g := modelAt(r, nth(t, r, event.RecordsRead, 2)), NewGrid(1, 1)
	for _, o := range overlays() {
		m.Overlays = []Overlay{o}
		for w := 1; w <= 130; w += 3 {
			for h := 1; h <= 40; h += 2 {
				g.Resize(w, h)
				Draw(g, m)
				exact(t, g)
			}
		}
	}
}

// TestHelpAndQuitAreNeverCut: they come first, and stand there at any width that has room for them.
func TestHelpAndQuitAreNeverCut(t *testing.T) {
	r := recorded(t, "broker-2-dies", "as it was")
	m := modelAt(r, 100)
	m.Status = "copied to the clipboard"
	for w := 16; w <= 200; w++ {
		for _, h := range []int{3, 12, 24, 50} {
			g := NewGrid(w, h)
			Draw(g, m)
			lines := strings.Split(g.Plain(), "\n")
			if !strings.HasPrefix(lines[h-1], " ? help  q quit") {
				t.Fatalf("%dx%d: %q", w, h, lines[h-1])
			}
		}
	}
}

var wild = []string{
	"\x1b[31mred", "\x1b]0;title\x07", "a\tb\nc\rd", "\u009b31m", "e\u0301", "日本語", "👩‍👩‍👧", "🇩🇪", "❤️", "\u202eabc", "\u200b", "q" + strings.Repeat("\u0301", 40),
	"\xff\xfe", "क्षि", "각", "ห้", "\u0600a", "1️⃣", "👍🏽", "a\u00adb", "ﷺ", "�", "\u2028", "\x7f",
}

// TestNoTextCanInject: whatever names and titles hold, no control character reaches the terminal, and the rows keep their width.
func TestNoTextCanInject(t *testing.T) {
	r := recorded(t, "broker-2-dies", "as it was")
	g := NewGrid(1, 1)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(wild), rapid.String()), 1, 8)
		nasty := func(label string) string { return strings.Join(text.Draw(t, label), "") }
		m := modelAt(r, 9500)
		m.Title, m.Variant, m.Settings, m.Status = nasty("title"), nasty("variant"), nasty("settings"), nasty("status")
		m.Changes = []string{nasty("change")}
		m.Marks = []Mark{{Event: 9500, Letter: '\x1b', Label: nasty("label")}}
		m.Overlays = []Overlay{rapid.SampledFrom([]Overlay{
			&Message{Title: nasty("head"), Text: nasty("text")}, &Command{Text: nasty("typed"), At: 2, Error: nasty("error")},
			&Question{Text: nasty("question"), Choices: []Choice{{Text: nasty("choice")}}},
			&Picker{Title: "x", Entries: []Entry{{nasty("scenario"), nasty("variant"), nasty("line")}}},
		}).Draw(t, "overlay")}
		g.Resize(rapid.IntRange(1, 170).Draw(t, "w"), rapid.IntRange(1, 50).Draw(t, "h"))
		Draw(g, m)
		exact(t, g)
		for _, c := range g.Plain() + strings.ReplaceAll(g.SVG(), "\n", "") {
			if c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Cf, c)) {
				t.Fatalf("%U is on the screen", c)
			}
		}
	})
}

// TestCharacters pins how odd text is taken apart.
func TestCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"\x1b[31mred\x1b[0m": "red      ", "日本": "日本     ", "e\u0301x": "e\u0301x       ", "🇩🇪": "DE       ", "a\u202eb": "ab       ",
		"👩‍👩‍👧‍👦👩": "👩👩👧👦 ", "a\tb": "ab       ", "a\u0d4e b": "a b      ", "12345678日": "12345678 ", "\xff": "?        ",
		"a \u0e33b": "a b      ",
	} {
		g := NewGrid(9, 1)
		g.whole().text(0, 0, plain, text)
		if got := g.Plain(); got != want {
			t.Errorf("%q is drawn as %q, want %q", text, got, want)
		}
	}
}

// TestWideCharactersAreNotHalved: what is drawn over one half of a wide character blanks the other.
func TestWideCharactersAreNotHalved(t *testing.T) {
	for x, want := range []string{"a 日本", " a日本", "日a 本", "日 a本"} {
		g := NewGrid(6, 1)
		g.whole().text(0, 0, plain, "日日本")
		g.whole().text(x, 0, plain, "a")
		if got := g.Plain(); x < 2 && got != want || ansi.StringWidth(got) != 6 {
			t.Errorf("a at %d: %q, want %q", x, got, want)
		}
	}
}

func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"the quick brown fox", 9, "the quick|brown fox"}, {"abcdefgh", 3, "abc|def|gh"}, {"a\nb", 5, "a|b"}, {"", 5, ""},
		{"日本語 x", 4, "日本|語 x"}, {"one two", 7, "one two"}, {"one  two", 4, "one|two"},
		{"enter begins.   ] goes on", 17, "enter begins.   ]|goes on"}, {"enter begins.   ] goes on", 13, "enter begins.|] goes on"},
		{"a\n\n  b c", 4, "a||  b|c"}, {"日本語", 3, "日|本|語"}, {"日", 1, "日"},
	} {
		if got := strings.Join(wrapped(c.text, c.width), "|"); got != c.want {
			t.Errorf("%q in %d cells: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// TestNumbersAreDrawnWhole compares the drawing of numbers with fmt.
func TestNumbersAreDrawnWhole(t *testing.T) {
	for _, n := range []int64{0, 7, 10, 40117, -1, -40, 1234567890123} {
		g := NewGrid(20, 1)
		g.whole().pen(0, 0).num(plain, n).put(plain, "|").rnum(5, plain, 3)
		if want := fmt.Sprintf("%d|    3", n); !strings.HasPrefix(g.Plain(), want) {
			t.Errorf("%d is drawn as %q", n, g.Plain())
		}
	}
}
