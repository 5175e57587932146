package run

import (
	"strings"
	"testing"

	"replog/internal/explain"
	"replog/internal/kafka"
)

// TestStoriesTellWhatARuleLetsHappen: where a rule is switched off, the story of a record, or of the run, names what Kafka would
// not have done; with the rule on it does not.
func TestStoriesTellWhatARuleLetsHappen(t *testing.T) {
	for _, test := range []struct {
		scenario string
		record   kafka.RecordID // NoRecord: the story of the run
		says     string
	}{
		{"museum/read-to-log-end", 3, "shows it, from offset 3, before it is committed."},
		{"museum/elect-outside-isr", 4, "makes broker 1, which is not in the ISR 2,3, the leader"},
		{"museum/elect-outside-isr", kafka.NoRecord, "makes broker 1, which is not in the ISR 2,3, the leader"},
		{"museum/fenced-may-join-isr", kafka.NoRecord, "Broker 2, though fenced, joins the ISR"},
		{"museum/fetch-offset-ignored", 3, "Broker 3 leaves out offset 3: what broker 1 sent begins behind it."},
		{"incidents/c14-bookmarks-of-a-quiet-group", 0, "expires (offsets.retention.minutes)"},
		{"incidents/c14-bookmarks-of-a-quiet-group", 0, "the commit has expired, so the group began anew"},
	} {
		file := load(t, test.scenario)
		for i, variant := range file.Variants() {
			p, err := file.Plan(variant, nil)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Do(p, Options{Record: true})
			if err != nil {
				t.Fatal(err)
			}
			lines := explain.Run(r.Log, p.Names, r.Outcome)
			if test.record != kafka.NoRecord {
				told := explain.Record(r.Log, p.Names, test.record)
				lines = append(told.Lines, explain.Line{Text: told.Verdict})
			}
			var story strings.Builder
			for _, l := range lines {
				story.WriteString(l.Text + "\n")
			}
			if off := i == 0; strings.Contains(story.String(), test.says) != off {
				t.Errorf("%s, %s: %q should be told: %v\n%s", test.scenario, variant, test.says, off, story.String())
			}
		}
	}
}
