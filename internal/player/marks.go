package player

import (
	"cmp"
	"fmt"
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/until"
	"replog/internal/view"
)

// Mark is a place that one would want to jump to.
type Mark struct {
	Event  int        // number of events shown when one stands on it
	Tick   kafka.Tick // of that event
	Letter rune       // how the timeline shows it
	Label  string
	count  int // events of this kind that it stands for
	kind   event.Kind
}

// letters are how the timeline shows the kinds of events that are marks.
var letters = map[event.Kind]rune{
	event.FaultBegan: 'X', event.FaultEnded: 'x', event.BrokerCrashed: 'X', event.BrokerRestarted: '^', event.MessageDropped: 'd',
	event.ProduceRetryScheduled: 'R', event.ProduceRequestTimedOut: 'R', event.AnswerOutOfTurn: 'R', event.RecordsFailed: '!', event.DuplicateRecognised: '=',
	event.ProduceRefused: 'N', event.BecameLeader: 'E', event.LogTruncated: 'T', event.BrokerFenced: 'F', event.LeaderElected: 'E',
	event.PartitionOffline: 'O', event.ISRChanged: 'I', event.OffsetReset: 'o',
	event.ConsumerCrashed: 'X', event.ConsumerStarted: '^', event.ConsumerClosed: 'c', event.ConsumerFailed: '!', event.PollIntervalExceeded: 'z',
	event.RebalanceBegan: 'B', event.TargetAssigned: 'B', event.GenerationBegan: 's', event.GroupStable: 's', event.GroupsLoaded: 'C',
	event.PartitionsNoticed: '+', event.MemberJoined: 'm', event.MemberLeft: 'm', event.MemberExpired: 'M', event.MemberRemoved: 'M', event.MemberFenced: 'N',
	event.OffsetCommitRefused: 'N', event.OffsetCommitFailed: '!', event.OffsetExpired: 'o', event.PartitionLost: 'L',
	event.PositionTruncated: 'T', event.FetchedPassedOver: 'J', event.EffectRefused: '=',
	event.BrokerStopped: 'c', event.ControlledShutdownBegan: 'c', event.DeleteRecordsRefused: 'N', event.ELRChanged: 'I',
	event.LogDirFailed: 'O', event.LogDirReported: 'O', event.LogTailLost: 'T', event.MemberAbsent: 'M', event.MetadataMisplaced: '!',
	event.UncleanLeaderElected: 'E', event.ProducerEpochBumped: 'e', event.ProducerFailed: '!', event.ProducerRestarted: '^',
	event.RecordsResent: 'R', event.SendBlocked: 'w',
	event.SegmentDeletedBelowLogStart: 'r', event.SegmentDeletedBySize: 'r', event.SegmentDeletedByTime: 'r',
	event.TombstonesRemoved: 'k', event.LogCleaned: 'k',
	event.ProducerFenced: 'F', event.TransactionHung: 'H', event.TransactionTimedOut: 'A', event.TransactionFailed: '!',
	event.TransactionPrepared: 't', event.TransactionMarked: 't', event.MarkerRefused: 'N', event.TransactionsLoaded: 'C',
}

// Letter is how the timeline shows events of a kind that the catalogue marks.
func Letter(k event.Kind) rune { return letters[k] }

// crowdMicros is how close in time equal marks of the noisy kinds are taken for one.
const crowdMicros = 1_000_000

// noisy are the kinds that come in crowds: of a crowd the first is enough to jump to.
func noisy(k event.Kind) bool {
	switch k {
	case event.ProduceRetryScheduled, event.ProduceRequestTimedOut, event.RecordsFailed, event.DuplicateRecognised,
		event.ProduceRefused, event.MessageDropped, event.MemberFenced, event.OffsetCommitRefused, event.OffsetCommitFailed,
		event.EffectRefused, event.LogCleaned:
		return true
	}
	return false
}

// marksOf finds the marks of a run: the events that the catalogue marks, and what only the whole run tells.
func marksOf(t *Tape) []Mark {
	c := collector{tape: t, last: map[event.Kind]int{}}
	for i, e := range t.Log.All() {
		if e.Kind.Spec().Mark && !opening(e) {
			c.take(i+1, e)
		}
	}
	marks := append(c.finish(), losses(t)...)
	if len(t.Outcome.StoredTwice) > 0 {
		marks = appendFirst(marks, t, "something is stored twice", '2')
	}
	if len(t.Outcome.ShownTwice) > 0 {
		marks = appendFirst(marks, t, "something is shown twice", '2')
	}
	for i := range t.Outcome.Groups {
		if len(t.Outcome.Groups[i].EffectsTwice) > 0 {
			marks = appendFirst(marks, t, "something is done twice", '2')
			break
		}
	}
	return ordered(marks)
}

// withTold adds what happens twice to the order that the scenario is about.
func withTold(t *Tape) []Mark {
	marks := t.Marks
	if tell := t.File.Tell; tell != "" && len(t.Names.FindRecords(tell)) > 0 {
		marks = appendFirst(marks, t, "order "+tell+" is stored twice", '2')
		marks = appendFirst(marks, t, "order "+tell+" is shown twice", '2')
		marks = appendFirst(marks, t, "order "+tell+" is done twice", '2')
	}
	return ordered(marks)
}

