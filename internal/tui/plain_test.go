package tui

import (
	"slices"
	"strings"
	"testing"
)

// TestPlain reads a run by ear.
func TestPlain(t *testing.T) {
	var out strings.Builder
	input := "n\n:12:39:50\n]\n]\n]\nb\n]\n?\n:order 8812 is shown twice\ne\n/reads 8820\nthe moon\np\n.\n,\n[\ng\nG\nstory\nq\n"
	if err := Plain(tapeOf(t, "broker-2-dies", "as it was"), 0, strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Question 1 of 3", "Go on; the run will tell.", "because 12:40:20", "is no moment", "what can be typed"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
	out.Reset()
	tape := tapeOf(t, "healthy", "one reader")
	if err := Plain(tape, 0, nil, &out); err != nil || strings.Count(out.String(), "\n") < tape.Len() || strings.Contains(out.String(), "\x1b") {
		t.Errorf("%v: %d lines", err, strings.Count(out.String(), "\n"))
	}
}

// TestFilm writes a run as an asciicast.
func TestFilm(t *testing.T) {
	var out strings.Builder
	film := Film{Width: 80, Height: 24, Speed: 2}
	if err := film.Record(&out, tapeOf(t, "healthy", "one reader")); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if !strings.Contains(lines[0], `"version":3`) || len(lines) < 5 || !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, `"o"`) }) {
		t.Errorf("%d lines, the first %s", len(lines), lines[0])
	}
}
