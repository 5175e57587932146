package cli

import (
	"os"
	"strings"
	"testing"

	"replog/internal/tui"
)

// TestReadmeHasTheKeys: a table of keys in the README is the one that the key map makes.
func TestReadmeHasTheKeys(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "| key | does |") && !strings.Contains(string(text), tui.KeyTable()) {
		t.Errorf("the README's table of keys is not this one:\n%s", tui.KeyTable())
	}
}