// opening leaves out how the run begins: the roles that brokers take before anything happens.
func opening(e *event.Event) bool {
	return e.At == 0 && e.Kind != event.FaultBegan && e.Kind != event.BrokerCrashed
}

func ordered(marks []Mark) []Mark {
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Compare(a.Event, b.Event) })
	return marks
}

// collector takes equal marks of a tick for one, and crowds of noisy ones too.
type collector struct {
	tape  *Tape
	marks []Mark
	last  map[event.Kind]int // index of the latest mark of a kind
	seen  kafka.Tick         // time of the latest event of a noisy kind
}

func (c *collector) take(n int, e *event.Event) {
	at, before := c.last[e.Kind]
	if last := len(c.marks) - 1; last >= 0 && c.marks[last].Event == n-1 && c.marks[last].kind == event.FaultBegan && ends(e.Kind) {
		c.marks[last].Event, c.marks[last].Tick = n, e.At // the fault and what it does are one place
		return
	}
	if before {
		m := &c.marks[at]
		gap := int64(e.At-m.Tick) * c.tape.Names.TickMicros
		switch {
		case gap == 0:
			m.Event, m.Label = n, c.tape.Sentence(n) // so that the whole of them is on the picture
			m.count++
			return
		case noisy(e.Kind) && int64(e.At-c.seen)*c.tape.Names.TickMicros < crowdMicros:
			c.seen = e.At
			m.count++
			return
		}
	}
	c.seen = e.At
	c.last[e.Kind] = len(c.marks)
	c.marks = append(c.marks, Mark{Event: n, Tick: e.At, Letter: Letter(e.Kind), Label: c.tape.Sentence(n), count: 1, kind: e.Kind})
}

// ends reports whether an event is all that a timeline entry does.
func ends(k event.Kind) bool {
	return k == event.BrokerCrashed || k == event.BrokerRestarted || k == event.ConsumerCrashed || k == event.ConsumerStarted
}

func (c *collector) finish() []Mark {
	for i := range c.marks {
		m := &c.marks[i]
		if m.count > 1 {
			m.Label = fmt.Sprintf("%s (and %d more like this)", m.Label, m.count-1)
		}
	}
	return c.marks
}

// appendFirst adds the first time that something happens.
func appendFirst(marks []Mark, t *Tape, what string, letter rune) []Mark {
	moment, err := until.Parse(what, t.Names)
	if err != nil {
		panic("player: a moment that every run knows: " + err.Error())
	}
	if n, ok := moment.Next(&t.Log, 0); ok {
		marks = append(marks, Mark{Event: n, Tick: t.TickAt(n), Letter: letter, Label: what + ": " + t.Sentence(n)})
	}
	return marks
}

// losses marks the elections that lose acknowledged records: the new leader does not have them.
func losses(t *Tape) []Mark {
	if len(t.Outcome.AckedThenLost) == 0 {
		return nil
	}
	var logs view.Logs
	var marks []Mark
	acked := map[kafka.RecordID]bool{}
	for i, e := range t.Log.All() {
		ids := t.Log.Records(e)
		logs.Apply(e, ids)
		switch e.Kind {
		case event.RecordsAcknowledged:
			for _, id := range ids {
				acked[id] = true
			}
		case event.LeaderElected:
			if lost := missing(t, &logs, e, acked); len(lost) > 0 {
				marks = append(marks, Mark{Event: i + 1, Tick: e.At, Letter: '!', Label: fmt.Sprintf("%s does not have what was acknowledged: %s",
					t.Names.Node(e.Peer), event.RecordList(lost, t.Names))})
			}
		}
	}
	return marks
}

// missing lists the acknowledged records that are lost in the end and that a new leader does not have.
func missing(t *Tape, logs *view.Logs, e *event.Event, acked map[kafka.RecordID]bool) []kafka.RecordID {
	var lost []kafka.RecordID
	for _, id := range t.Outcome.AckedThenLost {
		if !acked[id] {
			continue
		}
		here, held := false, false
		for _, place := range logs.Places(id) {
			here = here || place.Partition == e.Partition
			held = held || logs.Holders(place).Has(e.Peer)
		}
		if here && !held {
			lost = append(lost, id)
			delete(acked, id)
		}
	}
	return lost
}

// withQuestions adds the places where the run stops to ask.
func withQuestions(t *Tape, marks []Mark) []Mark {
	for i := range t.Questions {
		q := &t.Questions[i]
		marks = append(marks, Mark{Event: q.Stop, Tick: t.TickAt(q.Stop), Letter: '?', Label: "a question: " + q.Ask.Text})
	}
	return ordered(marks)
}

// NextMark is the first mark behind a place; false when there is none.
func (t *Tape) NextMark(n int) (Mark, bool) {
	at := slices.IndexFunc(t.Marks, func(m Mark) bool { return m.Event > n })
	if at < 0 {
		return Mark{}, false
	}
	return t.Marks[at], true
}

// PreviousMark is the last mark before a place; false when there is none.
func (t *Tape) PreviousMark(n int) (Mark, bool) {
	for i := len(t.Marks) - 1; i >= 0; i-- {
		if t.Marks[i].Event < n {
			return t.Marks[i], true
		}
	}
	return Mark{}, false
}
