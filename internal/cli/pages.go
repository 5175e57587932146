package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/model"
	"replog/internal/report"
	"replog/internal/scenario"
)

// pages are the topics of `replog help`. Each is made from the table that the program itself works by, so none can rot.
var pages = []struct {
	name, short string
	text        func(*strings.Builder)
}{
	{"config", "Every setting of Kafka that a scenario may use, with the defaults of the clients", configPage},
	{"events", "Everything that can happen in a run, and the rule behind it", eventsPage},
	{"keys", "The keys of replog play, and what one may type after the colon", keysPage},
	{"model", "How the simulated Kafka differs from the real one", modelPage},
	{"promises", "What is checked after each step of a run", promisesPage},
	{"rules", "The rules of Kafka that a scenario may switch off, and the versions that did not have them", rulesPage},
	{"scenario", "Every key that a scenario file may have", scenarioPage},
	{"status", "What the exit statuses mean", statusPage},
}

// topics are the pages as cobra knows them: commands that cannot be run.
func (a *app) topics() []*cobra.Command {
	var topics []*cobra.Command
	for _, p := range pages {
		c := &cobra.Command{Use: p.name, Short: p.short}
		c.SetHelpFunc(func(*cobra.Command, []string) {
			var b strings.Builder
			p.text(&b)
			a.printf("%s", b.String())
		})
		topics = append(topics, c)
	}
	return topics
}

// entry writes an entry of a page: its name with a line about it, and what there is to say below.
func entry(b *strings.Builder, head string, said ...string) {
	b.WriteString(head + "\n")
	for _, text := range said {
		if text != "" {
			b.WriteString(report.Wrap(text, "    ", "    "))
		}
	}
}

func modelPage(b *strings.Builder) {
	b.WriteString(report.Prose("How the simulated Kafka differs from the real one (model " + modelVersion() + "). " +
		"What is not on this list behaves as Kafka does."))
	area := ""
	for _, d := range model.Differences() {
		if d.Area != area {
			area = d.Area
			b.WriteString("\n" + area + "\n")
		}
		b.WriteString(report.Wrap(d.Text, "  - ", "    "))
	}
}

func promisesPage(b *strings.Builder) {
	b.WriteString(report.Prose("What is checked after each step of every run. A promise that the configuration itself gives up " +
		"(acks=1 and a dead leader) is told as a trade-off, not as a broken promise. expect: {violates: NAME} says that a scenario " +
		"breaks one on purpose."))
	for _, p := range check.Promises() {
		b.WriteByte('\n')
		entry(b, p.Name, p.Statement, "Kept by: "+p.Guard, "Source: "+p.Source)
	}
}

func eventsPage(b *strings.Builder) {
	b.WriteString(report.Prose("Everything that can happen in a run. An event has the fields that are listed with it, besides seq " +
		"(its number), step (events of one step have one cause), cause (the event that led to it) and at (its tick). Words in braces " +
		"stand for its fields."))
	for _, kind := range event.Kinds() {
		spec := kind.Spec()
		b.WriteByte('\n')
		value := ""
		if spec.Value != "" {
			value = "value: " + spec.Value
		}
		entry(b, spec.Name, `"`+spec.Sentence+`"`, fieldsText(spec.Fields), value,
			"Rule: "+spec.Rule, "Source: "+spec.Source)
	}
}

// fieldNames are the fields of an event as a trace writes them.
var fieldNames = []struct {
	field event.Fields
	name  string
}{
	{event.About, "about"}, {event.Node, "node"}, {event.Peer, "peer"}, {event.Partition, "partition"}, {event.Epoch, "epoch"},
	{event.Offset, "offset"}, {event.Prev, "prev"}, {event.Value, "value"}, {event.Producer, "producer, producer_epoch"},
	{event.Sequence, "sequence"}, {event.Count, "count"}, {event.Records, "records, ids"}, {event.Error, "error"},
	{event.Message, "message"},
}

func fieldsText(fields event.Fields) string {
	var names []string
	for _, f := range fieldNames {
		if fields&f.field != 0 {
			names = append(names, f.name)
		}
	}
	if names == nil {
		return ""
	}
	return "fields: " + strings.Join(names, ", ")
}

