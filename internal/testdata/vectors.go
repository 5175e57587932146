// Package testdata reads the cases from Kafka's own tests that lie in vectors, for the tests of the packages that must
// agree with them.
package testdata

import (
	"embed"
	"encoding/json"
	"testing"
)

//go:embed vectors/*.json
var vectors embed.FS

// Vectors decodes the cases of a file in vectors, and sees to it that it has as many as it announces.
func Vectors[C any](t testing.TB, name string) []C {
	t.Helper()
	text, err := vectors.ReadFile("vectors/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		CaseCount int
		Cases     []C
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(file.Cases) != file.CaseCount {
		t.Fatalf("%s: %d cases, announced are %d", name, len(file.Cases), file.CaseCount)
	}
	return file.Cases
}
