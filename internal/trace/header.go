package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"replog/internal/kafka"
)

// Header is what a reader has to know about a run besides its events.
type Header struct {
	// Model is the version of the simulator's model: it says what the events mean.
	Model string
	Names *kafka.Names
	// Producers holds what each producer's settings promise, and what they give up.
	Producers []Producer
}

// Producer is what a trace says of a producer's configuration.
type Producer struct {
	ID   kafka.NodeID `json:"id"`
	Acks string       `json:"acks"` // all, 1 or 0
	// Retries and Idempotent are whether the producer sends again, and whether a leader recognises what it sends again.
	Retries    bool `json:"retries"`
	Idempotent bool `json:"idempotent"`
}

// Acks is the acks setting of a producer, all when the trace does not say.
func (h *Header) Acks(producer kafka.NodeID) kafka.Acks {
	for i := range h.Producers {
		if h.Producers[i].ID == producer {
			return parseAcks(h.Producers[i].Acks)
		}
	}
	return kafka.AcksAll
}

func parseAcks(text string) kafka.Acks {
	switch text {
	case kafka.AcksNone.String():
		return kafka.AcksNone
	case kafka.AcksOne.String():
		return kafka.AcksOne
	}
	return kafka.AcksAll
}

type headerLine struct {
	Format    string       `json:"format"`
	Version   int          `json:"version"`
	Model     string       `json:"model"`
	Names     *kafka.Names `json:"names"`
	Producers []Producer   `json:"producers,omitempty"`
}

func appendHeader(buf []byte, h Header) []byte {
	line, err := json.Marshal(headerLine{format, version, h.Model, h.Names, h.Producers})
	if err != nil {
		panic("trace: a header is plain data: " + err.Error())
	}
	return append(append(buf, line...), '\n')
}

// parseHeader reads the first line and refuses what this program cannot read: first another format, then another
// version, then another model, then anything that the version does not have.
func parseHeader(line []byte, model string) (Header, error) {
	var probe struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
		Model   string `json:"model"`
	}
	if err := json.Unmarshal(line, &probe); err != nil || probe.Format != format {
		return Header{}, inHeader(`this is not a trace of replog: its first line must be a header {"format":"replog-trace","version":1,...}`)
	}
	if probe.Version != version {
		return Header{}, inHeader("this trace has version %d of the format; this program reads version %d", probe.Version, version)
	}
	if model != "" && probe.Model != model {
		return Header{}, inHeader("this trace was made by model %q; this program has model %q, in which events may mean something else: run the scenario again",
			probe.Model, model)
	}
	strict := json.NewDecoder(bytes.NewReader(line))
	strict.DisallowUnknownFields()
	var h headerLine
	if err := strict.Decode(&h); err != nil {
		return Header{}, inHeader("the header is malformed: %v", err)
	}
	if problem := h.problem(); problem != "" {
		return Header{}, inHeader("%s", problem)
	}
	return Header{Model: h.Model, Names: h.Names, Producers: h.Producers}, nil
}

func inHeader(text string, args ...any) error {
	return &Error{Line: 1, Problem: fmt.Sprintf(text, args...)}
}

// problem says what is wrong with the names, or nothing. Later code counts and allocates by them.
func (h *headerLine) problem() string {
	if h.Names == nil {
		return "the header has no names"
	}
	if h.Names.TickMicros < 1 || h.Names.TickMicros > day {
		return fmt.Sprintf("tick_us must be from 1 to %d, a day", day)
	}
	if h.Names.StartMicros < -1 || h.Names.StartMicros > longest {
		return fmt.Sprintf("start_us must be from 0 to %d, or -1", longest)
	}
	partitions := 0
	for _, t := range h.Names.Topics {
		if partitions += t.Partitions; t.Partitions < 0 || partitions > maxPartitions {
			return fmt.Sprintf("topic %q: a trace has from 0 to %d partitions", t.Name, maxPartitions)
		}
		if t.Numbers != nil && len(t.Numbers) != t.Partitions {
			return fmt.Sprintf("topic %q: it has %d partitions and numbers of %d", t.Name, t.Partitions, len(t.Numbers))
		}
	}
	for i, home := range h.Names.GroupHomes {
		if home < 0 || int(home) >= partitions {
			return fmt.Sprintf("group %d: partition %d is its home, and there are %d partitions", i, home, partitions)
		}
	}
	for i := range h.Names.Loads {
		if recordsEnd(&h.Names.Loads[i]) < 0 {
			return fmt.Sprintf("load %d: its records are not numbered from 0 to %d", i, math.MaxInt32)
		}
	}
	for _, p := range h.Producers {
		if parseAcks(p.Acks).String() != p.Acks {
			return fmt.Sprintf("producer %d: acks is %q, which is none of all, 1 and 0", p.ID, p.Acks)
		}
	}
	return ""
}

const (
	maxPartitions = 1 << 20
	day           = 24 * 3600 * 1_000_000 // in microseconds
	// longest is how long a run lasts at most, in microseconds: what is counted by the hour has to fit into memory.
	longest = 20 * 366 * day
)

// recordsEnd is the id behind the last record of a load, or -1 when it is not a record id.
func recordsEnd(l *kafka.RecordRange) int64 {
	width := int64(max(1, len(l.Steps)))
	if l.First < 0 || l.Orders < 0 || int64(l.Orders) > math.MaxInt32/width {
		return -1
	}
	if end := int64(l.First) + int64(l.Orders)*width; end <= math.MaxInt32 {
		return end
	}
	return -1
}

func partitionCount(names *kafka.Names) int64 {
	count := 0
	for i := range names.Topics {
		count += names.Topics[i].Partitions
	}
	return int64(count)
}

func recordLimit(names *kafka.Names) int64 {
	var limit int64
	for i := range names.Loads {
		limit = max(limit, recordsEnd(&names.Loads[i]))
	}
	return limit
}
