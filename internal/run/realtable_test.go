package run

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// realClients are the clients of the table in scenarios/real/README.md, as the variants there begin, in the order of its
// columns.
var realClients = []string{"librdkafka 2.0", "librdkafka 2.11", "franz-go"}

// footnote is what a cell ends with that is not reproduced.
var footnote = regexp.MustCompile(`\[\d+\]$`)

// TestRealTable runs each cell of the table of experiments and holds what it comes to to what was measured.
func TestRealTable(t *testing.T) {
	text, err := os.ReadFile("../../scenarios/real/README.md")
	if err != nil {
		t.Fatal(err)
	}
	held := 0
	for line := range strings.Lines(string(text)) {
		row := cells(line)
		if len(row) != 6 || !strings.Contains(row[1], "→") {
			continue
		}
		for i, client := range realClients {
			measured, variant := row[1+i], client
			if footnote.MatchString(measured) {
				continue
			}
			if row[5] != "" {
				variant += ", " + row[5]
			}
			if got := realCount(realResult(t, "real/"+row[4], variant)); got != measured {
				t.Errorf("%s, %s: %s, measured %s", row[0], variant, got, measured)
			}
			held++
		}
	}
	if held < 100 {
		t.Errorf("the table has %d cells to hold", held)
	}
}

// TestRealStory holds which orders are stored twice when the broker dies, and at which offsets, to what was measured.
func TestRealStory(t *testing.T) {
	text, err := os.ReadFile("../../scenarios/real/README.md")
	if err != nil {
		t.Fatal(err)
	}
	held := 0
	for line := range strings.Lines(string(text)) {
		row := cells(line)
		if len(row) != 4 || !strings.Contains(row[1], ": orders-") {
			continue
		}
		r := realResult(t, "real/story", row[0])
		var copies []string
		for _, id := range r.Outcome.StoredTwice {
			copies = append(copies, placesOf(r, id))
		}
		if got := strings.Join(copies, "; "); got != row[1] {
			t.Errorf("%s: %s, measured %s", row[0], got, row[1])
		}
		held++
	}
	if held < 8 {
		t.Errorf("the table has %d rows to hold", held)
	}
}

// placesOf is where the copies of an order are, as "32: orders-5 7 8".
func placesOf(r *Result, id kafka.RecordID) string {
	text := r.Plan.Names.Record(id) + ":"
	for i, c := range r.Outcome.Copies(id) {
		if i == 0 {
			text += " " + r.Plan.Names.Partition(c.Partition)
		}
		text += fmt.Sprint(" ", c.Offset)
	}
	return text
}

// cells splits a row of a table.
func cells(line string) []string {
	row := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	for i := range row {
		row[i] = strings.TrimSpace(row[i])
	}
	return row
}

func realResult(t *testing.T, name, variant string) *Result {
	t.Helper()
	p, err := load(t, name).Plan(variant, nil)
	if err != nil {
		t.Fatalf("%s, %s: %v", name, variant, err)
	}
	r, err := Do(p, Options{Record: true})
	if err != nil {
		t.Fatalf("%s, %s: %v", name, variant, err)
	}
	return r
}

// realCount is what a run came to, as the table writes it.
func realCount(r *Result) string {
	o := r.Outcome
	stored := 0
	for p := range r.Plan.Partitions {
		stored += len(o.FinalLog(kafka.PartitionID(p)))
	}
	absent := len(o.NeverStored) + len(o.AckedThenLost)
	var notes []string
	add := func(n int, what string) {
		if n > 0 {
			notes = append(notes, fmt.Sprint(n, " ", what))
		}
	}
	add(stored-(o.Sent-absent), "extra")
	add(absent, "absent")
	add(len(o.AckedThenLost)+len(o.Silent), "acked but absent")
	add(len(o.FailedButStored), "failed but stored")
	add(reportedFailed(r), "err")
	if len(o.Reordered) > 0 {
		notes = append(notes, "reordered")
	}
	count := fmt.Sprintf("%d→%d", o.Sent, stored)
	if notes == nil {
		return count
	}
	return fmt.Sprintf("%s (%s)", count, strings.Join(notes, ", "))
}

// reportedFailed counts the delivery reports of a failure. What a producer in its fatal state does not take has none.
func reportedFailed(r *Result) int {
	n := 0
	for i := range r.Log.Len() {
		if e := r.Log.At(i); e.Kind == event.RecordsFailed && e.Error != kafka.ProducerFatal {
			n += len(r.Log.Records(e))
		}
	}
	return n
}
