package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// TestForkArrivesOverAQuestion: a question of the run before goes when another run comes; what is typed stays.
func TestForkArrivesOverAQuestion(t *testing.T) {
	for _, way := range []string{"]", ":", "e"} {
		h := open(t, "broker-2-dies", "as it was")
		h.press(":")
		h.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("12:39:58")})
		h.press("enter", "w", "down")
		job := h.update(keyOf("enter")) // it runs in the background
		h.press(way)
		if way == "]" && !strings.Contains(h.text(), "question ") {
			h.press("]")
			h.shows("question ")
		}
		h.run(job)
		h.view()
		h.press("down", "up", "a")
		h.view()
		if len(h.forks) != 1 {
			t.Fatalf("%s: the fork did not come", way)
		}
		if p, typing := h.top().(*prompt); typing != (way == ":") || typing && !strings.HasSuffix(string(p.text), "a") {
			t.Errorf("%s: %T is open", way, h.top())
		}
		h.press("esc", "u")
		h.view()
	}
}

// TestLeaveWhileForking: who goes back does not get a fork of what was left.
func TestLeaveWhileForking(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was").quizOff().press("5", "w", "enter")
	h.press("w", "down", "down")
	job := h.update(keyOf("enter"))
	h.press("u")
	if h.run(job); len(h.forks) != 0 || strings.Contains(h.text(), "what if:") {
		t.Errorf("%d forks:\n%s", len(h.forks), h.text())
	}
}

// TestHeaderShowsTheSettingsNow: a setting that is changed on the way shows from there on.
func TestHeaderShowsTheSettingsNow(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was").quizOff().press("5")
	h.shows("acks=all idempotence=off")
	for _, d := range h.deck.Deeds() {
		if strings.Contains(d.Label, ": acks=1") {
			h.run(h.fork(d))
			break
		}
	}
	h.shows("acks=all idempotence=off")
	h.press(".").shows("acks=1 idempotence=off")
	h.press("g").shows("acks=all")
}

// TestGoToBeyondTheEnd says that it went to the end.
func TestGoToBeyondTheEnd(t *testing.T) {
	for _, text := range []string{"99999999", "12:59:00"} {
		h := open(t, "broker-2-dies", "as it was").press(":")
		h.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)})
		h.press("enter")
		h.shows(text + " is after the end: this is the end")
	}
}

// TestStoryCardGivesWay: any key begins, and does what it always does.
func TestStoryCardGivesWay(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was")
	h.load(h.deck.Tape)
	at := h.deck.At()
	if h.press("n"); h.top() != nil || h.deck.At() != at+1 {
		t.Errorf("the card stays, or the key is lost: event %d", h.deck.At())
	}
}

func TestPickerOpensAnother(t *testing.T) {
	h := open(t, "broker-2-dies", "as it was").press("o", "h", "e", "a", "l", "enter", "enter")
	if h.deck.Tape.Names.Scenario != "healthy" {
		t.Errorf("it shows %s", h.deck.Tape.Names.Scenario)
	}
	h.press("o")
	h.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("nothing has this name")})
	h.press("enter", "esc", "esc")
	if h.top() != nil {
		t.Error("the picker does not close")
	}
}
