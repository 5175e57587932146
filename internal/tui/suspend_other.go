//go:build !(linux || darwin || freebsd)

package tui

import (
	"os"

	tea "github.com/charmbracelet/bubbletea"
)

// stops is for systems where nothing is known of a signal that stops a program.
type stops struct{ c chan os.Signal }

func newStops() *stops { return &stops{} }

func (s *stops) signalled(func(tea.Msg)) {}

func (s *stops) filter(_ tea.Model, msg tea.Msg) tea.Msg { return msg }

func (s *stops) close() {}
