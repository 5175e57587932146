//go:build linux || darwin || freebsd

package tui

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
)

// stops is the signal that stops the program when it comes from elsewhere: the terminal is restored first, as after ctrl+z.
type stops struct {
	c     chan os.Signal
	state atomic.Int32
}

// The states: a signal has come; Bubble Tea restores the terminal, and then sends the same signal to all that belong to
// the program. Go can not give back a signal that it took once, so the program then stops itself.
const (
	running = iota
	asked
	stopping
)

func newStops() *stops {
	s := &stops{c: make(chan os.Signal, 1)}
	signal.Notify(s.c, syscall.SIGTSTP)
	return s
}

// signalled takes the signal.
func (s *stops) signalled(send func(tea.Msg)) {
	if s.state.Load() == stopping {
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	} else if s.state.CompareAndSwap(running, asked) {
		go send(tea.SuspendMsg{}) // the program may be busy, and then wants the next signal
	}
}

// filter sees the messages of the program first. Where no shell would bring it back, it does not stop.
func (s *stops) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.SuspendMsg:
		if !underShell() {
			s.state.Store(running)
			return unstoppable{}
		}
		s.state.Store(stopping)
	case tea.ResumeMsg:
		s.state.Store(running)
	}
	return msg
}

func (s *stops) close() { signal.Stop(s.c) }

// underShell reports whether a shell can bring a stopped program back: it gives each job a group of its own.
func underShell() bool {
	session, _, _ := syscall.RawSyscall(syscall.SYS_GETSID, 0, 0, 0)
	return syscall.Getpgrp() != int(session)
}
