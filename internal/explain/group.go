package explain

import (
	"fmt"
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// reading is what one consumer group has done with the record.
type reading struct {
	group    kafka.GroupID
	reads    []showing // who was handed it, when, and from where
	done     []showing // whose effect happened
	refused  int
	passed   bool       // the group's committed offset lies behind a copy that it read
	again    view.Again // why it was handed it the last time, where it had read it before
	lastRead kafka.NodeID
}

// reading is what a group has done with the record so far.
func (t *teller) reading(g kafka.GroupID) *reading {
	at := slices.IndexFunc(t.readings, func(r reading) bool { return r.group == g })
	if at < 0 {
		at = len(t.readings)
		t.readings = append(t.readings, reading{group: g, lastRead: kafka.NoNode})
	}
	return &t.readings[at]
}

// member reports whether a node is a member of a group, and of which.
func (t *teller) member(node kafka.NodeID) (kafka.GroupID, bool) {
	_, g, is := t.groups.Member(node)
	return g, is
}

// readBy tells that a member of a group was handed the record.
func (t *teller) readBy(g kafka.GroupID, e *event.Event, offset kafka.Offset) {
	r := t.reading(g)
	text := fmt.Sprintf("%s reads it, from offset %s%s", t.node(e.Node), number(offset), t.tooSoon(offset))
	if n := len(r.reads); n > 0 {
		text = fmt.Sprintf("%s reads it again, from offset %s, %s after %s did", t.node(e.Node), number(offset),
			span(e.At-r.reads[n-1].at, t.names), t.node(r.reads[n-1].reader))
		if r.reads[n-1].offset == offset {
			text += t.whyAgain(r, offset)
		}
	}
	r.reads, r.lastRead = append(r.reads, showing{e.Node, e.At, offset}), e.Node
	t.tell(e, "%s.", text)
}

// whyAgain says why a group comes to an offset a second time.
func (t *teller) whyAgain(r *reading, offset kafka.Offset) string {
	p, _ := t.groups.Partition(r.group, t.partition)
	r.again = p.WhyAgain(offset)
	switch {
	case r.again == view.AgainExpired:
		return ": what was committed has expired"
	case r.again == view.AgainLost:
		return ": the commit behind it is lost"
	case r.again == view.AgainByItself:
		return ""
	case p.Committed == kafka.NoOffset:
		return ": nothing was committed"
	}
	return ": committed was only " + number(p.Committed)
}

// didIt tells of an effect outside of Kafka.
func (t *teller) didIt(e *event.Event, offset kafka.Offset) {
	g, is := t.member(e.Node)
	if !is {
		return
	}
	r := t.reading(g)
	what := t.names.Effect(e.Node)
	if e.Kind == event.EffectRefused {
		r.refused++
		t.tell(e, "%s is done with it, and the table has it already: its unique key refuses the second row.", t.node(e.Node))
		return
	}
	if n := len(r.done); n > 0 {
		who := "it"
		if r.done[n-1].reader != e.Node {
			who = t.node(r.done[n-1].reader)
		}
		t.tell(e, "%s is done with it, and the order %s a second time, %s after %s did that first.",
			t.node(e.Node), what, span(e.At-r.done[n-1].at, t.names), who)
	} else {
		t.tell(e, "%s is done with it: the order %s.", t.node(e.Node), what)
	}
	r.done = append(r.done, showing{e.Node, e.At, offset})
}

// hearOfGroup tells what befalls the group that reads the record's partition, as long as that decides on the record.
func (t *teller) hearOfGroup(e *event.Event) {
	switch e.Kind {
	case event.OffsetCommitWritten:
		t.committing(e)
	case event.PendingOffsetEnded:
		if commit := *e; e.Prev == 1 && t.knows(e.Group()) {
			commit.Peer = t.reading(e.Group()).lastRead
			t.committing(&commit)
		}
	case event.OffsetCommitRefused:
		t.commitRefused(e)
	case event.OffsetExpired:
		t.expired(e)
	case event.PositionFound:
		t.positionFound(e)
	case event.PositionTruncated:
		if g, is := t.member(e.Node); is && t.pending(g) {
			t.tell(e, "%s had read %s up to %s; %s says that its log parts from that at %s: what was read there is gone.",
				t.node(e.Node), t.where(), number(e.Prev), t.node(e.Peer), number(e.Offset))
		}
	case event.FetchedPassedOver:
		t.passedOver(e)
	case event.PartitionAssigned, event.PartitionRevoked, event.PartitionLost, event.ConsumerCrashed, event.ConsumerClosed, event.PollIntervalExceeded:
		if g, is := t.member(e.Node); is && t.pending(g) {
			t.ownerMoves(g, e)
		}
	case event.MemberExpired, event.MemberRemoved:
		if g := e.Group(); t.knows(g) && t.pending(g) && t.reading(g).lastRead == e.Peer {
			t.tell(e, "group %s removes %s: %s", t.names.ConsumerGroup(g), t.node(e.Peer), removed(e, t.names))
		}
	}
}

func removed(e *event.Event, names *kafka.Names) string {
	if e.Kind == event.MemberRemoved {
		return "it did not do its part of the rebalance in time, and its partitions go to others."
	}
	return fmt.Sprintf("its coordinator has heard nothing of it since %s, and gives its partitions to others.", names.Clock(kafka.Tick(e.Prev)))
}

func (t *teller) knows(g kafka.GroupID) bool { return g >= 0 && int(g) < len(t.names.Groups) }

// pending reports whether a group is not through with the record: it is stored, and not yet behind what the group has
// committed, or it is and was not done yet.
func (t *teller) pending(g kafka.GroupID) bool {
	r := t.reading(g)
	return len(t.copies) > 0 && (!r.passed || t.names.CommitsEarly(r.lastRead) && len(r.done)+r.refused == 0)
}

// committing tells of the commit that leaves the record behind, and of one that goes back before it.
func (t *teller) committing(e *event.Event) {
	g := e.Group()
	if e.Partition != t.partition || !t.knows(g) || len(t.copies) == 0 {
		return
	}
	r, first := t.reading(g), t.copies[0].offset
	switch {
	case !r.passed && e.Offset > first && len(r.reads) > 0:
		r.passed = true
		t.tell(e, "%s commits %s for group %s, behind the order: whoever has %s next will not read it again.%s", t.node(e.Peer),
			number(e.Offset), t.names.ConsumerGroup(g), t.where(), t.tooEarly(g, e))
	case r.passed && e.Offset <= first:
		r.passed = false
		t.tell(e, "%s commits %s for group %s, before the order: the last commit wins.", t.node(e.Peer), number(e.Offset), t.names.ConsumerGroup(g))
	}
}

// expired tells of the end of a committed offset that leaves the record behind.
func (t *teller) expired(e *event.Event) {
	if g := e.Group(); e.Partition == t.partition && t.knows(g) && t.reading(g).passed {
		t.reading(g).passed = false
		t.tell(e, "What group %s has committed of %s, the offset %s, expires (offsets.retention.minutes): who begins there now finds no commit.",
			t.names.ConsumerGroup(g), t.where(), number(e.Offset))
	}
}

// tooEarly says of a commit that it comes before the work.
func (t *teller) tooEarly(g kafka.GroupID, e *event.Event) string {
	if r := t.reading(g); len(r.done) == 0 && r.refused == 0 && t.names.CommitsEarly(e.Peer) {
		return " It has not done it yet."
	}
	return ""
}

func (t *teller) commitRefused(e *event.Event) {
	g := e.Group()
	if e.Partition != t.partition || !t.knows(g) || len(t.copies) == 0 || t.reading(g).passed || e.Offset <= t.copies[0].offset {
		return
	}
	t.tell(e, "%s commits %s for group %s, behind the order, and is refused: %v, for it is no present member any more.",
		t.node(e.Peer), number(e.Offset), t.names.ConsumerGroup(g), e.Error)
}

// positionFound tells where a member begins, if that brings the record again, or leaves it out.
func (t *teller) positionFound(e *event.Event) {
	g, is := t.member(e.Node)
	if !is || e.Partition != t.partition || len(t.copies) == 0 {
		return
	}
	r, first := t.reading(g), t.copies[0].offset
	how := [...]string{
		event.FoundCommitted: "what group " + t.names.ConsumerGroup(g) + " has committed", event.FoundEarliest: "the beginning, since nothing is committed",
		event.FoundLatest: "the end, since nothing is committed", event.FoundByDuration: "as far back as auto.offset.reset says",
		event.FoundBySeek: "where its application goes back to",
	}[max(0, min(e.Value, event.FoundBySeek))]
	switch {
	case e.Offset <= first && len(r.reads) > 0:
		t.tell(e, "%s begins at %s, %s: it will be handed the order again.", t.node(e.Node), number(e.Offset), how)
	case e.Offset > first && len(r.reads) == 0:
		r.passed = true
		t.tell(e, "%s begins at %s, %s: the group will not be handed the order.", t.node(e.Node), number(e.Offset), how)
	}
}

// passedOver tells of a member that had fetched the record and will not hand it out.
func (t *teller) passedOver(e *event.Event) {
	if _, is := t.member(e.Node); !is || e.Partition != t.partition || len(t.copies) == 0 {
		return
	}
	if o := t.copies[0].offset; kafka.Offset(e.Prev) <= o && o < e.Offset {
		t.tell(e, "%s has fetched the order, drops it without handing it out, and goes on behind it, at %s.", t.node(e.Node), number(e.Offset))
	}
}

// ownerMoves tells how the record's partition goes from one member to another.
func (t *teller) ownerMoves(g kafka.GroupID, e *event.Event) {
	owner, known := t.groups.Partition(g, t.partition)
	mine := known && owner.Owner == e.Node
	name := t.names.ConsumerGroup(g)
	switch e.Kind {
	case event.ConsumerCrashed:
		if mine {
			t.tell(e, "%s dies. %s is its own until group %s hears of that by session.timeout.ms.%s", t.node(e.Node), capital(t.where()), name, t.undone(g))
		}
	case event.ConsumerClosed:
		if mine {
			t.tell(e, "%s closes.", t.node(e.Node))
		}
	case event.PollIntervalExceeded:
		if mine {
			t.tell(e, "%s has not called poll() for max.poll.interval.ms: it leaves group %s while it works on.", t.node(e.Node), name)
		}
	default:
		if e.Partition != t.partition {
			return
		}
		words := map[event.Kind]string{
			event.PartitionAssigned: "%s gets %s, in generation or epoch %d of group %s.",
			event.PartitionRevoked:  "%s lets go of %s, in generation or epoch %d of group %s.",
			event.PartitionLost:     "%s has lost %s, and learns it only now (it was in generation or epoch %d of group %s).",
		}
		t.tell(e, words[e.Kind], t.node(e.Node), t.where(), e.Epoch, name)
	}
}

// undone says what a dead member has done of the record, and not committed.
func (t *teller) undone(g kafka.GroupID) string {
	r := t.reading(g)
	switch {
	case len(r.reads) == 0:
		return ""
	case len(r.done) > 0:
		return " The order was done, and that was not committed."
	case r.passed:
		return " The order was in its hands, and committed."
	}
	return " The order was in its hands."
}

// verdictOfGroups sums up what each group has done with the record. Of groups with the same to say it says it once.
func (t *teller) verdictOfGroups() string {
	var verdicts []string
	groups := map[string][]string{}
	for g := range t.names.Groups {
		r := t.reading(kafka.GroupID(g))
		verdict := t.verdictOf(r)
		if verdict == "" {
			continue
		}
		if groups[verdict] == nil {
			verdicts = append(verdicts, verdict)
		}
		groups[verdict] = append(groups[verdict], t.names.ConsumerGroup(r.group))
	}
	text := ""
	for _, verdict := range verdicts {
		some := " Group "
		if len(groups[verdict]) > 1 {
			some = " Groups "
		}
		text += some + series(groups[verdict]) + " " + verdict
	}
	return text
}

// verdictOf is what a group has done with the record; empty where that is as it should be.
func (t *teller) verdictOf(r *reading) string {
	switch effects := t.hasEffects(r.group); {
	case len(r.done) > 1:
		return fmt.Sprintf("did it %s: %s", times(len(r.done)), t.whyTwice(r))
	case r.refused > 0:
		return fmt.Sprintf("worked on it %s, and the unique key let it happen once.", times(len(r.done)+r.refused))
	case effects && len(r.done) == 0 && len(r.reads) > 0 && r.passed:
		return "committed it and never did it: a commit after the work would have handed it out again."
	case len(r.reads) > 1:
		return fmt.Sprintf("read it %s.", times(len(r.reads)))
	case len(r.reads) == 0 && len(t.copies) > 0 && slices.Contains(t.names.Subscribed(r.group), t.partition):
		return "never got it."
	}
	return ""
}

// handedAgain says why a group was handed a record again, and what would have prevented what came of it.
var handedAgain = [view.AgainCount]string{
	view.AgainUncommitted: "the first time was not committed when the partition went on, so the group was handed it again. Only a unique key " +
		"where the effect is makes it happen once.",
	view.AgainExpired: "it was committed, and the commit has expired, so the group began anew. A longer offsets.retention.minutes would have kept its place.",
	view.AgainOverwritten: "it was committed, and a later commit, of an offset before it, took the place of that. Only a unique key where the effect is makes " +
		"it happen once.",
	view.AgainLost:     "it was committed, and the commit is lost with the broker that had it. More replicas of __consumer_offsets would have kept it.",
	view.AgainByItself: "it was committed, and a member went back to it by itself. Only a unique key where the effect is makes it happen once.",
}

// whyTwice says what let an effect happen twice, and what would have prevented it.
func (t *teller) whyTwice(r *reading) string {
	if len(r.reads) > 1 && r.reads[0].offset == r.reads[len(r.reads)-1].offset {
		return handedAgain[r.again]
	}
	return "it is stored more than once, and each copy is an order of its own."
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return count(n, "time")
}

// hasEffects reports whether the work of a group shows outside of Kafka.
func (t *teller) hasEffects(g kafka.GroupID) bool {
	return slices.ContainsFunc(t.names.Nodes, func(n kafka.NodeName) bool {
		return n.Effect != "" && n.Consumes == t.names.ConsumerGroup(g)
	})
}
