package cli

import (
	"bytes"
	"testing"
)

// TestScenariosComeToWhatTheirGoldenFilesSay is `replog test scenarios`. After a change that is meant: make golden.
func TestScenariosComeToWhatTheirGoldenFilesSay(t *testing.T) {
	var out, err bytes.Buffer
	if status := Main([]string{"test", "--quiet", "../../scenarios"}, &out, &err); status != statusOK {
		t.Errorf("exit status %d\n%s%s", status, out.String(), err.String())
	}
}
