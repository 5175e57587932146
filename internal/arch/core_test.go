package arch

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// core are the packages that decide what a run does. Same input, same bytes: they know no clock and no chance of their
// own, and nothing of them runs at the same time as something else.
var core = []string{
	"kafka", "event", "plan", "node", "commitlog", "fetch", "network", "assign", "coordinator",
	"coordinator/txn", "broker", "controller", "effect", "client/partition", "client", "sim",
}

// coreImports is what the core may use of the standard library: pure functions of their arguments.
var coreImports = []string{
	"cmp", "encoding/binary", "errors", "fmt", "hash/crc32", "iter", "math", "math/bits", "slices", "sort", "strconv", "strings", "unicode/utf8",
}

// chance lists who may draw: a generator value that a clone copies.
var chance = []string{"sim", "network"}

// floats lists the files of the core that may hold a floating point number, and why. The list must not grow.
var floats = map[string]string{
	"internal/kafka/names.go": "writes milliseconds with decimals for a person to read",
}

// inCore makes a rule one of the core alone, with types.
func inCore(r *repository, breaks rule) rule {
	return func(s *source) []string {
		if !slices.Contains(core, s.short()) {
			return nil
		}
		r.check(s)
		return breaks(s)
	}
}

func impureImports(s *source) []string {
	var found []string
	for _, file := range s.files {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			switch {
			case strings.HasPrefix(path, module+"/"), slices.Contains(coreImports, path):
			case path == "math/rand/v2" && slices.Contains(chance, s.short()):
			default:
				found = append(found, s.at(spec, "the core must not import %s", path))
			}
		}
	}
	return found
}

func concurrency(s *source) []string {
	var found []string
	s.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, s.at(n, "a go statement"))
		case *ast.SelectStmt:
			found = append(found, s.at(n, "a select"))
		case *ast.ChanType:
			found = append(found, s.at(n, "a channel"))
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				found = append(found, s.at(n, "an init function"))
			}
		}
	})
	return found
}

// mapRanges finds loops over maps, whose order differs from run to run.
func mapRanges(s *source) []string {
	var found []string
	s.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if t := s.types.TypeOf(n.X); t != nil && isMap(t) {
				found = append(found, s.at(n, "a range over a map: keep a slice in the order of ids"))
			}
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "maps" {
				found = append(found, s.at(n, "maps.%s depends on the order of a map", n.Sel.Name))
			}
		}
	})
	return found
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// mutableGlobals finds whatever changes a package variable or a part of it: a table is read and never written.
func mutableGlobals(s *source) []string {
	var found []string
	written := func(target ast.Expr) {
		if v := s.global(target); v != nil {
			found = append(found, s.at(target, "the package variable %s is changed", v.Name()))
		}
	}
	s.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, target := range n.Lhs {
					written(target)
				}
			}
		case *ast.IncDecStmt:
			written(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				written(n.Key)
				written(n.Value)
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 && slices.Contains([]string{"append", "clear", "copy", "delete"}, f.Name) {
				written(n.Args[0])
			}
		}
	})
	return found
}

// global is the package variable that an expression is a part of, or nil.
func (s *source) global(e ast.Expr) *types.Var {
	for {
		switch x := e.(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			if v := s.packageVar(x.Sel); v != nil {
				return v // of another package
			}
			e = x.X
		case *ast.Ident:
			return s.packageVar(x)
		default:
			return nil
		}
	}
}

func (s *source) packageVar(name *ast.Ident) *types.Var {
	v, ok := s.types.Uses[name].(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v
}

func floatingPoint(s *source) []string {
	var found []string
	for _, file := range s.files {
		if floats[s.fset.Position(file.Pos()).Filename] != "" {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && isFloat(s.types.TypeOf(e)) {
				found = append(found, s.at(e, "floating point in a decision"))
				return false
			}
			return true
		})
	}
	return found
}

func isFloat(t types.Type) bool {
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsFloat|types.IsComplex) != 0
}

func TestCoreImportsOnlyPureFunctions(t *testing.T) {
	r := openRepository()
	only := inCore(r, impureImports)
	r.holds(t, only)
	for _, path := range []string{"time", "os", "io", "sync", "context", "math/rand", "math/rand/v2", "maps", "net"} {
		r.fails(t, only, breach{"internal/broker", "package broker; import _ \"" + path + "\"", "the core must not import " + path})
	}
	r.fails(t, only,
		breach{"internal/sim", `package sim; import _ "math/rand/v2"`, ""},
		breach{"internal/cli", `package cli; import _ "os"`, ""},
	)
}

func TestCoreDoesOneThingAtATime(t *testing.T) {
	r := openRepository()
	only := inCore(r, concurrency)
	r.holds(t, only)
	r.fails(t, only,
		breach{"internal/sim", "package sim; func f() { go f() }", "a go statement"},
		breach{"internal/sim", "package sim; func f() { select {} }", "a select"},
		breach{"internal/sim", "package sim; type t struct{ c chan int }", "a channel"},
		breach{"internal/client/partition", "package partition; func init() {}", "an init function"},
		breach{"internal/sim", "package sim; type t int; func (t) init() {}", ""},
	)
}

func TestCoreNeverRangesOverAMap(t *testing.T) {
	r := openRepository()
	only := inCore(r, mapRanges)
	r.holds(t, only)
	r.fails(t, only,
		breach{"internal/broker", "package broker; func f(m map[int]int) { for range m {} }", "a range over a map"},
		breach{"internal/broker", "package broker; type s map[int]int; type u struct{ s }; func f(x u) { for k := range x.s { _ = k } }", "a range over a map"},
		breach{"internal/broker", `package broker; import "maps"; var x = maps.Keys(map[int]int{})`, "maps.Keys"},
		breach{"internal/broker", "package broker; func f(m []int, n map[int]int) { for i := range m { _ = n[i] } }", ""},
	)
}

func TestCoreChangesNoPackageVariable(t *testing.T) {
	r := openRepository()
	only := inCore(r, mutableGlobals)
	r.holds(t, only)
	const globals = "package sim; import \"replog/internal/kafka\"; var _ kafka.Tick; var n int; var list []int; var table = [2]struct{ a []int }{}; var m = map[int]int{}; var p *int; "
	for _, body := range []string{
		"n = 1", "n++", "list[0] = 1", "list = append(list, 1)", "_ = append(list[:0], 1)", "table[1].a[0]++", "m[1] = 2",
		"delete(m, 1)", "clear(m)", "*p = 3", "(n) = 4", "copy(list, list)", "for n = range 3 {}",
	} {
		r.fails(t, only, breach{"internal/sim", globals + "func f() { " + body + " }", "is changed"})
	}
	for _, body := range []string{"n := 1; n++", "x := list; _ = x[0]", "_ = append([]int{}, list...)", "var l struct{ n int }; l.n = n"} {
		r.fails(t, only, breach{"internal/sim", globals + "func f() { " + body + " }", ""})
	}
}

func TestCoreDecidesWithoutFloatingPoint(t *testing.T) {
	r := openRepository()
	only := inCore(r, floatingPoint)
	r.holds(t, only)
	r.fails(t, only,
		breach{"internal/network", "package network; var x = 1.5", "floating point"},
		breach{"internal/network", "package network; func f(a int) bool { return float64(a)/2 > 1 }", "floating point"},
		breach{"internal/network", "package network; type t struct{ p float32 }", "floating point"},
		breach{"internal/network", "package network; var x = 3 / 2", ""},
	)
}
