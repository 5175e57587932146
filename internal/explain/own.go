package explain

import (
	"fmt"

	"replog/internal/event"
	"replog/internal/kafka"
)

// hearNamed tells of an event that names the record, at a position among those it names.
func (t *teller) hearNamed(e *event.Event, at int) {
	offset := e.Offset + kafka.Offset(at)
	switch e.Kind {
	case event.RecordsSent:
		t.handedOver(e)
	case event.RecordsResent:
		t.fate.failed, t.fate.resent = false, true
		t.tell(e, "The application hands %s to %s again: for the producer a new order, with a sequence of its own.", t.order(), t.node(e.Node))
	case event.ProduceSent:
		t.sent(e)
	case event.BatchAppended:
		t.stored(e, offset)
	case event.DuplicateRecognised:
		t.recognised(e, offset)
	case event.ProduceRefused:
		t.own = append(t.own, e.Seq)
		t.tell(e, "%s refuses it: %v; nothing is written%s.", t.node(e.Node), e.Error, t.whyFenced(e))
	case event.ProduceRetryScheduled:
		t.tell(e, "%s %s; it will send it again.", t.node(e.Node), t.noAnswer(e.Error, t.node(e.Peer)))
	case event.RecordsAcknowledged:
		t.acknowledged(e, offset)
	case event.RecordsFailed:
		t.fate.failed = true
		t.tell(e, "%s gives up and tells the application that %s failed (%v)%s.", t.node(e.Node), t.order(), e.Error, t.uncertainty(e))
	case event.RecordsUntracked:
		t.fate.untracked = true
		t.tell(e, "%s has sent it and forgets it: with acks=0 no answer will come.", t.node(e.Node))
	case event.RecordsRead:
		if g, is := t.member(e.Node); is {
			t.readBy(g, e, offset)
		} else {
			t.shown(e, offset)
		}
	case event.EffectHappened, event.EffectRefused:
		t.didIt(e, offset)
	case event.RecordsDropped:
		t.tell(e, "%s gets it from %s and drops it: its transaction was aborted.", t.node(e.Node), t.node(e.Peer))
	}
}

// hearOfProducer tells what befalls the record's producer while the record's story is open.
func (t *teller) hearOfProducer(e *event.Event) {
	if e.Node != t.producer || t.settled() || e.Kind == event.ProducerEpochBumped && e.Partition != t.partition {
		return
	}
	switch e.Kind {
	case event.ProducerRestarted:
		t.tell(e, "%s starts anew; what waited in it is gone, and its next producer id is another one.", t.node(e.Node))
	case event.ProducerEpochBumped:
		t.tell(e, "%s goes on under producer epoch %d, with sequences from 0: no leader can recognise what it sent before.",
			t.node(e.Node), e.ProducerEpoch)
	case event.ProducerFailed:
		t.tell(e, "%s is in a fatal state (%v) and takes no order any more.", t.node(e.Node), e.Error)
	}
}

// uncertainty is what the producer knows of a record that it gives up, and in brackets what is true.
func (t *teller) uncertainty(e *event.Event) string {
	at, stored := t.inSomeLog()
	switch {
	case e.Value != 0:
		return "; whether it is stored it can not know " + truth("is", at, stored)
	case stored:
		return "; it takes it that no attempt has stored it (one has, at offset " + number(at) + ")"
	}
	return "; no attempt can have stored it"
}

// noAnswer says why a producer has no answer that it can use. Without any answer it cannot know what became of the
// record; what is true stands in brackets. An error says so.
func (t *teller) noAnswer(code kafka.ErrorCode, broker string) string {
	known := ""
	switch code {
	case kafka.NetworkException:
		known = "sees its connection to " + broker + " close without an answer, and cannot know whether the order was stored "
	case kafka.RequestTimedOut:
		known = "has no answer of " + broker + " in time (REQUEST_TIMED_OUT), and cannot know whether the order was stored "
	default:
		return "gets " + code.String() + " from " + broker
	}
	at, stored := t.inSomeLog()
	return known + truth("was", at, stored)
}

// truth answers in brackets whether a record is, or was, stored.
func truth(is string, at kafka.Offset, stored bool) string {
	if stored {
		return fmt.Sprintf("(it %s, at offset %s)", is, number(at))
	}
	return fmt.Sprintf("(it %s not)", is)
}

// inSomeLog is where the record is stored at this moment, on whichever broker.
func (t *teller) inSomeLog() (at kafka.Offset, stored bool) {
	for i := range t.copies {
		if t.copies[i].holders != 0 {
			return t.copies[i].offset, true
		}
	}
	return kafka.NoOffset, false
}

