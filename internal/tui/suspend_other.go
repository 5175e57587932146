//go:build !(linux || darwin || freebsd)

package tui

import (
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/tui/paint"
)

// stops is for systems where nothing is known of a signal that stops a program.
type stops struct{ c chan os.Signal }

func newStops(*paint.Painter, *os.File, <-chan os.Signal) *stops { return &stops{} }

func (s *stops) close() {}

func (s *stops) signalled(func(tea.Msg)) {}

func (s *stops) ask() tea.Cmd { return s.stop }

func (s *stops) over() {}

func (s *stops) stop() tea.Msg { return unstoppable("this system stops no program; q quits") }
