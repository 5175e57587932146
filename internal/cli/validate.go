package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"replog/internal/report"
)

func (a *app) validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE...",
		Short: "Find all mistakes of scenario files, without running them",
		Long: `Finds all mistakes of scenario files, each with its place, the lines around it and a hint, and says what replog
decided quietly: what was rounded, which setting another one overruled, what looks as if it was not meant so.`,
		Args: needArgs("a scenario file"),
		RunE: func(_ *cobra.Command, args []string) error { return a.validate(args) },
	}
}

func (a *app) validate(args []string) error {
	var mistakes []error
	for _, arg := range args {
		if err := a.validateOne(arg); err != nil {
			mistakes = append(mistakes, err)
		}
	}
	return errors.Join(mistakes...)
}

func (a *app) validateOne(arg string) error {
	f, err := loadScenario(arg)
	if err != nil {
		return err
	}
	variants := f.Variants()
	a.printf("%s: ok, %s\n", arg, plural(len(variants), "variant"))
	told := map[string]bool{}
	for _, v := range variants {
		p, err := f.Plan(v, nil)
		if err != nil {
			return err
		}
		notes := p.Notes
		if f.Tell != "" && p.Names.FindRecords(f.Tell) == nil {
			notes = append(notes, fmt.Sprintf("tell: there is no order %s; %s", f.Tell, numbersOf(p.Names)))
		}
		for _, note := range notes {
			if !told[note] {
				told[note] = true
				a.printf("%s", report.Wrap(v+": "+note, "  note, ", "    "))
			}
		}
	}
	return nil
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
