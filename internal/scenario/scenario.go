package scenario

import (
	"path"
	"slices"
	"strings"

	"replog/internal/plan"
)

const (
	// defaultVariant is the name of the only variant of a scenario without variants.
	defaultVariant = "default"
	// maxVariants bounds the plans that a file stands for.
	maxVariants = 40
)

// File is a scenario file without a mistake.
type File struct {
	Name        string // the file's name without its folder and ending
	Title       string // one line for the list of scenarios
	Story       string // what happens, for the class
	Tell        string // the order whose story a run tells; may be empty
	Remember    string // one sentence that the run has just proved
	Notes       string // for the instructor
	LessonOrder int    // place in the list of scenarios

	path     string
	source   string
	root     *node
	variants []variant
	expect   []Expect // of every variant
	asks     []Ask
}

// variant is the scenario with some values changed.
type variant struct {
	name, note string
	set        []entry // a path and its value
	expect     []Expect
}

// Load reads a scenario file. The error is all its mistakes, as Errors; name is how they call the file.
func Load(name string, data []byte) (*File, error) {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	f := &File{
		Name: printable(strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml")),
		path: name, source: string(data),
	}
	m := newMistakes(name, f.source)
	f.root = parse(data, m)
	if f.root == nil {
		return nil, m.err()
	}
	f.readHead(m)
	for i := range f.variants {
		f.plan(&f.variants[i], nil, m)
	}
	if err := m.err(); err != nil {
		return nil, err
	}
	return f, nil
}

// readHead reads what the file says to people and to the tool around a run.
func (f *File) readHead(m *mistakes) {
	c := &compiler{mistakes: m}
	b := c.open(f.root, fileShape)
	f.Title = b.sentence("title")
	f.Story, f.Notes = b.prose("story"), b.prose("notes")
	f.Tell = b.sentence("tell")
	f.Remember = b.sentence("remember")
	f.LessonOrder = int(b.integer("order", 1000, 0, 1000))
	f.expect = readExpect(b.get("expect"), m)
	f.readVariants(b.get("variants"), c)
	if len(f.variants) == 0 {
		f.variants = []variant{{name: defaultVariant}}
	}
	f.asks = c.readAsks(b.get("ask"), f.Variants())
}

func (f *File) readVariants(n *node, c *compiler) {
	if n == nil || !c.is(n, mapping, "variants") {
		return
	}
	if len(n.entries) > maxVariants {
		c.report(n, "", "there are more than %d variants", maxVariants)
		return
	}
	for _, e := range n.entries {
		if name := e.key.text; name == "" || len(name) > 60 || strings.Contains(name, "\n") {
			c.report(e.key, "a few words on one line", "%s can not be the name of a variant", quoted(name))
			continue
		}
		b := c.open(e.value, variantShape)
		v := variant{name: e.key.text, note: b.sentence("note")}
		if set := b.get("set"); set != nil && !set.null && c.is(set, mapping, "set") {
			v.set = set.entries
		}
		v.expect = readExpect(b.get("expect"), c.mistakes)
		f.variants = append(f.variants, v)
	}
}

// plan compiles the file with the overrides of a variant and of the command line.
func (f *File) plan(v *variant, sets []Set, m *mistakes) *plan.Plan {
	root := f.root
	for _, e := range v.set {
		root = override(root, e.key, e.value, m)
	}
	for _, s := range sets {
		root = s.apply(root, m)
	}
	return compile(root, f.Name, v.name, m)
}

// Variants are the names of the variants, in the order of the file; there is at least one.
func (f *File) Variants() []string {
	names := make([]string, len(f.variants))
	for i := range f.variants {
		names[i] = f.variants[i].name
	}
	return names
}

// VariantNote says in one line what a variant has that is different; it may be empty.
func (f *File) VariantNote(name string) string {
	if i := f.find(name); i >= 0 {
		return f.variants[i].note
	}
	return ""
}

// Expect is what must come out of a variant: its own facts, and those of every variant about which it says nothing.
func (f *File) Expect(name string) []Expect {
	i := f.find(name)
	if i < 0 {
		return nil
	}
	own := f.variants[i].expect
	all := slices.Clone(own)
	for _, e := range f.expect {
		if !slices.ContainsFunc(own, func(o Expect) bool { return o.Field == e.Field }) {
			all = append(all, e)
		}
	}
	return all
}

// Plan is the plan of a variant, with some values set otherwise. The error is all mistakes, as Errors.
func (f *File) Plan(name string, sets []Set) (*plan.Plan, error) {
	m := newMistakes(f.path, f.source)
	i := f.find(name)
	if i < 0 {
		m.add(Mistake{Message: "there is no variant " + quoted(name), Hint: DidYouMean(name, f.Variants())}, 1)
		return nil, m.err()
	}
	p := f.plan(&f.variants[i], sets, m)
	if err := m.err(); err != nil {
		return nil, err
	}
	return p, nil
}

func (f *File) find(name string) int {
	return slices.IndexFunc(f.variants, func(v variant) bool { return v.name == name })
}
