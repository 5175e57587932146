package tui

import (
	"os"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/screen"
	"replog/internal/tui/early"
)

func init() { early.Restore() }

const (
	// backgroundQuery asks a terminal for the colour of its background (OSC 11).
	backgroundQuery = "\x1b]11;?\x1b\\"
	// backgroundLimit is how long the first frame waits for the answer. A later answer still counts.
	backgroundLimit = 200 * time.Millisecond
	// longestAnswer is more than any answer has.
	longestAnswer = 40
)

// background is what became of the question for the background. The answer comes among the keys, as Bubble Tea reads it:
// alt+], then its text, then ctrl+g or alt+\.
type background struct {
	asked   bool // an answer may come
	waiting bool // the first frame waits for it
	inside  bool // the answer has begun
	text    string
}

// backgroundLate tells that the first frame waits no longer.
type backgroundLate struct{}

// answers reports whether a terminal that is asked for its background answers, or at least keeps still.
func answers() bool {
	term := os.Getenv("TERM")
	switch {
	case os.Getenv("TMUX") != "":
		return true
	case term == "", term == "dumb", term == "linux", strings.HasPrefix(term, "screen"):
		return false
	}
	return true
}

// begin asks for the background where nobody has said which theme to take.
func (m *model) begin() tea.Cmd {
	if !m.options.Ask || m.out == nil {
		return nil
	}
	m.background.asked, m.background.waiting = true, true
	m.out.Send(backgroundQuery)
	return tea.Tick(backgroundLimit, func(time.Time) tea.Msg { return backgroundLate{} })
}

// take keeps the answer from being taken for keys, and reports whether a key belongs to it.
func (b *background) take(m *model, key tea.KeyMsg) bool {
	text := string(key.Runes)
	switch {
	case !b.asked || key.Paste:
		return false
	case !b.inside:
		b.inside, b.text = key.Alt && text == "]", ""
		return b.inside
	case key.Type == tea.KeyCtrlG || key.Alt && text == `\`:
		if light, ok := isLight(b.text); ok && light {
			m.options.Theme = screen.Light
		} else if ok {
			m.options.Theme = screen.Dark
		}
		*b = background{asked: true} // a terminal in a terminal may answer twice
		return true
	case key.Type == tea.KeyRunes && !key.Alt && len(b.text+text) <= longestAnswer && strings.Trim(text, "0123456789abcdefABCDEFrg:;/") == "":
		b.text += text
		return true
	}
	b.inside = false
	return false
}

// isLight reads an answer: 11;rgb:ffff/ffff/ffff, with one to four digits a colour.
func isLight(answer string) (light, ok bool) {
	_, values, found := strings.Cut(answer, ":")
	parts := strings.Split(values, "/")
	if !found || !strings.HasPrefix(answer, "11;rgb") || len(parts) < 3 {
		return false, false
	}
	least, most := 1.0, 0.0
	for _, part := range parts[:3] {
		n, err := strconv.ParseUint(part, 16, 16)
		if err != nil {
			return false, false
		}
		share := float64(n) / float64(uint64(1)<<(4*len(part))-1)
		least, most = min(least, share), max(most, share)
	}
	return (least+most)/2 >= 0.5, true
}

// lightByEnvironment reads COLORFGBG, which some terminals set: the last number is the colour of the background.
func lightByEnvironment() bool {
	words := strings.Split(os.Getenv("COLORFGBG"), ";")
	last := words[len(words)-1]
	return len(words) > 1 && (last == "7" || last == "15")
}
