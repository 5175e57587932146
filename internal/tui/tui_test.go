package tui

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"go.uber.org/goleak"

	"replog/internal/player"
	"replog/internal/scenario"
	"replog/internal/screen"
	"replog/scenarios"
)

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		program()
	}
	goleak.VerifyTestMain(m)
}

func loadFile(name string) (*scenario.File, error) {
	data, err := scenarios.FS.ReadFile(name + ".yaml")
	if err != nil {
		return nil, err
	}
	return scenario.Load(name+".yaml", data)
}

var tapes sync.Map // recorded once for all tests

func tapeOf(t testing.TB, name, variant string) *player.Tape {
	t.Helper()
	if tape, ok := tapes.Load(name + "/" + variant); ok {
		return tape.(*player.Tape)
	}
	f, err := loadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	tape, err := player.Record(f, variant, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	tapes.Store(name+"/"+variant, tape)
	return tape
}

// hand is a person at the program, without a terminal.
type hand struct {
	*model
	t     testing.TB
	quit  bool
	ticks int // frames that were asked for
}

func open(t testing.TB, name, variant string) *hand {
	t.Helper()
	h := &hand{model: newModel(Options{
		Tape: tapeOf(t, name, variant), Load: loadFile,
		Library: []screen.Entry{{Scenario: "healthy", Variant: "one reader"}, {Scenario: "broker-2-dies", Variant: "idempotent"}},
		Save:    func(string, string) error { return nil },
	}, nil), t: t}
	h.send(tea.WindowSizeMsg{Width: 120, Height: 36})
	h.shows(h.deck.Tape.Title(), "enter begins.")
	return h.press("enter")
}

// send gives the program a message, and what its commands bring, at once.
func (h *hand) send(msg tea.Msg) {
	h.t.Helper()
	h.run(h.update(msg))
	if h.crash != nil {
		h.t.Fatalf("crash: %v\n%s", h.crash, h.crash.Stack)
	}
}

func (h *hand) run(cmd tea.Cmd) {
	h.t.Helper()
	if cmd == nil {
		return
	}
	if h.playing {
		h.ticks++ // a frame later: the test says when
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		h.quit = true
	case tea.BatchMsg:
		for _, c := range msg {
			h.run(c)
		}
	default:
		h.send(msg)
	}
}

var named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome,
	"end": tea.KeyEnd, "ctrl+c": tea.KeyCtrlC, "ctrl+z": tea.KeyCtrlZ, "f1": tea.KeyF1, "backspace": tea.KeyBackspace,
	"shift+left": tea.KeyShiftLeft, "shift+right": tea.KeyShiftRight,
}

func keyOf(key string) tea.KeyMsg {
	switch kind, known := named[key]; {
	case known:
		return tea.KeyMsg{Type: kind}
	case key == " ":
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(key)}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)}
}

func (h *hand) press(keys ...string) *hand {
	h.t.Helper()
	for _, k := range keys {
		h.send(keyOf(k))
	}
	return h
}

func (h *hand) text() string {
	h.view()
	return h.grid.Plain()
}

func (h *hand) shows(texts ...string) {
	h.t.Helper()
	for _, text := range texts {
		if !strings.Contains(strings.Join(strings.Fields(h.text()), " "), text) {
			h.t.Errorf("the screen does not show %q:\n%s", text, h.text())
		}
	}
}

// TestEveryKeyOfTheHelpWorks presses each key in several states: it is bound, it breaks nothing, and the frame fits.
func TestEveryKeyOfTheHelpWorks(t *testing.T) {
	states := map[string][]string{
		"the beginning": nil, "the middle": {"5"}, "the end": {"G"}, "comparing": {"5", "c", "enter", "esc"},
		"the matrix": {"5", "tab", "tab", "tab", "tab"}, "the log": {"5", "tab", "tab", "tab"}, "zoomed": {"5", "z"},
	}
	for state, way := range states {
		for _, b := range bindings() {
			if b.long == "" || b.group == "" || b.label == "" {
				t.Errorf("%v is not in the help", b.keys)
			}
			for _, key := range b.keys {
				h := open(t, "broker-2-dies", "as it was").press(way...)
				if find(key) == nil {
					t.Errorf("%s is not bound", key)
				}
				if key == "ctrl+z" {
					continue // stops the process
				}
				h.press(key)
				if strings.Contains(h.status, "no key") {
					t.Errorf("%s, %s: %s", state, key, h.status)
				}
				if lines := strings.Split(h.text(), "\n"); len(lines) != 36 {
					t.Errorf("%s, %s: %d lines", state, key, len(lines))
				}
			}
		}
	}
}

