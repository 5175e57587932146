package paint

import "github.com/charmbracelet/x/term"

// size is the size of the terminal, or what terminals have had for fifty years where it does not say.
func (c *console) size() (width, height int) {
	width, height, err := term.GetSize(c.out.Fd())
	if err != nil || width < 1 || height < 1 {
		return 80, 24
	}
	return width, height
}
