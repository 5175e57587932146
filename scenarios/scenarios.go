// Package scenarios holds the scenario files that replog carries with it, and beside each what it comes to. Each of them
// is a test. The folder museum shows what Kafka's rules are for: each scenario there switches one off.
// The folder real holds experiments with real clients, and what those did; incidents, what went wrong in real systems.
package scenarios

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

// FS holds the files NAME.yaml and NAME.golden, also in folders.
//
//go:embed *.yaml *.golden incidents museum real
var FS embed.FS

// Ending is how the name of a scenario file ends.
const Ending = ".yaml"

// Paths lists the scenarios by their paths in FS, without the ending: broker-2-dies, museum/c01-...
func Paths() []string {
	var paths []string
	err := fs.WalkDir(FS, ".", func(p string, _ fs.DirEntry, err error) error {
		if name, found := strings.CutSuffix(p, Ending); found {
			paths = append(paths, name)
		}
		return err
	})
	if err != nil {
		panic("scenarios: the embedded files cannot be listed: " + err.Error())
	}
	return paths
}

// Find is the path of a scenario that is named by its path or, in a folder too, by its name alone.
func Find(name string) (string, bool) {
	for _, p := range Paths() {
		if p == name || path.Base(p) == name {
			return p, true
		}
	}
	return "", false
}
