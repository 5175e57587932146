package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// TestScenariosComeToWhatTheirGoldenFilesSay is `replog test scenarios` without the week, which takes longer than all
// others together; internal/run runs a hundredth of it. After a change that is meant: make golden.
func TestScenariosComeToWhatTheirGoldenFilesSay(t *testing.T) {
	files, err := filepath.Glob("../../scenarios/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no scenarios", err)
	}
	args := []string{"test", "--quiet"}
	for _, file := range files {
		if !strings.HasSuffix(file, "week-of-orders.yaml") {
			args = append(args, file)
		}
	}
	var out, stderr bytes.Buffer
	if status := Main(args, &out, &stderr); status != statusOK {
		t.Errorf("exit status %d\n%s%s", status, out.String(), stderr.String())
	}
}
