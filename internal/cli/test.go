package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"replog/internal/report"
	"replog/internal/run"
	"replog/internal/scenario"
	"replog/scenarios"
)

const goldenEnding = ".golden"

// ownFolder is tested when nobody names another; where it is missing, the scenarios that replog carries.
const ownFolder = "scenarios"

// What makes a test fail, from the least severe on: each level has those before it.
const (
	onViolation = "violation" // a promise broken in spite of the configuration
	onExpect    = "expect"    // besides: an unmet expectation, a golden file that differs
	onTradeoff  = "tradeoff"  // besides: a loss that the configuration allows
)

// testFlags are the flags of `replog test`.
type testFlags struct {
	failOn string
	format string
	update bool
	quiet  bool
}

func (a *app) testCommand() *cobra.Command {
	var flags testFlags
	c := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Hold scenarios against their golden files, and say in words what differs",
		Long: `Runs every variant of the scenarios and holds what came out against their expect blocks, and against the golden file
beside each (NAME.golden beside NAME.yaml). PATH is a scenario file, or a folder with some, or with folders of some. Without a PATH it is the
folder scenarios here, or else what replog carries.

A golden file has the version of the model that it was made with. Where a newer replog has another model, the test says
so: then the scenario may be what it was.`,
		Example: `  replog test my-scenarios
  replog test my-scenarios --update
  replog test my-scenarios --format junit > results.xml`,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := errors.Join(oneOf("fail-on", flags.failOn, onViolation, onExpect, onTradeoff),
				oneOf("format", flags.format, "text", "junit")); err != nil {
				return err
			}
			return a.test(args, &flags)
		},
	}
	c.Flags().StringVar(&flags.failOn, "fail-on", onExpect, "what fails: `LEVEL` violation, expect (and differing goldens), tradeoff")
	c.RegisterFlagCompletionFunc("fail-on",
		cobra.FixedCompletions([]string{onViolation, onExpect, onTradeoff}, cobra.ShellCompDirectiveNoFileComp))
	c.Flags().BoolVar(&flags.update, "update", false, "write the golden files anew")
	c.Flags().BoolVarP(&flags.quiet, "quiet", "q", false, "print only what fails")
	addFormat(c, &flags.format, "text", "junit")
	return c
}

// tested is a scenario that was tested.
type tested struct {
	name     string // as the user finds it
	problems []report.Difference
	notes    []string
	failed   bool
	report   *report.Scenario // nil when it could not be run
	mistake  error            // why it could not be tested
}

func (a *app) test(args []string, flags *testFlags) error {
	paths, err := testPaths(args)
	if err != nil {
		return err
	}
	var results []*tested
	for _, path := range paths {
		t, err := a.testOne(path, flags)
		if errors.Is(err, errStopped) {
			a.printf("PARTIAL: interrupted after %d of %d scenarios\n", len(results), len(paths))
			return err
		}
		t.mistake = err
		results = append(results, t)
		if flags.format == "text" {
			a.tellTested(t, flags.quiet)
		}
		a.out.Flush()
	}
	return a.sumUp(results, flags)
}

// testPaths are the scenarios that the arguments name: files, those in folders, and those that replog carries.
func testPaths(args []string) ([]string, error) {
	if len(args) == 0 {
		if info, err := os.Stat(ownFolder); err != nil || !info.IsDir() {
			return embedded(), nil
		}
		args = []string{ownFolder}
	}
	var paths []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() {
			paths = append(paths, arg)
			continue
		}
		var found []string
		for _, ending := range []string{scenarioEnding, ".yml"} {
			for _, pattern := range []string{"*" + ending, filepath.Join("*", "*"+ending)} {
				more, err := filepath.Glob(filepath.Join(escapeGlob(arg), pattern))
				if err != nil {
					return nil, mistakef("", "cannot read the folder %s: %v", arg, err)
				}
				found = append(found, more...)
			}
		}
		if found == nil {
			return nil, mistakef("a scenario's name ends in .yaml", "the folder %s has no scenarios", arg)
		}
		slices.Sort(found)
		paths = append(paths, found...)
	}
	return paths, nil
}

