package tui

import (
	"io"
	"time"

	"replog/internal/player"
	"replog/internal/screen"
)

// Film is how a run becomes a film.
type Film struct {
	Width, Height int
	Theme         screen.Theme
	ASCII         bool
	Start         int          // number of events shown at the beginning
	Speed         player.Speed // how fast the run is played
}

const (
	// filmFrame is the time between two frames of a film.
	filmFrame = 200 * time.Millisecond
	// filmPause is how long a film stands still at a mark.
	filmPause = 2 * time.Second
)

// Record writes a run as an asciicast, from the start on to its end. It stands still for a moment at each mark.
func (f Film) Record(w io.Writer, t *player.Tape) error {
	d := player.NewDeck(t)
	if f.Start > 0 {
		d.To(f.Start)
	}
	grid := screen.NewGrid(f.Width, f.Height)
	cast := screen.NewCast(w, f.Width, f.Height, t.Title(), screen.Colours256)
	look, after := opening(t), time.Duration(0)
	for {
		status, pause := f.caption(t, d.At())
		frame := Frame(d, look)
		frame.Theme, frame.ASCII, frame.Speed, frame.Status, frame.Playing = f.Theme, f.ASCII, f.Speed.String(), status, true
		screen.Draw(grid, frame)
		cast.Frame(after, grid)
		if d.Now() >= t.End {
			return cast.Close(filmPause)
		}
		after = filmFrame + pause
		f.advance(d)
	}
}

// caption is the label of the mark that the film stands at.
func (f Film) caption(t *player.Tape, at int) (label string, pause time.Duration) {
	for _, m := range t.Marks {
		if m.Event == at && m.Letter != '?' {
			return m.Label, filmPause
		}
	}
	return "", 0
}

// advance goes to the next frame, or to a mark on the way.
func (f Film) advance(d *player.Deck) {
	from := d.At()
	d.Advance(f.Speed.Of(filmFrame.Microseconds()))
	for _, m := range d.Tape.Marks {
		if m.Letter != '?' && from < m.Event && m.Event < d.At() {
			d.To(m.Event)
			break
		}
	}
	d.Follow()
}
