package tui

import tea "github.com/charmbracelet/bubbletea"

// The messages about the window and who has it: it has another size; the program shall stop, and can not, for a reason; it was
// brought back; there is no terminal any more.
type (
	resizedWindow struct{}
	pleaseStop    struct{}
	unstoppable   string
	broughtBack   struct{ err error }
	terminalGone  struct{ err error }
)

// resize asks for the size of the window.
func (m *model) resize() { m.sized(m.out.Size()) }

// sized draws everything again: what the window shows after its size changed is anybody's guess.
func (m *model) sized(width, height int) {
	m.width, m.height, m.stale = width, height, true
	if m.out != nil {
		m.out.Repaint()
	}
}

// broughtBack goes on after a stop, in a window that may have another size.
func (m *model) broughtBack(b broughtBack) tea.Cmd {
	m.stops.over()
	if b.err != nil {
		m.gone = b.err
		return tea.Quit
	}
	m.resize()
	return nil
}
