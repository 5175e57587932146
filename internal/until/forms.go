package until

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Form is one way to name something that happens.
type Form struct {
	// Pattern is how it is written: {partition}, {broker}, {what}, {offset} and {kind} stand for what a person fills in, and
	// a|b for a choice of words.
	Pattern string
	// Example is the pattern filled in.
	Example string
	// Meaning says what is waited for, where the words do not say it.
	Meaning string
	build   func(a *args) func() match
}

// args are what a person filled in.
type args struct {
	partition kafka.PartitionID
	broker    kafka.NodeID
	record    kafka.RecordID // NoRecord for "something"
	offset    kafka.Offset
	kind      event.Kind
	word      string // the word taken of a choice
	names     *kafka.Names
}

// Forms lists every way to name something that happens.
func Forms() []Form { return forms }

var forms = []Form{
	{
		Pattern: "isr of {partition} shrinks|grows|changes", Example: "the ISR of p2 shrinks",
		build: func(a *args) func() match { return plain(a, event.ISRChanged, event.LeaderElected, isrMoves(a)) },
	},
	{
		Pattern: "isr shrinks|grows|changes", Example: "an ISR shrinks", Meaning: "of any partition",
		build: func(a *args) func() match { return plain(a, event.ISRChanged, event.LeaderElected, isrMoves(a)) },
	},
	{
		Pattern: "{what} is stored twice", Example: "something is stored twice",
		Meaning: "a leader appends a record that its log has already",
		build:   func(a *args) func() match { return func() match { return storedTwice(a.record) } },
	},
	{
		Pattern: "{what} is shown twice", Example: "order 8812 is shown twice",
		Meaning: "a reader shows a record that it has shown from another offset",
		build:   func(a *args) func() match { return func() match { return shownTwice(a.record) } },
	},
	{
		Pattern: "{what} is done twice", Example: "order 8812 is done twice",
		Meaning: "an application of a consumer group does something with a record outside of Kafka, and its group has done it before",
		build:   func(a *args) func() match { return func() match { return doneTwice(a.record, a.names) } },
	},
	{
		Pattern: "{what} is sent again", Example: "order 8812 is sent again",
		build: func(a *args) func() match { a.word = "retried"; return aboutRecord(a) },
	},
	{
		Pattern: "{what} is sent|retried|stored|refused|recognised|acknowledged|failed|shown|read|done", Example: "order 8812 is acknowledged",
		build: aboutRecord,
	},
	{
		Pattern: "{broker} leads {partition}", Example: "broker 3 leads p2",
		build: func(a *args) func() match {
			return plain(a, event.LeaderElected, event.LeaderElected, func(e *event.Event) bool { return e.Peer == a.broker })
		},
	},
	{
		Pattern: "{partition} has no|a leader", Example: "p2 has no leader", Meaning: "the controller finds none, or elects one",
		build: func(a *args) func() match {
			kind := event.LeaderElected
			if a.word == "no" {
				kind = event.PartitionOffline
			}
			return plain(a, kind, kind, nil)
		},
	},
	{
		Pattern: "{broker} dies|stops|restarts", Example: "broker 2 dies",
		build: func(a *args) func() match {
			kind := event.BrokerCrashed
			if a.word == "restarts" {
				kind = event.BrokerRestarted
			}
			return plain(a, kind, kind, func(e *event.Event) bool { return e.Node == a.broker })
		},
	},
	{
		Pattern: "{broker} is fenced|unfenced", Example: "broker 2 is fenced", Meaning: "the controller takes it out of service, or lets it serve again",
		build: func(a *args) func() match {
			kind := event.BrokerFenced
			if a.word == "unfenced" {
				kind = event.BrokerUnfenced
			}
			return plain(a, kind, kind, func(e *event.Event) bool { return e.Peer == a.broker })
		},
	},
	{
		Pattern: "high watermark of {partition} moves", Example: "the high watermark of p2 moves",
		build: func(a *args) func() match {
			return plain(a, event.HighWatermarkAdvanced, event.HighWatermarkAdvanced, nil)
		},
	},
	{
		Pattern: "high watermark of {partition} reaches {offset}", Example: "the high watermark of p2 reaches 40118",
		build: func(a *args) func() match {
			return plain(a, event.HighWatermarkAdvanced, event.HighWatermarkAdvanced, func(e *event.Event) bool { return e.Offset >= a.offset })
		},
	},
	{
		Pattern: "{kind} of {partition}", Example: "LogTruncated of p2", Meaning: "an event by its name",
		build: func(a *args) func() match { return plain(a, a.kind, a.kind, nil) },
	},
	{
		Pattern: "{kind}", Example: "MessageDropped",
		build: func(a *args) func() match { return plain(a, a.kind, a.kind, nil) },
	},
}

// plain waits for an event of one of two kinds, in the partition when one is named, that fits besides (nil: any).
func plain(a *args, kind, other event.Kind, fits func(*event.Event) bool) func() match {
	holds := func(e *event.Event, _ []kafka.RecordID) bool {
		return (e.Kind == kind || e.Kind == other) && (a.partition == kafka.NoPartition || e.Partition == a.partition) &&
			(fits == nil || fits(e))
	}
	return func() match { return holds }
}

func isrMoves(a *args) func(*event.Event) bool {
	return func(e *event.Event) bool {
		left, joined := e.PrevISR()&^e.ISR(), e.ISR()&^e.PrevISR()
		switch a.word {
		case "shrinks":
			return left != 0
		case "grows":
			return joined != 0 && e.PrevISR() != 0
		}
		return left|joined != 0
	}
}

// recordKinds are the events that do something to a record, by the word for it.
var recordKinds = map[string]event.Kind{
	"sent": event.ProduceSent, "retried": event.ProduceSent, "stored": event.BatchAppended, "refused": event.ProduceRefused,
	"recognised": event.DuplicateRecognised, "acknowledged": event.RecordsAcknowledged, "failed": event.RecordsFailed,
	"shown": event.RecordsRead, "read": event.RecordsRead, "done": event.EffectHappened,
}

func aboutRecord(a *args) func() match {
	kind := recordKinds[a.word]
	holds := func(e *event.Event, ids []kafka.RecordID) bool {
		return e.Kind == kind && (a.word != "retried" || e.Value > 1) && !kafka.OwnRecords(ids) &&
			(a.record == kafka.NoRecord || slices.Contains(ids, a.record))
	}
	return func() match { return holds }
}
