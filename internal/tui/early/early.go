// Package early keeps Bubble Tea from asking the terminal for its background before main begins.
//
// Bubble Tea 1 does so when it is initialised, by way of termenv, and waits up to five seconds for a terminal that does not
// answer; it asks no terminal whose TERM is dumb. This package needs nothing but os, so it is
// initialised before runtime/debug, which Bubble Tea needs (packages that are ready are initialised in the order of their paths).
package early

import "os"

// term is TERM as it was, and had whether there was one.
var term, had = os.LookupEnv("TERM")

func init() { os.Setenv("TERM", "dumb") }

// Restore makes TERM what it was; it is called when Bubble Tea has been initialised.
func Restore() {
	if !had {
		os.Unsetenv("TERM")
		return
	}
	os.Setenv("TERM", term)
}
