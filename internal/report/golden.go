package report

import (
	"fmt"
	"strconv"
	"strings"
)

// Golden is what the runs of a scenario came to, as a golden file holds it: facts in words, which a reviewer reads in a
// diff. It carries the version of the model, so that a change of the model is told from a change of the scenario.
type Golden struct {
	Scenario string
	Model    int
	Runs     []GoldenRun
}

// GoldenRun is one run.
type GoldenRun struct {
	Variant string
	Facts   []GoldenFact
}

// GoldenFact is one fact and its items; no items means none.
type GoldenFact struct {
	Key   string
	Items []string
}

const (
	goldenHead = "# What a replog scenario comes to. `replog test` compares it, `replog test --update` writes it.\n"
	// rowWidth is the width up to which the items of a golden file share a line.
	rowWidth = 100
)

// Golden is the report as a golden file holds it.
func (s *Scenario) Golden() *Golden {
	g := &Golden{Scenario: s.Scenario, Model: s.Model}
	for i := range s.Variants {
		v := &s.Variants[i]
		r := GoldenRun{Variant: v.Variant}
		for _, f := range facts {
			if f.ofGroup() && len(v.Groups) == 0 || f.ofTransaction() && v.Transactions == nil {
				continue
			}
			items := f.items(v)
			if !f.told(v) || f.rare() && (len(items) == 0 || items[0] == "0") {
				continue
			}
			r.Facts = append(r.Facts, GoldenFact{f.key, items})
		}
		g.Runs = append(g.Runs, r)
	}
	return g
}

// Text is the golden file.
func (g *Golden) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%sscenario: %s\nmodel: %d\n", goldenHead, g.Scenario, g.Model)
	for i := range g.Runs {
		r := &g.Runs[i]
		b.WriteString("\nvariant: " + r.Variant + "\n")
		for _, f := range r.Facts {
			f.write(&b)
		}
	}
	return b.String()
}

// write writes a fact: short items side by side on its line, longer ones below it, a line each.
func (f *GoldenFact) write(b *strings.Builder) {
	b.WriteString("  " + f.Key + ":")
	known := findFact(f.Key)
	switch {
	case len(f.Items) == 0:
		b.WriteString(" none\n")
	case known == nil || known.form == lines:
		b.WriteByte('\n')
		for _, item := range f.Items {
			b.WriteString("    " + item + "\n")
		}
	default:
		b.WriteString(rows(f.Items, len(f.Key)+3))
	}
}

// rows lists items with commas, from a column on, and goes on in indented lines.
func rows(items []string, column int) string {
	var b strings.Builder
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		if column+1+len(item) > rowWidth && i > 0 {
			b.WriteString("\n   ")
			column = 3
		}
		b.WriteString(" " + item)
		column += 1 + len(item)
	}
	return b.String() + "\n"
}

// IsGolden reports whether a file begins as a golden file does.
func IsGolden(text string) bool {
	return strings.HasPrefix(text, goldenHead[:len("# What a replog scenario")])
}

// ParseGolden reads a golden file, also one that people or a merge have changed.
func ParseGolden(text string) (*Golden, error) {
	g := &Golden{}
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if err := g.take(strings.TrimRight(line, " \r")); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if g.Scenario == "" || g.Model == 0 {
		return nil, fmt.Errorf("this is not a golden file: it does not name its scenario and its model")
	}
	return g, nil
}

// take reads one line.
func (g *Golden) take(line string) error {
	body := strings.TrimLeft(line, " ")
	indent := len(line) - len(body)
	key, value, found := strings.Cut(body, ":")
	value = strings.TrimSpace(value)
	switch {
	case body == "" || indent == 0 && body[0] == '#':
		return nil
	case indent == 4:
		return g.goOn(body)
	case found && indent == 0 && key == "scenario":
		g.Scenario = value
		return nil
	case found && indent == 0 && key == "model":
		var err error
		if g.Model, err = strconv.Atoi(value); err != nil || g.Model < 1 {
			return fmt.Errorf("%q is not the version of a model", value)
		}
		return nil
	case found && indent == 0 && key == "variant":
		g.Runs = append(g.Runs, GoldenRun{Variant: value})
		return nil
	case found && indent == 2 && len(g.Runs) > 0:
		r := &g.Runs[len(g.Runs)-1]
		r.Facts = append(r.Facts, GoldenFact{key, items(value)})
		return nil
	}
	return fmt.Errorf("%q has no place in a golden file", body)
}

// goOn adds a further line to the last fact.
func (g *Golden) goOn(body string) error {
	if len(g.Runs) == 0 || len(g.Runs[len(g.Runs)-1].Facts) == 0 {
		return fmt.Errorf("%q belongs to no fact", body)
	}
	r := &g.Runs[len(g.Runs)-1]
	f := &r.Facts[len(r.Facts)-1]
	if known := findFact(f.Key); known == nil || known.form == lines {
		f.Items = append(f.Items, body)
	} else {
		f.Items = append(f.Items, items(body)...)
	}
	return nil
}

func items(text string) []string {
	if text == "" || text == "none" {
		return nil
	}
	var all []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			all = append(all, item)
		}
	}
	return all
}
