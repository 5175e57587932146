package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the scenarios that replog carries, in the order of the lesson",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.list() },
	}
}

func (a *app) list() error {
	files, err := lessons()
	if err != nil {
		return err
	}
	width := 0
	for _, f := range files {
		width = max(width, len(f.Name))
	}
	for _, f := range files {
		a.printf("%-*s  %s\n", width, f.Name, f.Title)
		a.printf("%-*s  variants: %s\n", width, "", strings.Join(f.Variants(), " | "))
	}
	return nil
}
