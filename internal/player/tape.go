package player

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/plan"
	"replog/internal/run"
	"replog/internal/scenario"
)

// Tape is a run that was recorded to the end: what a playhead moves over. Nothing in it changes any more.
type Tape struct {
	*run.Recording
	Outcome   *outcome.Outcome
	File      *scenario.File // nil for a trace
	Plan      *plan.Plan     // nil for a trace
	Sets      []scenario.Set // what the command line set otherwise
	Marks     []Mark         // ordered by place
	Questions []Question     // ordered by place
	End       kafka.Tick     // the last tick of the run
	WhatIf    string         // what is different in a fork; empty for a run that was not forked
}

// maxName is how many letters of a deed name a fork.
const maxName = 48

// Name tells a tape from others of its scenario: its variant, or what was done in a fork.
func (t *Tape) Name() string {
	if t.WhatIf == "" {
		return t.Names.Variant
	}
	name := []rune("what if: " + t.WhatIf)
	if len(name) > maxName {
		name = append(name[:maxName-1], '…')
	}
	return string(name)
}

// errInterrupted ends a recording that nobody waits for any more.
var errInterrupted = errors.New("interrupted")

// Record runs a variant of a scenario and keeps everything. Interrupted may be nil.
func Record(f *scenario.File, variant string, sets []scenario.Set, interrupted func() bool) (*Tape, error) {
	p, err := f.Plan(variant, sets)
	if err != nil {
		return nil, err
	}
	if err := run.Fits(p, true); err != nil {
		return nil, err
	}
	recording := run.NewRecording(p.Names)
	result, err := run.Do(p, run.Options{Sink: recording, Unchecked: true, Interrupted: interrupted})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s, %s: %w", f.Name, variant, err)
	case result.Partial:
		return nil, errInterrupted
	}
	t := NewTape(recording, result.Outcome)
	t.File, t.Plan, t.Sets, t.End = f, p, sets, p.End
	t.Questions = questionsOf(t, f.Asks(variant))
	t.Marks = withQuestions(t, withTold(t))
	return t, nil
}

// NewTape is a tape of events that came from elsewhere, such as a trace.
func NewTape(recording *run.Recording, o *outcome.Outcome) *Tape {
	t := &Tape{Recording: recording, Outcome: o}
	if n := recording.Len(); n > 0 {
		t.End = recording.Log.At(n - 1).At
	}
	t.Marks = marksOf(t)
	return t
}

// TickAt is the time of the last of the first n events.
func (t *Tape) TickAt(n int) kafka.Tick {
	if n = min(n, t.Len()); n <= 0 {
		return 0
	}
	return t.Log.At(n - 1).At
}

// Sentence is what event number n says.
func (t *Tape) Sentence(n int) string {
	if n < 1 || n > t.Len() {
		return ""
	}
	return t.sentence(t.Log.At(n - 1))
}

func (t *Tape) sentence(e *event.Event) string { return event.Sentence(e, t.Log.Records(e), t.Names) }

// Clocked is the sentence of event number n with its time in front.
func (t *Tape) Clocked(n int) string { return t.Names.Clock(t.TickAt(n)) + "  " + t.Sentence(n) }

// Title is one line on what the run is about.
func (t *Tape) Title() string {
	if t.File == nil {
		return t.Names.Scenario
	}
	return t.File.Title
}

// SettingsAt is the line of settings that decide most, as they are at a time: those of the first producer and of the first
// topic.
func (t *Tape) SettingsAt(now kafka.Tick) string {
	at := t.PlanAt(now)
	if at == nil || len(at.Producers) == 0 {
		return ""
	}
	c := &at.Producers[0].Config
	words := []string{"acks=" + c.Acks.String(), "idempotence=" + onOff(c.EnableIdempotence)}
	if c.Retries == 0 {
		words = append(words, "retries=0")
	}
	if len(at.Partitions) > 0 {
		words = append(words, fmt.Sprintf("min.isr=%d", at.Partitions[0].Config.MinInSyncReplicas))
	}
	return strings.Join(words, " ")
}

// ProducerAt is what a producer runs with at a time; nil for a trace, which does not tell.
func (t *Tape) ProducerAt(now kafka.Tick, id kafka.NodeID) *kafka.ProducerConfig {
	at := t.PlanAt(now)
	for i := 0; at != nil && i < len(at.Producers); i++ {
		if p := &at.Producers[i]; p.ID == id {
			return &p.Config
		}
	}
	return nil
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// PartitionOf is where an order was first put by its producer; NoPartition for one that was never sent.
func (t *Tape) PartitionOf(id kafka.RecordID) kafka.PartitionID {
	for _, e := range t.Log.All() {
		if e.Kind == event.RecordsSent && slices.Contains(t.Log.Records(e), id) {
			return e.Partition
		}
	}
	return kafka.NoPartition
}
