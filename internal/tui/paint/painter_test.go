package paint

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

const cols, rows = 40, 6

// glass is a terminal that shows what it is written, and counts.
type glass struct {
	mu       sync.Mutex
	terminal *vt.Emulator
	writes   []string
	fails    []error       // what the next writes come to
	hold     chan struct{} // not nil: a write waits for it
}

// Write implements io.Writer.
func (g *glass) Write(b []byte) (int, error) {
	g.mu.Lock()
	hold := g.hold
	g.mu.Unlock()
	if hold != nil {
		<-hold
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.fails) > 0 {
		err := g.fails[0]
		g.fails = g.fails[1:]
		half := len(b) / 2
		g.terminal.Write(b[:half])
		return half, err
	}
	g.writes = append(g.writes, string(b))
	return g.terminal.Write(b)
}

func (g *glass) holdUp() { g.mu.Lock(); g.hold = make(chan struct{}); g.mu.Unlock() }

func (g *glass) letGo() { g.mu.Lock(); close(g.hold); g.hold = nil; g.mu.Unlock() }

// all is all that was written since the last call.
func (g *glass) all() string {
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	all := strings.Join(g.writes, "")
	g.writes = nil
	return all
}

func (g *glass) shows(t *testing.T, frame string) {
	t.Helper()
	trim := func(s string) (lines []string) {
		for line := range strings.SplitSeq(ansi.Strip(s), "\n") {
			lines = append(lines, strings.TrimRight(line, " "))
		}
		return lines
	}
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if got := g.terminal.String(); !slices.Equal(trim(got), trim(frame)) {
		t.Errorf("the terminal shows\n%s\nand not\n%s", got, frame)
	}
}

// painting runs a test with a painter that is open, on a clock that jumps when all wait.
func painting(t *testing.T, test func(t *testing.T, p *Painter, g *glass)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g := &glass{terminal: vt.NewEmulator(cols, rows)}
		p := New(nil, nil, func(err error) { t.Errorf("the terminal is gone: %v", err) })
		p.out = g
		if err := p.Open(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		test(t, p, g)
		p.Close()
	})
}

// settle waits until all that is known is written.
func settle() {
	time.Sleep(pace)
	synctest.Wait()
}

// page is a frame that says a number, the same on all lines but the third.
func page(n int) string {
	lines := slices.Repeat([]string{strings.Repeat("x", cols)}, rows)
	lines[2] = fmt.Sprintf("%-*s", cols, fmt.Sprintf("\x1b[1mpage\x1b[0m %d", n))
	return strings.Join(lines, "\n")
}

func TestWritesOnlyWhatChanged(t *testing.T) {
	painting(t, func(t *testing.T, p *Painter, g *glass) {
		p.Show(page(1))
		time.Sleep(time.Second)
		if first := g.all(); !strings.HasPrefix(first, enterScreen) || strings.Count(first, ";1H") != rows {
			t.Errorf("the first frame: %q", first)
		}
		p.Show(page(2))
		time.Sleep(time.Second)
		if second := g.all(); second != beginFrame+"\x1b[3;1H"+strings.Split(page(2), "\n")[2]+endFrame {
			t.Errorf("the second frame: %q", second)
		}
		p.Repaint()
		p.Show(page(2))
		time.Sleep(time.Second)
		if again := g.all(); strings.Count(again, ";1H") != rows {
			t.Errorf("the same frame as a whole: %q", again)
		}
		g.shows(t, page(2))
	})
}

// TestWritesNothingWithoutNews: the same frame, and none, are no news.
func TestWritesNothingWithoutNews(t *testing.T) {
	painting(t, func(t *testing.T, p *Painter, g *glass) {
		p.Show(page(1))
		time.Sleep(time.Second)
		g.all()
		for range 100 {
			p.Show(page(1))
			p.Show("")
			time.Sleep(time.Minute)
		}
		if written := g.all(); written != "" {
			t.Errorf("%q is written", written)
		}
		g.shows(t, page(1))
	})
}

// TestBurst: of many frames a few are written, the first one at once, and the last one.
func TestBurst(t *testing.T) {
	painting(t, func(t *testing.T, p *Painter, g *glass) {
		time.Sleep(time.Second)
		g.all()
		p.Show(page(0))
		synctest.Wait()
		g.shows(t, page(0))
		for n := range 1000 {
			p.Show(page(n))
			time.Sleep(time.Millisecond)
		}
		settle()
		if n := len(g.writes); n < 30 || n > 35 {
			t.Errorf("%d frames in a second", n)
		}
		g.shows(t, page(999))
	})
}

