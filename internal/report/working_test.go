package report

import (
	"testing"

	"replog/internal/outcome"
)

// TestWorkingMeasuresLogsOfOneSegment: their bytes are worth no line of their own, and are an answer all the same.
func TestWorkingMeasuresLogsOfOneSegment(t *testing.T) {
	v := Variant{Report: outcome.Report{Bytes: outcome.BytesReport{AtMost: 4000}}}
	if lines := byteLines(&v); lines != nil {
		t.Errorf("lines %v", lines)
	}
	v.Reckon(Working{Unit: "bytes"}, "bytes.disks_at_most")
	if got := v.Working[0].Measured; got == nil || *got != 4000 {
		t.Errorf("measured %v, expected 4000", got)
	}
}
