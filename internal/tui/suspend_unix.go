//go:build linux || darwin || freebsd

package tui

import (
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"

	"replog/internal/tui/paint"
)

// stops is how the program is stopped, by ctrl+z or by the signal from elsewhere (SIGTSTP): it gives the terminal back, and
// takes it again when it is brought back. To Bubble Tea it is a command that has the terminal meanwhile.
type stops struct {
	c      chan os.Signal
	state  atomic.Int32
	ending <-chan os.Signal // a signal that ends the program
	out    *paint.Painter
	in     *os.File
}

// The states: somebody wants it to stop, or it was just brought back; it has given the terminal back, and the same signal goes to all that belong to it.
// Go can not give back a signal that it took once, so the program then stops itself.
const (
	running = iota
	asked
	stopping
)

// notOurs is how long a program that goes on without the terminal waits for the terminal, or for the signal that ends it.
const notOurs = time.Second

func newStops(out *paint.Painter, in *os.File, ending <-chan os.Signal) *stops {
	s := &stops{c: make(chan os.Signal, 1), ending: ending, out: out, in: in}
	signal.Notify(s.c, syscall.SIGTSTP)
	return s
}

func (s *stops) close() { signal.Stop(s.c) }

// signalled takes the signal.
func (s *stops) signalled(send func(tea.Msg)) {
	if s.state.Load() == stopping {
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	} else if s.state.CompareAndSwap(running, asked) {
		go send(pleaseStop{}) // the program may be busy, and then wants the next signal
	}
}

// ask stops the program, once.
func (s *stops) ask() tea.Cmd {
	if !s.state.CompareAndSwap(running, asked) {
		return nil
	}
	return s.stop
}

// stop stops the program, unless no shell would bring it back.
func (s *stops) stop() tea.Msg {
	if !underShell() {
		s.state.Store(running)
		return unstoppable("there is no shell here that would bring it back; q quits")
	}
	return tea.Exec(s, func(err error) tea.Msg { return broughtBack{err} })()
}

// Run implements tea.ExecCommand. A program that goes on in the background stops again; one that shall end leaves the terminal
// to whom it belongs.
func (s *stops) Run() error {
	if err := s.out.Close(); err != nil {
		return err
	}
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	s.state.Store(stopping)
	defer s.state.Store(asked)
	_ = syscall.Kill(0, syscall.SIGTSTP)
	for {
		<-continued
		if group, err := holder(s.in); err == nil && group == unix.Getpgrp() {
			break
		}
		select {
		case <-s.ending:
			return nil
		case <-time.After(notOurs):
		}
		if group, err := holder(s.in); err != nil || group == unix.Getpgrp() {
			break
		}
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	}
	return s.out.Open()
}

// over lets the program be stopped again. Until then, what was typed before the stop does not stop it once more.
func (s *stops) over() { s.state.Store(running) }

// SetStdin implements tea.ExecCommand; nothing else gets the terminal.
func (s *stops) SetStdin(io.Reader) {}

// SetStdout implements tea.ExecCommand.
func (s *stops) SetStdout(io.Writer) {}

// SetStderr implements tea.ExecCommand.
func (s *stops) SetStderr(io.Writer) {}

// underShell reports whether a shell can bring a stopped program back: it gives each job a group of its own.
func underShell() bool {
	session, err := unix.Getsid(0)
	return err == nil && unix.Getpgrp() != session
}

// holder is the group of processes that may use a terminal now.
func holder(tty *os.File) (group int, err error) {
	return unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
}
