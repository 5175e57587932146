package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/player"
	"replog/internal/scenario"
	"replog/internal/screen"
)

// rival is a run that one may compare with.
type rival struct {
	label, note string
	tape        *player.Tape // nil: the variant has to be run
}

// toggleCompare asks what to compare with, or stops comparing.
func (m *model) toggleCompare(string) tea.Cmd {
	if m.deck.Second != nil {
		m.deck.Compare(nil)
		m.status = "comparing no more"
		return nil
	}
	rivals := m.rivals()
	switch len(rivals) {
	case 0:
		m.status = "there is no other variant; fork the run with w, and compare with it"
		return nil
	case 1:
		return m.compareWith(rivals[0])
	}
	items := make([]screen.Item, len(rivals))
	for i, r := range rivals {
		items[i] = screen.Item{Label: r.label, Note: r.note}
	}
	return m.open(&list{
		count: len(rivals),
		show: func(cursor int) screen.Overlay {
			return &screen.Menu{Title: "Compare with ...", Intro: "both runs on one clock, side by side", Items: items, Cursor: cursor}
		},
		choose: func(m *model, at int) tea.Cmd {
			m.close()
			return m.compareWith(rivals[at])
		},
	})
}

// rivals are the runs that this one was forked from, and the other variants.
func (m *model) rivals() []rival {
	var rivals []rival
	for i := len(m.forks) - 1; i >= 0; i-- {
		rivals = append(rivals, rival{m.forks[i].tape.Name(), "the run it was forked from, without: " + m.forks[i].deed, m.forks[i].tape})
	}
	for _, v := range m.variants() {
		if v != m.deck.Tape.Names.Variant { // a fork has that one among the runs it comes from
			rivals = append(rivals, rival{v, m.original().VariantNote(v), nil})
		}
	}
	return rivals
}

// original is the scenario as it stands in its file.
func (m *model) original() *scenario.File {
	if len(m.forks) > 0 {
		return m.forks[0].tape.File
	}
	return m.deck.Tape.File
}

func (m *model) variants() []string {
	if f := m.original(); f != nil {
		return f.Variants()
	}
	return nil
}

func (m *model) compareWith(r rival) tea.Cmd {
	if r.tape != nil {
		return m.compared(r.tape)
	}
	f := m.original()
	return m.record("running "+r.label, func() (*scenario.File, error) { return f, nil },
		func(*scenario.File) string { return r.label }, (*model).compared)
}

// compared puts the second run beside the first, and says where they part and what is different in the end.
func (m *model) compared(t *player.Tape) tea.Cmd {
	m.deck.Compare(t)
	if m.deck.Parted.First == 0 {
		m.status = "the two runs are the same from the beginning to the end"
		return nil
	}
	lines := []string{"In the end (" + m.deck.Tape.Name() + " | " + t.Name() + "):", ""}
	different := player.Difference(m.deck.Tape, t)
	if len(different) == 0 {
		different = []string{"the same"}
	}
	lines = append(lines, different...)
	lines = append(lines, "", "The first event where they part:", "", m.deck.Parted.Text, "", "esc closes this; c stops comparing")
	return m.open(message("Side by side", strings.Join(lines, "\n"), false))
}
