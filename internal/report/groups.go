package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"replog/internal/outcome"
)

// groupFacts are the facts of a run that has consumer groups; of other runs nothing is said of them. The records are
// those of all groups together, each once.
var groupFacts = []fact{
	{"effects_twice", "done twice outside of Kafka", records, ofGroups(func(g *outcome.GroupReport) []string { return g.EffectsTwice })},
	{"effects_by_two", "done by two members", records, ofGroups(func(g *outcome.GroupReport) []string { return g.EffectsByTwo })},
	{"effects_refused", "refused by a unique key", records, ofGroups(func(g *outcome.GroupReport) []string { return g.EffectsRefused })},
	{"reread", "read again by a group", records, ofGroups(func(g *outcome.GroupReport) []string { return g.Reread })},
	{"passed_over", "passed over by a group", records, ofGroups(func(g *outcome.GroupReport) []string { return g.PassedOver })},
	{"read_then_cut", "read, and cut off afterwards", records, ofGroups(func(g *outcome.GroupReport) []string { return g.Cut })},
	{"unread", "still to be read at the end", records, ofGroups(func(g *outcome.GroupReport) []string { return g.Unread })},
	{"rebalances", "rebalances", number, sumOf(func(g *outcome.GroupReport) int { return g.Rebalances })},
	{"members_fenced", "requests of members that were none any more", number, sumOf(func(g *outcome.GroupReport) int { return g.Fenced })},
	{"commits_refused", "commits refused", number, sumOf(func(g *outcome.GroupReport) int { return g.CommitsRefused })},
	{"commits_failed", "commits failed", number, sumOf(func(g *outcome.GroupReport) int { return g.CommitsFailed })},
	{"moved", "partitions that went to another member", number, sumOf(moved)},
	{"standstills", "times that nobody had a partition", number, sumOf(stops)},
	{"standstill_ms", "longest time for which nobody had a partition, in ms", number, longestStandstill},
	{"lag", "records behind, committed and read", words, lagWords},
	{"groups", "groups, partition by partition", lines, groupLines},
}

// ofGroup reports whether a fact is one of consumer groups.
func (f *fact) ofGroup() bool {
	for i := range groupFacts {
		if groupFacts[i].key == f.key {
			return true
		}
	}
	return false
}

// ofGroups are the records of all groups, each once.
func ofGroups(list func(*outcome.GroupReport) []string) func(*Variant) []string {
	return func(v *Variant) []string {
		var all []string
		for i := range v.Groups {
			for _, id := range list(&v.Groups[i]) {
				if i == 0 || !slices.Contains(all, id) {
					all = append(all, id)
				}
			}
		}
		return all
	}
}

// sumOf adds up the numbers of all groups.
func sumOf(number func(*outcome.GroupReport) int) func(*Variant) []string {
	return func(v *Variant) []string {
		sum := 0
		for i := range v.Groups {
			sum += number(&v.Groups[i])
		}
		return count(sum)
	}
}

func moved(g *outcome.GroupReport) int {
	sum := 0
	for i := range g.Partitions {
		sum += g.Partitions[i].Moved
	}
	return sum
}

// stops is how often a partition stood still.
func stops(g *outcome.GroupReport) int {
	sum := 0
	for i := range g.Partitions {
		sum += g.Partitions[i].Stops
	}
	return sum
}

func longestStandstill(v *Variant) []string { return []string{millis(standstill(v))} }

func standstill(v *Variant) float64 {
	longest := 0.0
	for i := range v.Groups {
		for _, p := range v.Groups[i].Partitions {
			longest = max(longest, p.StandMs)
		}
	}
	return longest
}

// lagWords is the lag of all groups at the end: as kafka-consumer-groups has it, and as the consumers have it.
func lagWords(v *Variant) []string {
	var committed, position int64
	for i := range v.Groups {
		for _, p := range v.Groups[i].Partitions {
			committed += p.Committed.Lag
			position += p.Position.Lag
		}
	}
	return []string{"committed " + strconv.FormatInt(committed, 10), "position " + strconv.FormatInt(position, 10)}
}

