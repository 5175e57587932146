package explain

import (
	"fmt"

	"replog/internal/event"
	"replog/internal/kafka"
)

// hearOfCopies tells how a copy spreads over the replicas, and how it goes.
func (t *teller) hearOfCopies(e *event.Event) {
	for i := range t.copies {
		c := &t.copies[i]
		switch e.Kind {
		case event.ReplicaAppended:
			if e.Epoch == c.epoch && e.Offset <= c.offset && c.offset < e.End() {
				t.replicated(e, i)
			}
		case event.GapCopied:
			if !t.fate.compacted && e.Offset <= c.offset && c.offset < e.End() {
				t.tell(e, "%s leaves out offset %s: what %s sent begins behind it.", t.node(e.Node), number(c.offset), t.node(e.Peer))
			}
		case event.HighWatermarkAdvanced:
			if !c.committed && c.holders.Has(e.Node) && e.Prev <= int64(c.offset) && c.offset < e.Offset {
				c.committed = true
				t.tell(e, "Every in-sync replica has it%s: the high watermark of %s moves past it to %s, and readers may see it.",
					t.whichCopy(c), t.where(), number(e.Offset))
			}
		case event.LogTailLost, event.ReplicaOffline:
			if c.holders.Has(e.Node) && e.Offset <= c.offset {
				c.holders = c.holders.Without(e.Node)
				t.tell(e, "%s", t.diskLost(e, c))
			}
		case event.LogTruncated:
			if c.holders.Has(e.Node) && e.Offset <= c.offset {
				c.holders = c.holders.Without(e.Node)
				t.tell(e, "%s cuts its log of %s back to %s, because %s has something else there; the copy at %s is gone from it.",
					t.node(e.Node), t.where(), number(e.Offset), t.node(e.Peer), number(c.offset))
			}
		case event.LogLoaded:
			if e.Offset <= c.offset {
				c.holders = c.holders.Without(e.Node)
			}
		}
	}
}

// diskLost says how a broker lost a copy without its own doing.
func (t *teller) diskLost(e *event.Event, c *copied) string {
	if e.Kind == event.ReplicaOffline {
		return fmt.Sprintf("A log directory of %s fails; its copy%s is gone.", t.node(e.Node), t.whichCopy(c))
	}
	return fmt.Sprintf("%s loses its copy%s: it had not reached the disk.", t.node(e.Node), t.whichCopy(c))
}

// whichCopy tells copies apart where there are several.
func (t *teller) whichCopy(c *copied) string {
	if len(t.copies) == 1 {
		return ""
	}
	return " at offset " + number(c.offset)
}

// replicated tells of a follower's copy, in one line with the follower before it; a follower may take over several copies
// at once. When every in-sync replica has the record, further ones are no part of its story.
func (t *teller) replicated(e *event.Event, at int) {
	c := &t.copies[at]
	isr := t.world.partition(t.partition).isr
	around := c.holders&isr == isr
	c.holders = c.holders.With(e.Node)
	followers := kafka.SetOf(e.Node)
	if last := t.lines[len(t.lines)-1]; last.followers != 0 {
		followers |= last.followers
		around = around && last.around
		t.lines = t.lines[:len(t.lines)-1]
	}
	t.tell(e, "%s %s it from the leader.", brokers(followers, t.names), verb(followers.Len(), "copies", "copy"))
	line := &t.lines[len(t.lines)-1]
	line.followers, line.around = followers, around
}

// hearOfMessage tells what became of the record's requests and of the answers to them.
func (t *teller) hearOfMessage(e *event.Event) {
	t.own = append(t.own, e.Seq)
	switch e.Kind {
	case event.ProduceAnswered:
		t.answered(e)
	case event.MessageHeld:
		t.tell(e, "The %s is stuck inside %s%s: %s does not hear of it.",
			messageWord(e.Message), t.node(e.Node), t.whyHeld(), t.node(e.Peer))
	case event.MessageReleased:
		t.tell(e, "The %s leaves %s at last.", messageWord(e.Message), t.node(e.Node))
	case event.MessageDropped:
		t.tell(e, "The %s from %s to %s is lost on the way; neither side learns of it.",
			messageWord(e.Message), t.node(e.Node), t.node(e.Peer))
	case event.MessageDelayed:
		t.tell(e, "The %s from %s to %s takes %s longer.",
			messageWord(e.Message), t.node(e.Node), t.node(e.Peer), span(kafka.Tick(e.Value), t.names))
	case event.MessageDuplicated:
		t.tell(e, "The %s from %s to %s arrives twice.", messageWord(e.Message), t.node(e.Node), t.node(e.Peer))
	case event.ConnectionBroken:
		t.tell(e, "The connection between %s and %s breaks under the %s, which is lost.",
			t.node(e.Node), t.node(e.Peer), messageWord(e.Message))
	case event.AnswerRewritten:
		if e.Partition == t.partition && t.held() {
			t.tell(e, "A fault turns the answer of %s into %v, although the order is stored.", t.node(e.Node), e.Error)
		}
	case event.AnswerOutOfTurn:
		t.tell(e, "%s gets a later answer of %s, takes this one for lost and closes the connection.", t.node(e.Node), t.node(e.Peer))
	case event.ProduceRequestTimedOut:
		t.tell(e, "%s has waited for an answer of %s as long as it may and closes the connection.", t.node(e.Node), t.node(e.Peer))
	}
}

