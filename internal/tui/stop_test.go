//go:build linux || darwin || freebsd

package tui

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// TestTerminalStopped: where no shell would bring it back, it goes on, whether a key or a signal would stop it.
func TestTerminalStopped(t *testing.T) {
	x := start(t, "1")
	x.waitFor("enter begins.")
	x.keys("\r\x1a")
	x.waitFor("there is no shell here")
	x.keys("5")
	x.waitFor("12:40:02.500")
	if err := x.cmd.Process.Signal(syscall.SIGTSTP); err != nil {
		t.Fatal(err)
	}
	x.waitFor("there is no shell here")
	x.keys("q")
	x.wait(0, "BYE <nil>")
}

// TestTerminalStoppedUnderShell: stopped by a key or by a signal from elsewhere, it gives the terminal back; the shell takes
// it. When it is brought back it is as it was, also where the window has got another size meanwhile.
func TestTerminalStoppedUnderShell(t *testing.T) {
	for _, way := range []string{"\x1a", "\x1a\x1a", "signal"} {
		x := startOf(t, "1", "sh", "-c", `set -m; "$0"; echo ON ITS OWN; read line; fg >/dev/null; echo AGAIN $?`)
		x.waitFor("enter begins.")
		x.keys("\r5m")
		x.waitFor("12:40:02.500")
		if way == "signal" {
			group, err := foregroundOf(x)
			if err == nil {
				err = syscall.Kill(group, syscall.SIGTSTP)
			}
			if err != nil {
				t.Fatal(err)
			}
		} else {
			x.keys(way)
		}
		x.waitFor("ON ITS OWN")
		x.asBefore()
		x.glass.resize(80, 24)
		if err := pty.Setsize(x.tty, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
			t.Fatal(err)
		}
		x.keys("\n")
		x.waitFor("12:40:02.500")
		x.keys("6")
		x.waitFor("12:40:09")
		x.waitFor("? help")
		if raw := x.glass.all(); strings.Count(raw, "[?1002h") < 2 {
			t.Error("the mouse is not back")
		}
		x.keys("q")
		x.wait(0, "AGAIN 0")
	}
}

// TestTerminalInTheBackground: sent to the background it stops again, and does not write over what the shell shows; a signal
// that ends it ends it there.
func TestTerminalInTheBackground(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("not every shell can send a job to the background without a person")
	}
	x := startOf(t, "1", "bash", "--norc", "-c",
		`set -m; "$0"; bg >/dev/null; while [[ $(jobs) != *Stopped* ]]; do sleep 0.1; done; echo MINE; kill %1; kill -CONT %1; wait %1; echo ENDED WITH $?`)
	x.waitFor("enter begins.")
	x.keys("\r\x1a")
	x.waitFor("MINE")
	x.asBefore()
	x.wait(0, "ENDED WITH 143")
	if raw := x.glass.all(); strings.Count(raw, "[?1049h") != 1 {
		t.Error("it took the terminal in the background")
	}
}

// foregroundOf is the group of processes that has the terminal.
func foregroundOf(x *terminalOf) (group int, err error) {
	raw, err := x.tty.SyscallConn()
	if err != nil {
		return 0, err
	}
	err = raw.Control(func(fd uintptr) { group, err = unix.IoctlGetInt(int(fd), unix.TIOCGPGRP) })
	return -group, err
}
