package trace

import (
	"math"

	"replog/internal/event"
	"replog/internal/kafka"
)

// A parser reads one line after another: an event, or the footer. It knows how far the trace has come, so it can tell
// what cannot be.
type parser struct {
	names      *kafka.Names
	partitions int64
	records    int64

	seq event.Seq
	at  kafka.Tick

	// The line read last.
	event  event.Event
	ids    []kafka.RecordID
	texts  []string // the records as the line names them
	step   int64
	steps  int64 // before this line
	footer bool

	scan scanner
	seen seen
}

// seen notes which names a line has: a bit for each number, then those below.
type seen uint32

const (
	seenSeq seen = 1 << (iota + len(numbers))
	seenStep
	seenCause
	seenAbout
	seenAt
	seenKind
	seenRecords
	seenIDs
	seenError
	seenMessage
	seenEnd
	seenEvents
)

func newParser(names *kafka.Names) parser {
	return parser{names: names, partitions: partitionCount(names), records: recordLimit(names)}
}

// parse reads a line into event and ids, or finds that it is the footer.
func (p *parser) parse(line []byte) error {
	p.scan = scanner{line: line}
	p.event, p.ids, p.texts, p.seen, p.footer = event.Event{}, p.ids[:0], p.texts[:0], 0, false
	var events int64
	p.scan.object(func(name string, column int) { p.value(name, column, &events) })
	switch {
	case p.scan.failed():
	case p.seen&seenEnd != 0:
		p.finish(events)
	default:
		p.check()
	}
	if p.scan.failed() {
		return &Error{Column: p.scan.column, Problem: p.scan.problem}
	}
	if !p.footer {
		p.seq, p.at, p.steps = p.event.Seq, p.event.At, p.step
	}
	return nil
}

// value reads the value of one name.
func (p *parser) value(name string, column int, events *int64) {
	if i := numberNamed(name); i >= 0 {
		p.once(seen(1)<<i, name, column)
		n := &numbers[i]
		n.set(&p.event, p.scan.whole(n.min, n.max))
		return
	}
	bit := p.other(name, events)
	if bit == 0 {
		p.scan.fail(column, "a trace has no field %q", name)
		return
	}
	p.once(bit, name, column)
}

func numberNamed(name string) int {
	for i := range numbers {
		if numbers[i].name == name {
			return i
		}
	}
	return -1
}

// once notes that a name has come, which it may only once.
func (p *parser) once(bit seen, name string, column int) {
	if p.seen&bit != 0 {
		p.scan.fail(column, "the field %q stands here twice", name)
	}
	p.seen |= bit
}

// other reads the fields that are not in the table of numbers; 0 stands for a name that is no field.
func (p *parser) other(name string, events *int64) seen {
	s, e := &p.scan, &p.event
	switch name {
	case "seq":
		e.Seq = event.Seq(s.whole(int64(p.seq)+1, int64(p.seq)+1))
		return seenSeq
	case "step":
		p.step = s.whole(max(1, p.steps), p.steps+1)
		return seenStep
	case "cause":
		e.Cause = event.Seq(s.whole(0, int64(p.seq)))
		return seenCause
	case "about":
		e.About = event.Seq(s.whole(0, int64(p.seq)))
		return seenAbout
	case "at":
		e.At = kafka.Tick(s.whole(int64(p.at), longest/p.names.TickMicros))
		return seenAt
	case "kind":
		e.Kind = named(s, event.ParseKind, "there is no kind of event %q")
		return seenKind
	case "records":
		s.list('[', ']', func() { p.texts = append(p.texts, s.text()) })
		return seenRecords
	case "ids":
		s.list('[', ']', func() { p.ids = append(p.ids, kafka.RecordID(s.whole(int64(kafka.NoRecord), p.records-1))) })
		return seenIDs
	case "error":
		e.Error = named(s, kafka.ParseErrorCode, "Kafka has no error %q")
		return seenError
	case "message":
		e.Message = named(s, kafka.ParseMessageKind, "there is no message %q")
		return seenMessage
	case "end":
		s.literal("true")
		return seenEnd
	case "events":
		*events = s.whole(0, math.MaxInt64)
		return seenEvents
	}
	return 0
}

// named reads a name, and fails with what is wrong about it when nothing has that name.
func named[T any](s *scanner, parse func(name string) (T, bool), wrong string) T {
	at := s.at
	name := s.text()
	found, ok := parse(name)
	if !ok {
		s.fail(at, wrong, name)
	}
	return found
}

// finish checks a footer.
func (p *parser) finish(events int64) {
	switch {
	case p.seen != seenEnd|seenEvents:
		p.scan.fail(0, `a footer is {"end":true,"events":N}`)
	case events != int64(p.seq):
		p.scan.fail(0, "the footer counts %d events, the trace has %d", events, p.seq)
	}
	p.footer = true
}

// check holds an event against its row in the catalogue and against the names of the run.
func (p *parser) check() {
	e := &p.event
	if p.seen&seenKind == 0 {
		p.scan.fail(0, "an event without a kind")
		return
	}
	want := fieldsOf(e.Kind)
	if missing := want &^ p.seen; missing != 0 {
		p.scan.fail(0, "a %s has a field %q, which is missing", e.Kind, nameOf(missing))
	}
	if extra := p.seen &^ want; extra != 0 {
		p.scan.fail(0, "a %s has no field %q", e.Kind, nameOf(extra))
	}
	if int64(e.Partition) >= p.partitions && e.Kind.Spec().Fields&event.Partition != 0 {
		p.scan.fail(0, "partition %d: the header names %d partitions", e.Partition, p.partitions)
	}
	if want&seenRecords != 0 {
		p.checkRecords()
		e.Count = int32(len(p.ids))
	}
}

// checkRecords makes sure that both ways to name the records name the same.
func (p *parser) checkRecords() {
	if len(p.ids) != len(p.texts) {
		p.scan.fail(0, "%d records have %d ids", len(p.texts), len(p.ids))
		return
	}
	own := p.event.Kind.Spec().Fields&event.Partition != 0 && p.names.Internal(p.event.Partition)
	for i, id := range p.ids {
		if own != (id == kafka.NoRecord) {
			p.scan.fail(0, "only Kafka's own records, those of an internal topic, have the id %d", kafka.NoRecord)
			return
		}
		if name := p.names.Record(id); name != p.texts[i] {
			p.scan.fail(0, "record %q has the id %d, which is that of %q", p.texts[i], id, name)
			return
		}
	}
}

// fieldsOf is what the line of an event of the kind has.
func fieldsOf(kind event.Kind) seen {
	fields := kind.Spec().Fields
	want := seenSeq | seenStep | seenCause | seenAt | seenKind
	for i := range numbers {
		if fields&numbers[i].of != 0 {
			want |= 1 << i
		}
	}
	if fields&event.About != 0 {
		want |= seenAbout
	}
	if fields&event.Records != 0 {
		want |= seenRecords | seenIDs
	}
	if fields&event.Error != 0 {
		want |= seenError
	}
	if fields&event.Message != 0 {
		want |= seenMessage
	}
	return want
}

var otherNames = [...]string{
	"seq", "step", "cause", "about", "at", "kind", "records", "ids", "error", "message", "end", "events",
}

// nameOf is the name of one of the fields in the set.
func nameOf(fields seen) string {
	for i := range numbers {
		if fields&(1<<i) != 0 {
			return numbers[i].name
		}
	}
	for i, name := range otherNames {
		if fields&(seenSeq<<i) != 0 {
			return name
		}
	}
	return ""
}
