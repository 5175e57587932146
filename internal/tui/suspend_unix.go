//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// wakeAfter is how long a program runs on that could not be stopped, for want of a shell that would bring it back.
const wakeAfter = 1500 * time.Millisecond

// stops is the signal that stops the program when it comes from elsewhere: the terminal is restored first, as after ctrl+z.
type stops struct{ c chan os.Signal }

func newStops() *stops {
	s := &stops{make(chan os.Signal, 1)}
	s.listen()
	return s
}

// listen takes the signal; Bubble Tea, which sends itself the same one, needs it to stop the program.
func (s *stops) listen() { signal.Notify(s.c, syscall.SIGTSTP) }

// filter lets the signal through to the program before Bubble Tea stops it, and takes it again afterwards.
func (s *stops) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.SuspendMsg:
		signal.Stop(s.c)
		time.AfterFunc(wakeAfter, func() { _ = syscall.Kill(os.Getpid(), syscall.SIGCONT) })
	case tea.ResumeMsg:
		s.listen()
	}
	return msg
}

func (s *stops) close() { signal.Stop(s.c) }
