package tui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"replog/internal/player"
	"replog/internal/scenario"
	"replog/internal/screen"
)

// asProgram makes the test binary the program, on the terminal that it gets.
const asProgram = "REPLOG_TUI_TEST"

// program is the program under test. What goes wrong in it is said after the terminal was restored.
func program() {
	f, err := loadFile("broker-2-dies")
	if err != nil {
		panic(err)
	}
	tape, err := player.Record(f, "as it was", nil, nil)
	if err != nil {
		panic(err)
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP)
	o := Options{Tape: tape, Signals: signals, Input: os.Stdin, Output: os.Stdout, Level: screen.TrueColour,
		Library: []screen.Entry{{Scenario: "bomb", Variant: "bomb", Line: "breaks in the background"}},
		Load:    func(string) (*scenario.File, error) { panic("a bug in the background") }}
	switch os.Getenv(asProgram) {
	case "broken view":
		o.Theme = 99
	case "ask":
		o.Ask = true
	case "deaf":
		signal.Ignore(syscall.SIGHUP, syscall.SIGTERM)
		o.Signals = nil
	}
	err = Run(o)
	var crash *Crash
	var ended *Ended
	switch {
	case errors.As(err, &crash):
		fmt.Printf("CRASH %v\n%s", crash, crash.Stack)
		os.Exit(3)
	case errors.As(err, &ended):
		if os.Getenv(asProgram) != "stalled" { // else nobody reads it
			fmt.Println("ENDED", ended.Signal)
		}
		os.Exit(143)
	}
	fmt.Println("BYE", err)
	if err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// glass is what the terminal shows, for two who look and write at the same time.
type glass struct {
	mu       sync.Mutex
	terminal *vt.Emulator
	raw      strings.Builder // all that was written
}

// Write implements io.Writer.
func (g *glass) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.raw.Write(b)
	return g.terminal.Write(b)
}

func (g *glass) text() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.terminal.String()
}

// all is all that was written so far.
func (g *glass) all() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.raw.String()
}

func (g *glass) resize(w, h int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.terminal.Resize(w, h)
}

// terminalOf runs the program on a terminal that the test can look at.
type terminalOf struct {
	t     *testing.T
	cmd   *exec.Cmd
	tty   *os.File
	glass *glass
	ended chan error

	before term.State // of the terminal
}

// state is what the system keeps of the terminal: whether it echoes, and waits for whole lines.
func (x *terminalOf) state() (s term.State) {
	x.t.Helper()
	raw, err := x.tty.SyscallConn()
	if err != nil {
		x.t.Fatal(err)
	}
	raw.Control(func(fd uintptr) {
		if now, err := term.GetState(fd); err != nil {
			x.t.Error(err)
		} else {
			s = *now
		}
	})
	return s
}

// asBefore looks whether the terminal is as before.
func (x *terminalOf) asBefore() {
	x.t.Helper()
	if now := x.state(); now != x.before {
		x.t.Errorf("the terminal is %+v, and was %+v", now, x.before)
	}
	x.glass.mu.Lock()
	defer x.glass.mu.Unlock()
	raw := x.glass.raw.String()
	for mode, set := range map[string]bool{"?1049": false, "?25": true, "?7": true, "?2004": false, "?1002": false, "?1006": false} {
		on, off := strings.LastIndex(raw, "["+mode+"h"), strings.LastIndex(raw, "["+mode+"l")
		if on >= 0 && set != (on > off) || x.glass.terminal.IsAltScreen() {
			x.t.Errorf("mode %s is not as before", mode)
		}
	}
}

func start(t *testing.T, kind string) *terminalOf {
	t.Helper()
	return startOf(t, kind)
}

