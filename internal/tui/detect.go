package tui

import (
	"os"

	"github.com/charmbracelet/lipgloss"

	"replog/internal/screen"
)

// Detect finds out how many colours a terminal has, and which theme to begin with. Theme is dark, light, mono or auto; color
// is auto, always or never. It asks the terminal nothing: ask says that the terminal is worth asking for its background, which
// Run does while it waits for the first key.
func Detect(out *os.File, theme, color string) (t screen.Theme, level screen.Level, ask bool) {
	r := lipgloss.NewRenderer(out)
	level = screen.TrueColour - min(screen.TrueColour, screen.Level(r.ColorProfile())) // termenv counts down
	switch color {
	case "never":
		level = screen.NoColour
	case "always":
		level = max(level, screen.Colours256)
	}
	t, known := screen.ParseTheme(theme)
	switch {
	case known:
		return t, level, false
	case level == screen.NoColour:
		return screen.Mono, level, false
	case lightByEnvironment():
		return screen.Light, level, answers()
	}
	return screen.Dark, level, answers()
}
