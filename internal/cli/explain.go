package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"replog/internal/event"
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/report"
	"replog/internal/scenario"
)

// explainFlags are the flags of `replog explain`.
type explainFlags struct {
	choice
	order     string
	partition string
	at        string
	rules     bool
}

func (a *app) explainCommand() *cobra.Command {
	var flags explainFlags
	c := &cobra.Command{
		Use:   "explain SCENARIO [--order NUMBER | --partition NAME]",
		Short: "Tell what became of an order and why, cause by cause",
		Long: `Tells what became of an order and why, cause by cause: each sentence with its time and tick. SCENARIO may be the
trace of a run. Without --variant it is the first variant; without --order the story of the whole run.

With --partition it tells of each segment of the leader's log why it is still there, and what the next retention check or pass
of the cleaner takes, at the end of the run or at a moment.`,
		Example: `  replog explain broker-2-dies --order 8812
  replog explain broker-2-dies --order 8812 --variant idempotent
  replog explain healthy --order 1 --rules
  replog explain run.jsonl --order 8812
  replog explain segments --partition photos-0 --at 12:00:30`,
		Args:              needOne("a scenario"),
		ValidArgsFunction: completeScenarios,
		RunE:              func(_ *cobra.Command, args []string) error { return a.explain(args[0], &flags) },
	}
	addChoice(c, &flags.choice)
	c.Flags().StringVar(&flags.order, "order", "", "the `NUMBER` of the order")
	c.Flags().StringVar(&flags.partition, "partition", "", "tell of the segments of this partition, `NAME` as in orders-2")
	c.Flags().StringVar(&flags.at, "at", "", "with --partition: at this `MOMENT`, as in 12:40:00 (the end)")
	c.Flags().BoolVar(&flags.rules, "rules", false, "add to each sentence the rule of Kafka behind it, and where it stands")
	return c
}

func (a *app) explain(arg string, flags *explainFlags) error {
	switch {
	case flags.partition != "" && flags.order != "":
		return mistakef("", "--order and --partition ask two questions; ask one")
	case flags.partition != "":
		return a.explainSegments(arg, flags)
	case flags.at != "":
		return mistakef("", "--at goes with --partition")
	}
	r, err := a.recording(arg, &flags.choice)
	if err != nil {
		return err
	}
	if flags.order == "" {
		a.printf("%s", report.Lines(explain.Run(r.log, r.names, r.outcome), r.names))
		return a.leftEarly(r)
	}
	ids := r.names.FindRecords(flags.order)
	if len(ids) == 0 {
		return mistakef(numbersOf(r.names), "%s has no order %s", r.names.Scenario, flags.order)
	}
	for i, id := range ids {
		if i > 0 {
			a.printf("\n")
		}
		if len(ids) > 1 {
			a.printf("%s:\n", r.names.Record(id))
		}
		story := explain.Record(r.log, r.names, id)
		a.printf("%s", report.Story(&story, r.names, flags.rules))
	}
	return a.leftEarly(r)
}

// numbersOf says which orders a run has.
func numbersOf(names *kafka.Names) string {
	var ranges []string
	for _, l := range names.Loads {
		if l.Orders > 0 {
			ranges = append(ranges, fmt.Sprintf("%d to %d", l.FirstNumber, l.FirstNumber+int64(l.Orders)-1))
		}
	}
	if ranges == nil {
		return "it has no orders at all"
	}
	return "its orders are " + strings.Join(ranges, ", ")
}

// told is the story of the order that a scenario is about, or nothing.
func told(f *scenario.File, v *report.Variant, names *kafka.Names, log *event.Log) string {
	ids := names.FindRecords(f.Tell)
	if len(ids) == 0 || log == nil {
		return ""
	}
	story := explain.Record(log, names, ids[0])
	explained := len(names.Faults) == 0 // where nothing goes wrong, the rules are the lesson
	text := "The story of order " + f.Tell + " (" + v.Variant + "):\n" + report.Story(&story, names, explained)
	if database := v.Database(); database != "" {
		text += "\n" + database
	}
	return text
}
