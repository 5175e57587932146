package report

import (
	"fmt"
	"slices"
	"strconv"
)

// Side is one of two outcomes that are held against each other, and how to call it: "in the golden file".
type Side struct {
	Golden *Golden
	Where  string
}

// Difference is what differs in one variant, a sentence each.
type Difference struct {
	Variant   string
	Sentences []string
}

// Differ says in words what differs between two outcomes: variants that only one has, then fact by fact. Two outcomes of
// a single run each are compared whatever their variants are called.
func Differ(a, b Side) []Difference {
	if len(a.Golden.Runs) == 1 && len(b.Golden.Runs) == 1 {
		x, y := &a.Golden.Runs[0], &b.Golden.Runs[0]
		name := x.Variant
		if name != y.Variant {
			name += " / " + y.Variant
		}
		return keep(nil, name, differences(x, y, a.Where, b.Where))
	}
	var all []Difference
	for i := range a.Golden.Runs {
		x := &a.Golden.Runs[i]
		if y := b.Golden.find(x.Variant); y != nil {
			all = keep(all, x.Variant, differences(x, y, a.Where, b.Where))
		} else {
			all = keep(all, x.Variant, []string{"this variant is only " + a.Where})
		}
	}
	for i := range b.Golden.Runs {
		if name := b.Golden.Runs[i].Variant; a.Golden.find(name) == nil {
			all = keep(all, name, []string{"this variant is only " + b.Where})
		}
	}
	return all
}

func keep(all []Difference, variant string, sentences []string) []Difference {
	if len(sentences) == 0 {
		return all
	}
	return append(all, Difference{variant, sentences})
}

func (g *Golden) find(variant string) *GoldenRun {
	for i := range g.Runs {
		if g.Runs[i].Variant == variant {
			return &g.Runs[i]
		}
	}
	return nil
}

// fact is the items of a fact, and whether the run says it at all.
func (r *GoldenRun) fact(key string) (items []string, said bool) {
	for _, f := range r.Facts {
		if f.Key == key {
			return f.Items, true
		}
	}
	return nil, false
}

func differences(x, y *GoldenRun, inX, inY string) []string {
	var sentences []string
	for _, f := range x.Facts {
		other, said := y.fact(f.Key)
		switch {
		case !said:
			sentences = append(sentences, titleOf(f.Key)+": said only "+inX)
		case !slices.Equal(f.Items, other):
			sentences = append(sentences, titleOf(f.Key)+": "+contrast(f.Key, f.Items, other, inX, inY))
		}
	}
	for _, f := range y.Facts {
		if _, said := x.fact(f.Key); !said {
			sentences = append(sentences, titleOf(f.Key)+": said only "+inY)
		}
	}
	return sentences
}

func titleOf(key string) string {
	if f := findFact(key); f != nil {
		return f.title
	}
	return key
}

// contrast says how two lists differ: both of them where they are short, else what each has alone.
func contrast(key string, x, y []string, inX, inY string) string {
	f := findFact(key)
	if f != nil && f.form != lines && len(x) <= maxInCell && len(y) <= maxInCell {
		return fmt.Sprintf("%s %s, %s %s", orNone(x), inX, orNone(y), inY)
	}
	onlyX, onlyY := without(x, y), without(y, x)
	switch {
	case len(onlyX) == 0 && len(onlyY) == 0:
		return "the same, in another sequence"
	case len(onlyY) == 0:
		return some(onlyX) + " only " + inX
	case len(onlyX) == 0:
		return some(onlyY) + " only " + inY
	}
	return fmt.Sprintf("%s only %s, %s only %s", some(onlyX), inX, some(onlyY), inY)
}

func without(list, others []string) []string {
	var rest []string
	for _, item := range list {
		if !slices.Contains(others, item) {
			rest = append(rest, item)
		}
	}
	return rest
}

// some names items, the first few of many.
func some(items []string) string {
	const most = 13
	if len(items) > most {
		return joined(items[:most]) + " and " + strconv.Itoa(len(items)-most) + " more"
	}
	return joined(items)
}