// TestAnyFrames: whatever frames come, of whatever height, the terminal shows the last one.
func TestAnyFrames(t *testing.T) {
	painting(t, func(t *testing.T, p *Painter, g *glass) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 300 {
			lines := make([]string, 1+r.IntN(rows))
			for y := range lines {
				lines[y] = fmt.Sprintf("%-*d", cols, r.IntN(3))
			}
			p.Show(strings.Join(lines, "\n"))
			time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
			if r.IntN(4) == 0 {
				settle()
				g.shows(t, strings.Join(lines, "\n")+strings.Repeat("\n", rows-len(lines)))
			}
		}
	})
}

// TestTooLongALine is cut, and moves nothing.
func TestTooLongALine(t *testing.T) {
	painting(t, func(t *testing.T, p *Painter, g *glass) {
		lines := strings.Split(page(1), "\n")
		for y := range lines {
			lines[y] += "more"
		}
		p.Show(strings.Join(lines, "\n"))
		settle()
		if first, _, _ := strings.Cut(g.terminal.String(), "\n"); !strings.HasPrefix(first, "xxx") || strings.Contains(g.terminal.String(), "\nmore") {
			t.Errorf("the terminal shows\n%s", g.terminal.String())
		}
	})
}

// TestCloseAndOpen: what Open asks for is taken back, and a painter that opens again paints all of it again.
func TestCloseAndOpen(t *testing.T) {
	painting(t, func(t *testing.T, p *Painter, g *glass) {
		p.Show(page(1))
		p.Mouse(true)
		p.Send("\x1b]52;c;\a")
		p.Close()
		all := g.all()
		for _, mode := range []string{"?1049", "?25", "?7", "?2004", "?1002", "?1006"} {
			on, off := strings.LastIndex(all, "["+mode+"h"), strings.LastIndex(all, "["+mode+"l")
			if reset := mode == "?25" || mode == "?7"; on < 0 || off < 0 || (on > off) != reset {
				t.Errorf("mode %s is not as before: %q", mode, all)
			}
		}
		if !strings.Contains(all, "\x1b]52;c;\a") || g.terminal.IsAltScreen() {
			t.Errorf("%q", all)
		}
		p.Close() // once more
		p.Show(page(2))
		time.Sleep(time.Hour)
		if all := g.all(); all != "" {
			t.Errorf("a painter that is closed writes %q", all)
		}
		p.Open()
		settle()
		if all := g.all(); !strings.HasPrefix(all, enterScreen+mouseOn) || strings.Count(all, ";1H") != rows {
			t.Errorf("open again: %q", all)
		}
		g.shows(t, page(2))
	})
}

// TestSlowTerminal: nobody waits for a terminal that takes nothing, and it catches up when it takes something again.
func TestSlowTerminal(t *testing.T) {
	painting(t, func(t *testing.T, p *Painter, g *glass) {
		g.holdUp()
		begun := time.Now()
		for n := range 1000 {
			p.Show(page(n))
		}
		if passed := time.Since(begun); passed > 0 {
			t.Errorf("it waits %v", passed)
		}
		time.Sleep(time.Minute)
		p.Show(page(1000))
		g.letGo()
		settle()
		g.shows(t, page(1000))

		g.holdUp()
		p.Show(page(1))
		settle()
		begun = time.Now()
		if p.Close(); time.Since(begun) != patience {
			t.Errorf("Close waits %v", time.Since(begun))
		}
		p.Open()
		p.Show(page(2))
		g.all()
		g.letGo()
		settle()
		if all := g.all(); strings.Index(all, leaveScreen) < 0 || strings.Index(all, leaveScreen) > strings.Index(all, enterScreen) {
			t.Errorf("it does not leave before it enters: %q", all)
		}
		g.shows(t, page(2))
	})
}

// TestGone: a terminal that is gone is told of once, and not written to any more; one that is full is written the rest.
func TestGone(t *testing.T) {
	painting(t, func(t *testing.T, p *Painter, g *glass) {
		g.fails = slices.Repeat([]error{syscall.EAGAIN}, 3)
		p.Show(page(1))
		time.Sleep(time.Second)
		g.shows(t, page(1))
		times := 0
		p.gone = func(err error) {
			if times++; !errors.Is(err, syscall.EIO) {
				t.Error(err)
			}
		}
		g.all()
		g.fails = []error{syscall.EIO}
		for n := range 10 {
			p.Show(page(2 + n))
			settle()
		}
		p.Close()
		if all := g.all(); times != 1 || all != "" {
			t.Errorf("told %d times; %q", times, all)
		}
	})
}
