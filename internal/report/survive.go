package report

import (
	"fmt"
	"strconv"
	"strings"

	"replog/internal/explore"
)

// bounds are the numbers of a survival, in the order of the table.
var bounds = []struct {
	key, title string
	of         func(*explore.Survival) *explore.Bound
	fate       func(*explore.Run) string
}{
	{"accepts_writes", "accepts writes with", func(s *explore.Survival) *explore.Bound { return &s.Writes }, lastOrder},
	{"data_safe", "acknowledged data safe with", func(s *explore.Survival) *explore.Bound { return &s.Safe }, missing},
	{"data_safe_in_sync", "safe if all were in the ISR, with", func(s *explore.Survival) *explore.Bound { return &s.SafeInSync }, missing},
}

func lastOrder(r *explore.Run) string {
	if r.Taken {
		return "order " + r.Last + " was acknowledged"
	}
	return "order " + r.Last + " was not acknowledged"
}

func missing(r *explore.Run) string {
	if n := len(r.Missing); n > 0 {
		return fmt.Sprintf("%d acknowledged orders are on no live replica, from %s to %s", n, r.Missing[0], r.Missing[n-1])
	}
	return "every acknowledged order is on a live replica"
}

// surviveLines are the numbers, and for each the schedule that shows it and the one with a loss too many.
func surviveLines(v *Variant) []string {
	if v.Survive == nil {
		return nil
	}
	var all []string
	for _, b := range bounds {
		all = append(all, b.key+" "+strconv.Itoa(b.of(v.Survive).Lost))
	}
	for _, b := range bounds {
		bound := b.of(v.Survive)
		all = append(all, boundText(b.title, bound))
		if bound.Shows != nil {
			all = append(all, "shown by: "+bound.Shows.String()+"; "+b.fate(bound.Shows))
		}
		if bound.Breaks != nil {
			all = append(all, "one too many: "+bound.Breaks.String()+"; "+b.fate(bound.Breaks))
		}
	}
	return all
}

func boundText(title string, b *explore.Bound) string {
	if b.Lost == 0 {
		return title + " 0 lost"
	}
	return fmt.Sprintf("%s %d lost, in all %d schedules", title, b.Lost, b.Tried)
}

// writeSurvival writes the table, and below it what shows each of its numbers.
func (s *Scenario) writeSurvival(b *strings.Builder) {
	rows := [][]string{{"replicas", "min ISR"}}
	for _, bound := range bounds {
		rows[0] = append(rows[0], bound.title)
	}
	for i := range s.Variants {
		found := s.Variants[i].Survive
		if found == nil {
			continue
		}
		row := []string{strconv.Itoa(found.Replicas), strconv.Itoa(found.MinISR)}
		for _, bound := range bounds {
			row = append(row, strconv.Itoa(bound.of(found).Lost)+" lost")
		}
		rows = append(rows, row)
	}
	if len(rows) == 1 {
		return
	}
	b.WriteString("\nFound by running every set of losses, at once and one after the other:\n")
	writeColumns(b, rows, len(rows[0]))
	for i := range s.Variants {
		s.proveSurvival(b, &s.Variants[i])
	}
}

// proveSurvival says which schedules show the numbers of one run, and how to see them.
func (s *Scenario) proveSurvival(b *strings.Builder, v *Variant) {
	if v.Survive == nil {
		return
	}
	b.WriteString("\n" + v.Variant + "\n")
	for _, bound := range bounds {
		found := bound.of(v.Survive)
		b.WriteString(Wrap(boundText(bound.title, found), "  ", "    "))
		if found.Shows != nil {
			b.WriteString(Wrap("as when "+found.Shows.String()+"; "+bound.fate(found.Shows), "    ", "      "))
		}
		if found.Breaks != nil {
			b.WriteString(Wrap("one too many: "+found.Breaks.String()+"; "+bound.fate(found.Breaks), "    ", "      "))
			b.WriteString("      " + s.playLine(v, found.Breaks.Sets))
		}
	}
}

// playLine is the command that shows a run with other values. It is one line, however long: it is there to be copied.
func (s *Scenario) playLine(v *Variant, sets []string) string {
	return "replog play " + s.Scenario + " --variant '" + v.Variant + "' --set " + strings.Join(sets, " --set ") + "\n"
}
