package tui

import (
	"encoding/base64"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/kafka"
	"replog/internal/screen"
)

// toggleMouse lets the program have the mouse, or the terminal, which can then select text.
func (m *model) toggleMouse(string) tea.Cmd {
	m.mouse = !m.mouse
	if m.out != nil {
		m.out.Mouse(m.mouse)
	}
	if m.mouse { // Bubble Tea hears of it where it has to listen for it: on Windows
		m.status = "mouse on: click and drag on the timeline, click on keys and things; m gives it back"
		return tea.EnableMouseCellMotion
	}
	m.status = "mouse off: the terminal selects text"
	return tea.DisableMouse
}

// click takes what the mouse did.
func (m *model) click(msg tea.MouseMsg) tea.Cmd {
	event := tea.MouseEvent(msg)
	hit := m.grid.At(event.X, event.Y)
	switch {
	case event.Button == tea.MouseButtonWheelUp:
		return m.wheel("up")
	case event.Button == tea.MouseButtonWheelDown:
		return m.wheel("down")
	case event.Button != tea.MouseButtonLeft || event.Action == tea.MouseActionRelease:
		return nil
	case event.Action == tea.MouseActionMotion: // a drag
		if hit.Kind == screen.HitTimeline && m.top() == nil {
			return m.goTick(hit.Tick)
		}
		return nil
	}
	if d := m.top(); d != nil {
		return m.clickDialog(d, hit)
	}
	return m.clickPane(hit)
}

// wheel scrolls what is on top, or moves in time.
func (m *model) wheel(key string) tea.Cmd {
	if d := m.top(); d != nil {
		kind := tea.KeyUp
		if key == "down" {
			kind = tea.KeyDown
		}
		return d.key(m, tea.KeyMsg{Type: kind})
	}
	if key == "up" {
		return m.previousEvent("")
	}
	return m.nextEvent("")
}

func (m *model) clickDialog(d dialog, hit screen.Hit) tea.Cmd {
	switch hit.Kind {
	case screen.HitLine:
		return d.click(m, hit.Index)
	case screen.HitKey:
		if hints := d.hints(); hit.Index < len(hints) {
			return m.key(keyMsg(hints[hit.Index].press))
		}
	}
	return nil
}

// keyMsg is the message of a key that a hint names.
func keyMsg(key string) tea.KeyMsg {
	switch key {
	case "esc":
		return tea.KeyMsg{Type: tea.KeyEsc}
	case "enter":
		return tea.KeyMsg{Type: tea.KeyEnter}
	case "ctrl+c":
		return tea.KeyMsg{Type: tea.KeyCtrlC}
	case "down":
		return tea.KeyMsg{Type: tea.KeyDown}
	case "pgdown":
		return tea.KeyMsg{Type: tea.KeyPgDown}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)}
}

func (m *model) clickPane(hit screen.Hit) tea.Cmd {
	s := &m.look.Selection
	switch hit.Kind {
	case screen.HitTimeline:
		return m.goTick(hit.Tick)
	case screen.HitKey:
		if _, press := footer(); hit.Index < len(press) {
			return m.press(press[hit.Index])
		}
		return nil
	case screen.HitPartition:
		s.Partition, s.Broker, s.Offset = hit.Partition, kafka.NoNode, kafka.NoOffset
	case screen.HitReplica:
		s.Partition, s.Broker, s.Offset = hit.Partition, hit.Broker, kafka.NoOffset
	case screen.HitOffset:
		s.Partition, s.Broker, s.Offset = hit.Partition, hit.Broker, hit.Offset
		if hit.Record != kafka.NoRecord {
			s.Record = hit.Record
		}
	case screen.HitProducer:
		s.Producer = hit.Node
	case screen.HitReader:
		s.Reader = hit.Node
	case screen.HitRecord:
		m.follow(hit.Record)
	case screen.HitEvent:
		s.Event = hit.Event
	}
	if hit.Kind != screen.HitNothing {
		s.Pane = hit.Pane
	}
	return nil
}

// copy puts a sentence on the clipboard, by the terminal's own means (OSC 52).
func (m *model) copy(string) tea.Cmd {
	at := m.deck.At()
	if m.look.Event != 0 {
		at = int(m.look.Event)
	}
	text := fmt.Sprintf("%s, %s: %s", m.deck.Tape.Names.Scenario, m.deck.Tape.Name(), m.deck.Tape.Clocked(at))
	m.status = "copied: " + text
	if m.out != nil {
		m.out.Send("\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a")
	}
	return nil
}
