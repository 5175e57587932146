package paint

const (
	// enterScreen takes the alternate screen (DECSET 1049), empty, without a cursor (25). Lines that are too long, as after
	// the window shrank, are cut and do not wrap (7). What is pasted comes marked as such (2004).
	enterScreen = "\x1b[?1049h" + clearScreen + "\x1b[?25l\x1b[?7l\x1b[?2004h"
	leaveScreen = mouseOff + "\x1b[?2004l\x1b[?7h\x1b[0m\x1b[?25h\x1b[?1049l"

	clearScreen = "\x1b[0m\x1b[2J\x1b[H"

	// The mouse tells of buttons and of moves with a button held down (1002), with places beyond column 223 (1006).
	mouseOn  = "\x1b[?1002h\x1b[?1006h"
	mouseOff = "\x1b[?1002l\x1b[?1006l"

	// What stands between the two appears at once (mode 2026), where a terminal knows how; others take no notice.
	beginFrame = "\x1b[?2026h"
	endFrame   = "\x1b[?2026l"
)
