package tui

import (
	"os"

	"github.com/charmbracelet/lipgloss"

	"replog/internal/screen"
)

// Detect finds out how many colours a terminal has and on which background it writes. It may ask the terminal, so it must
// be called before Run. Theme is dark, light, mono or auto; color is auto, always or never.
func Detect(out *os.File, theme, color string) (screen.Theme, screen.Level) {
	r := lipgloss.NewRenderer(out)
	level := screen.TrueColour - min(screen.TrueColour, screen.Level(r.ColorProfile())) // termenv counts down
	switch color {
	case "never":
		level = screen.NoColour
	case "always":
		level = max(level, screen.Colours256)
	}
	if t, known := screen.ParseTheme(theme); known {
		return t, level
	}
	if level == screen.NoColour {
		return screen.Mono, level
	}
	if !r.HasDarkBackground() {
		return screen.Light, level
	}
	return screen.Dark, level
}
