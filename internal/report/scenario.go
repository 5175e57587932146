package report

import (
	"encoding/json"
	"fmt"
	"io"

	"replog/internal/check"
	"replog/internal/explore"
	"replog/internal/kafka"
	"replog/internal/model"
	"replog/internal/outcome"
)

// Format is the version of the JSON form. Later versions of replog add keys to it; they rename none.
const Format = 1

// Scenario is what the runs of one scenario came to: the object that `run --format json` prints.
type Scenario struct {
	Format   int       `json:"format"`
	Model    int       `json:"model"`
	Scenario string    `json:"scenario"`
	Seed     *uint64   `json:"seed"` // of the first run; null for a trace, which does not tell
	Partial  bool      `json:"partial"`
	Variants []Variant `json:"variants"`

	Title    string `json:"-"`
	Remember string `json:"-"`
	// All: every variant is among the runs, so that together they prove what there is to remember.
	All bool `json:"-"`
}

// Variant is what one run came to.
type Variant struct {
	outcome.Report
	Copies      []Copies    `json:"copies"`
	Violations  []Violation `json:"violations"`
	Judged      bool        `json:"judged"` // the run was held against what its scenario expects
	Unmet       []string    `json:"unmet_expectations"`
	Seed        *uint64     `json:"seed"`
	Partial     bool        `json:"partial"`
	Events      int         `json:"events"`
	TraceSHA256 string      `json:"trace_sha256"`
	// Metrics are what an operator would have watched; nil for a trace, which does not tell how many replicas there are.
	Metrics *Metrics `json:"metrics,omitempty"`

	// Working is what one reckons, beside what the run measured.
	Working []Working `json:"working,omitempty"`

	// Survive is how many brokers may be lost, where the scenario asks.
	Survive *explore.Survival `json:"survive,omitempty"`
	// Sweeps are what was counted with a fault at each moment, where the scenario asks.
	Sweeps []explore.Swept `json:"sweep,omitempty"`

	Note string `json:"-"` // what the variant has that is different
	End  string `json:"-"` // the time at which a partial run was left
	// Unanswered: the run is whole, and the many runs that survive and sweep ask for were interrupted.
	Unanswered bool `json:"-"`
	// Told is the story of the order that the scenario is about, where it is to be told.
	Told string `json:"-"`
}

// Copies is where the final logs hold a record that they hold more than once.
type Copies struct {
	Record string  `json:"record"`
	Places []Place `json:"places"`
}

// Place is one offset of one partition.
type Place struct {
	Partition string       `json:"partition"`
	Offset    kafka.Offset `json:"offset"`
}

// Violation is a promise that the run broke.
type Violation struct {
	Promise  string `json:"promise"`
	At       string `json:"at"`
	Event    uint32 `json:"event"` // after which the promise no longer held
	Sentence string `json:"sentence"`
	// Expected: the scenario breaks the promise on purpose, and says so.
	Expected bool `json:"expected"`
}

// New is the report of a scenario without its runs.
func New(name string) *Scenario {
	return &Scenario{Format: Format, Model: model.Version, Scenario: name, Variants: []Variant{}}
}

// Add appends a run.
func (s *Scenario) Add(v Variant) {
	if len(s.Variants) == 0 {
		s.Seed = v.Seed
	}
	s.Partial = s.Partial || v.Partial
	s.Variants = append(s.Variants, v)
}

// Of is the report of a run that was not yet held against what its scenario expects.
func Of(o *outcome.Outcome, violations []check.Violation) Variant {
	v := Variant{Report: o.Report(), Copies: []Copies{}, Violations: []Violation{}, Unmet: []string{}}
	for _, id := range o.StoredTwice {
		c := Copies{Record: o.Names.Record(id)}
		for _, at := range o.Copies(id) {
			c.Places = append(c.Places, Place{o.Names.Partition(at.Partition), at.Offset})
		}
		v.Copies = append(v.Copies, c)
	}
	for _, broken := range violations {
		v.Violations = append(v.Violations, Violation{
			Promise: broken.Promise, At: o.Names.Clock(broken.At), Event: uint32(broken.Seq), Sentence: broken.Sentence,
		})
	}
	return v
}

// Broken counts what the scenario did not ask for: promises broken in spite of the configuration.
func (v *Variant) Broken() int {
	count := 0
	for i := range v.Violations {
		if !v.Violations[i].Expected {
			count++
		}
	}
	return count
}

// OK reports that the run kept its promises and met what its scenario expects.
func (v *Variant) OK() bool { return v.Broken() == 0 && len(v.Unmet) == 0 }

// OK reports that every run is.
func (s *Scenario) OK() bool {
	for i := range s.Variants {
		if !s.Variants[i].OK() {
			return false
		}
	}
	return true
}

// proved: every variant was carried through, and came to what the scenario expects of it.
func (s *Scenario) proved() bool {
	for i := range s.Variants {
		if v := &s.Variants[i]; !v.Judged || v.Partial || !v.OK() {
			return false
		}
	}
	return s.All
}

// WriteJSON writes the report as one JSON object.
func (s *Scenario) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(s)
}

// ReadJSON reads what WriteJSON wrote, also that of a later version with more keys.
func ReadJSON(data []byte) (*Scenario, error) {
	var s Scenario
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("this is not the JSON of replog run: %w", err)
	}
	if s.Format != Format {
		return nil, fmt.Errorf("this JSON has format %d; this program reads format %d", s.Format, Format)
	}
	return &s, nil
}