// startOf starts the program by way of another one, which gets its path as the last argument.
func startOf(t *testing.T, kind string, by ...string) *terminalOf {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	by = append(by, self)
	cmd := exec.Command(by[0], by[1:]...)
	cmd.Env = append(os.Environ(), asProgram+"="+kind, "TERM=xterm-256color")
	tty, end := openPTY(t)
	if err := pty.Setsize(end, &pty.Winsize{Rows: 36, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = end, end, end, &syscall.SysProcAttr{Setsid: true, Setctty: true}
	x := &terminalOf{t: t, cmd: cmd, tty: tty, glass: &glass{terminal: vt.NewEmulator(120, 36)}, ended: make(chan error, 1)}
	x.before = x.state()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end.Close()
	shown, answered := make(chan struct{}), make(chan struct{})
	go func() { defer close(shown); io.Copy(x.glass, tty) }()
	go func() { defer close(answered); io.Copy(tty, x.glass.terminal) }()
	go func() { <-shown; x.ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Kill()
		tty.Close()
		x.glass.terminal.InputPipe().(io.Closer).Close() // Close itself races with who reads
		<-shown
		<-answered
	})
	return x
}

// openPTY is a terminal: our end, which can be closed while somebody reads it, and that of the program.
func openPTY(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	waits, theirs, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer waits.Close()
	fd, err := unix.FcntlInt(waits.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), waits.Name()), theirs
}

// waitFor waits until the screen shows a text.
func (x *terminalOf) waitFor(text string) {
	x.t.Helper()
	for range 200 {
		if strings.Contains(x.glass.text(), text) {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	x.t.Fatalf("the terminal does not show %q:\n%s", text, x.glass.text())
}

func (x *terminalOf) keys(keys string) {
	x.t.Helper()
	if _, err := x.tty.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
}

// wait waits for the end, and looks whether the terminal is as before.
func (x *terminalOf) wait(status int, says string) {
	x.t.Helper()
	select {
	case <-x.ended:
	case <-time.After(10 * time.Second):
		x.t.Fatalf("it does not end:\n%s", x.glass.text())
	}
	if got := x.cmd.ProcessState.ExitCode(); got != status {
		x.t.Errorf("it ends with %d, want %d", got, status)
	}
	if x.asBefore(); !strings.Contains(x.glass.text(), says) {
		x.t.Errorf("it does not say %q:\n%s", says, x.glass.text())
	}
}

func TestTerminalStartKeysQuit(t *testing.T) {
	x := start(t, "1")
	x.waitFor("enter begins.")
	x.keys("\r5")
	x.waitFor("12:40:02.500")
	x.keys("nnn")
	x.waitFor("10795")
	x.keys(":12:39:57.905\r")
	x.waitFor("12:39:57.905")
	x.keys("?")
	x.waitFor("The program")
	x.keys("\x03")
	x.wait(0, "BYE <nil>")
	if raw := x.glass.raw.String(); strings.Contains(raw, "]11;?") || strings.Contains(raw, "[6n") {
		t.Errorf("the terminal is asked for its background: %q", raw[:min(len(raw), 200)])
	}
}

// TestTerminalBackground: the terminal is asked once, and its answer, also a late one, is not taken for keys.
func TestTerminalBackground(t *testing.T) {
	x := start(t, "ask")
	x.waitFor("enter begins.")
	x.keys("\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
	time.Sleep(200 * time.Millisecond)
	x.waitFor("enter begins.")
	x.keys("\rq")
	x.wait(0, "BYE <nil>")
	if asked := strings.Count(x.glass.raw.String(), "]11;?"); asked != 1 {
		t.Errorf("the terminal is asked %d times", asked)
	}
}

func TestTerminalResize(t *testing.T) {
	x := start(t, "1")
	x.waitFor("? help")
	for _, size := range [][2]int{{80, 24}, {20, 5}, {160, 48}} {
		x.glass.resize(size[0], size[1])
		if err := pty.Setsize(x.tty, &pty.Winsize{Cols: uint16(size[0]), Rows: uint16(size[1])}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	x.keys("\r")
	x.waitFor("order-service")
	x.keys("q")
	x.wait(0, "BYE <nil>")
}

func TestTerminalSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		x := start(t, "1")
		x.waitFor("enter begins.")
		x.keys("\r ")
		x.waitFor("12:39:30.1")
		if err := x.cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		x.wait(143, "ENDED "+s.String())
	}
}

// TestTerminalAfterPanic: the screen is restored first, then the stack of the place is printed.
func TestTerminalAfterPanic(t *testing.T) {
	x := start(t, "1")
	x.waitFor("enter begins.")
	x.keys("\ro")
	x.waitFor("bomb")
	x.keys("\r")
	x.wait(3, "CRASH a bug in the background")
	y := start(t, "broken view")
	y.wait(3, "CRASH")
}
