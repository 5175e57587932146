package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math"

	"replog/internal/check"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/report"
	"replog/internal/trace"
)

// recording is a run with all of its events: one that was just made, or one that was read back from its trace.
type recording struct {
	names      *kafka.Names
	log        *event.Log
	outcome    *outcome.Outcome
	violations []check.Violation
	variant    report.Variant
	partial    string // why the run is not all there; empty for a whole one
}

// recording runs one variant, the first one when none is chosen, or reads a trace.
func (a *app) recording(arg string, c *choice) (*recording, error) {
	if isTrace(arg) {
		if err := c.none(arg); err != nil {
			return nil, err
		}
		return readTrace(arg, inLog)
	}
	f, err := loadScenario(arg)
	if err != nil {
		return nil, err
	}
	if len(c.variants) > 1 {
		return nil, mistakef("", "choose one variant; these are %d", len(c.variants))
	}
	one := *c
	if len(one.variants) == 0 {
		one.variants = f.Variants()[:1]
	}
	plans, err := one.runs(f)
	if err != nil {
		return nil, err
	}
	r, err := a.recorded(plans[0])
	if err != nil {
		return nil, err
	}
	rec := &recording{
		names: plans[0].Names, log: r.Log, outcome: r.Outcome, violations: r.Violations, variant: reportOf(r),
	}
	if r.Partial {
		rec.partial = "the run was interrupted at " + rec.variant.End
	}
	return rec, nil
}

// none refuses to choose anything in a trace.
func (c *choice) none(path string) error {
	if c.changed() || len(c.variants) > 0 {
		return mistakef("", "%s is the trace of a run: --variant, --set and --seed have nothing to choose there", path)
	}
	return nil
}

// keeping makes what keeps the events of a trace, and says in which log it has them.
type keeping func(*kafka.Names) (event.Sink, *event.Log)

func inLog(*kafka.Names) (event.Sink, *event.Log) {
	log := &event.Log{}
	return log, log
}

// readTrace reads a trace back, and holds it against the promises, without its scenario.
func readTrace(path string, keep keeping) (*recording, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum := sha256.New()
	r, err := trace.NewReader(io.TeeReader(f, sum), modelVersion())
	if err != nil {
		return nil, inFile(path, err)
	}
	names := r.Header().Names
	kept, log := keep(names)
	fold := outcome.NewFold(names, settingsOf(r.Header()))
	checker := check.New(names, check.Settings{Acks: r.Header().Acks})
	if err := r.Replay(event.Sinks{kept, fold, checker}); err != nil {
		return nil, inFile(path, err)
	}
	checker.Finish()
	rec := &recording{names: names, log: log, outcome: fold.Outcome(), violations: checker.Violations()}
	rec.variant = report.Of(rec.outcome, rec.violations)
	rec.variant.Events, rec.variant.Partial = r.Events(), r.Truncated()
	rec.variant.TraceSHA256 = hex.EncodeToString(sum.Sum(nil))
	if n := log.Len(); n > 0 {
		rec.variant.End = names.Clock(log.At(n - 1).At)
	}
	if r.Truncated() {
		rec.partial = "the trace is cut off after " + rec.variant.End
	}
	return rec, nil
}

// settingsOf is what a trace says about its producers.
func settingsOf(h *trace.Header) outcome.Settings {
	var s outcome.Settings
	for _, p := range h.Producers {
		config := kafka.ProducerConfig{Acks: h.Acks(p.ID), EnableIdempotence: p.Idempotent}
		if p.Retries {
			config.Retries = math.MaxInt32
		}
		s.Producers = append(s.Producers, outcome.Producer{ID: p.ID, Config: config})
	}
	return s
}

func inFile(path string, err error) error { return mistakef("", "%s: %v", path, err) }

// leftEarly says that a recording is not the whole run. A trace that was cut off is no error: what is there was told.
func (a *app) leftEarly(r *recording) error {
	if r.partial == "" {
		return nil
	}
	a.printf("\nPARTIAL: %s; this is what there was up to then.\n", r.partial)
	if a.stop.asked() {
		return errStopped
	}
	return nil
}

// readBack is `replog run` for a trace.
func (a *app) readBack(path string, flags *runFlags) (*report.Scenario, error) {
	if flags.trace != "" {
		return nil, mistakef("", "%s is a trace already", path)
	}
	if _, err := flags.plotFile(1); err != nil {
		return nil, err
	}
	rec, err := a.recording(path, &flags.choice)
	if err != nil {
		return nil, err
	}
	s := report.New(rec.names.Scenario)
	s.Add(rec.variant)
	return s, nil
}
