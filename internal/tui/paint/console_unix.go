//go:build unix

package paint

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/charmbracelet/x/term"
)

// console is what the system keeps of a terminal.
type console struct {
	in, out *os.File
	before  *term.State // as it was; nil while the program does not have it
}

// takeOver lets keys come raw. A program in the background that tries is stopped by the system.
func (c *console) takeOver() (err error) {
	if term.IsTerminal(c.in.Fd()) {
		c.before, err = term.MakeRaw(c.in.Fd())
	}
	return err
}

func (c *console) giveBack() error {
	before := c.before
	if c.before = nil; before == nil {
		return nil
	}
	return term.Restore(c.in.Fd(), before)
}

// Resizes tells when the window has got another size, until it is stopped.
func Resizes() (resized <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGWINCH)
	return c, func() { signal.Stop(c) }
}