// escapeGlob takes the meaning from the characters that have one in a pattern.
func escapeGlob(path string) string {
	if filepath.Separator == '\\' {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func (a *app) testOne(path string, flags *testFlags) (*tested, error) {
	t := &tested{name: path}
	f, err := loadScenario(path)
	if err != nil {
		return t, err
	}
	s, err := a.runAsWritten(f)
	if err != nil {
		return t, err
	}
	t.report = s
	for i := range s.Variants {
		t.judge(&s.Variants[i], flags.failOn)
	}
	return t, t.golden(path, flags)
}

// runAsWritten runs every variant of a scenario as it stands.
func (a *app) runAsWritten(f *scenario.File) (*report.Scenario, error) {
	plans, err := new(choice).runs(f)
	if err != nil {
		return nil, err
	}
	s := report.New(f.Name)
	for _, p := range plans {
		r, err := a.simulate(p, run.Options{})
		if err != nil {
			return nil, err
		}
		if r.Partial {
			return nil, errStopped
		}
		v := reportOf(r)
		if err := a.explore(f, p, nil, &v); err != nil {
			return nil, err
		}
		v.Judge(f.Expect(v.Variant))
		s.Add(v)
	}
	return s, nil
}

// judge notes what is wrong with a run in itself.
func (t *tested) judge(v *report.Variant, failOn string) {
	problems := v.Problems()
	t.failed = t.failed || v.Broken() > 0 || len(v.Unmet) > 0 && failOn != onViolation
	if failOn == onTradeoff {
		for _, text := range v.ExpectedTradeoffs {
			problems = append(problems, "TRADE-OFF: "+text)
			t.failed = true
		}
	}
	if len(problems) > 0 {
		t.problems = append(t.problems, report.Difference{Variant: v.Variant, Sentences: problems})
	}
}

// golden holds the outcome against the golden file, or writes that anew.
func (t *tested) golden(path string, flags *testFlags) error {
	now := t.report.Golden()
	text, err := readGolden(path)
	switch {
	case flags.update:
		return t.update(path, text, now.Text())
	case errors.Is(err, fs.ErrNotExist):
		t.fails(flags, "", "there is no golden file yet: replog test --update "+path+" writes it")
		return nil
	case err != nil:
		return err
	}
	then, err := report.ParseGolden(text)
	if err != nil {
		t.fails(flags, "", "the golden file cannot be read, "+err.Error()+"; --update writes it anew")
		return nil
	}
	if then.Model != now.Model {
		t.notes = append(t.notes, fmt.Sprintf("the golden file was made by model %d, and this program has model %d: what differs may come "+
			"of that, and not of the scenario", then.Model, now.Model))
	}
	for _, d := range report.Differ(report.Side{Golden: then, Where: "in the golden file"}, report.Side{Golden: now, Where: "now"}) {
		t.fails(flags, d.Variant, d.Sentences...)
	}
	return nil
}

func (t *tested) fails(flags *testFlags, variant string, sentences ...string) {
	t.problems = append(t.problems, report.Difference{Variant: variant, Sentences: sentences})
	t.failed = t.failed || flags.failOn != onViolation
}

func (t *tested) update(path, before, now string) error {
	if slices.Contains(embedded(), path) {
		return mistakef("name the folder, as in replog test --update scenarios", "%s is inside of replog: its golden file cannot be written", path)
	}
	if before == now {
		return nil
	}
	t.notes = append(t.notes, "wrote "+goldenPath(path))
	return writeWhole(goldenPath(path), now)
}

func goldenPath(path string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + goldenEnding
}

func readGolden(path string) (string, error) {
	if carried, found := scenarios.Find(path); found {
		data, err := scenarios.FS.ReadFile(carried + goldenEnding)
		return string(data), err
	}
	data, err := readFile(goldenPath(path))
	return string(data), err
}

// tellTested says how a test went.
func (a *app) tellTested(t *tested, quiet bool) {
	verdict := "ok"
	switch {
	case t.mistake != nil:
		verdict = "ERROR"
	case t.failed:
		verdict = "FAILED"
	case quiet:
		return
	}
	a.printf("%-7s %s\n", verdict, t.name)
	for _, note := range t.notes {
		a.printf("%s", report.Wrap(note, "  ", "  "))
	}
	for _, d := range t.problems {
		if d.Variant != "" {
			a.printf("  %s\n", d.Variant)
		}
		a.printf("%s", d.Text("    "))
	}
}

// sumUp ends a test: the document for a build server, or a line; then what was wrong with scenarios that could not be tested.
func (a *app) sumUp(results []*tested, flags *testFlags) error {
	failed := 0
	var suites []report.Suite
	var mistakes []error
	for _, t := range results {
		suites = append(suites, t.suite())
		switch {
		case t.mistake != nil:
			mistakes = append(mistakes, t.mistake)
		case t.failed:
			failed++
		}
	}
	switch {
	case flags.format == "junit":
		report.WriteJUnit(a.out, suites)
	case !flags.quiet || failed+len(mistakes) > 0:
		a.printf("%s: %d ok, %d failed", plural(len(results), "scenario"), len(results)-failed-len(mistakes), failed)
		if len(mistakes) > 0 {
			a.printf(", %d could not be tested", len(mistakes))
		}
		a.printf("\n")
	}
	if len(mistakes) > 0 {
		return errors.Join(mistakes...)
	}
	if failed > 0 {
		return errBroken
	}
	return nil
}

// suite is the test for a build server: a case for each variant, or one for the file that could not be tested.
func (t *tested) suite() report.Suite {
	if t.mistake != nil {
		return report.Suite{Name: t.name, Cases: []report.Case{{Name: t.name, Problems: []string{t.mistake.Error()}, Error: true}}}
	}
	suite := report.Suite{Name: t.report.Scenario}
	for i := range t.report.Variants {
		name := t.report.Variants[i].Variant
		suite.Cases = append(suite.Cases, report.Case{Name: name, Problems: t.problemsOf(name)})
	}
	return suite
}

func (t *tested) problemsOf(variant string) []string {
	if !t.failed {
		return nil
	}
	var problems []string
	for _, d := range t.problems {
		if d.Variant == variant || d.Variant == "" {
			problems = append(problems, d.Sentences...)
		}
	}
	return problems
}
