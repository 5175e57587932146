package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/player"
	"replog/internal/scenario"
)

// recorded brings a run that was made in the background.
type recorded struct {
	job  int
	tape *player.Tape
	err  error
	then func(m *model, t *player.Tape) tea.Cmd
}

// record runs something in the background and goes on with the run that comes back. A later job makes it stale.
func (m *model) record(what string, load func() (*scenario.File, error), variant func(*scenario.File) string,
	then func(*model, *player.Tape) tea.Cmd) tea.Cmd {
	m.waiting++
	m.working = what
	job, sets := m.waiting, m.deck.Tape.Sets
	return func() tea.Msg {
		f, err := load()
		if err != nil {
			return recorded{job: job, err: err}
		}
		tape, err := player.Record(f, variant(f), sets, m.interrupted.Load)
		return recorded{job, tape, err, then}
	}
}

// arrived goes on with a run that was made in the background.
func (m *model) arrived(r recorded) tea.Cmd {
	if r.job != m.waiting {
		return nil
	}
	m.working = ""
	if r.err != nil {
		return m.open(message("That did not work", r.err.Error(), true))
	}
	return r.then(m, r.tape)
}

// sameVariant is the variant that is shown, or the first one where the file does not have it.
func (m *model) sameVariant() func(*scenario.File) string {
	name := m.deck.Tape.Names.Variant
	return func(f *scenario.File) string {
		for _, v := range f.Variants() {
			if v == name {
				return v
			}
		}
		return f.Variants()[0]
	}
}

// fileChanged tells that the file of the scenario was saved.
type fileChanged struct{}

// reload runs the file again and keeps the place. A mistake in the file is shown; the run stays.
func (m *model) reload() tea.Cmd {
	if m.options.Reload == nil {
		return nil
	}
	return m.record("reading the file again", m.options.Reload, m.sameVariant(), func(m *model, t *player.Tape) tea.Cmd {
		m.replace(t)
		m.forks = nil
		m.status = "the file was read again"
		return nil
	})
}

// replace puts another run in and keeps the place.
func (m *model) replace(t *player.Tape) {
	m.pause()
	m.forget()
	m.deck.Compare(nil)
	m.deck.Swap(t)
	m.quiz = player.NewQuiz(t)
	m.quiz.Pass(m.deck.At())
	m.moved()
}

// forget takes away what is open and speaks of the run that is shown, before another one comes: a question, a why card, a
// menu of deeds. What one types stays.
func (m *model) forget() {
	m.dialogs = slices.DeleteFunc(m.dialogs, func(d dialog) bool {
		switch d.(type) {
		case *prompt, *picker:
			return false
		}
		return true
	})
}

// forgetJob makes what is on its way from the background stale.
func (m *model) forgetJob() {
	m.waiting++
	m.working = ""
}