// answered leaves out the answer to a refusal: the refusal has said it.
func (t *teller) answered(e *event.Event) {
	switch {
	case e.Error == kafka.None:
		t.tell(e, "%s answers %s: stored.", t.node(e.Node), t.node(e.Peer))
	case t.log.Get(e.About).Kind != event.ProduceRefused:
		t.tell(e, "%s answers %s: %v, although it has stored it.", t.node(e.Node), t.node(e.Peer), e.Error)
	}
}

// whyHeld names the fault, where only one can be meant.
func (t *teller) whyHeld() string {
	if len(t.world.faults) != 1 {
		return ""
	}
	return " (" + t.names.Fault(t.world.faults[0]) + ")"
}

func messageWord(k kafka.MessageKind) string {
	switch k {
	case kafka.KindProduceRequest:
		return "request"
	case kafka.KindProduceResponse:
		return "answer"
	}
	return k.String()
}

// hearOfBroker tells of the death, the fencing and the return of a broker that the record depends on.
func (t *teller) hearOfBroker(e *event.Event) {
	p := t.world.partition(t.partition)
	concerned := func(id kafka.NodeID) bool { return p.leader == id || p.isr.Has(id) }
	switch {
	case e.Kind == event.BrokerCrashed && p.leader == e.Node:
		t.tellAround(e, "%s, the leader of %s, is dead. What it had not sent is lost and its connections close; its log stays on its disk.",
			t.node(e.Node), t.where())
	case e.Kind == event.BrokerCrashed && concerned(e.Node):
		t.tellAround(e, "%s, a follower of %s, is dead.", t.node(e.Node), t.where())
	case e.Kind == event.BrokerRestarted && concerned(e.Node):
		t.tellAround(e, "%s starts again with the log on its disk.", t.node(e.Node))
	case e.Kind == event.BrokerFenced && concerned(e.Peer):
		t.tellAround(e, "The controller notices: no heartbeat of %s since %s, broker.session.timeout.ms has passed; it fences the broker.",
			t.node(e.Peer), t.names.Clock(kafka.Tick(e.Value)))
	}
}

// hearOfLeader tells who leads the record's partition, and whether the new leader has the record.
func (t *teller) hearOfLeader(e *event.Event) {
	switch e.Kind {
	case event.LeaderElected:
		t.elected(e)
	case event.UncleanLeaderElected:
		t.tellAround(e, "No member of the ISR %s is alive; an unclean election takes %s for %s all the same, and what it does not hold is given up.",
			event.SetText(e.ISR()), t.node(e.Peer), t.where())
	case event.PartitionOffline:
		t.tellAround(e, "No live member of the ISR %s is left: %s has no leader.", event.SetText(e.PrevISR()), t.where())
	case event.ISRChanged:
		t.tellAround(e, "The ISR of %s is now %s (before %s).", t.where(), event.SetText(e.ISR()), event.SetText(e.PrevISR()))
	case event.LeaderLearned:
		if e.Node == t.producer && !t.settled() {
			t.tellAround(e, "%s learns that %s leads %s.", t.node(e.Node), t.node(e.Peer), t.where())
		}
	}
}

// outsideISR says of a new leader that it is not in the ISR, which takes a rule that is switched off.
func outsideISR(e *event.Event) string {
	if e.ISR().Has(e.Peer) {
		return ""
	}
	return ", which is not in the ISR " + event.SetText(e.ISR()) + ","
}

func (t *teller) elected(e *event.Event) {
	has := "; it has the order"
	if !t.held() {
		has = "; it does not have the order"
	}
	if len(t.copies) == 0 {
		has = ""
	}
	t.tellAround(e, "The controller makes %s%s the leader of %s, in leader epoch %d%s.", t.node(e.Peer), outsideISR(e), t.where(), e.Epoch, has)
	// This is where an acknowledged record goes: part of its story, not of the world around it.
	if t.fate.acked && len(t.copies) > 0 && !t.held() && !t.fate.lost {
		t.fate.lost = true
		t.lines[len(t.lines)-1].around = false
	}
}
