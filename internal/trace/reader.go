package trace

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"replog/internal/event"
	"replog/internal/kafka"
)

// maxLineBytes bounds what a reader keeps of a trace that somebody else wrote.
const maxLineBytes = 16 << 20

// Reader reads a trace step by step.
type Reader struct {
	header Header
	lines  lines
	parser parser

	step event.Step
	// ahead is the first event of the next step, with its ids: a step ends where the next begins.
	ahead    event.Event
	aheadIDs []kafka.RecordID
	steps    int64 // number of the step of the event read last

	done      bool
	truncated bool
	err       error // of an earlier call
}

// NewReader reads the header. It refuses a trace of another model, unless model is empty.
func NewReader(from io.Reader, model string) (*Reader, error) {
	r := &Reader{lines: lines{from: bufio.NewReaderSize(from, 64<<10)}}
	line, whole, err := r.lines.next()
	switch {
	case err == io.EOF:
		return nil, inHeader("the trace is empty")
	case err != nil:
		return nil, err
	}
	if r.header, err = parseHeader(line, model); err != nil {
		return nil, err
	}
	if !whole {
		r.done, r.truncated = true, true
	}
	r.parser = newParser(r.header.Names)
	return r, nil
}

// Header is the first line of the trace.
func (r *Reader) Header() *Header { return &r.header }

// Truncated reports, after the last step, whether the trace was cut off: it has no footer.
func (r *Reader) Truncated() bool { return r.truncated }

// Events is the number of events read so far.
func (r *Reader) Events() int { return int(r.parser.seq) }

// Next is the next step, valid until the following call; io.EOF after the last one. The last step of a truncated trace
// may lack events.
func (r *Reader) Next() (*event.Step, error) {
	r.step.Events, r.step.IDs = r.step.Events[:0], r.step.IDs[:0]
	if r.ahead.Seq != 0 {
		r.keep(r.ahead, r.aheadIDs)
		r.ahead = event.Event{}
	}
	for begun := false; !r.done && !begun && r.err == nil; {
		begun, r.err = r.readLine()
	}
	if r.err != nil {
		return nil, r.err
	}
	if len(r.step.Events) == 0 {
		return nil, io.EOF
	}
	return &r.step, nil
}

// readLine takes the next line and reports whether it began a new step, which then waits in ahead.
func (r *Reader) readLine() (begun bool, err error) {
	line, whole, err := r.lines.next()
	if err == io.EOF {
		r.done, r.truncated = true, true
		return false, nil
	}
	if err != nil {
		return false, err
	}
	err = r.parser.parse(line)
	switch {
	case err != nil && whole:
		return false, r.at(err)
	case err != nil:
		r.done, r.truncated = true, true
		return false, nil
	case r.parser.footer:
		r.done = true
		return false, r.finish()
	}
	fresh := len(r.step.Events) == 0 || r.parser.step == r.steps
	r.steps = r.parser.step
	if fresh {
		r.keep(r.parser.event, r.parser.ids)
		return false, nil
	}
	r.ahead, r.aheadIDs = r.parser.event, append(r.aheadIDs[:0], r.parser.ids...)
	return true, nil
}

func (r *Reader) keep(e event.Event, ids []kafka.RecordID) {
	if len(ids) > 0 {
		e.Records = uint32(len(r.step.IDs))
		r.step.IDs = append(r.step.IDs, ids...)
	}
	r.step.Events = append(r.step.Events, e)
}

// finish makes sure that nothing comes behind the footer.
func (r *Reader) finish() error {
	_, _, err := r.lines.next()
	switch err {
	case io.EOF:
		return nil
	case nil:
		return &Error{Line: r.lines.number, Problem: "the trace goes on behind its footer"}
	}
	return err
}

// at adds the line number to a problem.
func (r *Reader) at(err error) error {
	var problem *Error
	if errors.As(err, &problem) {
		problem.Line = r.lines.number
	}
	return err
}

// Replay hands each step to the sink, as the run did that wrote the trace.
func (r *Reader) Replay(sink event.Sink) error {
	for {
		step, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if problem := consume(sink, step); problem != nil {
			return &Error{Line: r.lines.number, Problem: fmt.Sprintf(
				"this cannot have happened after what comes before it (%v)", problem)}
		}
	}
}

// consume hands a step to the sink. The reader has checked each event by itself; a history whose events contradict each
// other can still be more than a fold bears, and that is the trace's fault.
func consume(sink event.Sink, step *event.Step) (problem any) {
	defer func() { problem = recover() }()
	sink.Consume(step)
	return nil
}

// lines cuts a stream into lines.
type lines struct {
	from   *bufio.Reader
	long   []byte // a line that is longer than the reader's buffer
	number int
}

// next is the next line without its end, valid until the following call. It is not whole when the stream ends within
// it.
func (l *lines) next() (line []byte, whole bool, err error) {
	l.number++
	line, err = l.from.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull && len(l.long) <= maxLineBytes {
			l.long = append(l.long, line...)
			line, err = l.from.ReadSlice('\n')
		}
		l.long = append(l.long, line...)
		line = l.long
	}
	switch {
	case len(line) > maxLineBytes:
		return nil, false, &Error{Line: l.number, Problem: "the line is longer than 16 MB"}
	case err == io.EOF && len(line) > 0:
		return line, false, nil
	case err != nil:
		return nil, false, err
	}
	return line[:len(line)-1], true, nil
}
