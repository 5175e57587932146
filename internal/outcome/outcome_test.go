package outcome_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/view/history"
)

const (
	producer = kafka.FirstClientID
	screen   = kafka.FirstClientID + 1
)

var names = &kafka.Names{
	Variant: "as it was", TickMicros: 5000, StartMicros: -1,
	Nodes:  []kafka.NodeName{{ID: producer, Name: "order service"}, {ID: screen, Name: "packing screen"}},
	Topics: []kafka.TopicName{{Name: "orders", Partitions: 2}},
	Loads:  []kafka.RecordRange{{First: 0, Orders: 100, FirstNumber: 1}},
}

func settings(acks kafka.Acks, idempotence bool, retries int32) outcome.Settings {
	return outcome.Settings{Producers: []outcome.Producer{
		{ID: producer, Config: kafka.ProducerConfig{Acks: acks, EnableIdempotence: idempotence, Retries: retries}},
	}}
}

func fold(h *history.History, s outcome.Settings) *outcome.Outcome {
	f := outcome.NewFold(names, s)
	h.Steps(f)
	return f.Outcome()
}

// store sends one record, stores it on the leader and copies it to the followers; it returns the ProduceSent.
func store(h *history.History, id kafka.RecordID, followers ...kafka.NodeID) event.Seq {
	p := h.Produce(h.Send(producer, 0, id), 0, producer, 0, id)
	appended := h.Append(p)
	for _, b := range followers {
		h.Follow(appended, b, 0)
	}
	return p
}

// fates are hand-made runs, each with the one list on which its record 0 must stand.
var fates = []struct {
	name     string
	settings outcome.Settings
	write    func(h *history.History)
	check    func(o *outcome.Outcome) []kafka.RecordID
	setting  string // the trade-off that is named, or ""
}{
	{
		name: "stored twice by a retry", settings: settings(kafka.AcksAll, false, 9), setting: "enable.idempotence=true",
		write: func(h *history.History) {
			p := store(h, 0, 2)
			h.Elect(p, 0, 2, kafka.SetOf(2))
			again := h.Produce(p, p, producer, 0, 0)
			h.Acknowledge(h.Append(again), again, 1)
		},
		check: func(o *outcome.Outcome) []kafka.RecordID { return o.StoredTwice },
	},
	{
		name: "stored twice by the network", settings: settings(kafka.AcksAll, false, 9), setting: "enable.idempotence=true",
		write: func(h *history.History) { h.Append(store(h, 0, 2)) },
		check: func(o *outcome.Outcome) []kafka.RecordID { return o.StoredTwice },
	},
	{
		name: "acknowledged and lost with acks=1", settings: settings(kafka.AcksOne, false, 9), setting: "acks=all",
		write: func(h *history.History) {
			p := store(h, 0)
			h.Acknowledge(p, p, 0)
			h.Elect(p, 0, 2, kafka.SetOf(1, 2))
			h.Follow(p, 1, 0)
		},
		check: func(o *outcome.Outcome) []kafka.RecordID { return o.AckedThenLost },
	},
	{
		name: "acknowledged and lost with acks=all is no trade-off", settings: settings(kafka.AcksAll, true, 9),
		write: func(h *history.History) {
			p := store(h, 0)
			h.Acknowledge(p, p, 0)
			h.Elect(p, 0, 2, kafka.SetOf(1, 2))
		},
		check: func(o *outcome.Outcome) []kafka.RecordID { return o.AckedThenLost },
	},
	{
		name: "failed and never stored", settings: settings(kafka.AcksAll, false, 0), setting: "retries=2147483647",
		write: func(h *history.History) {
			p := h.Produce(h.Send(producer, 0, 0), 0, producer, 0, 0)
			h.Fail(p, producer, 0, kafka.NetworkException, 0)
		},
		check: func(o *outcome.Outcome) []kafka.RecordID { return o.NeverStored },
	},
	{
		name: "failed but stored", settings: settings(kafka.AcksAll, false, 0), setting: "enable.idempotence=true",
		write: func(h *history.History) {
			h.Fail(store(h, 0, 2), producer, 0, kafka.NetworkException, 0)
			h.Elect(0, 0, 2, kafka.SetOf(2))
		},
		check: func(o *outcome.Outcome) []kafka.RecordID { return o.FailedButStored },
	},
	{
		name: "acks=0 and silently gone", settings: settings(kafka.AcksNone, false, 0), setting: "acks=all",
		write: func(h *history.History) {
			sent := h.Send(producer, 0, 0)
			h.Add(event.Event{Kind: event.RecordsUntracked, Cause: sent, Node: producer}, 0)
		},
		check: func(o *outcome.Outcome) []kafka.RecordID { return o.Silent },
	},
	{
		name: "a retry that was recognised", settings: settings(kafka.AcksAll, true, 9),
		write: func(h *history.History) {
			p := store(h, 0, 2)
			h.Elect(p, 0, 2, kafka.SetOf(2))
			again := h.Produce(p, p, producer, 0, 0)
			d := h.Add(event.Event{Kind: event.DuplicateRecognised, Cause: again, Node: 2, Peer: producer, Epoch: 2}, 0)
			h.Acknowledge(d, again, 0)
		},
		check: func(o *outcome.Outcome) []kafka.RecordID { return o.Recognised },
	},
	{
		name: "refused at first", settings: settings(kafka.AcksAll, false, 9),
		write: func(h *history.History) {
			p := h.Produce(h.Send(producer, 0, 0), 0, producer, 0, 0)
			h.Add(event.Event{Kind: event.ProduceRefused, Cause: p, Node: 1, Peer: producer, Error: kafka.NotEnoughReplicas}, 0)
			again := h.Produce(p, p, producer, 0, 0)
			h.Acknowledge(h.Append(again), again, 0)
		},
		check: func(o *outcome.Outcome) []kafka.RecordID { return o.Refused },
	},
	{
		name: "still unknown at the end", settings: settings(kafka.AcksAll, false, 9),
		write: func(h *history.History) { store(h, 0) },
		check: func(o *outcome.Outcome) []kafka.RecordID { return o.Unknown },
	},
	{
		name: "stored on the disk of a partition that went offline", settings: settings(kafka.AcksAll, false, 9),
		write: func(h *history.History) {
			p := store(h, 0)
			h.Offline(p, 0)
		},
		check: func(o *outcome.Outcome) []kafka.RecordID { return o.StoredUnacked },
	},
	{
		name: "cut from the old leader's log after the epoch changed", settings: settings(kafka.AcksAll, false, 9),
		write: func(h *history.History) {
			p := store(h, 0)
			h.Elect(p, 0, 2, kafka.SetOf(1, 2))
			q := store(h, 1)
			h.Follow(q, 1, 0)
			h.Elect(q, 0, 1, kafka.SetOf(1, 2))
		},
		check: func(o *outcome.Outcome) []kafka.RecordID { return o.NeverStored },
	},
}