// groupLines says what each group has done, and of each of its partitions where it stands at the end, and where it was
// not always with one member that too.
func groupLines(v *Variant) []string {
	var all []string
	for i := range v.Groups {
		g := &v.Groups[i]
		all = append(all, g.Group+": "+doneText(g))
		for j := range g.Partitions {
			p := &g.Partitions[j]
			owner := p.Owner
			if owner == "" {
				owner = "nobody"
			}
			name := g.Group + " " + p.Partition + ": "
			all = append(all, fmt.Sprintf("%s%s; end %d, committed %s, read to %s", name, owner, p.End, lagText(&p.Committed), lagText(&p.Position)))
			if p.Moved > 0 || p.StandMs > 0 {
				all = append(all, fmt.Sprintf("%smoved %d, stood still %s ms", name, p.Moved, millis(p.StandMs)))
			}
		}
	}
	return all
}

// doneText is what a group has done and left: 1200 done, 13 of them twice; packing-6 has no partition.
func doneText(g *outcome.GroupReport) string {
	text := strconv.Itoa(g.Done) + " done"
	for _, more := range []struct {
		records []string
		what    string
	}{
		{g.EffectsTwice, "twice"}, {g.EffectsByTwo, "by two members"}, {g.EffectsRefused, "refused"}, {g.Reread, "read again"},
		{g.PassedOver, "passed over"}, {g.Unread, "still to come"},
	} {
		if len(more.records) > 0 {
			text += fmt.Sprintf(", %d %s", len(more.records), more.what)
		}
	}
	for _, member := range g.Idle {
		text += "; " + member + " has no partition"
	}
	return text
}

// lagText is an offset with what is behind it: 40118 (7 behind, 35 ms).
func lagText(l *outcome.LagReport) string {
	switch {
	case l.Offset == nil:
		return "nothing"
	case l.Lag == 0:
		return strconv.FormatInt(int64(*l.Offset), 10)
	}
	return fmt.Sprintf("%d (%d behind, %s ms)", *l.Offset, l.Lag, millis(l.LagMs))
}

// groupColumns are the columns of the second table, that of the runs with groups.
var groupColumns = []struct {
	title string
	cell  func(*Variant) string
}{
	{"done twice", doneTwice},
	{"passed over", func(v *Variant) string { return orders(fold(v, "passed_over")) }},
	{"read again", func(v *Variant) string { return orders(fold(v, "reread")) }},
	{"nobody had a partition", standstills},
}

// doneTwice is what was done twice; with several groups, by which: packing 13 (6 by two), kitchen 13.
func doneTwice(v *Variant) string {
	if len(v.Groups) < 2 {
		return orders(fold(v, "effects_twice"))
	}
	var groups []string
	for i := range v.Groups {
		g := &v.Groups[i]
		if len(g.EffectsTwice) == 0 {
			continue
		}
		text := fmt.Sprintf("%s %d", g.Group, len(g.EffectsTwice))
		if two := len(g.EffectsByTwo); two > 0 {
			text += fmt.Sprintf(" (%d by two)", two)
		}
		groups = append(groups, text)
	}
	if groups == nil {
		return "none"
	}
	return strings.Join(groups, ", ")
}

// standstills is how often partitions stood still, for how many that went to another member, and for how long at most: the
// eager protocol stops all of them, the others only what moves.
func standstills(v *Variant) string {
	times, moves := 0, 0
	for i := range v.Groups {
		times, moves = times+stops(&v.Groups[i]), moves+moved(&v.Groups[i])
	}
	if times == 0 {
		return "none"
	}
	return fmt.Sprintf("%s for %s, at most %s ms", plural(times, "time"), plural(moves, "move"), millis(standstill(v)))
}

// fold is the items of a fact.
func fold(v *Variant, key string) []string { return findFact(key).items(v) }

// writeGroupTable has a line for each run, of what its groups came to. A column in which there is nothing to see is left out.
func writeGroupTable(b *strings.Builder, variants []Variant) {
	if !slices.ContainsFunc(variants, func(v Variant) bool { return len(v.Groups) > 0 }) {
		return
	}
	rows := [][]string{{"variant"}}
	for i := range variants {
		rows = append(rows, []string{variants[i].Variant})
	}
	for n, c := range groupColumns {
		cells, some := []string{c.title}, n == 0
		for i := range variants {
			cell := c.cell(&variants[i])
			cells = append(cells, cell)
			some = some || cell != "none"
		}
		for i := range rows {
			if some {
				rows[i] = append(rows[i], cells[i])
			}
		}
	}
	b.WriteByte('\n')
	writeColumns(b, rows, len(rows[0]))
}
