package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"replog/internal/explore"
)

// sweepLines are the sums over all faults, then what each of them came to.
func sweepLines(v *Variant) []string {
	if len(v.Sweeps) == 0 {
		return nil
	}
	moments, sum := 0, explore.Tally{}
	for i := range v.Sweeps {
		w := &v.Sweeps[i]
		moments, sum.Right, sum.TooHigh, sum.TooLow = moments+w.Moments, sum.Right+w.Right, sum.TooHigh+w.TooHigh, sum.TooLow+w.TooLow
	}
	all := []string{
		"moments " + strconv.Itoa(moments), "right " + strconv.Itoa(sum.Right), "too_high " + strconv.Itoa(sum.TooHigh),
		"too_low " + strconv.Itoa(sum.TooLow),
	}
	for i := range v.Sweeps {
		w := &v.Sweeps[i]
		all = append(all, fmt.Sprintf("%s, %s to %s: %s", w.Fault, w.From, w.To, tallyText(w.Moments, &w.Tally)))
		for _, stage := range w.Stages {
			all = append(all, stage.Stage.String()+": "+tallyText(stage.Moments, &stage.Tally))
		}
		if w.First != nil {
			all = append(all, "first wrong at "+momentText(w.First))
		}
		if w.Worst != w.First {
			all = append(all, "most at "+momentText(w.Worst))
		}
	}
	return all
}

func tallyText(moments int, t *explore.Tally) string {
	text := fmt.Sprintf("right at %d of %d moments", t.Right, moments)
	if t.TooHigh > 0 {
		text += fmt.Sprintf(", too high at %d by up to %d", t.TooHigh, t.MostHigh)
	}
	if t.TooLow > 0 {
		text += fmt.Sprintf(", too low at %d by up to %d", t.TooLow, t.MostLow)
	}
	return text
}

// momentText is when a fault came, during what, and by how much the count was wrong then.
func momentText(m *explore.Moment) string {
	text := m.At
	if m.Stage != nil {
		text += " (" + m.Stage.String() + ")"
	}
	var wrong []string
	if m.TooHigh > 0 {
		wrong = append(wrong, "too high by "+strconv.Itoa(m.TooHigh))
	}
	if m.TooLow > 0 {
		wrong = append(wrong, "too low by "+strconv.Itoa(m.TooLow))
	}
	return text + ", " + strings.Join(wrong, " and ")
}

// writeSweeps writes at how many moments the count is right, a column for each run, and where it is not always so, by how far the
// processor was at the moment; then how to see that.
func (s *Scenario) writeSweeps(b *strings.Builder) {
	rows := [][]string{{"at so many moments the count is right"}}
	var swept []*Variant
	var faults []string
	for i := range s.Variants {
		v := &s.Variants[i]
		if len(v.Sweeps) == 0 {
			continue
		}
		swept = append(swept, v)
		rows[0] = append(rows[0], v.Variant)
		for j := range v.Sweeps {
			if fault := v.Sweeps[j].Fault; !slices.Contains(faults, fault) {
				faults = append(faults, fault)
			}
		}
	}
	if len(swept) == 0 {
		return
	}
	for _, fault := range faults {
		rows = append(rows, faultRows(swept, fault)...)
	}
	one := &swept[0].Sweeps[0]
	b.WriteString("\n" + Wrap(fmt.Sprintf("Found by having it happen at every moment from %s to %s at which it finds another state, a run each. "+
		"Right is what %s counts when nothing happens:", one.From, one.To, one.Reader), "", ""))
	writeColumns(b, rows, len(rows[0]))
	for _, v := range swept {
		s.proveSweeps(b, v)
	}
}

// faultRows are the row of a fault, and if the count is not right at all moments in all runs, one for each stage.
func faultRows(swept []*Variant, fault string) [][]string {
	row, always := []string{fault}, true
	stages := make([][]string, explore.Stages)
	for stage := range explore.Stages {
		stages[stage] = []string{"  " + stage.String()}
	}
	staged := false
	for _, v := range swept {
		w := v.swept(fault)
		if w == nil {
			w = &explore.Swept{}
		}
		row = append(row, tallyCell(w.Moments, &w.Tally))
		always = always && w.First == nil
		staged = staged || len(w.Stages) > 0
		for stage := range explore.Stages {
			moments, tally := w.At(stage)
			stages[stage] = append(stages[stage], tallyCell(moments, &tally))
		}
	}
	if always || !staged {
		return [][]string{row}
	}
	return append([][]string{row}, stages...)
}

func (v *Variant) swept(fault string) *explore.Swept {
	for i := range v.Sweeps {
		if v.Sweeps[i].Fault == fault {
			return &v.Sweeps[i]
		}
	}
	return nil
}

func tallyCell(moments int, t *explore.Tally) string {
	if moments == 0 {
		return "-"
	}
	text := fmt.Sprintf("%d of %d", t.Right, moments)
	if t.TooHigh > 0 {
		text += fmt.Sprintf(", too high by up to %d", t.MostHigh)
	}
	if t.TooLow > 0 {
		text += fmt.Sprintf(", too low by up to %d", t.MostLow)
	}
	return text
}

// proveSweeps says at which moments the count of a run is wrong, and how to see it.
func (s *Scenario) proveSweeps(b *strings.Builder, v *Variant) {
	for i := range v.Sweeps {
		w := &v.Sweeps[i]
		if w.First == nil {
			continue
		}
		b.WriteString("\n" + Wrap(v.Variant+": "+w.Fault, "", "  "))
		b.WriteString(Wrap("first wrong at "+momentText(w.First), "  ", "    ") + "    " + s.playLine(v, w.First.Sets))
		if w.Worst != w.First {
			b.WriteString(Wrap("most at "+momentText(w.Worst), "  ", "    ") + "    " + s.playLine(v, w.Worst.Sets))
		}
	}
}
