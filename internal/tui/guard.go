package tui

import (
	"runtime/debug"

	tea "github.com/charmbracelet/bubbletea"
)

// guard stands between Bubble Tea and the model: it turns a panic into the end of the program, so that the terminal is
// restored before anybody reads about it, and with the stack of where it happened.
type guard struct {
	m    *model
	halt func() // ends the program; nil before it runs
}

// crashed tells of a panic in a command.
type crashed struct{ crash *Crash }

// Init implements tea.Model.
func (g *guard) Init() tea.Cmd { return g.m.begin() }

// Update implements tea.Model.
func (g *guard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if problem := recover(); problem != nil {
			g.m.crash = &Crash{problem, debug.Stack()}
			next, cmd = g, tea.Quit
		}
	}()
	return g, guarded(g.m.update(msg))
}

// View implements tea.Model. Bubble Tea writes nothing; the painter does, when there is something new.
func (g *guard) View() (text string) {
	defer func() {
		if problem := recover(); problem != nil && g.m.crash == nil {
			g.m.crash = &Crash{problem, debug.Stack()}
			g.halt()
		}
	}()
	if g.m.crash == nil {
		g.m.out.Show(g.m.view())
	}
	return ""
}

// guarded is a command whose panic comes back as a message.
func guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if problem := recover(); problem != nil {
				msg = crashed{&Crash{problem, debug.Stack()}}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = guarded(batch[i])
			}
		}
		return msg
	}
}
