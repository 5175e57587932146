package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/report"
)

func (a *app) diffCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "diff A B",
		Short: "Say what differs between two outcomes or two runs, and where they part",
		Long: `Says in words what differs between A and B. Each is an outcome (a golden file, or the JSON of replog run), the trace of
a run, a scenario, or one variant of it as SCENARIO:VARIANT. Of two runs it also shows the first event where they part.
The exit status is 1 when they differ.`,
		Example: `  replog diff acks-table:acks=1 acks-table:acks=all
  replog diff before.golden after.golden
  replog diff monday.jsonl tuesday.jsonl`,
		Args:              needTwo,
		ValidArgsFunction: completeScenarios,
		RunE:              func(_ *cobra.Command, args []string) error { return a.diff(args[0], args[1]) },
	}
}

func needTwo(c *cobra.Command, args []string) error {
	if len(args) == 2 {
		return nil
	}
	return mistakef("", "%s takes two outcomes or runs: %s", c.CommandPath(), c.UseLine())
}

// side is A or B.
type side struct {
	golden *report.Golden
	run    *recording // nil for an outcome, and for a scenario with all of its variants
	untold []string   // facts that it can not tell
}

// beside is the side as it is held against another: where the other is one run, only the variant of that.
func (s *side) beside(other *side, where string) report.Side {
	golden := s.golden
	if other.run != nil {
		golden = golden.Only(other.run.names.Variant)
	}
	return report.Side{Golden: golden, Where: where, Untold: s.untold}
}

func (a *app) diff(argA, argB string) error {
	x, err := a.side(argA)
	if err != nil {
		return err
	}
	y, err := a.side(argB)
	if err != nil {
		return err
	}
	a.printf("A: %s\nB: %s\n", argA, argB)
	if x.golden.Model != y.golden.Model {
		a.printf("A was made by model %d, B by model %d: what differs may come of that.\n", x.golden.Model, y.golden.Model)
	}
	inA, inB := x.beside(y, "in A"), y.beside(x, "in B")
	differences := report.Differ(inA, inB)
	for _, d := range differences {
		a.printf("\n%s\n%s", d.Variant, d.Text("  "))
	}
	parted := x.run != nil && y.run != nil && a.tellParting(x.run, y.run)
	if left := report.LeftOut(inA, inB); left != nil {
		a.printf("\n%s", report.Wrap("Not compared, because one side does not tell it: "+strings.Join(left, "; ")+".", "", ""))
	}
	if len(differences) == 0 && !parted {
		a.printf("\nNothing differs.\n")
		return nil
	}
	return errBroken
}

// side finds out what an argument is: by what stands in the file, or else it is a scenario.
func (a *app) side(arg string) (*side, error) {
	if !slices.Contains(embedded(), arg) {
		s, err := a.sideOfFile(arg)
		if s != nil || err != nil {
			return s, err
		}
	}
	name, variant := splitVariant(arg)
	if variant != "" {
		return a.sideOfRun(name, &choice{variants: []string{variant}})
	}
	f, err := loadScenario(name)
	if err != nil {
		return nil, err
	}
	if len(f.Variants()) == 1 {
		return a.sideOfRun(name, &choice{})
	}
	s, err := a.runAsWritten(f)
	if err != nil {
		return nil, err
	}
	return &side{golden: s.Golden()}, nil
}

// sideOfFile is a trace or an outcome; nil for what is neither.
func (a *app) sideOfFile(path string) (*side, error) {
	if isTrace(path) {
		return a.sideOfRun(path, &choice{})
	}
	data, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case report.IsGolden(string(data)):
		g, err := report.ParseGolden(string(data))
		if err != nil {
			return nil, inFile(path, err)
		}
		return &side{golden: g}, nil
	case bytes.HasPrefix(bytes.TrimSpace(data), []byte("{\n")):
		s, err := report.ReadJSON(data)
		if err != nil {
			return nil, inFile(path, err)
		}
		return &side{golden: s.Golden()}, nil
	}
	return nil, nil
}

func (a *app) sideOfRun(arg string, c *choice) (*side, error) {
	r, err := a.recording(arg, c)
	if err != nil {
		return nil, err
	}
	s := report.New(r.names.Scenario)
	r.variant.Variant = r.names.Variant
	s.Add(r.variant)
	untold := report.UntoldByRun
	if isTrace(arg) {
		untold = report.UntoldByTrace
	}
	return &side{golden: s.Golden(), run: r, untold: untold}, nil
}

// splitVariant cuts SCENARIO:VARIANT at the first colon behind which no file or scenario of that name is left.
func splitVariant(arg string) (name, variant string) {
	for at := range len(arg) {
		if arg[at] != ':' {
			continue
		}
		if _, _, err := readScenario(arg[:at]); err == nil {
			return arg[:at], arg[at+1:]
		}
	}
	return arg, ""
}

// tellParting shows the first event in which two runs differ, and the last that they have in common. It reports whether
// there is one.
func (a *app) tellParting(x, y *recording) bool {
	at := event.Same(x.log, y.log)
	if at == x.log.Len() && at == y.log.Len() {
		return false
	}
	a.printf("\nThe first %s are the same. Then they part:\n", plural(at, "event"))
	if at > 0 {
		a.tellEvent("both", x, at-1)
	}
	a.tellEvent("A", x, at)
	a.tellEvent("B", y, at)
	return true
}

func (a *app) tellEvent(who string, r *recording, i int) {
	head := fmt.Sprintf("  %-4s  ", who)
	if i >= r.log.Len() {
		a.printf("%sthe run is over\n", head)
		return
	}
	line := explain.Event(r.log, r.names, r.log.At(i).Seq)
	head += fmt.Sprintf("%s  tick %d  ", r.names.Clock(line.At), line.At)
	a.printf("%s", report.Wrap(line.Text, head, strings.Repeat(" ", len(head))))
}
