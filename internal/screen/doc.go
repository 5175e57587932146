// Package screen draws a run into a grid of cells: what a person sees of a cluster at one moment, on a terminal of any
// size. A Model says what there is to see, Draw puts it into a Grid, and a Grid is written as terminal codes, plain
// text, SVG or HTML; a row of frames makes an asciicast.
//
// Its one rule: a frame is a function of its Model. The package keeps no place, reads no key and no clock, and asks no
// simulator, so a test, a picture in the README and a terminal show the same.
package screen