// TestKeysAreBoundOnce: no key stands in two rows.
func TestKeysAreBoundOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range bindings() {
		for _, key := range b.keys {
			if seen[key] {
				t.Errorf("%s is bound twice", key)
			}
			seen[key] = true
		}
	}
	keys, press := footer()
	if keys[0].Short != "help" || keys[1].Short != "quit" || len(keys) != len(press) {
		t.Errorf("the footer begins with %+v", keys[:2])
	}
	if table := KeyTable(); strings.Count(table, "\n") != len(bindings())+2 || !strings.Contains(table, "| `]` `N` `PgDn` |") {
		t.Errorf("the table of keys:\n%s", table)
	}
}

// TestKeyBursts: keys that come in one piece do what they do one by one.
func TestKeyBursts(t *testing.T) {
	one := open(t, "broker-2-dies", "as it was").press("5", "n", "n", "n", ".", "p")
	burst := open(t, "broker-2-dies", "as it was").press("5")
	burst.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("nnn.p")})
	if one.deck.At() != burst.deck.At() || one.text() != burst.text() {
		t.Errorf("one by one: event %d, at once: %d", one.deck.At(), burst.deck.At())
	}
	typed := open(t, "broker-2-dies", "as it was").press(":")
	typed.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("order 8812 ")})
	typed.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("is stored"), Paste: true})
	typed.press("enter").shows("appends 8812 to orders-2")
}

// TestForwardAndBackShowTheSameScreens walks around the marks of the failure, and through a small run as a whole.
func TestForwardAndBackShowTheSameScreens(t *testing.T) {
	walk := func(h *hand, on, back string, steps int) {
		var frames []string
		for range steps {
			frames = append(frames, h.text())
			h.quizOff().press(on)
		}
		for i := len(frames) - 1; i >= 0; i-- {
			if h.press(back); h.text() != frames[i] {
				t.Fatalf("step %d looks different on the way back:\n%s\n%s", i, frames[i], h.text())
			}
		}
	}
	healthy := open(t, "healthy", "one reader").press("n")
	walk(healthy, "n", "p", healthy.deck.Tape.Len()-healthy.deck.At())
	walk(open(t, "healthy", "one reader").press("."), ".", ",", 20)
	for _, m := range tapeOf(t, "broker-2-dies", "as it was").Marks {
		h := open(t, "broker-2-dies", "as it was")
		h.deck.To(m.Event - 5)
		h.press("n")
		walk(h, "n", "p", 10)
	}
}

// quizOff leaves out all questions.
func (h *hand) quizOff() *hand {
	h.quiz.Pass(h.deck.Tape.Len())
	return h
}

// TestTicksCarryTheirGeneration: play, pause, play does not double the speed, and a paused program asks for nothing.
func TestTicksCarryTheirGeneration(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was").press(" ", " ", " ")
	stale := frameTick{h.generation - 2, time.Unix(1, 0)}
	at, asked := h.deck.Now(), h.ticks
	if h.send(stale); h.deck.Now() != at || h.ticks != asked {
		t.Error("a tick of an earlier spell moves the run")
	}
	if h.send(frameTick{h.generation, time.Unix(1, 0)}); h.ticks != asked+1 || h.deck.Now() <= at {
		t.Errorf("a tick asks for %d more, and moves the run to %d", h.ticks-asked, h.deck.Now())
	}
	h.press(" ")
	asked = h.ticks
	if h.send(frameTick{h.generation - 1, time.Unix(2, 0)}); h.ticks != asked || h.playing {
		t.Error("a paused program ticks")
	}
}

// TestQuestionHoldsUpPlaying plays up to the first question, answers, and sees the proof.
func TestQuestionHoldsUpPlaying(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was")
	h.deck.ToTick(29_900)
	h.press(" ")
	for i := 0; h.playing && i < 100; i++ {
		h.send(frameTick{h.generation, time.Unix(0, int64(i)*int64(frameEvery))})
	}
	h.shows("question 1 of 3", "Where will the second copy of order 8812 come from?")
	if clock := h.deck.Tape.Names.Clock(h.deck.Now()); clock != "12:40:00.000" {
		t.Errorf("it stops at %s", clock)
	}
	h.press("c", "]", "]").shows("question 2 of 3")
	h.press("b")
	for h.top() == nil {
		h.press("]")
	}
	h.shows("You said b; it is a.", "0 of 1 right so far", "With acks=all the answer goes out only")
	h.press("enter", "]").shows("That is right.", "1 of 2 right so far")
	h.press("esc")
	for h.top() == nil && !h.deck.AtEnd() {
		h.press("]")
	}
	h.shows("question 3 of 3")
	h.press("esc", "G", "p", "n").shows("1 of 2", "not answered", "Remember: No answer does not mean not stored")
}

