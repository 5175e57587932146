package tui

import (
	"slices"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/player"
	"replog/internal/screen"
	"replog/internal/until"
)

// prompt is the line at the foot of the screen where one types.
type prompt struct {
	sign   string
	text   []rune
	at     int
	hint   string
	wrong  string
	accept func(m *model, text string) (problem error) // nil closes the prompt
	past   int                                         // how many entries back one has gone
}

func (p *prompt) hints() []hint {
	return []hint{hintClose, hintQuit, {"enter", "enter", "go"}, {"up", "up", "typed before"}}
}

func (p *prompt) overlay() screen.Overlay {
	return &screen.Command{Prompt: p.sign, Text: string(p.text), At: p.at, Hint: p.hint, Error: p.wrong}
}

func (p *prompt) click(*model, int) tea.Cmd { return nil }

func (p *prompt) key(m *model, msg tea.KeyMsg) tea.Cmd {
	p.wrong = ""
	switch msg.Type {
	case tea.KeyEsc:
		return m.close()
	case tea.KeyEnter:
		m.close()
		m.remember(p.sign, string(p.text))
		if err := p.accept(m, strings.TrimSpace(string(p.text))); err != nil {
			p.wrong = err.Error()
			return m.open(p)
		}
	case tea.KeyRunes, tea.KeySpace:
		p.insert(msg.Runes)
	case tea.KeyUp:
		p.recall(m.typed[p.sign], p.past+1)
	case tea.KeyDown:
		p.recall(m.typed[p.sign], p.past-1)
	default:
		p.edit(msg.Type)
	}
	return nil
}

// remember keeps what was typed after a sign.
func (m *model) remember(sign, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if m.typed == nil {
		m.typed = map[string][]string{}
	}
	m.typed[sign] = append(m.typed[sign], text)
}

// recall puts in what was typed some entries back; 0 is the empty line.
func (p *prompt) recall(typed []string, past int) {
	if past < 0 || past > len(typed) {
		return
	}
	p.past, p.text = past, nil
	if past > 0 {
		p.text = []rune(typed[len(typed)-past])
	}
	p.at = len(p.text)
}

// insert puts what was typed or pasted in, without what is no character.
func (p *prompt) insert(runes []rune) {
	runes = slices.DeleteFunc(slices.Clone(runes), func(r rune) bool { return !unicode.IsPrint(r) })
	p.text = slices.Insert(p.text, p.at, runes...)
	p.at += len(runes)
}

func (p *prompt) edit(key tea.KeyType) {
	switch key {
	case tea.KeyBackspace:
		if p.at > 0 {
			p.at--
			p.text = slices.Delete(p.text, p.at, p.at+1)
		}
	case tea.KeyDelete:
		if p.at < len(p.text) {
			p.text = slices.Delete(p.text, p.at, p.at+1)
		}
	case tea.KeyLeft:
		p.at = max(0, p.at-1)
	case tea.KeyRight:
		p.at = min(len(p.text), p.at+1)
	case tea.KeyHome, tea.KeyCtrlA:
		p.at = 0
	case tea.KeyEnd, tea.KeyCtrlE:
		p.at = len(p.text)
	case tea.KeyCtrlU:
		p.text, p.at = nil, 0
	}
}

func (m *model) openGoTo(string) tea.Cmd {
	return m.open(&prompt{sign: ":", hint: "12:40:00 · tick 500 · order 8812 · " + until.Forms()[0].Example, accept: (*model).goTo})
}

// goTo goes to a moment that a person named.
func (m *model) goTo(text string) error {
	if text == "" {
		return nil
	}
	moment, err := until.Parse(text, m.deck.Tape.Names)
	if err != nil {
		return err
	}
	n, err := m.deck.Find(moment)
	if err != nil && n == m.deck.At() {
		return err
	}
	m.arrive(n, moment)
	if err != nil {
		m.status = err.Error()
	}
	return nil
}

// arrive goes to a moment. What one waits for may be held up by a question; a place that one names is gone to.
func (m *model) arrive(n int, moment until.Moment) {
	if strings.HasPrefix(moment.Text, "order ") || !moment.Waits() {
		m.jump(func(p *player.Player) { p.ToMoment(moment, n) })
	} else {
		m.walk(func(p *player.Player) { p.To(n) })
	}
	if !m.holdsUp() { // no question was in the way
		m.status = m.deck.Tape.Sentence(m.deck.At())
		if tick, named := moment.Time(); named && tick > m.deck.Tape.End {
			m.status = moment.Text + " is after the end: this is the end, " + m.deck.Tape.Names.Clock(m.deck.Tape.End)
		}
	}
	if moment.Order >= 0 && moment.Waits() {
		m.follow(moment.Order)
	}
}

func (m *model) openSearch(string) tea.Cmd {
	return m.open(&prompt{sign: "/", hint: "words that a sentence has; enter looks for the next one", accept: (*model).search})
}

// search goes to the next sentence with all of the words.
func (m *model) search(words string) error {
	if words != "" {
		m.sought = strings.Fields(words)
	}
	n, ok := m.deck.Search(m.sought, false)
	if !ok {
		m.status = "no sentence after this place has: " + strings.Join(m.sought, " ")
		return nil
	}
	m.jump(func(p *player.Player) { p.To(n) })
	m.look.Event = eventSeq(n)
	m.status = m.deck.Tape.Sentence(n)
	return nil
}
