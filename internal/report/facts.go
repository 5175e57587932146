package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"replog/internal/outcome"
)

// form says what the items of a fact are.
type form uint8

const (
	number  form = iota // one number
	records             // record ids
	words               // names, or pairs of a name and a number
	lines               // a line each
)

// fact is one thing that an outcome says. No items means none: no such record, or no such number.
type fact struct {
	key   string // as in the JSON form and in an expect block
	title string // as a person says it
	form  form
	items func(*Variant) []string
}

// facts is everything that a golden file holds, that a scenario may expect, and in which two outcomes may differ.
var facts = slices.Concat(recordFacts, groupFacts, transactionFacts)

// recordFacts are those of every run.
var recordFacts = []fact{
	{"sent", "sent", number, func(v *Variant) []string { return count(v.Sent) }},
	{"acked", "acknowledged", number, func(v *Variant) []string { return count(v.Acked) }},
	{"acked_then_lost", "acknowledged, then lost", records, func(v *Variant) []string { return v.AckedThenLost }},
	{"stored_twice", "stored twice", records, func(v *Variant) []string { return v.StoredTwice }},
	{"copies", "copies at", lines, copyLines},
	{"shown_twice", "shown twice", lines, func(v *Variant) []string { return shownLines(v.ShownTwice) }},
	{"shown_early", "shown before an earlier step of its order", records, shownEarly},
	{"never_stored", "never stored", records, func(v *Variant) []string { return v.NeverStored }},
	{"failed_but_stored", "reported failed, but stored", records, func(v *Variant) []string { return v.FailedButStored }},
	{"stored_unacked", "stored, but not acknowledged", records, func(v *Variant) []string { return v.StoredUnacked }},
	{"silent", "lost without a word", records, func(v *Variant) []string { return v.Silent }},
	{"unknown", "never answered", records, func(v *Variant) []string { return v.Unknown }},
	{"refused", "refused by a broker", records, func(v *Variant) []string { return v.Refused }},
	{"reordered", "records behind later ones in their partition", records, func(v *Variant) []string { return v.Reordered }},
	{"keys_split", "keys in more than one partition", number, func(v *Variant) []string { return count(v.KeysSplit) }},
	{"partitions_used", "partitions with a record", number, func(v *Variant) []string { return count(v.PartitionsUsed) }},
	{"requests", "produce requests", number, func(v *Variant) []string { return count(v.Requests) }},
	{"records_in_requests", "records in them", number, func(v *Variant) []string { return count(v.RecordsInRequests) }},
	{"retries", "sent again", number, func(v *Variant) []string { return count(v.Retries) }},
	{"duplicates_recognised", "recognised by a leader", number, func(v *Variant) []string { return count(v.DuplicatesRecognised) }},
	{"ack_latency_ms", "ms to acknowledge a first attempt", words, func(v *Variant) []string { return latency(v.AckLatencyMs) }},
	{"retry_latency_ms", "ms to acknowledge a retry", words, func(v *Variant) []string { return latency(v.RetryLatencyMs) }},
	{"expired", "deleted by retention", number, func(v *Variant) []string { return count(v.Expired) }},
	{"skipped", "gone before a reader came to it", records, skippedRecords},
	{"compaction", "compacted topics", lines, compactionLines},
	{"bytes", "bytes", lines, byteLines},
	{"rates", "rates", lines, rateLines},
	{"metrics", "what an operator saw", lines, metricLines},
	{"stuck", "not at rest at the end", lines, func(v *Variant) []string { return v.Stuck }},
	{"survive", "brokers that may be lost", lines, surviveLines},
	{"sweep", "counted with a fault at each moment", lines, sweepLines},
	{"violates", "broken promises", words, brokenPromises},
}

// told reports whether a golden file speaks of the fact: of requests where some carried more than one record.
func (f *fact) told(v *Variant) bool {
	switch f.key {
	case "partitions_used", "records_in_requests":
		return false
	case "requests":
		return v.Requests < v.RecordsInRequests
	}
	return true
}

// rareFacts are those of which a golden file speaks only where there is some.
var rareFacts = []string{
	"expired", "skipped", "compaction", "bytes", "rates", "survive", "sweep", "metrics", "stuck", "reordered", "keys_split",
	"standstills",
}

func (f *fact) rare() bool { return slices.Contains(rareFacts, f.key) }

func findFact(key string) *fact {
	for i := range facts {
		if facts[i].key == key {
			return &facts[i]
		}
	}
	return nil
}

