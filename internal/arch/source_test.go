package arch

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "replog"

// A source is one package of the repository, parsed without its tests.
type source struct {
	path  string // from the root: internal/kafka
	files []*ast.File
	fset  *token.FileSet
	types *types.Info
}

// A rule lists what a package does against it, each with its place.
type rule func(*source) []string

// at is a finding at a node of the tree.
func (s *source) at(n ast.Node, format string, args ...any) string {
	p := s.fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d: %s", p.Filename, p.Line, fmt.Sprintf(format, args...))
}

// inspect visits every node of the package.
func (s *source) inspect(visit func(ast.Node)) {
	for _, file := range s.files {
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				visit(n)
			}
			return true
		})
	}
}

// short is the path below internal.
func (s *source) short() string { return strings.TrimPrefix(s.path, "internal/") }

// A repository parses packages, and knows their types where a rule asks for them.
type repository struct {
	root    string
	fset    *token.FileSet
	std     types.Importer
	checked map[string]*types.Package
}

// openRepository is the repository that this test belongs to; the tests share what was read of it.
var openRepository = sync.OnceValue(func() *repository {
	fset := token.NewFileSet()
	return &repository{
		root: "../..", fset: fset, std: importer.ForCompiler(fset, "gc", nil), checked: map[string]*types.Package{},
	}
})

// packages lists the directories that hold Go code, as paths from the root.
func (r *repository) packages(t *testing.T) []string {
	var paths []string
	err := filepath.WalkDir(r.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != r.root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			dir, _ := filepath.Rel(r.root, filepath.Dir(path))
			paths = append(paths, filepath.ToSlash(dir))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if !slices.Contains(paths, "internal/kafka") {
		t.Fatalf("this is not the repository: it has only %v", paths)
	}
	return paths
}

// parse reads a package without its tests.
func (r *repository) parse(path string) (*source, error) {
	names, err := filepath.Glob(filepath.Join(r.root, path, "*.go"))
	if err != nil {
		return nil, err
	}
	s := &source{path: path, fset: r.fset}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		shown, _ := filepath.Rel(r.root, name)
		file, err := parser.ParseFile(r.fset, shown, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, file)
	}
	return s, nil
}

// check works out the types of a package. What does not compile is left without a type: the compiler will complain.
func (r *repository) check(s *source) *types.Package {
	s.types = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
	}
	config := types.Config{Importer: r, Error: func(error) {}}
	pkg, _ := config.Check(module+"/"+s.path, r.fset, s.files, s.types)
	return pkg
}

// Import implements types.Importer.
func (r *repository) Import(path string) (*types.Package, error) {
	local, ok := strings.CutPrefix(path, module+"/")
	if !ok {
		return r.std.Import(path)
	}
	if r.checked[local] == nil {
		s, err := r.parse(local)
		if err != nil {
			return nil, err
		}
		r.checked[local] = r.check(s)
	}
	return r.checked[local], nil
}

// example is a package of one file, given as text, under the path of a real one.
func (r *repository) example(t *testing.T, path, text string) *source {
	t.Helper()
	file, err := parser.ParseFile(r.fset, path+"/bad.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return &source{path: path, fset: r.fset, files: []*ast.File{file}}
}

// holds applies a rule to every package of the repository.
func (r *repository) holds(t *testing.T, breaks rule) {
	t.Helper()
	for _, path := range r.packages(t) {
		s, err := r.parse(path)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		for _, finding := range breaks(s) {
			t.Error(finding)
		}
	}
}

// A breach is a source that breaks a rule, and what the rule says about it. An empty says stands for a source that
// the rule must leave alone.
type breach struct{ path, text, says string }

// fails shows that a rule finds what it is there for.
func (r *repository) fails(t *testing.T, breaks rule, breaches ...breach) {
	t.Helper()
	for _, b := range breaches {
		found := breaks(r.example(t, b.path, b.text))
		if b.says == "" && len(found) > 0 {
			t.Errorf("%q\nis no breach, but the rule says: %s", b.text, found)
		}
		if !strings.Contains(strings.Join(found, "\n"), b.says) {
			t.Errorf("%q\nwant a finding that says %q, got %q", b.text, b.says, found)
		}
	}
}
