package tui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/player"
	"replog/internal/scenario"
	"replog/internal/screen"
)

// openWhatIf lists what can be done to the cluster now.
func (m *model) openWhatIf(string) tea.Cmd {
	deeds := m.deck.Deeds()
	if len(deeds) == 0 {
		m.status = "a trace says what happened, not how it came about: it can not go another way"
		return nil
	}
	var items []screen.Item
	if len(m.forks) > 0 {
		items = append(items, screen.Item{Label: "save this fork as a scenario file", Note: "it runs to the same outcome, as it is here"})
	}
	extra := len(items)
	for _, d := range deeds {
		items = append(items, screen.Item{Label: d.Label, Value: d.Value, Note: d.Note})
	}
	intro := fmt.Sprintf("At %s, before anything else happens in the tick after it. The run forks; u goes back.", m.deck.Tape.Names.Clock(m.deck.Now()))
	return m.open(&list{
		count:  len(items),
		cursor: extra,
		show: func(cursor int) screen.Overlay {
			return &screen.Menu{Title: "What if ...", Intro: intro, Items: items, Cursor: cursor}
		},
		choose: func(m *model, at int) tea.Cmd {
			m.close()
			if at < extra {
				return m.openSave()
			}
			return m.fork(deeds[at-extra])
		},
	})
}

// fork runs the scenario again with the deed in it and goes on there, at the same event.
func (m *model) fork(d player.Deed) tea.Cmd {
	file, err := m.deck.Fork(d)
	if err != nil {
		return m.open(message("That did not work", err.Error(), true))
	}
	from := origin{m.deck.Tape, m.quiz, d.Label}
	load := func() (*scenario.File, error) { return file, nil }
	return m.record("running it with: "+d.Label, load, m.sameVariant(), func(m *model, t *player.Tape) tea.Cmd {
		t.WhatIf = d.Label
		m.replace(t)
		m.forks = append(m.forks, from)
		m.status = "what if: " + d.Label + "; u goes back, c compares"
		return nil
	})
}

// leaveFork goes back to the run that this one was forked from.
func (m *model) leaveFork(string) tea.Cmd {
	last := len(m.forks) - 1
	if last < 0 {
		m.status = "this is the run as it was; w forks it"
		return nil
	}
	from := m.forks[last]
	m.forgetJob() // a fork of this fork would not know where it belongs
	m.replace(from.tape)
	m.quiz, m.forks = from.quiz, m.forks[:last]
	m.status = "back in the run as it was"
	return nil
}

// saved tells what became of a file, and where its path was typed.
type saved struct {
	path  string
	err   error
	typed *submit
}

func (m *model) openSave() tea.Cmd {
	if m.options.Save == nil {
		m.status = "there is nowhere to save it to"
		return nil
	}
	name := []rune(m.deck.Tape.Names.Scenario + "-what-if.yaml")
	s := &submit{prompt: &prompt{sign: "save as: ", text: name, at: len(name), hint: "the path of a new file"}}
	s.accept = func(m *model, path string) error {
		if path == "" {
			return nil
		}
		if !strings.HasSuffix(path, ".yaml") {
			path += ".yaml"
		}
		s.job = m.save(path, s)
		return nil
	}
	return m.open(s)
}

// submit is a prompt whose answer starts a job.
type submit struct {
	*prompt
	job tea.Cmd
}

func (s *submit) key(m *model, msg tea.KeyMsg) tea.Cmd {
	cmd := s.prompt.key(m, msg)
	if s.job != nil {
		cmd, s.job = s.job, nil
	}
	return cmd
}

func (m *model) save(path string, typed *submit) tea.Cmd {
	source, write := m.deck.Tape.File.Source(), m.options.Save
	return func() tea.Msg { return saved{path, write(path, source), typed} }
}

// saved says what became of a file. Who typed a path that did not do finds it as it was, with the reason beside it.
func (m *model) saved(s saved) tea.Cmd {
	if s.err == nil {
		m.status = "saved: replog play " + s.path
		return nil
	}
	s.typed.wrong = s.err.Error()
	return m.open(s.typed)
}
