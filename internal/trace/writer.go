package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"strconv"

	"replog/internal/event"
	"replog/internal/kafka"
)

// flushBytes is how much text is gathered before it is hashed and written.
const flushBytes = 32 << 10

// Writer writes a trace. It is an event.Sink. After an error of the writer below it goes on hashing, and Close returns
// the error.
type Writer struct {
	to     io.Writer
	names  *kafka.Names
	buf    []byte
	hash   hash.Hash
	steps  int64
	events int64
	err    error
}

// NewWriter begins a trace. With a nil writer nothing is written, and only the hash is computed.
func NewWriter(to io.Writer, h Header) *Writer {
	w := &Writer{to: to, names: h.Names, hash: sha256.New(), buf: make([]byte, 0, 2*flushBytes)}
	w.buf = appendHeader(w.buf, h)
	return w
}

// Consume implements event.Sink.
func (w *Writer) Consume(step *event.Step) {
	if len(step.Events) == 0 {
		return
	}
	w.steps++
	for i := range step.Events {
		e := &step.Events[i]
		w.buf = appendEvent(w.buf, w.steps, e, step.Records(e), w.names)
		if len(w.buf) >= flushBytes {
			w.flush()
		}
	}
	w.events += int64(len(step.Events))
}

// Close writes the footer. It does not close the writer below.
func (w *Writer) Close() error {
	w.buf = append(w.buf, `{"end":true,"events":`...)
	w.buf = strconv.AppendInt(w.buf, w.events, 10)
	w.buf = append(w.buf, "}\n"...)
	w.flush()
	return w.err
}

// Sum is the SHA-256 of the whole trace in hexadecimal; it is final after Close.
func (w *Writer) Sum() string { return hex.EncodeToString(w.hash.Sum(nil)) }

func (w *Writer) flush() {
	w.hash.Write(w.buf)
	if w.to != nil && w.err == nil {
		_, w.err = w.to.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

// appendEvent appends the line of an event.
func appendEvent(buf []byte, step int64, e *event.Event, ids []kafka.RecordID, names *kafka.Names) []byte {
	spec := e.Kind.Spec()
	buf = strconv.AppendInt(append(buf, `{"seq":`...), int64(e.Seq), 10)
	buf = strconv.AppendInt(append(buf, `,"step":`...), step, 10)
	buf = strconv.AppendInt(append(buf, `,"cause":`...), int64(e.Cause), 10)
	if spec.Fields&event.About != 0 {
		buf = strconv.AppendInt(append(buf, `,"about":`...), int64(e.About), 10)
	}
	buf = strconv.AppendInt(append(buf, `,"at":`...), int64(e.At), 10)
	buf = appendText(append(buf, `,"kind":`...), spec.Name)
	for i := range numbers {
		if n := &numbers[i]; spec.Fields&n.of != 0 {
			buf = append(append(append(buf, `,"`...), n.name...), `":`...)
			buf = strconv.AppendInt(buf, n.get(e), 10)
		}
	}
	if spec.Fields&event.Records != 0 {
		buf = appendRecords(buf, ids, names)
	}
	if spec.Fields&event.Error != 0 {
		buf = appendText(append(buf, `,"error":`...), e.Error.String())
	}
	if spec.Fields&event.Message != 0 {
		buf = appendText(append(buf, `,"message":`...), e.Message.String())
	}
	return append(buf, "}\n"...)
}

func appendRecords(buf []byte, ids []kafka.RecordID, names *kafka.Names) []byte {
	buf = append(buf, `,"records":[`...)
	for i, id := range ids {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = appendText(buf, names.Record(id))
	}
	buf = append(buf, `],"ids":[`...)
	for i, id := range ids {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = strconv.AppendInt(buf, int64(id), 10)
	}
	return append(buf, ']')
}

// appendText appends a JSON string. Nearly every text is an identifier or a number and needs no escapes.
func appendText(buf []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := json.Marshal(text)
			if err != nil {
				panic("trace: a string has a JSON form: " + err.Error())
			}
			return append(buf, quoted...)
		}
	}
	return append(append(append(buf, '"'), text...), '"')
}
