package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// TestGuardReachesIntoBatches: a command that breaks comes back as a message with its stack, alone and among others.
func TestGuardReachesIntoBatches(t *testing.T) {
	breaks := func() tea.Msg { panic("a bug") }
	still := func() tea.Msg { return nil }
	for name, cmd := range map[string]tea.Cmd{
		"alone": breaks, "in a batch": tea.Batch(still, breaks), "in a batch of batches": tea.Batch(still, tea.Batch(breaks, still)),
	} {
		var found *Crash
		var run func(cmd tea.Cmd)
		run = func(cmd tea.Cmd) {
			switch msg := cmd().(type) {
			case crashed:
				found = msg.crash
			case tea.BatchMsg:
				for _, c := range msg {
					run(c)
				}
			}
		}
		if run(guarded(cmd)); found == nil || found.Problem != "a bug" || len(found.Stack) == 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}
