package cli

import (
	"replog/internal/explain"
	"replog/internal/report"
)

// opening is the scenario that replog tells when nobody asks for another.
const opening = "broker-2-dies"

// tellOpening is replog without a command: what happened at 12:40, in words.
func (a *app) tellOpening() error {
	f, err := loadScenario(opening)
	if err != nil {
		return err
	}
	p, err := f.Plan(f.Variants()[0], nil)
	if err != nil {
		return err
	}
	r, err := a.recorded(p)
	if err != nil {
		return err
	}
	v := reportOf(r)
	v.Judge(f.Expect(v.Variant))
	a.printf("%s\n\n%s\n", f.Title, report.Prose(f.Story))
	if lines := explain.Run(r.Log, p.Names, r.Outcome); len(lines) > 0 {
		a.printf("%s\n", report.Lines(lines, p.Names))
	}
	a.printf("%s\n", told(f, &v, p.Names, r.Log))
	if v.OK() {
		a.printf("%s\n", report.Prose("Remember: "+f.Remember))
	}
	a.printf("replog run %s runs the other variants; replog list shows the other scenarios.\n", opening)
	if v.Partial {
		return errStopped
	}
	return nil
}
