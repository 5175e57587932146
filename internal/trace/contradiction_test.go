package trace

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
)

// TestContradictionIsTheTracesFault: a history that a fold can not bear is a mistake with its line, not a panic.
func TestContradictionIsTheTracesFault(t *testing.T) {
	var text bytes.Buffer
	w := NewWriter(&text, Header{Model: "1", Names: &kafka.Names{TickMicros: 1000, StartMicros: -1}})
	w.Consume(&event.Step{Events: []event.Event{{Kind: event.RunStarted, Seq: 1, Count: 3}}})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(&text, "1")
	if err != nil {
		t.Fatal(err)
	}
	var told *Error
	if err := r.Replay(fragile{}); !errors.As(err, &told) || told.Line == 0 || !strings.Contains(told.Problem, "no such thing") {
		t.Errorf("the replay ends with %v", err)
	}
}

type fragile struct{}

func (fragile) Consume(*event.Step) { panic("no such thing") }
