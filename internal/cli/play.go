package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/player"
	"replog/internal/report"
	"replog/internal/run"
	"replog/internal/scenario"
	"replog/internal/screen"
	"replog/internal/tui"
	"replog/internal/until"
)

// playFlags are the flags of `replog play`.
type playFlags struct {
	choice
	look
	start        string
	plain, watch bool
}

// look is how a run is shown.
type look struct {
	theme, color string
	ascii        bool
}

func (a *app) playCommand() *cobra.Command {
	var flags playFlags
	c := &cobra.Command{
		Use:   "play SCENARIO",
		Short: "Open a run in the terminal: step, step back, ask why, try what if",
		Long: `Opens a run in the terminal: step through it, forward and back, ask why, answer its questions, try what if. SCENARIO may
be the trace of a run. Without --variant it is the first variant.

--start takes a time (12:40:00), a tick (tick 500), an order (8812), what happens ("the ISR of p2 shrinks"), or words of a
mark on the timeline.`,
		Example: `  replog play broker-2-dies --start 12:39:57
  replog play broker-2-dies --start "order 8812 is stored twice"
  replog play lesson.yaml --watch`,
		Args:              needOne("a scenario"),
		ValidArgsFunction: completeScenarios,
		RunE:              func(_ *cobra.Command, args []string) error { return a.play(args[0], &flags) },
	}
	addChoice(c, &flags.choice)
	addLook(c, &flags.look)
	c.Flags().StringVar(&flags.start, "start", "", "begin at this `MOMENT`")
	c.Flags().BoolVar(&flags.plain, "plain", false, "no screen control: a sentence a step, for screen readers and pipes")
	c.Flags().BoolVar(&flags.watch, "watch", false, "read the scenario again whenever its file is saved")
	return c
}

func addLook(c *cobra.Command, to *look) {
	c.Flags().StringVar(&to.theme, "theme", "auto", "`THEME`: dark, light, mono or auto")
	c.Flags().StringVar(&to.color, "color", "auto", "colours: auto, always or never (`WHEN`); NO_COLOR is obeyed")
	c.Flags().BoolVar(&to.ascii, "ascii", false, "nothing but ASCII on the screen")
	c.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions([]string{"auto", "dark", "light", "mono"}, cobra.ShellCompDirectiveNoFileComp))
	c.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
}

func (l *look) check() error {
	if err := oneOf("theme", l.theme, "auto", "dark", "light", "mono"); err != nil {
		return err
	}
	return oneOf("color", l.color, "auto", "always", "never")
}

// open is replog without a command: the failure at 12:40 on the terminal, or in words where there is none.
func (a *app) open(l look) error {
	if err := l.check(); err != nil {
		return err
	}
	if !a.interactive() {
		return a.tellOpening()
	}
	return a.play(opening, &playFlags{look: l})
}

// interactive reports whether there is a terminal that can show a screen.
func (a *app) interactive() bool {
	return a.screen != nil && isTerminal(os.Stdin) && os.Getenv("TERM") != "dumb"
}

func (a *app) play(arg string, flags *playFlags) error {
	if err := flags.check(); err != nil {
		return err
	}
	tape, err := a.tape(arg, &flags.choice)
	if err != nil {
		return err
	}
	start, err := startOf(tape, "--start", flags.start)
	if err != nil {
		return err
	}
	if flags.plain || !a.interactive() {
		return a.playPlain(tape, start)
	}
	o := tui.Options{
		Tape: tape, Start: start, ASCII: flags.ascii, Load: loadScenario, Save: saveNew, Input: os.Stdin, Output: a.screen,
	}
	if o.Library, err = library(arg, tape); err != nil {
		return err
	}
	if flags.watch {
		if tape.File == nil || isEmbedded(arg) {
			return mistakef("give the path of a scenario file", "--watch needs a file that can be saved; %s is none", arg)
		}
		changed := make(chan struct{})
		stop := watchFile(arg, changed)
		defer stop()
		o.Changed, o.Reload = changed, func() (*scenario.File, error) { return loadScenario(arg) }
	}
	o.Theme, o.Level, o.Ask = tui.Detect(a.screen, flags.theme, flags.color)
	return a.show(o)
}

// show runs the program on the terminal, and maps how it ended.
func (a *app) show(o tui.Options) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	o.Signals = signals
	err := tui.Run(o)
	var ended *tui.Ended
	if errors.As(err, &ended) {
		if number, ok := ended.Signal.(syscall.Signal); ok {
			a.stop.signal.CompareAndSwap(0, int32(number))
		}
		return errStopped
	}
	return err
}

// playPlain talks where a person sits at both ends, and says everything where not.
func (a *app) playPlain(t *player.Tape, start int) error {
	if a.screen == nil || !isTerminal(os.Stdin) {
		return tui.Plain(t, start, nil, a.out)
	}
	return tui.Plain(t, start, os.Stdin, unbuffered{a.out})
}

// unbuffered hands on what is written at once.
type unbuffered struct{ *output }