func configPage(b *strings.Builder) {
	b.WriteString(report.Prose("The settings of Kafka that a scenario may use, under Kafka's own names. The default is that of Kafka " +
		"4.0; a client with another one is named. The clients: " + strings.Join(kafka.ClientNames(), ", ") + "."))
	for _, scope := range scopes() {
		b.WriteString("\n== " + scopeText(scope) + "\n")
		for i := range kafka.Settings() {
			if s := &kafka.Settings()[i]; s.Scope == scope {
				b.WriteByte('\n')
				entry(b, s.Name, s.Meaning, "Takes "+takes(s)+".", "Default: "+defaults(s)+".", onlyFor(s), "Source: "+s.Source)
			}
		}
	}
}

// scopes are the scopes of the settings, in the order in which the catalogue comes to them.
func scopes() []kafka.Scope {
	var all []kafka.Scope
	for i := range kafka.Settings() {
		if scope := kafka.Settings()[i].Scope; !slices.Contains(all, scope) {
			all = append(all, scope)
		}
	}
	return all
}

func scopeText(scope kafka.Scope) string {
	var words []string
	for _, s := range []struct {
		scope kafka.Scope
		name  string
	}{
		{kafka.BrokerSetting, "brokers"}, {kafka.ControllerSetting, "the controller"}, {kafka.TopicSetting, "topics"},
		{kafka.ProducerSetting, "producers"}, {kafka.ReaderSetting, "readers"},
		{kafka.ConsumerSetting, "the members of consumer groups"},
	} {
		if scope&s.scope != 0 {
			words = append(words, s.name)
		}
	}
	return "Settings of " + strings.Join(words, " and ")
}

func takes(s *kafka.Setting) string {
	switch {
	case s.Unit == kafka.Choice:
		return strings.Join(s.Choices, ", ")
	case s.Unit == kafka.Words:
		return "a list of " + strings.Join(s.Choices, ", ")
	case s.Unit == kafka.Boolean || s.Unit == kafka.Ratio:
		return s.Unit.String()
	case s.Max > 0:
		return fmt.Sprintf("%s, from %d to %d", s.Unit, s.Min, s.Max)
	}
	return fmt.Sprintf("%s, at least %d", s.Unit, s.Min)
}

func defaults(s *kafka.Setting) string {
	text := s.Default
	if text == kafka.NoValue {
		text = "none"
	}
	for _, c := range s.Clients {
		text += fmt.Sprintf("; %s %s", c.Client, c.Value)
	}
	return text
}

// onlyFor says which clients have a setting, and what else librdkafka calls it.
func onlyFor(s *kafka.Setting) string {
	var said []string
	if s.Only != nil {
		var names []string
		for _, c := range s.Only {
			names = append(names, c.String())
		}
		said = append(said, "Only "+strings.Join(names, ", ")+" has it.")
	}
	if s.Librdkafka != nil {
		said = append(said, "librdkafka also calls it "+strings.Join(s.Librdkafka, ", ")+".")
	}
	return strings.Join(said, " ")
}

func scenarioPage(b *strings.Builder) {
	b.WriteString(report.Prose("A scenario is a YAML file: what the cluster is, who sends and reads, what goes wrong and when, and what " +
		"must come out. An unknown key is a mistake. A span is a number with its unit (50ms, 2s); a time is a time of day (12:40:00) or a " +
		"span since the start; both must be whole ticks. $(...) works out an expression over params, as in $(lag * 2)ms. A default " +
		"stands in parentheses."))
	for _, block := range scenario.Reference() {
		fmt.Fprintf(b, "\n== %s\n\n", block.Name)
		for _, k := range block.Keys {
			b.WriteString(report.Wrap(k.Doc, "  "+keyText(&k), strings.Repeat(" ", 30)))
		}
	}
}

func keyText(k *scenario.BlockKey) string {
	takes := k.Takes
	if k.Of != "" {
		takes += ": " + k.Of
	}
	if k.Required {
		takes += ", required"
	}
	return fmt.Sprintf("%-26s  (%s) ", k.Name, takes)
}

func statusPage(b *strings.Builder) {
	b.WriteString(`The exit status of every command:

    0   done; every promise was kept and every expectation met
    1   a broken promise, an unmet expectation, a golden file that differs, two sides of a diff that differ
    2   a mistake of the user: a flag, a scenario, a file
    3   a mistake in replog itself
  130   ended by ctrl+c; 143: ended by SIGTERM. What was found so far is told, marked partial

A loss that the configuration allows (acks=1 and a dead leader) is no broken promise: status 0. A reader that closes the
pipe (| head) is no error.
`)
}
