// Package player is the playhead over a recorded run: where one stands, how one moves, what there is to jump to, the
// questions on the way, a second run on the same clock, and what if.
//
// Its one rule: what is shown at a place depends on the place alone, not on the way there. Nothing is undone; a picture
// of an earlier moment is folded from the events before it.
//
//	Tape    a recorded run: events, names, outcome, marks, questions
//	Player  a place on a tape, and the ways to move it
//	Quiz    what was answered
//	Deck    a player, and a second one that follows it to compare
//	Fork    a tape that goes another way from some moment on
package player
