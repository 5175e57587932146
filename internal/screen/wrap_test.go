package screen

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestWrappedFitsAndKeepsTheWords: any text at any width, runs of spaces and wide characters too.
func TestWrappedFitsAndKeepsTheWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab日é  \n.]"))).Draw(t, "text")
		width := rapid.IntRange(1, 40).Draw(t, "width")
		lines := wrapped(text, width)
		for _, line := range lines {
			if w := textWidth(line); w > width && w > 2 {
				t.Fatalf("%q is %d wide, not %d", line, w, width)
			}
		}
		squeezed := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeezed(strings.Join(lines, " ")) != squeezed(text) {
			t.Fatalf("%q became %q", text, lines)
		}
	})
}