// lookup is what a run says about a field of an expect block, which may be a part of a fact: ack_latency_ms.min.
func lookup(v *Variant, field string) (f *fact, items []string) {
	key, part, _ := strings.Cut(field, ".")
	if f = findFact(key); f == nil {
		return nil, nil
	}
	switch {
	case part == "":
		return f, f.items(v)
	case key == "metrics":
		return f, v.Metrics.most(part)
	case key == "bytes":
		items = byteSums(v)
	default:
		items = f.items(v)
	}
	for _, item := range items {
		if value, found := strings.CutPrefix(item, part+" "); found {
			return f, []string{value}
		}
	}
	return f, nil
}

func count(n int) []string { return []string{strconv.Itoa(n)} }

func latency(l *outcome.LatencyMillis) []string {
	if l == nil {
		return nil
	}
	return []string{"min " + millis(l.Min), "p50 " + millis(l.P50), "p99 " + millis(l.P99), "max " + millis(l.Max)}
}

// millis has decimals only where there are some.
func millis(ms float64) string { return strconv.FormatFloat(ms, 'f', -1, 64) }

func copyLines(v *Variant) []string {
	var all []string
	for _, c := range v.Copies {
		line, partition := c.Record+":", ""
		for i, p := range c.Places {
			switch {
			case p.Partition != partition && i > 0:
				line += "; " + p.Partition
			case p.Partition != partition:
				line += " " + p.Partition
			}
			partition = p.Partition
			line += " " + strconv.FormatInt(int64(p.Offset), 10)
		}
		all = append(all, line)
	}
	return all
}

func shownLines(shown []outcome.ShownReport) []string {
	var all []string
	for _, s := range shown {
		all = append(all, s.Reader+": "+joined(s.Records))
	}
	return all
}

// shownEarly are the records that some reader showed too early.
func shownEarly(v *Variant) []string {
	var all []string
	for _, s := range v.ShownEarly {
		for _, record := range s.Records {
			if !slices.Contains(all, record) {
				all = append(all, record)
			}
		}
	}
	return all
}

// brokenPromises names each broken promise once, in the order in which they broke.
func brokenPromises(v *Variant) []string {
	var names []string
	seen := map[string]bool{}
	for _, broken := range v.Violations {
		if !seen[broken.Promise] {
			seen[broken.Promise] = true
			names = append(names, broken.Promise)
		}
	}
	return names
}

// joined lists items with spaces, or with commas where items have spaces of their own.
func joined(items []string) string {
	for _, item := range items {
		if strings.Contains(item, " ") {
			return strings.Join(items, ", ")
		}
	}
	return strings.Join(items, " ")
}

// skippedRecords are the records that some reader found gone.
func skippedRecords(v *Variant) []string {
	var all []string
	for _, s := range v.Skipped {
		all = append(all, s.Records...)
	}
	return all
}

// byteLines says what the logs take, where they are more than one segment each; else it is worth no line.
func byteLines(v *Variant) []string {
	if !v.Bytes.Cut {
		return nil
	}
	return byteSums(v)
}

func byteSums(v *Variant) []string {
	b := &v.Bytes
	line := func(name string, bytes int64) string { return name + " " + strconv.FormatInt(bytes, 10) }
	all := []string{
		line("one_copy_records", b.OneCopy.Records), line("one_copy_headers", b.OneCopy.Headers),
		line("all_copies_records", b.AllCopies.Records), line("all_copies_headers", b.AllCopies.Headers),
		line("disks_at_most", b.AtMost),
	}
	for _, p := range b.Partitions {
		all = append(all, fmt.Sprintf("%s %d in %s", p.Name, p.OneCopy, plural(p.Segments, "segment")))
	}
	for _, p := range b.Brokers {
		all = append(all, line(p.Name, p.AllCopies))
	}
	return all
}

// compactionLines says what is left of the compacted topics, and who believes in what was deleted.
func compactionLines(v *Variant) []string {
	c := v.Compaction
	if c == nil {
		return nil
	}
	stale := 0
	for _, s := range c.Stale {
		stale += len(s.Keys)
	}
	var all []string
	for _, line := range []struct {
		name string
		n    int
	}{
		{"records", c.Records}, {"removed", c.Removed}, {"left", c.Left}, {"old_versions", c.OldVersions},
		{"tombstones", c.Tombstones}, {"shown", c.Shown}, {"stale", stale},
	} {
		all = append(all, line.name+" "+strconv.Itoa(line.n))
	}
	for _, s := range c.Stale {
		all = append(all, s.Reader+" believes in "+joined(s.Keys))
	}
	return all
}

// rateLines says how busy the busiest times were.
func rateLines(v *Variant) []string {
	if v.Rates == nil {
		return nil
	}
	line := func(name string, n int64) string { return name + " " + strconv.FormatInt(n, 10) }
	return []string{
		line("most_in_a_day", v.Rates.MostInADay), line("most_in_a_second", v.Rates.MostInASecond),
		line("busiest_broker", v.Rates.BusiestBroker),
	}
}
