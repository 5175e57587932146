package tui

import (
	"os"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/player"
	"replog/internal/screen"
	"replog/internal/tui/paint"
)

// model is the state of the program.
type model struct {
	options Options
	out     *paint.Painter
	stops   *stops

	deck  *player.Deck
	quiz  *player.Quiz
	watch *player.Watch // of the run that the metrics were asked of last; nil before
	disk  *player.Disk  // of the run whose segments were asked of last; nil before
	forks []origin      // the runs that this one was forked from, the first one first

	look    look
	dialogs []dialog // what lies over the panes, the topmost last
	status  string
	sought  []string            // the words that were looked for last
	typed   map[string][]string // what was typed after each sign
	mouse   bool

	speed   player.Speed
	playing bool
	// generation numbers the spells of playing: a tick of an earlier one is stale.
	generation int
	lastTick   time.Time
	waiting    int // number of the latest job in the background; what an earlier one brings is stale
	working    string

	background background

	width, height int
	grid          *screen.Grid
	frame         string // the frame that was drawn last
	stale         bool   // it is out of date

	interrupted atomic.Bool // nobody waits for what runs in the background any more
	signal      os.Signal   // that ended the program
	crash       *Crash
	gone        error // why there is no terminal any more
}

// origin is a run that one may go back to.
type origin struct {
	tape *player.Tape
	quiz *player.Quiz
	deed string
}

func newModel(o Options, out *paint.Painter) *model {
	m := &model{options: o, out: out, grid: screen.NewGrid(1, 1), look: look{Selection: screen.NoRecord}}
	m.load(o.Tape)
	if o.Start > 0 {
		m.deck.To(o.Start)
		m.quiz.Pass(o.Start)
		m.dialogs = nil
	}
	return m
}

// load puts a run in, from its beginning, and says what it is about.
func (m *model) load(t *player.Tape) {
	m.pause()
	m.forget()
	m.deck, m.quiz, m.forks = player.NewDeck(t), player.NewQuiz(t), nil
	m.look.Selection = opening(t)
	if t.File != nil && t.File.Story != "" {
		m.open(story(t))
	}
}

// update takes in one message: a line for each kind.
func (m *model) update(msg tea.Msg) tea.Cmd {
	m.stale = true
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.keys(msg)
	case tea.MouseMsg:
		return m.click(msg)
	case tea.WindowSizeMsg:
		m.sized(msg.Width, msg.Height)
	case resizedWindow:
		m.resize()
	case pleaseStop:
		return m.stops.stop
	case broughtBack:
		return m.broughtBack(msg)
	case terminalGone:
		m.gone = msg.err
		return tea.Quit
	case frameTick:
		return m.tick(msg)
	case recorded:
		return m.arrived(msg)
	case fileChanged:
		return m.reload()
	case unstoppable:
		m.status = string(msg)
	case backgroundLate:
		m.background.waiting = false
	case signalled:
		m.signal = msg.signal
		return tea.Quit
	case crashed:
		m.crash = msg.crash
		return tea.Quit
	case saved:
		return m.saved(msg)
	}
	return nil
}

// signalled tells of a signal that ends the program.
type signalled struct{ signal os.Signal }

// keys takes a key, or several that came in one piece: fast typing, or a key held down over a slow line.
func (m *model) keys(msg tea.KeyMsg) tea.Cmd {
	if m.background.take(m, msg) {
		return nil
	}
	if msg.Type != tea.KeyRunes || len(msg.Runes) < 2 || msg.Paste {
		return m.key(msg)
	}
	var cmds []tea.Cmd
	for _, r := range msg.Runes {
		one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}
		if r == ' ' {
			one.Type = tea.KeySpace
		}
		cmds = append(cmds, m.key(one))
	}
	return tea.Batch(cmds...)
}

// key gives one key to what is on top.
func (m *model) key(msg tea.KeyMsg) tea.Cmd {
	if msg.Type == tea.KeyCtrlC {
		return m.quit("")
	}
	if d := m.top(); d != nil {
		return d.key(m, msg)
	}
	return m.press(msg.String())
}

// press does what a key is bound to.
func (m *model) press(key string) tea.Cmd {
	m.status = ""
	if b := find(key); b != nil {
		return b.do(m, key)
	}
	m.status = "no key " + key + " here; ? shows the keys"
	return nil
}

func (m *model) quit(string) tea.Cmd { return tea.Quit }

func (m *model) suspend(string) tea.Cmd { return m.stops.ask() }

// back closes what is open, one level at a time.
func (m *model) back(string) tea.Cmd {
	switch {
	case m.playing:
		m.pause()
	case m.deck.Second != nil:
		m.deck.Compare(nil)
	case m.look.layout != screen.LayoutAuto:
		m.look.layout = screen.LayoutAuto
	default:
		m.look.Event = 0
	}
	return nil
}

// view is the frame. Bubble Tea asks for it after each message; it is drawn only when something may have changed.
func (m *model) view() string {
	if m.width < 1 || m.height < 1 || m.background.waiting {
		return "" // nobody knows the size yet, or the background
	}
	if m.stale {
		if w, h := m.grid.Size(); w != m.width || h != m.height {
			m.grid.Resize(m.width, m.height)
		}
		screen.Draw(m.grid, m.compose())
		m.frame, m.stale = m.grid.ANSI(m.options.Level), false
	}
	return m.frame
}