func TestGoToAndSearch(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was")
	typing := func(sign, text string) {
		h.press(sign)
		h.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)})
		h.press("enter")
	}
	for text, want := range map[string]string{
		"12:39:57.900": "12:39:57.900", "8820": "hands 8820", "tick 500": "tick 500", "order 8812 is shown": "packing-1 reads 8812",
	} {
		typing(":", text)
		h.shows(want)
	}
	typing(":", "the moon is full")
	h.shows("is no moment that replog knows")
	h.press("esc", "g")
	typing("/", "8812 append")
	h.shows("appends 8812 to orders-2")
	at := h.deck.At()
	typing("/", "")
	if h.deck.At() <= at {
		t.Errorf("the same words again are found at %d, after %d", h.deck.At(), at)
	}
}

func TestWhatIfForksAndReturns(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was").quizOff().press("5")
	before, at := h.text(), h.deck.At()
	h.press("w", "enter").shows("what if: broker 1 dies")
	if h.deck.At() != at || len(h.forks) != 1 {
		t.Fatalf("the fork stands at %d, not %d", h.deck.At(), at)
	}
	h.press(".").shows("what if: broker 1 dies")
	h.press("c", "enter").shows("Side by side", " | 1200", "(what if: broker 1 dies | as it was)", "what if: broker 1 dies: 12:40:02", "as it was: 12:40:0")
	h.press("esc", "c")
	var path, text string
	h.options.Save = func(p, s string) error { path, text = p, s; return nil }
	h.press("w", "up", "enter", "enter").shows("saved: replog play broker-2-dies-what-if.yaml")
	if path != "broker-2-dies-what-if.yaml" || !strings.Contains(text, "crash: broker 1") {
		t.Errorf("saved as %s:\n%s", path, text)
	}
	h.options.Save = func(string, string) error { return errors.New("the disk is full") }
	h.press("w", "up", "enter", "x", "enter").shows("the disk is full", "save as: broker-2-dies-what-if.yamlx", "orders-2, offset by offset")
	h.press("esc", "u")
	h.deck.To(at)
	h.status = ""
	if h.look.Event = 0; strings.Contains(h.text(), "what if:") || len(h.forks) != 0 {
		t.Errorf("back in the run as it was:\n%s\nbefore:\n%s", h.text(), before)
	}
}

func TestWhyLeadsThere(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was").quizOff()
	h.press(":")
	h.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("order 8812 is stored twice")})
	h.press("enter", "e", "enter").shows("What became of order 8812")
	h.press("end").shows("So far. What comes next")
	h.press("enter").shows("there is nowhere to go")
	h.press("home", "enter").shows("hands 8812")
	h.press("G", "tab", "tab", "tab", "tab", "tab", "e", "enter", "end").shows("In the end: Order 8812 is in orders-2 twice")
	h.press("esc", "esc")
	h.press("5", "e").shows("Why is order 8812 not acknowledged?")
	for !strings.Contains(h.text(), "Here it fails") {
		h.press("esc", "e", "down", "enter")
	}
	h.shows("broker 2, the leader of orders-2, is dead, and there is no other yet")
}

func TestCompare(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was").press("c", "enter")
	h.shows("stored twice: 13", "The first event where they part")
	h.press("esc").shows("idempotent")
	h.press("G", "c")
	if h.deck.Second != nil {
		t.Error("it still compares")
	}
}

// TestReloadKeepsThePlace: a saved file is read again; a mistake in it is shown, and the run stays.
func TestReloadKeepsThePlace(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was").press("5")
	at, now := h.deck.At(), h.deck.Now()
	h.options.Reload = func() (*scenario.File, error) { return scenario.Load("x.yaml", []byte("title: x\nbrokrs: 3\n")) }
	h.send(fileChanged{})
	h.shows("unknown key \"brokrs\"")
	if h.press("esc"); h.deck.At() != at {
		t.Error("the run is lost")
	}
	h.options.Reload = func() (*scenario.File, error) { return loadFile("broker-2-dies") }
	if h.send(fileChanged{}); h.deck.At() != at {
		t.Errorf("the same file stands at %d, not %d", h.deck.At(), at)
	}
	h.options.Reload = func() (*scenario.File, error) { return loadFile("half-time") }
	if h.send(fileChanged{}); h.deck.Tape.Names.Scenario != "half-time" || h.deck.Now() > now {
		t.Errorf("%s at %d", h.deck.Tape.Names.Scenario, h.deck.Now())
	}
}

