package screen

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/player"
)

// TestEveryMarkIsInTheLegend: what the catalogue marks has a letter, and the legend a word for it.
func TestEveryMarkIsInTheLegend(t *testing.T) {
	for _, k := range event.Kinds() {
		letter := player.Letter(k)
		named := slices.ContainsFunc(markNames[:], func(n markName) bool { return n.letter == letter })
		if k.Spec().Mark && !named {
			t.Errorf("%v is marked by %q, which is not in the legend", k, letter)
		}
	}
}
