//go:build !unix

package tui

import (
	"os"

	tea "github.com/charmbracelet/bubbletea"
)

// stops is for systems that have a signal that stops a program; this one has none.
type stops struct{ c chan os.Signal }

func newStops() *stops { return &stops{} }

func (s *stops) filter(_ tea.Model, msg tea.Msg) tea.Msg { return msg }

func (s *stops) close() {}
