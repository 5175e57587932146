package cli

import (
	"strings"

	"replog/internal/report"
	"replog/internal/scenario"
)

func rulesPage(b *strings.Builder) {
	b.WriteString(report.Prose("The block rules of a scenario switches single rules of Kafka to what older versions did, or to what none " +
		"ever did, so that one sees what the rule is for. version: sets those of a version: " +
		strings.Join(scenario.Versions(), ", ") + " (4.0 where nothing is said)."))
	for _, r := range scenario.Rules() {
		b.WriteByte('\n')
		in := ""
		if versions := r.In(); versions != nil {
			in = "version: " + strings.Join(versions, " and ") + " set it"
		}
		entry(b, r.Name, "true: "+r.Doc, "Kafka's own rule protects "+r.Protects+" (since "+r.Source+")", "shown by: replog run "+r.Shown, in)
	}
}
