package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/screen"
)

// dialog lies over the panes and takes the keys.
type dialog interface {
	overlay() screen.Overlay
	key(m *model, msg tea.KeyMsg) tea.Cmd
	// click is a click on one of its lines.
	click(m *model, line int) tea.Cmd
	// hints are the keys that it takes, for the footer.
	hints() []hint
}

// hint is a key that a dialog takes, and what a click on it presses.
type hint struct {
	press string // as Bubble Tea names it
	label string
	short string
}

var (
	hintClose  = hint{"esc", "esc", "close"}
	hintQuit   = hint{"ctrl+c", "ctrl+c", "quit"}
	hintChoose = hint{"enter", "enter", "choose"}
	hintMove   = hint{"down", "up down", "select"}
)

func (m *model) top() dialog {
	if len(m.dialogs) == 0 {
		return nil
	}
	return m.dialogs[len(m.dialogs)-1]
}

// holdsUp reports whether a dialog waits for the person: any but one that stays open while one moves.
func (m *model) holdsUp() bool {
	switch m.top().(type) {
	case nil, *watching:
		return false
	}
	return true
}

// open puts a dialog on top.
func (m *model) open(d dialog) tea.Cmd {
	m.pause()
	m.dialogs = append(m.dialogs, d)
	return nil
}

// close takes the topmost dialog away.
func (m *model) close() tea.Cmd {
	if n := len(m.dialogs); n > 0 {
		m.dialogs = m.dialogs[:n-1]
	}
	return nil
}

// closing are the keys that close a dialog in which one does not type.
func closing(key string) bool { return key == "esc" || key == "q" }

// text is a dialog to read: it scrolls.
type text struct {
	show func(top int) screen.Overlay
	top  int
	next func(m *model) tea.Cmd // what ? opens from here; nil closes
	// brief: a key that does not belong here closes the dialog and does what it always does.
	brief bool
}

func (t *text) hints() []hint {
	switch {
	case t.next != nil:
		return []hint{hintClose, hintQuit, {"?", "?", "more, in plain words"}, {"down", "up down PgDn", "scroll"}}
	case t.brief:
		return []hint{{"?", "?", "help"}, {"q", "q", "quit"}, {"enter", "enter", "begin"}, {"]", "]", "to the first mark"}}
	}
	return []hint{hintClose, hintQuit, {"down", "up down PgDn", "scroll"}}
}

func (t *text) overlay() screen.Overlay { return t.show(t.top) }

func (t *text) click(m *model, _ int) tea.Cmd { return m.close() }

func (t *text) key(m *model, msg tea.KeyMsg) tea.Cmd {
	const page = 10
	key := msg.String()
	if t.brief && key != "esc" && key != "enter" {
		m.close()
		return m.press(key)
	}
	switch {
	case key == "?" && t.next != nil:
		m.close()
		return t.next(m)
	case closing(key) || key == "enter" || key == "?":
		return m.close()
	case key == "down" || key == "j":
		t.top++
	case key == "up" || key == "k":
		t.top--
	case key == "pgdown" || key == " ":
		t.top += page
	case key == "pgup":
		t.top -= page
	case key == "home" || key == "g":
		t.top = 0
	}
	t.top = max(0, t.top)
	return nil
}

// list is a dialog to choose from.
type list struct {
	show   func(cursor int) screen.Overlay
	count  int
	cursor int
	choose func(m *model, at int) tea.Cmd // takes the dialog away where it should go
	// more is asked about keys that the list does not know; it may be nil.
	more func(m *model, key string) (tea.Cmd, bool)
	// left is called when the list is closed without a choice; it may be nil.
	left func(m *model)
	keys []hint // instead of the usual ones; may be nil
}

func (l *list) hints() []hint {
	if l.keys != nil {
		return l.keys
	}
	return []hint{hintClose, hintQuit, hintChoose, hintMove}
}

func (l *list) overlay() screen.Overlay { return l.show(l.cursor) }

func (l *list) click(m *model, line int) tea.Cmd {
	if line < 0 || line >= l.count {
		return nil
	}
	if l.cursor != line {
		l.cursor = line
		return nil
	}
	return l.choose(m, line)
}

func (l *list) key(m *model, msg tea.KeyMsg) tea.Cmd {
	const page = 10
	key := msg.String()
	if l.more != nil {
		if cmd, known := l.more(m, key); known {
			return cmd
		}
	}
	switch {
	case closing(key):
		if l.left != nil {
			l.left(m)
		}
		return m.close()
	case key == "enter" && l.count > 0:
		return l.choose(m, l.cursor)
	case key == "down" || key == "j" || key == "tab":
		l.cursor++
	case key == "up" || key == "k" || key == "shift+tab":
		l.cursor--
	case key == "pgdown":
		l.cursor += page
	case key == "pgup":
		l.cursor -= page
	case key == "home" || key == "g":
		l.cursor = 0
	case key == "end" || key == "G":
		l.cursor = l.count - 1
	}
	l.cursor = max(0, min(l.cursor, l.count-1))
	return nil
}

// dialogFooter is the footer while a dialog has the keys.
func dialogFooter(d dialog) []screen.KeyHelp {
	var keys []screen.KeyHelp
	for _, h := range d.hints() {
		keys = append(keys, screen.KeyHelp{Key: h.label, Short: h.short})
	}
	return keys
}

// message is something to read and to wave away.
func message(title, body string, mistake bool) *text {
	return &text{show: func(int) screen.Overlay { return &screen.Message{Title: title, Text: body, Mistake: mistake} }}
}
