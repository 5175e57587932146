package until_test

import (
	"io/fs"
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/run"
	"replog/internal/scenario"
	"replog/internal/until"
	"replog/scenarios"
)

func record(t *testing.T, name, variant string) (*event.Log, *kafka.Names) {
	t.Helper()
	data, err := fs.ReadFile(scenarios.FS, name+".yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := scenario.Load(name+".yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Plan(variant, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.Do(p, run.Options{Record: true, Unchecked: true})
	if err != nil {
		t.Fatal(err)
	}
	return r.Log, p.Names
}

// TestMoments looks every kind of moment up in the 12:40 failure.
func TestMoments(t *testing.T) {
	log, names := record(t, "broker-2-dies", "as it was")
	for _, test := range []struct{ text, clock, kind string }{
		{"12:40:00", "12:40:00.000", ""},
		{"12:40", "12:40:00.000", ""},
		{"30s", "12:40:00.000", ""},
		{"tick 30000", "12:40:00.000", ""},
		{"30000", "12:40:00.000", ""}, // no order has this number
		{"8812", "12:39:57.900", "RecordsSent"},
		{"order 8812", "12:39:57.900", "RecordsSent"},
		{"end", "12:40:35.000", "RunEnded"},
		{"#1", "12:39:30.000", "RunStarted"},
		{"until the ISR of p2 shrinks", "12:40:19.", "LeaderElected"},
		{"an ISR shrinks", "12:40:19.", ""},
		{"something is stored twice", "12:40:", "BatchAppended"},
		{"order 8812 is stored twice", "12:40:", "BatchAppended"},
		{"order 8812 is shown twice", "12:40:20.", "RecordsRead"},
		{"order 8812 is stored", "12:39:57.9", "BatchAppended"},
		{"order 8812 is sent again", "12:40:", "ProduceSent"},
		{"order 8812 is retried", "12:40:", "ProduceSent"},
		{"8812 is acknowledged", "12:40:", "RecordsAcknowledged"},
		{"broker 3 leads p2", "12:40:19.", "LeaderElected"},
		{"broker 2 dies", "12:40:00.000", "BrokerCrashed"},
		{"broker 2 is fenced", "12:40:19.", "BrokerFenced"},
		{"the high watermark of orders-2 reaches 40,118", "12:39:", "HighWatermarkAdvanced"},
		{"MessageHeld", "12:39:56", "MessageHeld"},
		{"BecameLeader of p5", "12:39:30.000", "BecameLeader"},
	} {
		m, err := until.Parse(test.text, names)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		n, ok := m.Next(log, 0)
		if !ok || n == 0 {
			t.Errorf("%q does not come", test.text)
			continue
		}
		e := log.At(n - 1)
		if clock := names.Clock(e.At); !strings.HasPrefix(clock, test.clock) && test.kind != "" {
			t.Errorf("%q comes at %s: %s", test.text, clock, event.Sentence(e, log.Records(e), names))
		}
		if test.kind != "" && e.Kind.String() != test.kind {
			t.Errorf("%q comes with %v", test.text, e.Kind)
		}
		if all := m.All(log); len(all) == 0 || all[0] != n {
			t.Errorf("%q: all %v, the first %d", test.text, all, n)
		}
	}
}

// TestEveryFormHasAnExample reads each form's own example.
func TestEveryFormHasAnExample(t *testing.T) {
	_, names := record(t, "broker-2-dies", "as it was")
	for _, form := range until.Forms() {
		if _, err := until.Parse(form.Example, names); err != nil {
			t.Errorf("%q: %v", form.Example, err)
		}
	}
}

func TestMistakes(t *testing.T) {
	_, names := record(t, "broker-2-dies", "as it was")
	for text, want := range map[string]string{
		"":                       "no moment is named",
		"the moon is full":       "is no moment that replog knows",
		"the ISR of p9 shrinks":  `no partition "p9"`,
		"broker 7 dies":          `no broker "7"`,
		"order 3 is stored":      `no order "3"`,
		"broker 3 leads Ireland": `no partition "Ireland"`,
		"25:00:00":               "is no moment",
	} {
		if _, err := until.Parse(text, names); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestCutOffCopiesAreNotTwice: a record that is sent again after its first copy was cut off is stored once.
func TestCutOffCopiesAreNotTwice(t *testing.T) {
	log, names := record(t, "broker-returns", "acks=all")
	m, err := until.Parse("something is stored twice", names)
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := m.Next(log, 0); ok {
		e := log.At(n - 1)
		t.Errorf("stored twice at %s: %s", names.Clock(e.At), event.Sentence(e, log.Records(e), names))
	}
}
