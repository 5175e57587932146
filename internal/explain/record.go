package explain

import (
	"fmt"
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/outcome"
	"replog/internal/view"
)

// Story is what became of one record and why.
type Story struct {
	Record kafka.RecordID
	Lines  []Line
	// Copies are its places in the log that its partition ends with.
	Copies []outcome.Copy
	// Verdict is one or two sentences at the end: where the record is, who put it there, what would have helped.
	Verdict string
}

// maxLines bounds a story; a record that is sent again for hours has its middle left out.
const maxLines = 40

// Record tells the story of a record.
func Record(log *event.Log, names *kafka.Names, id kafka.RecordID) Story {
	t := teller{log: log, names: names, id: id, world: newWorld(), groups: view.NewGroups(names), partition: kafka.NoPartition, producer: kafka.NoNode}
	for _, e := range log.All() {
		t.world.apply(e, log)
		if e.Kind == event.RecordsSent || t.partition != kafka.NoPartition {
			t.hear(e)
		}
		t.groups.Apply(e)
	}
	story := Story{Record: id, Lines: t.finish(), Verdict: t.verdict()}
	for _, c := range t.finalCopies() {
		story.Copies = append(story.Copies, outcome.Copy{Partition: t.partition, Offset: c.offset})
	}
	return story
}

// teller writes the story while it hears the events one after the other.
type teller struct {
	log       *event.Log
	names     *kafka.Names
	id        kafka.RecordID
	world     world
	groups    view.Groups // before the event at hand
	readings  []reading
	partition kafka.PartitionID
	producer  kafka.NodeID
	sentAt    kafka.Tick
	handed    int // how often the application has handed it over as a new record

	// own are the events of this record's requests: what carries one of them as its cause or subject is about the record.
	own      []event.Seq
	copies   []copied
	attempts int
	showings []showing
	fate     fate
	lines    []told
}

// fate is what the application and the producer learned.
type fate struct {
	acked, failed, untracked bool
	recognised, idempotent   bool
	expired                  bool            // retention took a copy
	compacted                bool            // the cleaner took a copy
	newer                    string          // why it did
	early                    bool            // it went before that, or what took its place, was committed
	horizon                  kafka.Tick      // of a tombstone: from when on the cleaner may take it; 0 before that is known
	resent                   bool            // the application handed it over again
	lost                     bool            // acknowledged, and a leader was elected that does not have it
	heldWhenAcked            kafka.BrokerSet // who held the acknowledged copy then
	isrWhenAcked             kafka.BrokerSet
}

// copied is one place where a leader stored the record.
type copied struct {
	epoch     kafka.Epoch
	offset    kafka.Offset
	writer    kafka.NodeID
	leader    kafka.NodeID // who appended it
	holders   kafka.BrokerSet
	committed bool
	producer  kafka.ProducerID
	ending    view.Ending // of its transaction: Committed or Aborted; NoTransaction where no marker has ended one
}

type showing struct {
	reader kafka.NodeID
	at     kafka.Tick
	offset kafka.Offset
}

// told is a line, and whether it tells of the world around the record: such a line is kept only as long as something
// happens to the record itself afterwards.
type told struct {
	Line
	around    bool
	followers kafka.BrokerSet // who copies the record in this line
}

func (t *teller) tell(e *event.Event, format string, args ...any) {
	t.lines = append(t.lines, told{Line: lineOf(e, capital(fmt.Sprintf(format, args...)))})
}

func (t *teller) tellAround(e *event.Event, format string, args ...any) {
	t.tell(e, format, args...)
	t.lines[len(t.lines)-1].around = true
}

// finish drops what happened around the record after its story was over, and the middle of a story that is too long.
func (t *teller) finish() []Line {
	lines := t.lines
	if t.settled() {
		for len(lines) > 0 && lines[len(lines)-1].around {
			lines = lines[:len(lines)-1]
		}
	}
	story := make([]Line, len(lines))
	for i := range lines {
		story[i] = lines[i].Line
	}
	if left := len(story) - maxLines; left > 0 {
		half := maxLines / 2
		middle := story[half]
		middle.Text = fmt.Sprintf("(%s more like these)", number(left+1))
		story = append(append(story[:half:half], middle), story[half+left+1:]...)
	}
	return story
}

