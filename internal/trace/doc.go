// Package trace writes the events of a run as JSON lines and reads them back. The first line is a header, then comes one
// object an event, then a footer; a trace without its footer was cut off.
//
//	{"format":"replog-trace","version":1,"model":"1","names":{...},"producers":[{"id":64,"acks":"all",...}]}
//	{"seq":41,"step":9,"cause":40,"at":2100,"kind":"BatchAppended","node":2,...,"records":["8812"],"ids":[3011]}
//	{"end":true,"events":41}
//
// An event has exactly the fields that its row in the catalogue declares, besides seq, step, cause, at and kind. Events
// of one step were caused by one input. Records are named twice: records are the scenario's own ids, ids the numbers of
// the run.
//
// Its one rule: what was written reads back as the same events, and what reads back without an error is a trace that
// the rest of the program can trust: references point backwards, ids and partitions exist.
package trace

import "fmt"

const (
	format  = "replog-trace"
	version = 1
)

// Error is a trace that cannot be read, and where.
type Error struct {
	Line    int // from 1
	Column  int // in bytes, from 1; 0 when the line as a whole is meant
	Problem string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Problem)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}
