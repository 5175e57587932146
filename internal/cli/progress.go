package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/term"

	"replog/internal/kafka"
)

const (
	// patience is how long a run may take before its progress is worth a line.
	patience = time.Second
	// progressEvery is the time between two looks at it.
	progressEvery = 200 * time.Millisecond
)

// progress is a line on standard error that tells how far a run is. It is for eyes: without a terminal there is none.
type progress struct {
	to    io.Writer // nil where nobody looks
	names *kafka.Names
	due   time.Time
	shown bool
}

func (a *app) progressOf(names *kafka.Names) *progress {
	return &progress{to: a.terminal, names: names, due: time.Now().Add(patience)}
}

// isTerminal reports whether somebody looks at the other end.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

func (p *progress) at(now, end kafka.Tick) {
	percent := 100
	if end > 0 {
		percent = int(100 * now / end)
	}
	p.say("%s of %s (%d%%)", p.names.Clock(now), p.names.Clock(end), percent)
}

// runs tells of a search that makes many runs; of is 0 where nobody knows how many.
func (p *progress) runs(done, of int) {
	if of == 0 {
		p.say("%d runs", done)
		return
	}
	p.say("%d of %d runs (%d%%)", done, of, 100*done/of)
}

func (p *progress) say(format string, args ...any) {
	if p.to == nil || time.Now().Before(p.due) {
		return
	}
	p.due, p.shown = time.Now().Add(progressEvery), true
	fmt.Fprintf(p.to, "\r%s, %s: %s\x1b[K", p.names.Scenario, p.names.Variant, fmt.Sprintf(format, args...))
}

// end wipes the line out.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
