package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"replog/internal/scenario"
)

func addChoice(c *cobra.Command, to *choice) {
	addVariant(c, &to.variants)
	c.Flags().StringArrayVar(&to.sets, "set", nil, "override a value of the scenario: `PATH=VALUE`, as params.lag=10; may be repeated")
	c.Flags().StringVar(&to.seed, "seed", "", "the seed of all chance, instead of the scenario's `NUMBER`")
}

func addVariant(c *cobra.Command, to *[]string) {
	c.Flags().StringArrayVar(to, "variant", nil, "only the variant with this `NAME`; may be repeated")
	c.RegisterFlagCompletionFunc("variant", completeVariants)
}

func addFormat(c *cobra.Command, to *string, formats ...string) {
	c.Flags().StringVar(to, "format", formats[0], "`FORMAT` of the output: "+strings.Join(formats, ", "))
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
}

// oneOf makes sure that the value of a flag is one of some words.
func oneOf(flag, value string, words ...string) error {
	if slices.Contains(words, value) {
		return nil
	}
	return mistakef(scenario.DidYouMean(value, words), "--%s cannot be %q", flag, value)
}

// needArgs asks for at least one argument, in words.
func needArgs(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return nil
		}
		return mistakef("replog list shows the scenarios", "%s takes %s: %s", c.CommandPath(), what, c.UseLine())
	}
}

// flagMistake adds to an unknown flag which one was meant.
func flagMistake(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return mistakef(c.CommandPath()+" --help", "%v", err)
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	return mistakef(scenario.DidYouMean(unknown.GetSpecifiedName(), known), "%v", err)
}

func completeScenarios(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	files, _ := lessons()
	for _, f := range files {
		names = append(names, f.Name+"\t"+f.Title)
	}
	return names, cobra.ShellCompDirectiveDefault // files too
}

func completeVariants(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, arg := range args {
		if f, err := loadScenario(arg); err == nil {
			for _, v := range f.Variants() {
				names = append(names, v+"\t"+f.VariantNote(v))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// needOne asks for exactly one argument, in words.
func needOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return mistakef("replog list shows the scenarios", "%s takes %s: %s", c.CommandPath(), what, c.UseLine())
	}
}
