package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/player"
	"replog/internal/scenario"
	"replog/internal/screen"
)

// picker lists scenarios and variants; what is typed narrows the list.
type picker struct {
	all     []screen.Entry
	entries []screen.Entry
	filter  string
	cursor  int
}

func (p *picker) hints() []hint {
	return []hint{hintClose, hintQuit, {"enter", "enter", "open"}, {"down", "up down", "select"}}
}

func (m *model) openPicker(string) tea.Cmd {
	if len(m.options.Library) == 0 || m.options.Load == nil {
		m.status = "there is nothing else to open"
		return nil
	}
	p := &picker{all: m.options.Library}
	p.narrow("")
	names := m.deck.Tape.Names
	p.cursor = max(0, slices.IndexFunc(p.entries, func(e screen.Entry) bool {
		return e.Scenario == names.Scenario && e.Variant == names.Variant
	}))
	return m.open(p)
}

func (p *picker) overlay() screen.Overlay {
	return &screen.Picker{Title: "Open a scenario", Entries: p.entries, Cursor: p.cursor, Filter: p.filter, Typing: true}
}

// narrow shows the entries that have all the words of the filter.
func (p *picker) narrow(filter string) {
	p.filter, p.cursor, p.entries = filter, 0, nil
	words := strings.Fields(strings.ToLower(filter))
	for _, e := range p.all {
		text := strings.ToLower(e.Scenario + " " + e.Variant + " " + e.Line)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			p.entries = append(p.entries, e)
		}
	}
}

func (p *picker) click(m *model, line int) tea.Cmd {
	if line < 0 || line >= len(p.entries) {
		return nil
	}
	if p.cursor != line {
		p.cursor = line
		return nil
	}
	return p.choose(m)
}

func (p *picker) key(m *model, msg tea.KeyMsg) tea.Cmd {
	const page = 10
	switch msg.Type {
	case tea.KeyEsc:
		if p.filter != "" {
			p.narrow("")
			return nil
		}
		return m.close()
	case tea.KeyEnter:
		return p.choose(m)
	case tea.KeyDown, tea.KeyTab:
		p.cursor++
	case tea.KeyUp, tea.KeyShiftTab:
		p.cursor--
	case tea.KeyPgDown:
		p.cursor += page
	case tea.KeyPgUp:
		p.cursor -= page
	case tea.KeyBackspace:
		if runes := []rune(p.filter); len(runes) > 0 {
			p.narrow(string(runes[:len(runes)-1]))
		}
	case tea.KeyRunes, tea.KeySpace:
		p.narrow(p.filter + string(msg.Runes))
	}
	p.cursor = max(0, min(p.cursor, len(p.entries)-1))
	return nil
}

func (p *picker) choose(m *model) tea.Cmd {
	if len(p.entries) == 0 {
		return nil
	}
	e := p.entries[p.cursor]
	m.close()
	load := m.options.Load
	return m.record("running "+e.Scenario, func() (*scenario.File, error) { return load(e.Scenario) },
		func(*scenario.File) string { return e.Variant }, func(m *model, t *player.Tape) tea.Cmd {
			m.load(t)
			m.status = t.Title()
			return nil
		})
}
