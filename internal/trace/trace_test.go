package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"replog/internal/event"
	"replog/internal/kafka"
)

func testHeader() Header {
	return Header{
		Model: "1",
		Names: &kafka.Names{
			Scenario: "broker-2-dies", Variant: "as it was", TickMicros: 5000, StartMicros: 45_000_000_000,
			Nodes:  []kafka.NodeName{{ID: 64, Name: "worker 1 of \"orders\"", Group: "workers"}},
			Topics: []kafka.TopicName{{Name: "orders", Partitions: 6}, {Name: "parcels", Partitions: 2}},
			Keys:   []string{"kitchen-41", "", "Küche\n"},
			Loads: []kafka.RecordRange{
				{Orders: 5000, FirstNumber: 8800},
				{First: 5000, Orders: 100, FirstNumber: 1, Steps: []string{"placed", "paid <\"€\">"}},
			},
			Faults: []string{"broker 2 dies"},
		},
		Producers: []Producer{{ID: 64, Acks: "all"}, {ID: 65, Acks: "1"}, {ID: 66, Acks: "0"}},
	}
}

// randomEvent sets just the fields that the kind declares.
func randomEvent(t *rapid.T, seq event.Seq, at kafka.Tick) event.Event {
	e := event.Event{
		Seq: seq, At: at, Kind: rapid.SampledFrom(event.Kinds()).Draw(t, "kind"),
		Cause: event.Seq(rapid.Uint32Range(0, uint32(seq-1)).Draw(t, "cause")),
	}
	fields := e.Kind.Spec().Fields
	for i := range numbers {
		if n := &numbers[i]; fields&n.of != 0 {
			highest := n.max
			if n.name == "partition" {
				highest = 7
			}
			n.set(&e, rapid.Int64Range(n.min, highest).Draw(t, n.name))
		}
	}
	if fields&event.About != 0 {
		e.About = event.Seq(rapid.Uint32Range(0, uint32(seq-1)).Draw(t, "about"))
	}
	if fields&event.Error != 0 {
		codes := []kafka.ErrorCode{kafka.None, kafka.NotLeaderOrFollower, kafka.NetworkException, kafka.UnknownServerError}
		e.Error = rapid.SampledFrom(codes).Draw(t, "error")
	}
	if fields&event.Message != 0 {
		message := rapid.IntRange(0, len(kafka.MessageKindNames())-1).Draw(t, "message")
		e.Message = kafka.MessageKind(message)
	}
	return e
}

func randomIDs(t *rapid.T) []kafka.RecordID {
	id := rapid.Map(rapid.Int32Range(0, 5199), func(i int32) kafka.RecordID { return kafka.RecordID(i) })
	return rapid.SliceOfN(id, 0, 8).Draw(t, "ids")
}

// randomRun writes random steps of every kind to the sink and to a log.
func randomRun(t *rapid.T, sink event.Sink) *event.Log {
	log := new(event.Log)
	var seq event.Seq
	var at kafka.Tick
	for range rapid.IntRange(0, 20).Draw(t, "steps") {
		at += kafka.Tick(rapid.Int64Range(0, 1e6).Draw(t, "ticks"))
		var step event.Step
		for range rapid.IntRange(0, 5).Draw(t, "events") {
			seq++
			e := randomEvent(t, seq, at)
			if e.Kind.Spec().Fields&event.Records != 0 {
				if ids := randomIDs(t); len(ids) > 0 {
					e.Records, e.Count = uint32(len(step.IDs)), int32(len(ids))
					step.IDs = append(step.IDs, ids...)
				}
			}
			step.Events = append(step.Events, e)
		}
		sink.Consume(&step)
		log.Consume(&step)
	}
	return log
}

// steps counts the steps that hold events.
type stepCounter struct{ steps int }

func (s *stepCounter) Consume(step *event.Step) {
	if len(step.Events) > 0 {
		s.steps++
	}
}

func diffLogs(a, b *event.Log) string {
	if a.Len() != b.Len() {
		return cmp.Diff(a.Len(), b.Len())
	}
	for i := range a.Len() {
		if *a.At(i) != *b.At(i) {
			return cmp.Diff(*a.At(i), *b.At(i))
		}
		if diff := cmp.Diff(a.Records(a.At(i)), b.Records(b.At(i))); diff != "" {
			return diff
		}
	}
	return ""
}

func TestTraceReadsBackAsTheSameEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text bytes.Buffer
		w := NewWriter(&text, testHeader())
		wrote := new(stepCounter)
		want := randomRun(t, event.Sinks{w, wrote})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := NewReader(&text, "1")
		if err != nil {
			t.Fatal(err)
		}
		got, read := new(event.Log), new(stepCounter)
		if err := r.Replay(event.Sinks{got, read}); err != nil {
			t.Fatal(err)
		}
		if diff := diffLogs(want, got); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(testHeader(), *r.Header()); diff != "" {
			t.Fatal(diff)
		}
		if r.Truncated() || r.Events() != want.Len() || read.steps != wrote.steps {
			t.Fatalf("truncated %t, %d events in %d steps; want false, %d in %d",
				r.Truncated(), r.Events(), read.steps, want.Len(), wrote.steps)
		}
	})
}

func TestEachLineIsJSONWithTheFieldsOfItsKind(t *testing.T) {
	for _, kind := range event.Kinds() {
		line := appendEvent(nil, 1, &event.Event{Kind: kind, Seq: 1}, nil, testHeader().Names)
		var object map[string]any
		if err := json.Unmarshal(line, &object); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		want := fieldsOf(kind)
		for i := range numbers {
			if _, ok := object[numbers[i].name]; ok != (want&(1<<i) != 0) {
				t.Errorf("%s: the field %s", line, numbers[i].name)
			}
		}
	}
}

func TestTraceIsReadable(t *testing.T) {
	e := event.Event{
		Seq: 41, Cause: 40, At: 2100, Kind: event.BatchAppended, Node: 2, Peer: 64, Partition: 2, Epoch: 3,
		Offset: 40117, Producer: -1, ProducerEpoch: -1, Sequence: -1, Count: 2,
	}
	got := string(appendEvent(nil, 9, &e, []kafka.RecordID{12, 5003}, testHeader().Names))
	want := `{"seq":41,"step":9,"cause":40,"at":2100,"kind":"BatchAppended","node":2,"peer":64,"partition":2,"epoch":3,` +
		`"offset":40117,"producer":-1,"producer_epoch":-1,"sequence":-1,` +
		`"records":["8812","2 paid \u003c\"€\"\u003e"],"ids":[12,5003]}` + "\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSumIsThatOfTheBytes(t *testing.T) {
	var text bytes.Buffer
	w, silent := NewWriter(&text, testHeader()), NewWriter(nil, testHeader())
	for i := range 1000 {
		step := event.Step{Events: []event.Event{{Seq: event.Seq(i + 1), Kind: event.RunEnded}}}
		w.Consume(&step)
		silent.Consume(&step)
	}
	if err := errors.Join(w.Close(), silent.Close()); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text.Bytes())
	if want := hex.EncodeToString(sum[:]); w.Sum() != want || silent.Sum() != want {
		t.Errorf("sums %s and %s, want %s", w.Sum(), silent.Sum(), want)
	}
}

func TestWriterKeepsTheFirstError(t *testing.T) {
	w := NewWriter(brokenPipe{}, testHeader())
	if err := w.Close(); !errors.Is(err, errPipe) {
		t.Errorf("Close: %v, want the error of the writer below", err)
	}
}

var errPipe = errors.New("broken pipe")

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errPipe }

// sample is a small trace.
func sample() string {
	var text bytes.Buffer
	w := NewWriter(&text, testHeader())
	w.Consume(&event.Step{Events: []event.Event{{Seq: 1, Kind: event.RunStarted, Count: 3}}})
	w.Consume(&event.Step{
		Events: []event.Event{
			{Seq: 2, Cause: 1, At: 4, Kind: event.RecordsRead, Node: 70, Peer: 1, Offset: 7, Count: 1},
			{Seq: 3, Cause: 2, At: 4, Kind: event.MessageDropped, Node: 1, Peer: 2, Message: kafka.KindFetchRequest},
		},
		IDs: []kafka.RecordID{12},
	})
	w.Consume(&event.Step{Events: []event.Event{{Seq: 4, At: 9, Kind: event.RunEnded}}})
	w.Close()
	return text.String()
}

func readAll(text string) (*event.Log, *Reader, error) {
	log := new(event.Log)
	r, err := NewReader(strings.NewReader(text), "1")
	if err != nil {
		return log, nil, err
	}
	return log, r, r.Replay(log)
}

