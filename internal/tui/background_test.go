package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/screen"
)

// TestBackgroundAnswer: the answer of a terminal decides the theme and is not taken for keys, whenever it comes.
func TestBackgroundAnswer(t *testing.T) {
	runes := func(text string, alt bool) tea.KeyMsg {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Alt: alt}
	}
	for answer, want := range map[string]screen.Theme{
		"11;rgb:ffff/ffff/eeee": screen.Light, "11;rgb:1e/1e/1e": screen.Dark, "11;rgba:f/f/f/f": screen.Light, "11;g": screen.Mono,
	} {
		for _, end := range []tea.KeyMsg{{Type: tea.KeyCtrlG}, runes(`\`, true)} {
			h := open(t, "broker-2-dies", "as it was").quizOff().press("5")
			h.options.Theme = screen.Mono
			h.background.asked = true
			at := h.deck.At()
			for _, key := range []tea.KeyMsg{runes("]", true), runes(answer, false), end} {
				h.send(key)
			}
			if h.deck.At() != at || h.status != "" || h.options.Theme != want {
				t.Errorf("%s: at %d, not %d; %q; theme %v, want %v", answer, h.deck.At(), at, h.status, h.options.Theme, want)
			}
		}
	}
	h := open(t, "broker-2-dies", "as it was").quizOff()
	h.background.asked = true
	h.send(runes("]", true))
	if h.press("n"); h.background.inside {
		t.Error("a key that belongs to no answer is kept")
	}
}

// TestFirstFrameWaits for the background, but not for long.
func TestFirstFrameWaits(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was")
	h.background = background{asked: true, waiting: true}
	if h.view() != "" {
		t.Error("the first frame does not wait")
	}
	h.send(backgroundLate{})
	if h.view() == "" {
		t.Error("the first frame waits for ever")
	}
}