func (t *teller) handedOver(e *event.Event) {
	t.partition, t.producer, t.sentAt = e.Partition, e.Node, e.At
	t.handed++
	key := "without a key"
	if e.Value != int64(kafka.NoKey) {
		key = "with the key " + t.names.Key(kafka.KeyID(e.Value))
	}
	if _, tombstone, _ := t.names.RecordKey(t.id); tombstone {
		key += " and without a value, a tombstone,"
	}
	leader := ""
	if since, dead := t.world.down[t.world.partition(e.Partition).leader]; dead {
		leader = fmt.Sprintf(", whose leader %s is dead since %s",
			t.node(t.world.partition(e.Partition).leader), t.names.Clock(since))
	}
	t.tell(e, "the application hands %s %s to %s, which puts it in %s%s.", t.order(), key, t.node(e.Node), t.where(), leader)
}

func (t *teller) sent(e *event.Event) {
	t.attempts++
	t.own = append(t.own, e.Seq)
	t.fate.idempotent = e.Sequence != kafka.NoSequence
	together := ""
	if others := int(e.Count) - 1; others > 0 {
		together = " together with " + count(others, "other order")
	}
	again := ""
	if t.attempts > 1 {
		again = " again"
	}
	t.tell(e, "%s sends it%s to %s (attempt %d)%s.", t.node(e.Node), again, t.node(e.Peer), t.attempts, together)
}

func (t *teller) stored(e *event.Event, offset kafka.Offset) {
	t.own = append(t.own, e.Seq)
	again := ""
	if t.held() {
		again = " a second time"
	}
	t.copies = append(t.copies, copied{
		epoch: e.Epoch, offset: offset, writer: e.Peer, leader: e.Node, holders: kafka.SetOf(e.Node), producer: e.Producer,
	})
	t.tell(e, "%s stores it%s at offset %s of %s, in leader epoch %d%s.",
		t.node(e.Node), again, number(offset), t.where(), e.Epoch, t.whyWait(e))
	if again != "" && e.Sequence == kafka.NoSequence {
		t.addToLast(" Without a sequence number " + t.repeated() + " looks like a new order.")
	}
}

// repeated is what brought the record a second time: the producer, or the network.
func (t *teller) repeated() string {
	if t.attempts > 1 {
		return "the retry"
	}
	return "the request that arrives twice"
}

// whyWait says which dead broker keeps the high watermark from passing the record.
func (t *teller) whyWait(e *event.Event) string {
	dead := t.world.deadIn(t.world.partition(e.Partition).isr)
	if dead == 0 {
		return ""
	}
	return fmt.Sprintf("; %s %s dead and still in the ISR, so the high watermark waits",
		brokers(dead, t.names), verb(dead.Len(), "is", "are"))
}

func (t *teller) addToLast(text string) { t.lines[len(t.lines)-1].Text += text }

// held reports whether the partition's leader has the record already.
func (t *teller) held() bool {
	leader := t.world.partition(t.partition).leader
	for i := range t.copies {
		if t.copies[i].holders.Has(leader) {
			return true
		}
	}
	return false
}

func (t *teller) recognised(e *event.Event, offset kafka.Offset) {
	t.fate.recognised = true
	t.own = append(t.own, e.Seq)
	t.tell(e, "%s recognises %s by producer id %d, producer epoch %d and sequence %d: it is stored already at offset %s, "+
		"so nothing is written and the answer is that offset.",
		t.node(e.Node), t.repeated(), e.Producer, e.ProducerEpoch, e.Sequence, number(offset))
	for i := range t.copies {
		c := &t.copies[i]
		switch {
		case c.offset != offset || c.epoch == e.Epoch || !c.holders.Has(e.Node):
		case c.leader == e.Node:
			t.addToLast(" It knows them from the batches in its log.")
			return
		default:
			t.addToLast(" It knows them from the batches that it copied as a follower.")
			return
		}
	}
}

func (t *teller) acknowledged(e *event.Event, offset kafka.Offset) {
	t.fate.acked, t.fate.isrWhenAcked = true, t.world.partition(t.partition).isr
	for i := range t.copies {
		if t.copies[i].offset == offset {
			t.fate.heldWhenAcked = t.copies[i].holders
		}
	}
	t.tell(e, "%s tells the application: stored at offset %s, %s after it was handed over.",
		t.node(e.Node), number(offset), span(kafka.Tick(e.Value), t.names))
}

func (t *teller) shown(e *event.Event, offset kafka.Offset) {
	for i := range t.showings {
		if s := &t.showings[i]; s.reader == e.Node {
			t.tell(e, "%s shows it again, from offset %s, %s after the first time.",
				t.node(e.Node), number(offset), span(e.At-s.at, t.names))
			t.showings = append(t.showings, showing{e.Node, e.At, offset})
			return
		}
	}
	t.showings = append(t.showings, showing{e.Node, e.At, offset})
	t.tell(e, "%s shows it, from offset %s%s.", t.node(e.Node), number(offset), t.tooSoon(offset))
}

// tooSoon says that a reader is handed what is not committed, which takes a rule that is switched off.
func (t *teller) tooSoon(offset kafka.Offset) string {
	for i := range t.copies {
		if t.copies[i].offset == offset && t.copies[i].committed {
			return ""
		}
	}
	return ", before it is committed"
}