// Write implements io.Writer.
func (u unbuffered) Write(b []byte) (int, error) {
	n, err := u.output.Write(b)
	u.output.Flush()
	return n, err
}

var _ io.Writer = unbuffered{}

// tape records the chosen variant of a scenario, or reads a trace.
func (a *app) tape(arg string, c *choice) (*player.Tape, error) {
	if isTrace(arg) {
		return tapeOfTrace(arg, c)
	}
	f, err := loadScenario(arg)
	if err != nil {
		return nil, err
	}
	variant := f.Variants()[0]
	switch len(c.variants) {
	case 0:
	case 1:
		variant = c.variants[0]
	default:
		return nil, mistakef("", "choose one variant; these are %d", len(c.variants))
	}
	sets, err := c.overrides()
	if err != nil {
		return nil, err
	}
	if p, err := f.Plan(variant, sets); err == nil && run.Fits(p, true) == nil && run.Need(p, true) >= large {
		a.warn("%s, %s: keeping every event takes about %d MB of memory; %s", f.Name, variant, run.Need(p, true)>>20,
			run.Window(p, run.Need(p, true), large))
	}
	tape, err := player.Record(f, variant, sets, a.stop.asked)
	if err != nil && a.stop.asked() {
		return nil, errStopped
	}
	return tape, err
}

// tapeOfTrace is a tape of what a trace tells.
func tapeOfTrace(path string, c *choice) (*player.Tape, error) {
	if err := c.none(path); err != nil {
		return nil, err
	}
	var pictures *run.Recording
	r, err := readTrace(path, func(names *kafka.Names) (event.Sink, *event.Log) {
		pictures = run.NewRecording(names)
		return pictures, &pictures.Log
	})
	if err != nil {
		return nil, err
	}
	return player.NewTape(pictures, r.outcome), nil
}

// startOf is the place that somebody named: a moment, or words of a mark.
func startOf(t *player.Tape, flag, text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	moment, err := until.Parse(text, t.Names)
	if err == nil {
		if n, ok := moment.Next(&t.Log, 0); ok {
			return n, nil
		}
		return 0, mistakef("", "%s %q: that does not happen in this run", flag, text)
	}
	for _, m := range t.Marks {
		if strings.Contains(strings.ToLower(m.Label), strings.ToLower(text)) {
			return m.Event, nil
		}
	}
	return 0, mistakef("", "%s: %v, or words of a mark", flag, err)
}

// library lists what the picker offers: the file that was opened, and the scenarios that replog carries.
func library(arg string, t *player.Tape) ([]screen.Entry, error) {
	files, err := lessons()
	if err != nil {
		return nil, err
	}
	var entries []screen.Entry
	if t.File != nil && !isEmbedded(arg) {
		entries = append(entries, entriesOf(arg, t.File)...)
	}
	for _, f := range files {
		entries = append(entries, entriesOf(f.Name, f)...)
	}
	return entries, nil
}

func entriesOf(name string, f *scenario.File) []screen.Entry {
	var entries []screen.Entry
	for i, v := range f.Variants() {
		line := f.VariantNote(v)
		if i == 0 || line == "" {
			line = f.Title
		}
		entries = append(entries, screen.Entry{Scenario: name, Variant: v, Line: line})
	}
	return entries
}

func isEmbedded(arg string) bool {
	for _, name := range embedded() {
		if name == arg {
			return true
		}
	}
	return false
}

// saveNew writes a file whole, and never over another.
func saveNew(path, text string) error {
	if _, err := os.Lstat(path); err == nil {
		return mistakef("", "%s is there already; choose another name", path)
	}
	return writeWhole(path, text)
}

// watchEvery is the time between two looks at a file.
const watchEvery = 250 * time.Millisecond

// watchFile tells when a file was saved, until it is stopped.
func watchFile(path string, changed chan<- struct{}) (stop func()) {
	done, gone := make(chan struct{}), make(chan struct{})
	stamp := func() (time.Time, int64) {
		info, err := os.Stat(path)
		if err != nil {
			return time.Time{}, -1 // editors replace a file; it will be back
		}
		return info.ModTime(), info.Size()
	}
	go func() {
		defer close(gone)
		at, size := stamp()
		ticker := time.NewTicker(watchEvery)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			nowAt, nowSize := stamp()
			if nowSize < 0 || nowAt.Equal(at) && nowSize == size {
				continue
			}
			at, size = nowAt, nowSize
			select {
			case changed <- struct{}{}:
			case <-done:
				return
			}
		}
	}()
	return func() { close(done); <-gone }
}

func keysPage(b *strings.Builder) {
	for _, group := range tui.Keys() {
		b.WriteString("\n" + group.Title + "\n")
		for _, k := range group.Keys {
			b.WriteString(report.Wrap(k.Long, fmt.Sprintf("  %-12s ", k.Key), strings.Repeat(" ", 15)))
		}
	}
	b.WriteString("\nAfter the colon one may type a time, a tick, an order, or what shall happen:\n")
	for _, f := range until.Forms() {
		entry(b, "  "+f.Example, f.Meaning)
	}
}