func TestCutTraceIsReadUpToTheCut(t *testing.T) {
	text := sample()
	header := strings.Index(text, "\n")
	for cut := header + 1; cut < len(text)-1; cut++ {
		log, r, err := readAll(text[:cut])
		if err != nil {
			t.Fatalf("cut at byte %d: %v", cut, err)
		}
		whole := strings.Count(text[header:cut]+"\n", "}\n")
		if !r.Truncated() || log.Len() != whole || r.Events() != whole {
			t.Fatalf("cut at byte %d: truncated %t, %d events; want true and %d", cut, r.Truncated(), log.Len(), whole)
		}
	}
	if _, r, err := readAll(text[:len(text)-1]); err != nil || r.Truncated() {
		t.Errorf("a footer without its newline is whole: %v", err)
	}
	if _, _, err := readAll(text[:header-5]); err == nil {
		t.Error("a trace cut within its header cannot be read")
	}
}

func TestBadTraceIsRefused(t *testing.T) {
	text := sample()
	tests := []struct {
		what     string
		old, new string
		want     string
	}{
		{"another format", `"replog-trace"`, `"kafka-trace"`, "line 1: this is not a trace of replog"},
		{"no JSON", `{"format"`, `GIF89a`, "line 1: this is not a trace of replog"},
		{"a later version", `"version":1`, `"version":2`, "line 1: this trace has version 2 of the format; this program reads version 1"},
		{"another model", `"model":"1"`, `"model":"7"`, `line 1: this trace was made by model "7"; this program has model "1"`},
		{"an unknown header field", `"model"`, `"mode":1,"model"`, `line 1: the header is malformed: json: unknown field "mode"`},
		{"no names", `"names":{`, `"names":null,"nam":{`, "line 1: "},
		{"too many partitions", `"partitions":2`, `"partitions":2000000`, "line 1: topic \"parcels\""},
		{"negative partitions", `"partitions":2`, `"partitions":-2`, "line 1: topic \"parcels\""},
		{"too many records", `"orders":100`, `"orders":9223372036854775807`, "line 1: load 1"},
		{"no length of a tick", `"tick_us":5000`, `"tick_us":0`, "line 1: tick_us"},
		{"too long a tick", `"tick_us":5000`, `"tick_us":9223372036854775807`, "line 1: tick_us"},
		{"a start that no clock shows", `"start_us":45000000000`, `"start_us":9223372036854775807`, "line 1: start_us"},
		{"unknown acks", `"acks":"1"`, `"acks":"2"`, "line 1: producer 65: acks"},
		{"a list for a line", `{"seq":1`, `["seq":1`, "line 2, column 1: want '{'"},
		{"half an object", `"count":3}`, `"count":3`, "line 2, column"},
		{"more on the line", `"count":3}`, `"count":3} {}`, "want the end of the line"},
		{"an unknown field", `"count":3`, `"cuont":3`, `a trace has no field "cuont"`},
		{"a missing field", `,"count":3`, ``, `a RunStarted has a field "count", which is missing`},
		{"a field of another kind", `"count":3`, `"count":3,"peer":1`, `a RunStarted has no field "peer"`},
		{"a field twice", `"count":3`, `"count":3,"count":3`, `the field "count" stands here twice`},
		{"an unknown kind", `"RunStarted"`, `"RunFinished"`, `there is no kind of event "RunFinished"`},
		{"no kind", `"kind":"RunStarted",`, ``, "an event without a kind"},
		{"an unknown message", `"FetchRequest"`, `"FetchRequests"`, `there is no message "FetchRequests"`},
		{"a text for a number", `"count":3`, `"count":"3"`, "want a whole number"},
		{"a fraction", `"count":3`, `"count":3.5`, `want a whole number, got "3.5`},
		{"a leading zero", `"count":3`, `"count":03`, "want a whole number"},
		{"a number too large", `"node":70`, `"node":70000`, "70000 is not within -1..32767"},
		{"a gap in seq", `"seq":2`, `"seq":3`, "line 3, column 8: 3 is not within 2..2"},
		{"a gap in the steps", `"step":3`, `"step":4`, "4 is not within 2..3"},
		{"a cause in the future", `"cause":2`, `"cause":3`, "3 is not within 0..2"},
		{"time runs back", `"at":9`, `"at":3`, "3 is not within 4..126489600000"},
		{"a time that no run reaches", `"at":9`, `"at":126489600001`, "126489600001 is not within 4..126489600000"},
		{"an unknown partition", `"partition":0`, `"partition":8`, "partition 8: the header names 8 partitions"},
		{"an unknown record", `"ids":[12]`, `"ids":[5200]`, "5200 is not within -1..5199"},
		{"names that contradict", `"ids":[12]`, `"ids":[13]`, `record "8812" has the id 13, which is that of "8813"`},
		{"fewer ids", `"ids":[12]`, `"ids":[]`, "1 records have 0 ids"},
		{"a bad escape", `"8812"`, `"\x"`, "this is not a string of JSON"},
		{"a wrong count", `"events":4`, `"events":5`, "line 6, column 1: the footer counts 5 events, the trace has 4"},
		{"another footer", `{"end":true,`, `{"end":true,"at":9,`, `a footer is {"end":true,"events":N}`},
		{"not quite an end", `"end":true`, `"end":t rue`, "want true"},
		{"something behind the footer", `"events":4}`, `"events":4}` + "\n{}", "line 7: the trace goes on behind its footer"},
		{"an empty line", "\n{\"end\"", "\n\n{\"end\"", "line 6, column 1: want '{', but the line ends"},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			changed := strings.Replace(text, test.old, test.new, 1)
			if changed == text {
				t.Fatalf("the sample does not have %s", test.old)
			}
			_, _, err := readAll(changed)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
	if _, _, err := readAll(""); err == nil {
		t.Error("an empty file is no trace")
	}
}

func TestLongLines(t *testing.T) {
	text := sample()
	padded := strings.Replace(text, `,"count":3}`, strings.Repeat(" ", 1<<20)+`,"count":3}`, 1)
	if log, _, err := readAll(padded); err != nil || log.Len() != 4 {
		t.Errorf("a line of 1 MB: %d events, %v", log.Len(), err)
	}
	endless := strings.Replace(text, `,"count":3}`, strings.Repeat(" ", maxLineBytes+1)+`,"count":3}`, 1)
	if _, _, err := readAll(endless); err == nil || !strings.Contains(err.Error(), "line 2: the line is longer") {
		t.Errorf("a line beyond the bound: %v", err)
	}
}

func TestHeaderTellsWhatAnAcknowledgementPromises(t *testing.T) {
	h := testHeader()
	for producer, want := range map[kafka.NodeID]kafka.Acks{
		64: kafka.AcksAll, 65: kafka.AcksOne, 66: kafka.AcksNone, 99: kafka.AcksAll,
	} {
		if got := h.Acks(producer); got != want {
			t.Errorf("producer %d: acks=%s, want %s", producer, got, want)
		}
	}
}

// FuzzRead holds that no input panics, and that what is read without an error says the same when it is written again.
func FuzzRead(f *testing.F) {
	text := sample()
	f.Add([]byte(text))
	f.Add([]byte(text[:len(text)/2]))
	f.Add([]byte(strings.ReplaceAll(text, ":", " : ")))
	f.Add([]byte(strings.Replace(text, `"8812"`, `"88\u0031\u0032"`, 1)))
	f.Fuzz(func(t *testing.T, input []byte) {
		r, err := NewReader(bytes.NewReader(input), "")
		if err != nil {
			return
		}
		var again bytes.Buffer
		w, log := NewWriter(&again, *r.Header()), new(event.Log)
		if r.Replay(event.Sinks{w, log}) != nil {
			return
		}
		for i := range log.Len() {
			event.Sentence(log.At(i), log.Records(log.At(i)), r.Header().Names)
		}
		w.Close()
		second, err := NewReader(&again, "")
		if err != nil {
			t.Fatal(err)
		}
		copied := new(event.Log)
		if err := second.Replay(copied); err != nil {
			t.Fatal(err)
		}
		if diff := diffLogs(log, copied); diff != "" {
			t.Fatal(diff)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	w := NewWriter(nil, testHeader())
	step := event.Step{
		Events: []event.Event{{
			Seq: 1_000_000, Cause: 999_998, At: 2_100_000, Kind: event.BatchAppended, Node: 2, Peer: 64, Partition: 2,
			Epoch: 3, Offset: 40117, Producer: -1, ProducerEpoch: -1, Sequence: -1, Count: 1,
		}},
		IDs: []kafka.RecordID{12},
	}
	b.ReportAllocs()
	for b.Loop() {
		w.Consume(&step)
	}
}

func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	w := NewWriter(&text, testHeader())
	for i := range b.N {
		w.Consume(&event.Step{
			Events: []event.Event{{Seq: event.Seq(i + 1), Kind: event.RecordsRead, Node: 70, Peer: 1, Count: 1}},
			IDs:    []kafka.RecordID{12},
		})
	}
	w.Close()
	b.ReportAllocs()
	b.ResetTimer()
	r, err := NewReader(&text, "1")
	if err != nil {
		b.Fatal(err)
	}
	if err := r.Replay(event.Sinks{}); err != nil {
		b.Fatal(err)
	}
}