// settled reports whether the producer waits for nothing more.
func (t *teller) settled() bool { return t.fate.acked || t.fate.failed || t.fate.untracked }

// order names the record.
func (t *teller) order() string { return "order " + t.names.Record(t.id) }

func (t *teller) node(id kafka.NodeID) string { return t.names.Node(id) }

func (t *teller) where() string { return t.names.Partition(t.partition) }

// position is the place of the record among those that an event speaks of, or -1.
func (t *teller) position(e *event.Event) int { return slices.Index(t.log.Records(e), t.id) }

// isOwn reports whether an event was one of this record's requests or answers.
func (t *teller) isOwn(seq event.Seq) bool { return seq != 0 && slices.Contains(t.own, seq) }

// sharesAnswer reports whether an event befell a response that carries the record's answer among those of other
// partitions: they were given in one step, each after the other.
func (t *teller) sharesAnswer(e *event.Event) bool {
	answer := t.log.Get(e.Cause)
	for answer != nil && answer.Kind == event.ProduceAnswered && answer.Peer == e.Peer {
		if t.isOwn(answer.Seq) {
			return true
		}
		answer = t.log.Get(answer.Cause)
	}
	return false
}

// hear sorts the events: those that name the record, those about its copies and messages, and those around it.
func (t *teller) hear(e *event.Event) {
	switch e.Kind {
	case event.ProducerRestarted, event.ProducerEpochBumped, event.ProducerFailed:
		t.hearOfProducer(e)
	case event.RecordsResent, event.RecordsSent, event.ProduceSent, event.BatchAppended, event.DuplicateRecognised, event.ProduceRefused,
		event.ProduceRetryScheduled, event.RecordsAcknowledged, event.RecordsFailed, event.RecordsUntracked, event.RecordsRead,
		event.EffectHappened, event.EffectRefused, event.RecordsDropped:
		if at := t.position(e); at >= 0 {
			t.hearNamed(e, at)
		}
	case event.ReplicaAppended, event.GapCopied, event.HighWatermarkAdvanced, event.LogTruncated, event.LogTailLost,
		event.ReplicaOffline, event.LogLoaded:
		if e.Partition == t.partition {
			t.hearOfCopies(e)
		}
	case event.SegmentDeletedByTime, event.SegmentDeletedBySize, event.SegmentDeletedBelowLogStart, event.LogStartAdvanced:
		if e.Partition == t.partition {
			t.hearOfRetention(e)
		}
	case event.RecordsCompacted, event.TombstonesStamped, event.TombstonesRemoved, event.AbortedRecordsRemoved:
		if e.Partition == t.partition {
			t.hearOfCompaction(e)
		}
	case event.OffsetReset:
		if e.Partition == t.partition {
			t.hearOfReset(e)
		}
	case event.TransactionMarked:
		t.hearOfTransaction(e)
	case event.ProduceAnswered:
		if t.isOwn(e.About) {
			t.hearOfMessage(e)
		}
	case event.MessageHeld, event.MessageReleased, event.MessageDropped, event.MessageDelayed,
		event.MessageDuplicated, event.ProduceRequestTimedOut, event.AnswerOutOfTurn, event.ConnectionBroken,
		event.AnswerRewritten:
		if t.isOwn(e.About) || t.isOwn(e.Cause) || t.sharesAnswer(e) {
			t.hearOfMessage(e)
		}
	case event.BrokerCrashed, event.BrokerRestarted, event.BrokerFenced:
		t.hearOfBroker(e)
	case event.LeaderElected, event.UncleanLeaderElected, event.PartitionOffline, event.ISRChanged, event.LeaderLearned:
		if e.Partition == t.partition {
			t.hearOfLeader(e)
		}
	default:
		t.hearOfGroup(e)
	}
}
