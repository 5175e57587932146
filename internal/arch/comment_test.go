package arch

import (
	"go/ast"
	"go/token"
	"testing"
)

// uncommented lists packages and exported names that do not say what they are. A group of constants or variables may
// share a comment, and a method that fits on its line speaks for itself.
func uncommented(s *source) []string {
	var found []string
	said := false
	for _, file := range s.files {
		said = said || file.Doc != nil
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if s.needsComment(d) {
					found = append(found, s.at(d, "%s has no comment", d.Name.Name))
				}
			case *ast.GenDecl:
				found = append(found, s.uncommentedSpecs(d)...)
			}
		}
	}
	if !said {
		found = append(found, s.at(s.files[0], "package %s has no comment", s.files[0].Name.Name))
	}
	return found
}

func (s *source) needsComment(f *ast.FuncDecl) bool {
	if f.Doc != nil || !f.Name.IsExported() {
		return false
	}
	oneLine := s.fset.Position(f.Pos()).Line == s.fset.Position(f.End()).Line
	return f.Recv == nil || !oneLine && ast.IsExported(receiver(f))
}

// receiver is the name of the type that a method belongs to.
func receiver(f *ast.FuncDecl) string {
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func (s *source) uncommentedSpecs(d *ast.GenDecl) []string {
	if d.Tok == token.IMPORT || d.Doc != nil {
		return nil
	}
	var found []string
	group := false // an earlier name of the group has a comment, which is meant for those behind it too
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() && spec.Doc == nil {
				found = append(found, s.at(spec, "%s has no comment", spec.Name.Name))
			}
		case *ast.ValueSpec:
			group = group || spec.Doc != nil
			if !group && spec.Comment == nil && spec.Names[0].IsExported() {
				found = append(found, s.at(spec, "%s has no comment", spec.Names[0].Name))
			}
		}
	}
	return found
}

func TestExportedNamesSayWhatTheyAre(t *testing.T) {
	r := openRepository()
	r.holds(t, uncommented)
	const doc = "// Package sim is one.\npackage sim\n"
	r.fails(t, uncommented,
		breach{"internal/sim", "package sim", "package sim has no comment"},
		breach{"internal/sim", doc + "func F() {}", "F has no comment"},
		breach{"internal/sim", doc + "type T int", "T has no comment"},
		breach{"internal/sim", doc + "const C = 1", "C has no comment"},
		breach{"internal/sim", doc + "var V = 1", "V has no comment"},
		breach{"internal/sim", doc + "const (\nA = 1\n\n// B is.\nB = 2\n)", "A has no comment"},
		breach{"internal/sim", doc + "// T is.\ntype T int\nfunc (T) M() {\n}", "M has no comment"},
		breach{"internal/sim", doc + "// T is.\ntype T[P any] int\nfunc (*T[P]) M() {\n}", "M has no comment"},
		breach{"internal/sim", doc + "// T is.\ntype T int\nfunc (T) M() {}", ""},
		breach{"internal/sim", doc + "type t int\nfunc (t) M() {\n}\nconst c = 1", ""},
		breach{"internal/sim", doc + "// The constants.\nconst (\nA = 1\nB = 2 // two\n)", ""},
	)
}