func TestFates(t *testing.T) {
	for _, fate := range fates {
		t.Run(fate.name, func(t *testing.T) {
			h := history.New(2, 0, 1, 2)
			fate.write(h)
			o := fold(h, fate.settings)
			if got := fate.check(o); !cmp.Equal(got, []kafka.RecordID{0}) {
				t.Errorf("the list holds %v, want record 0 alone", got)
			}
			setting := ""
			for _, tradeoff := range o.Tradeoffs {
				setting += tradeoff.Setting
			}
			if setting != fate.setting {
				t.Errorf("trade-offs name %q, want %q", setting, fate.setting)
			}
		})
	}
}

func TestBareTraceNamesNoTradeoff(t *testing.T) {
	h := history.New(2, 0, 1, 2)
	fates[0].write(h)
	if o := fold(h, outcome.Settings{}); len(o.Tradeoffs) != 0 || len(o.StoredTwice) != 1 {
		t.Errorf("got %v and %v", o.Tradeoffs, o.StoredTwice)
	}
}

func TestCopiesInFinalLog(t *testing.T) {
	h := history.New(2, 40117, 1, 2)
	p := store(h, 7, 2)
	h.Elect(p, 0, 2, kafka.SetOf(2))
	h.Append(h.Produce(p, p, producer, 0, 7))
	o := fold(h, outcome.Settings{})
	want := []outcome.Copy{{Partition: 0, Offset: 40117}, {Partition: 0, Offset: 40118}}
	if diff := cmp.Diff(want, o.Copies(7)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]kafka.RecordID{7, 7}, o.FinalLog(0)); diff != "" {
		t.Error(diff)
	}
}

func TestManyCopiesAreStillTwice(t *testing.T) {
	h := history.New(1, 0, 1)
	p := store(h, 0)
	for range 255 {
		h.Append(p)
	}
	if o := fold(h, outcome.Settings{}); len(o.StoredTwice) != 1 || len(o.Copies(0)) != 256 {
		t.Errorf("256 copies: twice %v, copies %d", o.StoredTwice, len(o.Copies(0)))
	}
}

