package tui

import (
	"fmt"
	"os"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/player"
	"replog/internal/scenario"
	"replog/internal/screen"
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
	out := &terminal{File: o.Output}
	m := newModel(o, out)
	g := &guard{m: m}
	stops := newStops()
	defer stops.close()
	p := tea.NewProgram(g, tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond),
		tea.WithInput(o.Input), tea.WithOutput(out), tea.WithFilter(stops.filter))
	g.halt = func() { go p.Quit() } // the program waits for the frame that broke, not for this
	done := make(chan struct{})
	var helpers sync.WaitGroup
	forward(&helpers, done, o.Signals, func(s os.Signal) { p.Send(signalled{s}) })
	forward(&helpers, done, stops.c, func(os.Signal) { stops.signalled(p.Send) })
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
	}
	return err
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

// terminal is the output. Two write to it, the renderer and who copies to the clipboard: one at a time.
type terminal struct {
	*os.File
	mu sync.Mutex
}

// Write implements io.Writer.
func (t *terminal) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.File.Write(b)
}
