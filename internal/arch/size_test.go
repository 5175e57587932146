package arch

import (
	"bytes"
	"go/ast"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A function that does not fit on a screen, and a file that nobody reads to its end, are two things.
const (
	maxFunctionLines = 70
	maxFileLines     = 500
)

func tooLong(s *source) []string {
	var found []string
	for _, file := range s.files {
		if lines := s.fset.File(file.Pos()).LineCount(); lines > maxFileLines {
			found = append(found, s.at(file, "a file of %d lines; at most %d", lines, maxFileLines))
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if lines := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1; lines > maxFunctionLines {
				found = append(found, s.at(f, "%s has %d lines; at most %d", f.Name.Name, lines, maxFunctionLines))
			}
		}
	}
	return found
}

func TestFunctionsAndFilesAreShort(t *testing.T) {
	r := openRepository()
	r.holds(t, tooLong)
	r.fails(t, tooLong,
		breach{"internal/cli", "package cli\nfunc f() {" + strings.Repeat("\n", maxFunctionLines) + "}", "f has 71 lines; at most 70"},
		breach{"internal/cli", "package cli\nfunc f() {" + strings.Repeat("\n", maxFunctionLines-1) + "}", ""},
		breach{"internal/cli", "package cli" + strings.Repeat("\n", maxFileLines+1), "a file of 501 lines; at most 500"},
	)
}

func TestTestFilesAreShort(t *testing.T) {
	r := openRepository()
	for _, path := range r.packages(t) {
		names, err := filepath.Glob(filepath.Join(r.root, path, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if lines := bytes.Count(text, []byte("\n")); lines > maxFileLines {
				t.Errorf("%s/%s: a file of %d lines; at most %d", path, filepath.Base(name), lines, maxFileLines)
			}
		}
	}
}
