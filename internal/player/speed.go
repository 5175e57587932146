package player

import (
	"strconv"
	"strings"
)

// The slowest and the fastest speed, as powers of two.
const (
	slowest = -10
	fastest = 30
)

// Speed is how fast a run is played, as a power of two; 0 is as fast as the clock on the wall.
type Speed int8

// Faster is twice as fast.
func (s Speed) Faster() Speed { return min(s+1, fastest) }

// Slower is half as fast.
func (s Speed) Slower() Speed { return max(s-1, slowest) }

// String is the speed as one writes it: 1x, 1/4x, 64x.
func (s Speed) String() string {
	if s < 0 {
		return "1/" + strconv.Itoa(1<<-s) + "x"
	}
	return strconv.Itoa(1<<s) + "x"
}

// Of is how much of the run passes in so many microseconds on the wall.
func (s Speed) Of(micros int64) int64 {
	if s < 0 {
		return micros >> -s
	}
	return micros << s
}

// hasAll reports whether a text has all of the words, in any order, capital letters or not.
func hasAll(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(text, strings.ToLower(w)) {
			return false
		}
	}
	return len(words) > 0
}