// TestQuestionsForAClicker: who has only PgDn sees each question, and each answer.
func TestQuestionsForAClicker(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was")
	asked, solved := 0, 0
	for range 60 {
		switch text := h.text(); {
		case strings.Contains(text, "You have not answered; it is "):
			solved++
		case strings.Contains(text, "question "+string(rune('1'+asked))+" of 3"):
			asked++
		}
		h.press("pgdown")
	}
	if asked != 3 || solved != 3 || !h.deck.AtEnd() {
		t.Errorf("%d asked, %d solved, at event %d", asked, solved, h.deck.At())
	}
}

// TestPromptRemembers what was typed before.
func TestPromptRemembers(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was")
	for _, text := range []string{"tick 100", "tick 200"} {
		h.press(":")
		h.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)})
		h.press("enter")
	}
	h.press(":", "up", "up", "up", "down", "up", "enter")
	if h.deck.Now() != 100 {
		t.Errorf("it is at tick %d", h.deck.Now())
	}
	h.press(":", "x", "y", "left", "backspace", "home", "end", "backspace", "right")
	if p := h.top().(*prompt); string(p.text) != "" {
		t.Errorf("%q is left", string(p.text))
	}
}

// TestMouse scrubs and presses the footer.
func TestMouse(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was").quizOff().press("m")
	h.text()
	click := func(want func(screen.Hit) bool) {
		t.Helper()
		for y := range 36 {
			for x := range 120 {
				if want(h.grid.At(x, y)) {
					h.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
					h.text()
					return
				}
			}
		}
		t.Error("there is no such thing on the screen")
	}
	click(func(hit screen.Hit) bool { return hit.Kind == screen.HitTimeline && hit.Tick > 40_000 })
	if h.deck.Now() <= 40_000 {
		t.Errorf("a click on the timeline goes to %d", h.deck.Now())
	}
	click(func(hit screen.Hit) bool { return hit.Kind == screen.HitPartition && hit.Partition == 4 })
	if h.look.Partition != 4 {
		t.Errorf("partition %d is selected", h.look.Partition)
	}
	click(func(hit screen.Hit) bool { return hit.Kind == screen.HitKey && hit.Index == 0 })
	if h.top() == nil {
		t.Error("a click on ? does not open the help")
	}
	for _, wheel := range []tea.MouseButton{tea.MouseButtonWheelDown, tea.MouseButtonWheelUp} {
		h.send(tea.MouseMsg{Button: wheel})
	}
}

// TestSizes draws every dialog at every size, the smallest too.
func TestSizes(t *testing.T) {
	for _, way := range [][]string{nil, {"?"}, {"?", "?"}, {"e"}, {"w"}, {"o"}, {":"}, {"i"}, {"c", "enter"}, {"z"}, {"z", "z"}} {
		h := open(t, "broker-2-dies", "as it was").press("5").press(way...)
		for _, size := range [][2]int{{1, 1}, {2, 3}, {10, 4}, {40, 12}, {80, 24}, {120, 36}, {250, 250}} {
			h.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			if lines := strings.Split(h.view(), "\n"); len(lines) != size[1] {
				t.Errorf("%v at %v: %d lines", way, size, len(lines))
			}
		}
	}
}

// TestNothingBeforeTheSize: Bubble Tea asks for a frame before it knows the size.
func TestNothingBeforeTheSize(t *testing.T) {
	m := newModel(Options{Tape: tapeOf(t, "healthy", "one reader")}, nil)
	if m.view() != "" {
		t.Error("something is drawn before the size is known")
	}
	m.update(tea.WindowSizeMsg{})
	if m.view() != "" {
		t.Error("something is drawn at 0x0")
	}
}

func BenchmarkViewSideBySide(b *testing.B) {
	h := open(b, "broker-2-dies", "as it was")
	h.deck.Compare(tapeOf(b, "broker-2-dies", "idempotent"))
	h.press("G")
	h.send(tea.WindowSizeMsg{Width: 200, Height: 60})
	b.ReportAllocs()
	for b.Loop() {
		h.stale = true
		h.view()
	}
}