func TestLatencyOfRetriesStandsApart(t *testing.T) {
	h := history.New(1, 0, 1)
	for id := range kafka.RecordID(200) {
		p := h.Produce(h.Send(producer, 0, id), 0, producer, 0, id)
		h.Now += kafka.Tick(id)
		h.Acknowledge(h.Append(p), p, kafka.Offset(id))
	}
	slow := h.Produce(h.Send(producer, 0, 200), 0, producer, 0, 200)
	h.Now += 5000
	again := h.Produce(slow, slow, producer, 0, 200)
	h.Acknowledge(h.Append(again), again, 200)

	o := fold(h, outcome.Settings{})
	if diff := cmp.Diff(&outcome.Latency{Count: 200, Min: 0, P50: 99, P99: 197, Max: 199}, o.AckLatency); diff != "" {
		t.Error("first attempts:", diff)
	}
	if diff := cmp.Diff(&outcome.Latency{Count: 1, Min: 5000, P50: 5000, P99: 5000, Max: 5000}, o.RetryLatency); diff != "" {
		t.Error("retries:", diff)
	}
}

func TestShownTwiceCountsOffsetsNotReadings(t *testing.T) {
	h := history.New(1, 0, 1, 2)
	p := store(h, 0, 2)
	h.Read(p, screen, 1, 0, 0, 1)
	h.Read(p, screen, 1, 0, 0, 1)
	if o := fold(h, outcome.Settings{}); o.ShownTwice != nil {
		t.Fatalf("reading one offset again counts as shown twice: %v", o.ShownTwice)
	}
	h.Append(h.Produce(p, p, producer, 0, 0))
	h.Read(p, screen, 1, 0, 1, 1)
	want := []outcome.Shown{{Reader: screen, Records: []kafka.RecordID{0}}}
	if diff := cmp.Diff(want, fold(h, outcome.Settings{}).ShownTwice); diff != "" {
		t.Error(diff)
	}
}

// After an unclean election an offset below the reader's position may hold another record.
func TestShownTwiceSeesAnotherRecordAtAnOldOffset(t *testing.T) {
	h := history.New(1, 0, 1, 2)
	a, b := store(h, 0), store(h, 1)
	h.Read(b, screen, 1, 0, 0, 2)
	h.Elect(b, 0, 2, kafka.SetOf(2))
	h.Append(h.Produce(b, b, producer, 0, 1))
	h.Append(h.Produce(a, a, producer, 0, 0))
	h.Read(b, screen, 2, 0, 0, 2)
	want := []outcome.Shown{{Reader: screen, Records: []kafka.RecordID{0, 1}}}
	if diff := cmp.Diff(want, fold(h, outcome.Settings{}).ShownTwice); diff != "" {
		t.Error(diff)
	}
}

func TestReportJSON(t *testing.T) {
	h := history.New(2, 0, 1, 2)
	p := store(h, 9, 2)
	h.Now += 6
	h.Acknowledge(p, p, 0)
	h.Elect(p, 0, 2, kafka.SetOf(2))
	h.Append(h.Produce(p, p, producer, 0, 9))
	got, err := json.MarshalIndent(fold(h, settings(kafka.AcksAll, false, 9)).Report(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
 "variant": "as it was",
 "sent": 1,
 "acked": 1,
 "acked_then_lost": [],
 "stored_twice": [
  "10"
 ],
 "never_stored": [],
 "failed_but_stored": [],
 "stored_unacked": [],
 "silent": [],
 "unknown": [],
 "refused": [],
 "reordered": [],
 "keys_split": 0,
 "partitions_used": 1,
 "requests": 2,
 "records_in_requests": 2,
 "retries": 1,
 "duplicates_recognised": 0,
 "ack_latency_ms": {
  "min": 30,
  "p50": 30,
  "p99": 30,
  "max": 30
 },
 "retry_latency_ms": null,
 "shown_twice": [],
 "shown_early": [],
 "expired": 0,
 "skipped": [],
 "bytes": {
  "one_copy": {
   "records": 0,
   "batch_headers": 122
  },
  "all_copies": {
   "records": 0,
   "batch_headers": 183
  },
  "disks_at_most": 183,
  "topics": [
   {
    "name": "orders",
    "one_copy": 122,
    "all_copies": 183
   }
  ],
  "brokers": [],
  "partitions": [
   {
    "name": "orders-0",
    "one_copy": 122,
    "all_copies": 183,
    "segments": 1
   },
   {
    "name": "orders-1",
    "one_copy": 0,
    "all_copies": 0,
    "segments": 1
   }
  ]
 },
 "rates": null,
 "expected_tradeoffs": [
  "order 10 was stored twice: the producer sent again what it had no answer for, and enable.idempotence=true would have kept one copy"
 ],
 "stuck": [
  "broker 1 is not in the ISR: it is behind its leader (orders-0)"
 ],
 "compaction": null
}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}
