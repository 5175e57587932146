package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Side is one of two outcomes that are held against each other, and how to call it: "in the golden file".
type Side struct {
	Golden *Golden
	Where  string
	// Untold are the keys of the facts that this side can not tell, whatever the run came to.
	Untold []string
}

// UntoldByRun are the facts that come of many runs, and not of one.
var UntoldByRun = []string{"survive", "sweep"}

// UntoldByTrace are besides those of which a trace does not say enough: how many replicas a partition should have.
var UntoldByTrace = append([]string{"metrics"}, UntoldByRun...)

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
		return keep(nil, name, differences(x, y, a, b))
	}
	var all []Difference
	for i := range a.Golden.Runs {
		x := &a.Golden.Runs[i]
		if y := b.Golden.find(x.Variant); y != nil {
			all = keep(all, x.Variant, differences(x, y, a, b))
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

// differences are those of two runs; facts that a side can not tell are no difference.
func differences(x, y *GoldenRun, a, b Side) []string {
	var sentences []string
	for _, f := range x.Facts {
		if other, said := y.fact(f.Key); said && !slices.Equal(f.Items, other) || !said && !slices.Contains(b.Untold, f.Key) {
			sentences = append(sentences, contrast(f.Key, f.Items, other, a.Where, b.Where)...)
		}
	}
	for _, f := range y.Facts {
		if _, said := x.fact(f.Key); !said && !slices.Contains(a.Untold, f.Key) {
			sentences = append(sentences, contrast(f.Key, nil, f.Items, a.Where, b.Where)...)
		}
	}
	return sentences
}

// LeftOut names what was not compared because only one of two sides can tell it.
func LeftOut(a, b Side) []string {
	var titles []string
	for _, pair := range [][2]Side{{a, b}, {b, a}} {
		for i := range pair[0].Golden.Runs {
			for _, f := range pair[0].Golden.Runs[i].Facts {
				if title := titleOf(f.Key); slices.Contains(pair[1].Untold, f.Key) && !slices.Contains(titles, title) {
					titles = append(titles, title)
				}
			}
		}
	}
	return titles
}

// Only is the outcome with this variant alone, or as it is when it has no such variant.
func (g *Golden) Only(variant string) *Golden {
	if r := g.find(variant); r != nil {
		return &Golden{Scenario: g.Scenario, Model: g.Model, Runs: []GoldenRun{*r}}
	}
	return g
}

func titleOf(key string) string {
	if f := findFact(key); f != nil {
		return f.title
	}
	return key
}

// contrast says how two lists differ: both of them where they are short, else what each has alone. Of a fact that one run does
// not speak of it has none.
func contrast(key string, x, y []string, inX, inY string) []string {
	title := titleOf(key) + ":"
	f := findFact(key)
	onlyX, onlyY := without(x, y), without(y, x)
	switch {
	case len(onlyX) == 0 && len(onlyY) == 0:
		return []string{title + " the same, in another sequence"}
	case f != nil && f.form == lines:
		return append([]string{title}, lineUp(onlyX, onlyY, inX, inY)...)
	case f != nil && len(x) <= maxInCell && len(y) <= maxInCell:
		return []string{fmt.Sprintf("%s %s %s, %s %s", title, orNone(x), inX, orNone(y), inY)}
	case len(onlyY) == 0:
		return []string{fmt.Sprintf("%s %s only %s", title, some(onlyX), inX)}
	case len(onlyX) == 0:
		return []string{fmt.Sprintf("%s %s only %s", title, some(onlyY), inY)}
	}
	return []string{fmt.Sprintf("%s %s only %s, %s only %s", title, some(onlyX), inX, some(onlyY), inY)}
}

// lineUp sets lines that only one side has one below the other: those of the same thing next to each other.
func lineUp(x, y []string, inX, inY string) []string {
	var all []string
	for _, line := range x {
		all = append(all, below+inX+": "+line)
		if i := slices.IndexFunc(y, func(other string) bool { return subject(other) == subject(line) }); i >= 0 {
			all = append(all, below+inY+": "+y[i])
			y = slices.Delete(slices.Clone(y), i, i+1)
		}
	}
	for _, line := range y {
		all = append(all, below+inY+": "+line)
	}
	return all
}

// subject is what a line speaks of: what stands before its colon, or its first word.
func subject(line string) string {
	if head, _, found := strings.Cut(line, ": "); found {
		return head
	}
	head, _, _ := strings.Cut(line, " ")
	return head
}

// below begins a sentence that belongs to the one above it.
const below = "  "

// Text is the sentences, each in lines of its own behind an indent.
func (d *Difference) Text(indent string) string {
	var b strings.Builder
	for _, sentence := range d.Sentences {
		head := indent
		if strings.HasPrefix(sentence, below) {
			head += below
		}
		b.WriteString(Wrap(sentence, head, head+below))
	}
	return b.String()
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
