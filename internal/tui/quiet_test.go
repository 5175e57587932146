package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestNobodyIsAskedBeforeMain: where TERM is not set either, the first frame waits for no answer of the terminal.
func TestNobodyIsAskedBeforeMain(t *testing.T) {
	x := startOf(t, "1", "env", "-u", "TERM")
	x.waitFor("12:39:30")
	if strings.Contains(x.glass.all(), "\x1b]11;?") {
		t.Error("the terminal was asked for its background")
	}
	x.keys("q")
	x.wait(0, "BYE")
}

// TestTerminalIdle: a program that nobody touches writes nothing and does not even wake up, before a run is played and after
// it was paused.
func TestTerminalIdle(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells who wakes up")
	}
	x := start(t, "1")
	for _, keys := range []string{"", "\r", "5 ", " "} {
		x.waitFor("? help")
		x.keys(keys)
		if keys == "5 " {
			x.waitFor("12:40:03")
			continue
		}
		x.quiet()
	}
	x.keys("q")
	x.wait(0, "BYE")
}

// quiet waits for a while in which nothing happens. What begins or ends a while before, as a collection of garbage, may go on.
func (x *terminalOf) quiet() {
	x.t.Helper()
	const length = 600 * time.Millisecond
	var woken, written int
	for range 10 {
		woken, written = -x.wakeups(), -len(x.glass.all())
		time.Sleep(length)
		woken, written = woken+x.wakeups(), written+len(x.glass.all())
		if woken <= 3 && written == 0 {
			return
		}
	}
	x.t.Errorf("in %v nobody touches it, and it wakes up %d times and writes %d bytes", length, woken, written)
}

var switches = regexp.MustCompile(`(?m)^voluntary_ctxt_switches:\s+(\d+)`)

// wakeups is how often a thread of the program had to wait so far; each time, somebody had woken it.
func (x *terminalOf) wakeups() (sum int) {
	x.t.Helper()
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", x.cmd.Process.Pid))
	for _, path := range threads {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		n, _ := strconv.Atoi(string(switches.FindSubmatch(text)[1]))
		sum += n
	}
	return sum
}

// TestTerminalMouseAndPaste: both come through, and what is pasted is not taken for keys.
func TestTerminalMouseAndPaste(t *testing.T) {
	x := start(t, "1")
	x.waitFor("enter begins.")
	x.keys("\rm")
	x.waitFor("mouse on")
	x.keys("\x1b[<0;60;35M\x1b[<0;60;35m")
	x.waitFor("12:40:02.105")
	x.keys(":\x1b[200~q12:40:02\x1b[201~")
	x.waitFor("q12:40:02")
	x.keys("\x1b")
	time.Sleep(100 * time.Millisecond)
	x.keys("yq")
	x.wait(0, "BYE")
	if !strings.Contains(x.glass.all(), "]52;c;") {
		t.Error("what was copied just before the end is lost")
	}
}

// TestTerminalStalls: a terminal that takes nothing does not keep the program from ending, and wastes no time.
func TestTerminalStalls(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("waits for a terminal that takes nothing; only Linux tells what that costs")
	}
	x := start(t, "stalled")
	x.waitFor("enter begins.")
	x.glass.mu.Lock() // nobody reads what it writes
	x.keys("\r+++ ")
	time.Sleep(2 * time.Second)
	used := x.used()
	time.Sleep(time.Second)
	used = x.used() - used
	begun := time.Now()
	x.cmd.Process.Signal(syscall.SIGTERM)
	state, err := x.cmd.Process.Wait()
	took := time.Since(begun)
	x.glass.mu.Unlock()
	if err != nil || state.ExitCode() != 143 || took < time.Second || took > 8*time.Second {
		t.Errorf("%v after %v", state, took)
	}
	if x.state() != x.before {
		t.Error("the terminal is not as before")
	}
	if used > 20 {
		t.Errorf("it used %d hundredths of a second in one second", used)
	}
}

// used is the time on the processor so far, in hundredths of a second.
func (x *terminalOf) used() int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", x.cmd.Process.Pid))
	fields := strings.Fields(string(text))
	user, _ := strconv.Atoi(fields[13])
	system, _ := strconv.Atoi(fields[14])
	return user + system
}

// TestTerminalGone: without a terminal it ends, also where no signal tells it.
func TestTerminalGone(t *testing.T) {
	for _, kind := range []string{"1", "deaf"} {
		x := start(t, kind)
		x.waitFor("enter begins.")
		x.tty.Close()
		select {
		case <-x.ended:
			if status := x.cmd.ProcessState.ExitCode(); status == 0 || kind == "1" && status != 143 {
				t.Errorf("%s: it ends with %d", kind, status)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s: it does not end", kind)
		}
	}
}
