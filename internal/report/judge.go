package report

import (
	"fmt"
	"slices"
	"strconv"

	"replog/internal/scenario"
)

// Judge holds the run against what its scenario expects, and notes each expectation that it does not meet. A promise that
// the scenario breaks on purpose is expected from then on; that it does not break is an unmet expectation.
func (v *Variant) Judge(expects []scenario.Expect) {
	v.Judged = true
	for i := range expects {
		e := &expects[i]
		if e.Field == "violates" {
			v.judgePromises(e)
			continue
		}
		if sentence := v.unmet(e); sentence != "" {
			v.Unmet = append(v.Unmet, sentence)
		}
	}
}

func (v *Variant) judgePromises(e *scenario.Expect) {
	for _, name := range e.Violates {
		broken := false
		for i := range v.Violations {
			if v.Violations[i].Promise == name {
				v.Violations[i].Expected, broken = true, true
			}
		}
		if !broken {
			v.Unmet = append(v.Unmet, fmt.Sprintf("violates: expected %s to break, and it held", name))
		}
	}
}

// unmet is what is wrong with an expectation, in words, or nothing.
func (v *Variant) unmet(e *scenario.Expect) string {
	f, got := lookup(v, e.Field)
	switch {
	case f == nil:
		return fmt.Sprintf("%s: no outcome says this", e.Field)
	case e.None && len(got) > 0:
		return fmt.Sprintf("%s: expected none, got %s", e.Field, joined(got))
	case e.IDs != nil && f.form != records:
		return fmt.Sprintf("%s: expected a list of records, but this is the number %s", e.Field, joined(got))
	case e.IDs != nil && !slices.Equal(e.IDs, got):
		return fmt.Sprintf("%s: expected %s, got %s", e.Field, orNone(e.IDs), orNone(got))
	case e.Count == nil:
		return ""
	case f.form == records && *e.Count != len(got):
		return fmt.Sprintf("%s: expected %d, got %s", e.Field, *e.Count, counted(got))
	case f.form != records && !slices.Equal(got, count(*e.Count)):
		return fmt.Sprintf("%s: expected %d, got %s", e.Field, *e.Count, orNone(got))
	}
	return ""
}

func orNone(items []string) string {
	if len(items) == 0 {
		return "none"
	}
	return joined(items)
}

// counted is a number of records, and which they are.
func counted(ids []string) string {
	const shown = 20
	switch {
	case len(ids) == 0:
		return "0"
	case len(ids) > shown:
		return strconv.Itoa(len(ids)) + " (" + joined(ids[:shown]) + " ...)"
	}
	return strconv.Itoa(len(ids)) + " (" + joined(ids) + ")"
}
