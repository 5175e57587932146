package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/player"
	"replog/internal/screen"
)

// watching shows something of the moment, and stays open while one moves in time.
type watching struct {
	text
	m      *model
	toggle string // the key that opens it closes it too
}

// openMetrics shows what an operator would see now.
func (m *model) openMetrics(string) tea.Cmd {
	if !m.watch.Of(m.deck.Tape) {
		m.watch = player.NewWatch(m.deck.Tape)
	}
	if m.watch == nil {
		m.status = "a trace does not tell how many replicas a partition should have, so there are no metrics"
		return nil
	}
	w := &watching{m: m, toggle: "s"}
	w.show = func(top int) screen.Overlay { return m.metricsCard(top) }
	return m.open(w)
}

func (w *watching) hints() []hint {
	return []hint{hintClose, hintQuit, {"n", "n p", "next, back"}, {"]", "] [", "next mark, mark before"}, {":", ":", "go to"}, {"down", "up down", "scroll"}}
}

// key moves in time as ever; what scrolls a text scrolls this one.
func (w *watching) key(m *model, msg tea.KeyMsg) tea.Cmd {
	key := msg.String()
	if key == w.toggle {
		return m.close()
	}
	if b := find(key); b != nil && b.group == groupMove && key != " " {
		w.top = 0
		return m.press(key)
	}
	return w.text.key(m, msg)
}

// metricsCard is what an operator sees at the place of the playhead.
func (m *model) metricsCard(top int) *screen.Metrics {
	sight := m.watch.At(m.deck.At())
	card := &screen.Metrics{Clock: m.deck.Tape.Names.Clock(m.deck.Now()), Since: sight.Since, Earlier: sight.Earlier, Top: top}
	for _, one := range sight.Metrics {
		card.Rows = append(card.Rows, screen.Metric(one))
	}
	return card
}
