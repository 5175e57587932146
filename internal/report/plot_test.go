package report

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"replog/internal/outcome"
)

// lingering is three runs of a dial, one of them with a name that a picture must not take for markup.
func lingering() *Scenario {
	s := New("dial")
	s.Title = "wait a little"
	for _, c := range []struct {
		name     string
		requests int
		ms       float64
	}{{"0", 3000, 1503}, {"5 <b>&", 600, 7.5}, {"50", 60, 29}} {
		s.Add(Variant{Report: outcome.Report{
			Variant: c.name, Sent: 3000, Acked: 3000, Requests: c.requests, RecordsInRequests: 3000,
			AckLatencyMs: &outcome.LatencyMillis{Min: 1, P50: c.ms, P99: 60, Max: 70},
		}})
	}
	return s
}

func plot(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPlot: only what differs is plotted; 3000 to 60 and 1503 to 7.5 need a logarithmic scale, 50 to 1 too.
func TestPlot(t *testing.T) {
	bar := func(n int) string { return strings.Repeat("#", n) }
	want := "dial: wait a little\n" +
		"\nproduce requests (logarithmic)\n" + // log10 from 10: 2.48, 1.78, 0.78 of 2.48
		"  0       " + bar(50) + " 3,000\n  5 <b>&  " + bar(36) + " 600\n  50      " + bar(16) + " 60\n" +
		"\nrecords a request (logarithmic)\n" + // from 0.1: 1, 1.70, 2.70 of 2.70
		"  0       " + bar(19) + " 1\n  5 <b>&  " + bar(31) + " 5\n  50      " + bar(50) + " 50\n" +
		"\nms to acknowledge a first attempt, median (logarithmic)\n" + // from 1: 3.18, 0.88, 1.46 of 3.18
		"  0       " + bar(50) + " 1,503\n  5 <b>&  " + bar(14) + " 7.5\n  50      " + bar(23) + " 29\n"
	if diff := cmp.Diff(want, plot(t, lingering().WritePlot)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPlotLinear: numbers that are near each other have bars in proportion, and a run without the number has no bar.
func TestPlotLinear(t *testing.T) {
	s := lingering()
	s.Variants = s.Variants[:2]
	s.Variants[0].AckLatencyMs.P50 = 30
	s.Variants[1].AckLatencyMs, s.Variants[1].Requests, s.Variants[1].Retries = nil, 1500, 0
	got := plot(t, s.WritePlot)
	for _, want := range []string{
		"produce requests\n  0       " + strings.Repeat("#", 50) + " 3,000\n  5 <b>&  " + strings.Repeat("#", 25) + " 1,500\n",
		"median\n  0       " + strings.Repeat("#", 50) + " 30\n  5 <b>&  none\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "sent again") {
		t.Errorf("what does not differ is plotted:\n%s", got)
	}
}

// TestPlotSVG: the picture is well-formed, and holds each name and number of the text, and the marks of its axes.
func TestPlotSVG(t *testing.T) {
	picture := plot(t, lingering().WritePlotSVG)
	var texts []string
	dots, style := 0, true
	for dec := xml.NewDecoder(strings.NewReader(picture)); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, picture)
		}
		switch token := token.(type) {
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" && !style {
				texts = append(texts, text)
			}
		case xml.StartElement:
			style = token.Name.Local == "style"
			if token.Name.Local == "circle" {
				dots++
			}
		}
	}
	want := []string{
		"dial: wait a little",
		"produce requests (logarithmic)", "10", "100", "1,000", "0", "3,000", "5 <b>&", "600", "50", "60",
		"records a request (logarithmic)", "0.1", "1", "10", "0", "1", "5 <b>&", "5", "50", "50",
		"ms to acknowledge a first attempt, median (logarithmic)", "1", "10", "100", "1,000",
		"0", "1,503", "5 <b>&", "7.5", "50", "29",
	}
	if diff := cmp.Diff(want, texts); diff != "" || dots != 9 {
		t.Errorf("%d dots, want 9; (-want +got):\n%s", dots, diff)
	}
}

// TestAxisMarks: round numbers from zero, a handful of them; of a logarithmic scale each power of ten.
func TestAxisMarks(t *testing.T) {
	for most, want := range map[float64][]float64{
		3: {0, 1, 2, 3}, 0.4: {0, 0.1, 0.2, 0.3, 0.4}, 9: {0, 5}, 53.57: {0, 20, 40}, 34: {0, 10, 20, 30}, 1e6: {0, 5e5, 1e6}, 19: {0, 5, 10, 15},
	} {
		marks := scale{to: most}.marks()
		if diff := cmp.Diff(want, marks, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
			t.Errorf("up to %v: (-want +got):\n%s", most, diff)
		}
	}
	if diff := cmp.Diff([]float64{0.1, 1, 10}, scale{from: -1, to: 1.7, logarithmic: true}.marks()); diff != "" {
		t.Errorf("logarithmic: (-want +got):\n%s", diff)
	}
}

// TestNothingToPlot: runs that are the same give no empty picture.
func TestNothingToPlot(t *testing.T) {
	s := lingering()
	s.Variants[1], s.Variants[2] = s.Variants[0], s.Variants[0]
	if err := s.WritePlotSVG(io.Discard); !errors.Is(err, errNoPlot) {
		t.Errorf("%v, want %v", err, errNoPlot)
	}
}

// TestReportHasTheDial: the report draws the bars itself where requests were packed differently.
func TestReportHasTheDial(t *testing.T) {
	s := lingering()
	if text := plot(t, s.WriteText); !strings.Contains(text, "\nrecords a request (logarithmic)\n") {
		t.Errorf("no plot in\n%s", text)
	}
	s.Variants[1].Retries = 1
	if text := plot(t, s.WriteText); strings.Contains(text, "\nrecords a request") {
		t.Errorf("a plot where requests tell of retries in\n%s", text)
	}
	for i := range s.Variants {
		s.Variants[i].Retries, s.Variants[i].Requests = 0, 3000
	}
	if text := plot(t, s.WriteText); strings.Contains(text, "\nrecords a request") {
		t.Errorf("a plot where nothing was packed in\n%s", text)
	}
}
