package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// imports is the map of the code: each package below internal and what it may import of the others. Read it from the
// top: nobody imports from below. A star stands for everything above.
var imports = []struct{ pkg, may string }{
	// The core: ticks, no clock, no map order, no goroutine.
	{"kafka", ""},
	{"event", "kafka"},
	{"plan", "kafka"},
	{"node", "kafka event plan"},
	{"commitlog", "kafka"},
	{"fetch", "kafka event node"},
	{"network", "kafka event node plan"},
	{"assign", "kafka"},
	{"coordinator", "kafka event node assign"},
	{"coordinator/txn", "kafka event node"},
	{"broker", "kafka event node plan commitlog fetch assign coordinator coordinator/txn"},
	{"controller", "kafka event node plan"},
	{"effect", "kafka event plan"},
	{"client/partition", "kafka"},
	{"client", "kafka event node plan fetch client/partition assign effect"},
	{"sim", "kafka event plan node commitlog network broker controller assign coordinator effect client"},

	// What goes in, and the folds of what comes out.
	{"model", "kafka"},
	{"view/history", "kafka event"},
	{"view", "kafka event"},
	{"until", "kafka event view"},
	{"scenario", "kafka plan until"}, // until: a question names the moments that it asks about
	{"outcome", "kafka event view"},  // view: wider than the design; it takes the replicas' logs from there
	{"metrics", "kafka event view"},
	{"explain", "kafka event view outcome"}, // wider than the design; why not reads the picture, and the story what became of the records
	{"check", "kafka event"},
	{"trace", "kafka event"},

	// What drives and shows a run.
	{"run", "kafka event plan scenario sim model view outcome metrics explain check trace"},
	{"explore", "kafka event plan view run"},
	{"player", "kafka event plan until scenario run view outcome metrics explain"},
	{"screen", "kafka event view"},
	{"tui/early", ""},
	{"tui/paint", ""},
	{"tui", "kafka event view until scenario explain player screen tui/early tui/paint"},
	{"report", "kafka event model scenario view outcome metrics explain check trace run explore screen player"},
	{"cli", "*"},
	{"arch", ""},
}

// external lists who may import what from other modules; nobody else imports anything of them.
var external = []struct{ path, by string }{
	{"github.com/charmbracelet/bubbletea", "tui"},
	{"github.com/charmbracelet/lipgloss", "tui screen"},
	{"github.com/charmbracelet/x/ansi", "tui screen"},    // measures text
	{"github.com/charmbracelet/x/term", "tui/paint cli"}, // raw input, the size; whether it is one
	{"golang.org/x/sys", "tui tui/paint"},                // who has the terminal
	{"github.com/spf13/cobra", "cli"},
	{"github.com/spf13/pflag", "cli"}, // cobra's flags
	{"go.yaml.in/yaml/v4", "scenario"},
}

func importsOutOfTable(s *source) []string {
	var found []string
	for _, file := range s.files {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if !mayImport(s.path, path) {
				found = append(found, s.at(spec, "%s must not import %s", s.path, path))
			}
		}
	}
	if row(s.short()) < 0 && strings.HasPrefix(s.path, "internal/") {
		found = append(found, s.at(s.files[0], "%s has no row in the table of imports_test.go", s.path))
	}
	return found
}

func row(pkg string) int {
	return slices.IndexFunc(imports, func(r struct{ pkg, may string }) bool { return r.pkg == pkg })
}

func mayImport(from, path string) bool {
	local, ours := strings.CutPrefix(path, module+"/")
	switch {
	case ours && strings.HasPrefix(from, "cmd/"):
		return local == "internal/cli"
	case ours:
		at := row(strings.TrimPrefix(from, "internal/"))
		return at >= 0 && (imports[at].may == "*" || slices.Contains(strings.Fields(imports[at].may), strings.TrimPrefix(local, "internal/")))
	case !strings.Contains(strings.Split(path, "/")[0], "."):
		return true // the standard library; see core_test.go for the core
	}
	for _, e := range external {
		if path == e.path || strings.HasPrefix(path, e.path+"/") {
			return slices.Contains(strings.Fields(e.by), strings.TrimPrefix(from, "internal/"))
		}
	}
	return false
}

func TestImportsFollowTheTable(t *testing.T) {
	r := openRepository()
	r.holds(t, importsOutOfTable)
	r.fails(t, importsOutOfTable,
		breach{"internal/kafka", `package kafka; import "replog/internal/event"`, "bad.go:1: internal/kafka must not import replog/internal/event"},
		breach{"internal/broker", `package broker; import "replog/internal/client"`, "must not import"},
		breach{"internal/view", `package view; import "replog/internal/sim"`, "must not import"},
		breach{"internal/screen", `package screen; import "github.com/charmbracelet/bubbletea"`, "must not import"},
		breach{"internal/tui", `package tui; import "github.com/charmbracelet/bubbletea"`, ""},
		breach{"internal/cli", `package cli; import "golang.org/x/tools"`, "must not import"},
		breach{"internal/helpers", `package helpers`, "internal/helpers has no row"},
		breach{"cmd/replog", `package main; import "replog/internal/sim"`, "must not import"},
		breach{"internal/client", `package client; import "replog/internal/client/partition"`, ""},
	)
}

// TestTableReadsFromTheTop makes sure that the table has no cycle: a package imports only what stands above it.
func TestTableReadsFromTheTop(t *testing.T) {
	for at, r := range imports {
		for _, other := range strings.Fields(r.may) {
			if above := row(other); other != "*" && (above < 0 || above >= at) {
				t.Errorf("%s may import %s, which does not stand above it", r.pkg, other)
			}
		}
	}
}

// TestTheGuideNamesEveryPackage: whoever reads internal/doc.go hears of each.
func TestTheGuideNamesEveryPackage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(openRepository().root, "internal/doc.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range imports {
		if !regexp.MustCompile(`(?m)^//\t(.*; | *)` + r.pkg + `\b`).Match(text) {
			t.Errorf("internal/doc.go does not say what %s is", r.pkg)
		}
	}
}
