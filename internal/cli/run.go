package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/report"
	"replog/internal/run"
	"replog/internal/scenario"
)

// runFlags are the flags of `replog run`.
type runFlags struct {
	choice
	format string
	trace  string
	plot   string
}

func (a *app) runCommand() *cobra.Command {
	var flags runFlags
	c := &cobra.Command{
		Use:   "run SCENARIO...",
		Short: "Run scenarios and say what came of each record",
		Long: `Runs scenarios and says what came of each record. SCENARIO is the name of a scenario that replog carries (see
replog list), the path of a scenario file, or the path of a trace, which is read back, checked and told.

Every promise is checked after each step. What a scenario expects is checked at the end, unless --set or --seed make
another run of it. With --format json each scenario is one JSON object.

--plot draws the numbers in which the variants of a scenario differ as bars, each variant beside the others.`,
		Example: `  replog run acks-table
  replog run acks-table --set params.lag=10 --format json
  replog run broker-2-dies --variant idempotent --trace idempotent.jsonl
  replog run batching --plot batching.svg`,
		Args:              needArgs("a scenario"),
		ValidArgsFunction: completeScenarios,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := oneOf("format", flags.format, "text", "json", "junit"); err != nil {
				return err
			}
			return a.run(args, &flags)
		},
	}
	addChoice(c, &flags.choice)
	addFormat(c, &flags.format, "text", "json", "junit")
	c.Flags().StringVar(&flags.trace, "trace", "", "write the events of the run to this `FILE` as JSON lines; a folder gets a file a run")
	c.Flags().StringVar(&flags.plot, "plot", "", "write what differs between the variants to this `FILE` as bars: FILE.svg is a picture, FILE.txt is text")
	return c
}

// run runs the scenarios one after the other, and tells each as soon as it is over.
func (a *app) run(args []string, flags *runFlags) error {
	if flags.plot != "" && len(args) > 1 {
		return mistakef("plot one after the other", "--plot %s is one file, and there are several scenarios", flags.plot)
	}
	broken := false
	var suites []report.Suite
	for i, arg := range args {
		if i > 0 && flags.format == "text" {
			a.printf("\n")
		}
		s, err := a.runOne(arg, flags, len(args) > 1)
		if s != nil && len(s.Variants) > 0 {
			broken = broken || !s.OK()
			suites = append(suites, s.Suite())
			a.tell(s, flags.format)
		}
		if err == nil {
			err = a.out.next()
		}
		if err != nil {
			return err
		}
	}
	if flags.format == "junit" {
		report.WriteJUnit(a.out, suites)
	}
	if broken {
		return errBroken
	}
	return nil
}

// tell prints a report; output keeps what goes wrong. JUnit has one document for all, which comes at the end.
func (a *app) tell(s *report.Scenario, format string) {
	switch format {
	case "json":
		s.WriteJSON(a.out)
	case "text":
		s.WriteText(a.out)
	}
}

// runOne runs the chosen variants of one scenario. With an error the report has what was found before it.
func (a *app) runOne(arg string, flags *runFlags, several bool) (*report.Scenario, error) {
	if isTrace(arg) {
		return a.readBack(arg, flags)
	}
	f, err := loadScenario(arg)
	if err != nil {
		return nil, err
	}
	plans, err := flags.runs(f)
	if err != nil {
		return nil, err
	}
	traces, err := flags.traceFiles(plans, several)
	if err != nil {
		return nil, err
	}
	plot, err := flags.plotFile(len(plans))
	if err != nil {
		return nil, err
	}
	defer plot.discard()
	s := report.New(f.Name)
	s.Title, s.Remember, s.All = f.Title, f.Remember, len(flags.variants) == 0
	for i, p := range plans {
		v, err := a.runVariant(f, p, flags, traces[i], i == 0)
		if v.Variant != "" {
			s.Add(v)
		}
		if err != nil {
			return s, err
		}
	}
	return s, plot.draw(s)
}

// runVariant runs one variant. The trace appears when the run is complete; a run that was interrupted leaves none.
func (a *app) runVariant(f *scenario.File, p *plan.Plan, flags *runFlags, path string, first bool) (v report.Variant, err error) {
	var file *wholeFile
	if path != "" {
		if err := a.traceFits(p, path); err != nil {
			return v, err
		}
		if file, err = createResult(path); err != nil {
			return v, err
		}
		defer file.discard()
	}
	v, log, err := a.traced(f, p, file, flags.format == "json")
	switch {
	case err != nil:
		return v, err
	case v.Partial:
		return v, errStopped
	}
	sets, err := flags.overrides()
	if err == nil {
		err = a.explore(f, p, sets, &v)
	}
	if err != nil {
		v.Unanswered = errors.Is(err, errStopped)
		v.Partial = v.Unanswered
		return v, err
	}
	if first && flags.format == "text" {
		v.Told = told(f, &v, p.Names, log)
	}
	if !flags.changed() {
		v.Judge(f.Expect(v.Variant))
	}
	if file != nil {
		err = file.commit()
	}
	return v, err
}

// large is the size from which on it is worth a word before a run begins.
const large = 1 << 30

// traceFits says before the run begins how large its trace will be, and refuses one that the disk has no room for.
func (a *app) traceFits(p *plan.Plan, path string) error {
	need, have := run.TraceSize(p), freeSpace(filepath.Dir(path))
	if have > 0 && need > have {
		return mistakef("", "%s, %s: the trace needs about %d MB, and %s has room for %d MB; %s", p.Names.Scenario, p.Names.Variant,
			need>>20, filepath.Dir(path), have>>20, run.Window(p, need, have))
	}
	if need >= large {
		a.warn("%s, %s: the trace will take about %d MB; %s", p.Names.Scenario, p.Names.Variant, need>>20,
			run.Window(p, need, large))
	}
	return nil
}

// traceFiles are the paths of the traces of the runs, each "" without --trace.
func (flags *runFlags) traceFiles(plans []*plan.Plan, several bool) ([]string, error) {
	paths := make([]string, len(plans))
	if flags.trace == "" {
		return paths, nil
	}
	info, err := os.Stat(flags.trace)
	folder := err == nil && info.IsDir()
	if !folder && (several || len(plans) > 1) {
		return nil, mistakef("choose a run with --variant, or give a folder, which gets a file for each run",
			"--trace %s is one file, and there are several runs", flags.trace)
	}
	for i, p := range plans {
		paths[i] = flags.trace
		if folder {
			paths[i] = filepath.Join(flags.trace, traceName(p.Names))
		}
	}
	return paths, nil
}

// traceName is the file of a run in a folder of traces: acks-table.acks=all-idempotent.jsonl.
func traceName(names *kafka.Names) string {
	variant := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`,;:*?"<>|/\`, r) {
			return -1
		}
		return r
	}, names.Variant)
	return names.Scenario + "." + strings.Join(strings.Fields(variant), "-") + ".jsonl"
}
