package paint

import (
	"os"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/windows"
)

// console is what the system keeps of a terminal.
type console struct {
	in, out         *os.File
	before, display *term.State // as they were; nil while the program does not have them
}

// takeOver lets keys come raw, and sequences be obeyed.
func (c *console) takeOver() (err error) {
	if term.IsTerminal(c.in.Fd()) {
		if c.before, err = term.MakeRaw(c.in.Fd()); err != nil {
			return err
		}
	}
	if !term.IsTerminal(c.out.Fd()) {
		return nil
	}
	if c.display, err = term.GetState(c.out.Fd()); err != nil {
		return err
	}
	var mode uint32
	if err := windows.GetConsoleMode(windows.Handle(c.out.Fd()), &mode); err != nil {
		return err
	}
	return windows.SetConsoleMode(windows.Handle(c.out.Fd()), mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
}

func (c *console) giveBack() error {
	before, display := c.before, c.display
	c.before, c.display = nil, nil
	if display != nil {
		if err := term.Restore(c.out.Fd(), display); err != nil {
			return err
		}
	}
	if before == nil {
		return nil
	}
	return term.Restore(c.in.Fd(), before)
}

// Resizes tells nothing: here the size comes among the keys.
func Resizes() (resized <-chan os.Signal, stop func()) { return nil, func() {} }
