package tui

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/player"
	"replog/internal/scenario"
	"replog/internal/screen"
	"replog/internal/tui/paint"
)

// Options is what a program begins with.
type Options struct {
	Tape  *player.Tape
	Start int // number of events shown at the beginning; 0 is the beginning of the run
	Theme screen.Theme
	Level screen.Level
	Ask   bool // the theme is a guess: ask the terminal for its background
	ASCII bool
	// Library lists what can be opened, and Load reads one of it. Both may be nil.
	Library []screen.Entry
	Load    func(name string) (*scenario.File, error)
	// Changed tells when the file of the scenario was saved, until it is closed; Reload reads it again. Both may be nil.
	Changed <-chan struct{}
	Reload  func() (*scenario.File, error)
	// Save writes a file whole or not at all.
	Save func(path, text string) error
	// Signals tells of signals that end the program.
	Signals <-chan os.Signal

	Input, Output *os.File
}

// Ended is the error of a program that a signal ended.
type Ended struct{ Signal os.Signal }

func (e *Ended) Error() string { return "ended by a signal: " + e.Signal.String() }

// Crash is the error of a program that broke, with the stack of the place where it did.
type Crash struct {
	Problem any
	Stack   []byte
}

func (c *Crash) Error() string { return fmt.Sprint(c.Problem) }

// Run shows a run until the person has seen enough. The terminal is as before when it returns, whatever happened.
func Run(o Options) error {
	var p *tea.Program
	gone := func(err error) { go p.Send(terminalGone{err}) } // the program may be busy
	out := paint.New(o.Input, o.Output, gone)
	ending := make(chan os.Signal, 1)
	stops := newStops(out, o.Input, ending)
	defer stops.close()
	m := newModel(o, out)
	m.stops = stops
	g := &guard{m: m}
	p = tea.NewProgram(g, tea.WithoutRenderer(), tea.WithoutSignalHandler(), tea.WithInput(input{o.Input, gone}), tea.WithOutput(o.Output))
	g.halt = func() { go p.Quit() } // the program waits for the frame that broke, not for this
	if err := out.Open(); err != nil {
		return err
	}
	defer out.Close()
	m.resize()
	resized, stop := paint.Resizes()
	defer stop()
	done := make(chan struct{})
	var helpers sync.WaitGroup
	forward(&helpers, done, o.Signals, func(s os.Signal) {
		select {
		case ending <- s:
		default: // one is enough
		}
		p.Send(signalled{s})
	})
	forward(&helpers, done, stops.c, func(os.Signal) { stops.signalled(p.Send) })
	forward(&helpers, done, resized, func(os.Signal) { p.Send(resizedWindow{}) })
	forward(&helpers, done, o.Changed, func(struct{}) { p.Send(fileChanged{}) })
	_, err := p.Run()
	close(done)
	m.interrupted.Store(true)
	helpers.Wait()
	switch {
	case m.crash != nil:
		return m.crash
	case m.signal != nil:
		return &Ended{m.signal}
	case m.gone != nil:
		return hungUp(m.gone, ending, o.Signals)
	}
	return err
}

// hungUp is the error of a program without a terminal. A signal that tells of it (SIGHUP) counts for more, and may come last.
func hungUp(problem error, come, coming <-chan os.Signal) error {
	select {
	case s := <-come:
		return &Ended{s}
	case s := <-coming:
		return &Ended{s}
	case <-time.After(100 * time.Millisecond):
		return fmt.Errorf("the terminal is gone: %w", problem)
	}
}

// forward hands on what a channel tells, until done.
func forward[T any](helpers *sync.WaitGroup, done <-chan struct{}, from <-chan T, send func(T)) {
	if from == nil {
		return
	}
	helpers.Go(func() {
		for {
			select {
			case v, open := <-from:
				if !open {
					return
				}
				send(v)
			case <-done:
				return
			}
		}
	})
}

// input is where the keys come from. Bubble Tea stops reading at the end of it and says nothing; a program that hears no key
// any more shall end.
type input struct {
	*os.File
	gone func(error)
}

// Read implements io.Reader.
func (i input) Read(b []byte) (int, error) {
	n, err := i.File.Read(b)
	if err == io.EOF {
		i.gone(err)
	}
	return n, err
}
