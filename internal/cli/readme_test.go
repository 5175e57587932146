package cli

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

const readme = "../../README.md"

// TestReadmeShowsWhatReplogPrints runs the commands in the README's console blocks and holds their output against what
// stands there; a line of dots stands for any lines.
func TestReadmeShowsWhatReplogPrints(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) == 0 {
		t.Fatal("the README shows no run")
	}
	for _, block := range blocks {
		command, want, _ := strings.Cut(block[1], "\n")
		args, found := strings.CutPrefix(command, "$ replog ")
		if !found {
			t.Errorf("not a command of replog: %s", command)
			continue
		}
		var out, errs bytes.Buffer
		if Main(strings.Fields(args), &out, &errs); !shows(want, out.String()) {
			t.Errorf("%s prints\n%s%s", command, out.String(), errs.String())
		}
	}
}

// shows reports whether a text is what a pattern with lines of dots shows.
func shows(pattern, text string) bool {
	parts := strings.Split("\n"+pattern, "\n...\n")
	text = "\n" + text
	for i, part := range parts {
		at := strings.Index(text, part)
		if at < 0 || i == 0 && at > 0 || i == len(parts)-1 && part != "" && !strings.HasSuffix(text, part) {
			return false
		}
		text = "\n" + text[at+len(part):]
	}
	return true
}

// TestReadmeMapLeadsSomewhere: every package of the map of the code is there.
func TestReadmeMapLeadsSomewhere(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	_, codeMap, found := strings.Cut(string(text), "## The map of the code")
	if !found {
		t.Fatal("the README has no map of the code")
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z/]+)`").FindAllStringSubmatch(codeMap, -1) {
		if _, err := os.Stat("../../internal/" + row[1]); err != nil {
			t.Errorf("the map names internal/%s: %v", row[1], err)
		}
	}
}
