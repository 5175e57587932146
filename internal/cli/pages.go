package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"replog/internal/model"
	"replog/internal/report"
)

// page is a topic of `replog help` that is made from the code.
type page struct {
	name, short string
	text        func() string
}

var pages = []page{
	{"model", "How the simulated Kafka differs from the real one", modelPage},
}

// pages are the help topics as cobra knows them: commands that can not be run.
func (a *app) pages() []*cobra.Command {
	var topics []*cobra.Command
	for _, p := range pages {
		c := &cobra.Command{Use: p.name, Short: p.short}
		c.SetHelpFunc(func(*cobra.Command, []string) { a.printf("%s", p.text()) })
		topics = append(topics, c)
	}
	return topics
}

func modelPage() string {
	var b strings.Builder
	b.WriteString("How the simulated Kafka differs from the real one (model " + modelVersion() + "). What is not on this list\n" +
		"behaves as Kafka does.\n")
	area := ""
	for _, d := range model.Differences() {
		if d.Area != area {
			area = d.Area
			b.WriteString("\n" + area + "\n")
		}
		b.WriteString(report.Wrap(d.Text, "- ", "  "))
	}
	return b.String()
}
