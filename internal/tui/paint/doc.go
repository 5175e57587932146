// Package paint shows frames on a terminal. It writes what changed from one frame to the next, and only when something did:
// while nothing changes, it does nothing, not even wait for a clock. It also owns the modes of the terminal: what Open
// changes, Close changes back.
//
// Only one goroutine writes. Who shows a frame never waits for the terminal; a terminal that is slow misses frames, but never
// the last one.
//
//	painter.go    when to write: the queue of one frame, the pace, the end
//	frame.go      what to write: the lines that differ
//	modes.go      what the terminal is asked for, and the way back
//	console_*.go  what the system is asked for: raw input, the size
package paint
