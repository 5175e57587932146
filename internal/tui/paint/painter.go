package paint

import (
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// pace is the time from one frame to the next, at least: about 30 a second. It is a little less than what a run that is
	// played takes between two frames, so that those need not wait.
	pace = 30 * time.Millisecond
	// patience is how long Close waits for a terminal that takes nothing.
	patience = 3 * time.Second
	// again is when to try again where a full terminal does not make the writer wait (EAGAIN).
	again = 20 * time.Millisecond
)

// Painter shows the latest frame on a terminal. Open and Close are for one goroutine, the rest is for all.
type Painter struct {
	console console
	out     io.Writer
	gone    func(error)

	open       bool
	end, ended chan struct{} // the goroutine that writes shall end; has ended

	news  chan struct{} // holds one thing while there is something to write
	mu    sync.Mutex    // guards what follows; nobody writes meanwhile
	frame string
	whole bool   // nothing is known of what the terminal shows
	first []byte // goes out before the next frame
	mouse bool

	// What follows belongs to the goroutine that writes.
	shown  []string // the lines on the terminal
	buffer []byte
	begun  time.Time // when the latest frame went out
	broken bool
}

// New is a painter on a terminal, still closed. It calls gone, once, when the terminal takes nothing any more.
func New(in, out *os.File, gone func(error)) *Painter {
	return &Painter{console: console{in: in, out: out}, out: out, gone: gone, news: make(chan struct{}, 1)}
}

// Open takes the terminal: keys come raw, and the alternate screen is shown, with the latest frame if there was one.
func (p *Painter) Open() error {
	if err := p.console.takeOver(); err != nil {
		p.console.giveBack()
		return err
	}
	before := p.ended
	p.open, p.end, p.ended = true, make(chan struct{}), make(chan struct{})
	go p.run(p.end, p.ended, before)
	return nil
}

// Close gives the terminal back as Open found it. It does not wait for ever for a terminal that takes nothing.
func (p *Painter) Close() error {
	if !p.open {
		return nil
	}
	p.open = false
	close(p.end)
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-p.ended:
	case <-limit.C:
	}
	return p.console.giveBack()
}

// Show makes a frame, lines of text with their styles, the latest one. An empty one is none.
func (p *Painter) Show(frame string) {
	p.mu.Lock()
	old := frame == "" || frame == p.frame && !p.whole
	p.mu.Unlock()
	if !old {
		p.tell(func() { p.frame = frame })
	}
}

// Repaint lets the next frame be written as a whole, whatever the terminal shows.
func (p *Painter) Repaint() {
	p.mu.Lock()
	p.whole = true
	p.mu.Unlock()
}

// Send writes a sequence for the terminal between two frames.
func (p *Painter) Send(sequence string) {
	p.tell(func() { p.first = append(p.first, sequence...) })
}

// Mouse lets the program have the mouse, or the terminal.
func (p *Painter) Mouse(on bool) {
	p.tell(func() {
		p.mouse = on
		if on {
			p.first = append(p.first, mouseOn...)
		} else {
			p.first = append(p.first, mouseOff...)
		}
	})
}

// Size is the size of the terminal in cells.
func (p *Painter) Size() (width, height int) { return p.console.size() }

// tell changes what there is to write, and wakes who writes.
func (p *Painter) tell(change func()) {
	p.mu.Lock()
	change()
	p.mu.Unlock()
	select {
	case p.news <- struct{}{}:
	default: // it will wake anyway
	}
}

// run writes, until the end. It begins when the one before it, which may hang on a slow terminal, has ended.
func (p *Painter) run(end, ended, before chan struct{}) {
	defer close(ended)
	if before != nil {
		<-before
	}
	p.enter()
	for {
		select {
		case <-p.news:
			p.rest(end)
		case <-end:
		}
		select {
		case <-end:
			first, _, _ := p.take()
			p.write(append(first, leaveScreen...))
			return
		default:
			p.draw()
		}
	}
}

// enter takes the screen, of which nothing is known then.
func (p *Painter) enter() {
	p.mu.Lock()
	sequence := enterScreen
	if p.mouse {
		sequence += mouseOn
	}
	p.whole = true
	p.mu.Unlock()
	p.write([]byte(sequence))
	p.draw()
}

// rest waits until it is time for the next frame. What comes meanwhile replaces what has come.
func (p *Painter) rest(end chan struct{}) {
	left := pace - time.Since(p.begun)
	if left <= 0 {
		return
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-end:
	}
}

func (p *Painter) draw() {
	first, frame, whole := p.take()
	p.buffer = append(p.buffer[:0], first...)
	if frame != "" {
		lines := strings.Split(frame, "\n")
		p.buffer = appendFrame(p.buffer, p.shown, lines, whole)
		p.shown = lines
	}
	if len(p.buffer) > 0 {
		p.begun = time.Now()
		p.write(p.buffer)
	}
}

// take is all there is to write.
func (p *Painter) take() (first []byte, frame string, whole bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	first, frame, whole = p.first, p.frame, p.whole
	p.first, p.whole = nil, false
	return first, frame, whole
}

func (p *Painter) write(b []byte) {
	for len(b) > 0 && !p.broken {
		n, err := p.out.Write(b)
		b = b[n:]
		switch {
		case errors.Is(err, syscall.EAGAIN):
			time.Sleep(again)
		case err != nil:
			p.broken = true
			p.gone(err)
		}
	}
}
