package cli

import (
	"fmt"

	"replog/internal/check"
	"replog/internal/scenario"
)

func promiseNames() []string {
	var names []string
	for _, p := range check.Promises() {
		names = append(names, p.Name)
	}
	return names
}

// checkPromises makes sure that the promises which a scenario says it breaks exist. Package scenario does not know them.
func checkPromises(name string, f *scenario.File) error {
	var mistakes scenario.Errors
	for _, v := range f.Variants() {
		for _, e := range f.Expect(v) {
			for _, promise := range e.Violates {
				if _, known := check.Find(promise); !known {
					mistakes = append(mistakes, scenario.Mistake{
						File: name, Line: e.Line, Column: e.Column,
						Message: fmt.Sprintf("there is no promise %q", promise),
						Hint:    scenario.DidYouMean(promise, promiseNames()),
					})
				}
			}
		}
	}
	if mistakes == nil {
		return nil
	}
	return mistakes
}
