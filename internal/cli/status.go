package cli

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"

	"replog/internal/scenario"
	"replog/internal/tui"
)

// What replog tells its caller; the same for every command. A run that was interrupted ends with 128 and the number of
// the signal, as everywhere: 129 after SIGHUP, 130 after ctrl+c, 143 after SIGTERM.
const (
	statusOK      = 0
	statusBroken  = 1 // a broken promise, an unmet expectation, a difference
	statusMistake = 2 // of the user: a flag, a scenario, a file
	statusBug     = 3 // of replog
)

// errBroken ends a command that has already said what is broken.
var errBroken = errors.New("a broken promise, an unmet expectation or a difference")

// errStopped ends a command that was interrupted and has said what it had found so far.
var errStopped = errors.New("interrupted")

// mistake is an error of the user, with a hint.
type mistake struct{ message, hint string }

func (m *mistake) Error() string {
	if m.hint == "" {
		return m.message
	}
	return m.message + "\nhint: " + m.hint
}

func mistakef(hint, format string, args ...any) error {
	return &mistake{fmt.Sprintf(format, args...), hint}
}

// status reports an error on standard error, unless it was told already, and maps it to the exit status.
func (a *app) status(err error) int {
	if a.out.err != nil {
		fmt.Fprintf(a.err, "replog: cannot write the output: %v\n", a.out.err)
		return statusMistake
	}
	switch {
	case err == nil, errors.Is(err, errClosed):
		return statusOK
	case errors.Is(err, errStopped):
		return 128 + a.stop.number()
	case errors.Is(err, errBroken):
		return statusBroken
	}
	var crash *tui.Crash
	if errors.As(err, &crash) {
		return a.tellBug(crash.Problem, crash.Stack)
	}
	a.tellMistakes(err)
	return statusMistake
}

// tellMistakes prints the mistakes one after the other. Those of a scenario file begin with their place, as editors want it.
func (a *app) tellMistakes(err error) {
	if all, several := err.(interface{ Unwrap() []error }); several {
		for _, one := range all.Unwrap() {
			a.tellMistakes(one)
		}
		return
	}
	text := strings.TrimRight(err.Error(), "\n")
	if _, placed := err.(scenario.Errors); !placed {
		text = "replog: " + text
	}
	fmt.Fprintln(a.err, text)
}

// reportBug says what was expected when the program broke, and where.
func (a *app) reportBug(problem any) int { return a.tellBug(problem, debug.Stack()) }

func (a *app) tellBug(problem any, stack []byte) int {
	fmt.Fprintf(a.err, "replog: this is a mistake in replog, not in what you did: %v\n\n%s", problem, stack)
	return statusBug
}

// stop remembers the signal that asked the program to end. Long work looks at it now and then and ends with what it has
// found so far. Who asks twice does not want to wait for that.
type stop struct{ signal atomic.Int32 }

func (s *stop) watch(signals ...os.Signal) {
	caught := make(chan os.Signal, 1)
	for _, sig := range signals {
		if !signal.Ignored(sig) { // nohup
			signal.Notify(caught, sig)
		}
	}
	go func() {
		for sig := range caught {
			number := int32(sig.(syscall.Signal))
			if !s.signal.CompareAndSwap(0, number) {
				os.Exit(128 + int(number))
			}
		}
	}()
}

func (s *stop) asked() bool { return s.signal.Load() != 0 }

func (s *stop) number() int { return int(s.signal.Load()) }
