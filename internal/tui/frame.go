package tui

import (
	"sync"

	"replog/internal/kafka"
	"replog/internal/player"
	"replog/internal/screen"
)

// look is what the person looks at, and how.
type look struct {
	screen.Selection
	layout screen.Layout
}

// compose is the frame of the present state.
func (m *model) compose() *screen.Model {
	f := Frame(m.deck, m.look.Selection)
	f.Speed, f.Playing, f.Status = m.speed.String(), m.playing, m.statusLine()
	f.Layout, f.Theme, f.ASCII = m.look.layout, m.options.Theme, m.options.ASCII
	if d := m.top(); d != nil {
		f.Overlays, f.Footer = m.overlays(), dialogFooter(d)
	}
	if len(m.forks) > 0 && f.Second == nil {
		f.Variant += " (u goes back)"
	}
	return f
}

// overlays are what the topmost dialog shows, and below the line where one types what was there before.
func (m *model) overlays() []screen.Overlay {
	from := len(m.dialogs) - 1
	if _, typing := m.dialogs[from].overlay().(*screen.Command); typing {
		from = max(from-1, 0)
	}
	var all []screen.Overlay
	for _, d := range m.dialogs[from:] {
		all = append(all, d.overlay())
	}
	return all
}

// statusLine is the message in the footer, which leaves at least half of the line to the keys.
func (m *model) statusLine() string {
	text := m.status
	switch {
	case m.working != "":
		text = m.working + " ..."
	case m.holdsUp():
		return "" // the line belongs to the keys of the dialog
	}
	if letters := []rune(text); len(letters) > m.width/2 {
		return string(letters[:m.width/2]) + "…"
	}
	return text
}

// Frame is what there is to see at the place of a deck.
func Frame(d *player.Deck, s screen.Selection) *screen.Model {
	f := frameOf(d.Player)
	f.Selection, f.Changes, f.Speed, f.Footer = s, d.Changes(), player.Speed(0).String(), footerKeys()
	if d.Second != nil {
		f.Second = frameOf(d.Second)
		f.Parted = screen.Parted(d.Parted)
	}
	return f
}

// footerKeys is the footer, made once.
var footerKeys = sync.OnceValue(func() []screen.KeyHelp {
	keys, _ := footer()
	return keys
})

// frameOf is what a run has of its own in a frame.
func frameOf(p *player.Player) *screen.Model {
	t := p.Tape
	f := &screen.Model{
		Picture: p.Picture(), Before: p.Before(), Log: &t.Log, Cursor: p.At(), Length: t.Len(), Now: p.Now(), End: t.End,
		Title: t.Title(), Variant: t.Name(), Settings: t.SettingsAt(p.Now()),
		Config: func(id kafka.NodeID) *kafka.ProducerConfig { return t.ProducerAt(p.Now(), id) },
	}
	f.Marks = make([]screen.Mark, len(t.Marks))
	for i, mark := range t.Marks {
		f.Marks[i] = screen.Mark{Event: mark.Event, Tick: mark.Tick, Letter: mark.Letter, Label: mark.Label}
	}
	return f
}

// Opening is what one looks at first: the order that the scenario is about, where there is one.
func Opening(t *player.Tape) screen.Selection { return opening(t) }

func opening(t *player.Tape) screen.Selection {
	s := screen.NoRecord
	if t.File == nil || t.File.Tell == "" {
		return s
	}
	if ids := t.Names.FindRecords(t.File.Tell); len(ids) > 0 {
		s.Record, s.Pane = ids[0], screen.PanePartition
		s.Partition = t.PartitionOf(ids[0])
	}
	return s
}

// follow makes an order the one that is looked at.
func (m *model) follow(id kafka.RecordID) {
	m.look.Record, m.look.Offset = id, kafka.NoOffset
	if p := m.deck.Tape.PartitionOf(id); p != kafka.NoPartition {
		m.look.Partition = p
	}
}
