package screen

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Cast writes frames as an asciicast, version 3, that asciinema plays.
type Cast struct {
	w     io.Writer
	level Level
	err   error
}

// NewCast begins a cast of frames of one size.
func NewCast(w io.Writer, width, height int, title string, level Level) *Cast {
	c := &Cast{w: w, level: level}
	c.line(map[string]any{
		"version": 3, "title": clean(title), "term": map[string]any{"cols": width, "rows": height, "type": "xterm-256color"},
	})
	return c
}

// Frame shows the grid some time after the frame before.
func (c *Cast) Frame(after time.Duration, g *Grid) {
	text := "\x1b[H" + strings.ReplaceAll(g.ANSI(c.level), "\n", "\r\n")
	c.line([]any{json.Number(fmt.Sprintf("%.3f", after.Seconds())), "o", text})
}

// Close ends the cast some time after its last frame, and returns the first error that writing it met.
func (c *Cast) Close(after time.Duration) error {
	c.line([]any{json.Number(fmt.Sprintf("%.3f", after.Seconds())), "x", "0"})
	return c.err
}

func (c *Cast) line(v any) {
	if c.err != nil {
		return
	}
	text, err := json.Marshal(v)
	if err == nil {
		_, err = c.w.Write(append(text, '\n'))
	}
	c.err = err
}
