// Package tui is the program on the terminal: it turns keys, the mouse and time into moves of a player, and what the
// player shows into frames of screen. It is the only package that knows Bubble Tea.
//
// Its one rule: Update returns at once. What takes longer, to run a scenario again, is a command in the background; while
// nothing is played, nothing ticks.
//
//	keys.go    every key: what it is called, what it does; help, footer and README come from there
//	model.go   the state, and one line for each kind of message
//	frame.go   from the state to a screen.Model
//	dialog.go  what lies over the panes and takes the keys
//	window.go  the size of the terminal, and stopping; package paint writes to it
package tui
