package explain

import (
	"fmt"

	"replog/internal/kafka"
)

// verdict sums the story up: where the record is now, who put it there, and which setting would have helped.
func (t *teller) verdict() string {
	if t.partition == kafka.NoPartition {
		return fmt.Sprintf("%s was never handed over in this run.", capital(t.order()))
	}
	final := t.finalCopies()
	rest := t.verdictOfTransactions(final) + t.verdictOfGroups()
	switch counts := standing(final); {
	case len(counts) > 1:
		return t.verdictTwice(counts) + rest
	case len(final) == 0:
		return t.verdictAbsent() + rest
	case len(counts) == 1:
		return t.verdictOnce(&counts[0]) + t.whenItGoes() + rest
	}
	return t.verdictOnce(&final[0]) + t.whenItGoes() + rest
}

// finalCopies is what the partition's log holds at the end: that of its leader, or of its last one.
func (t *teller) finalCopies() []copied {
	if t.partition == kafka.NoPartition {
		return nil
	}
	leader := t.world.partition(t.partition).leader
	var final []copied
	for i := range t.copies {
		if t.copies[i].holders.Has(leader) {
			final = append(final, t.copies[i])
		}
	}
	return final
}

func (t *teller) verdictTwice(final []copied) string {
	var offsets []string
	for i := range final {
		offsets = append(offsets, number(final[i].offset))
	}
	times := "twice"
	if len(final) > 2 {
		times = count(len(final), "time")
	}
	text := fmt.Sprintf("%s is in %s %s, at offsets %s.", capital(t.order()), t.where(), times, series(offsets))
	if t.handed > 1 && isFed(t.names, t.producer) {
		return text + " The processor made it again: how far it had read was not committed when it stopped. With exactly.once the first copy would have been aborted."
	}
	if t.attempts == 1 {
		text += " The network delivered the one request more than once."
	} else {
		text += fmt.Sprintf(" The producer, %s, wrote every copy: it did not hear that the first was stored, and sent the order again.",
			t.node(t.producer))
	}
	if t.fate.resent {
		text += " Its application handed it over a second time, which no sequence number can tell from a new order; a key of " +
			"its own for each order would let the reader see it."
	} else if !t.fate.idempotent {
		text += " enable.idempotence=true would have kept one copy."
	}
	return text
}

func (t *teller) verdictAbsent() string {
	order, gone := capital(t.order()), "it is not stored"
	if len(t.copies) > 0 {
		gone = "the log of " + t.where() + " does not have it any more"
	}
	switch {
	case t.fate.compacted && t.fate.early:
		return fmt.Sprintf("%s was stored, and compaction removed it: %s. Kafka's cleaner ends where what is committed does.", order, t.fate.newer)
	case t.fate.expired && t.fate.early:
		return fmt.Sprintf("%s was stored, and retention deleted it before it was committed, which Kafka's retention does not do: %s.", order, gone)
	case t.fate.compacted:
		return fmt.Sprintf("%s was stored, and compaction removed it: %s. That is what cleanup.policy=compact asks for.", order, t.fate.newer)
	case t.fate.expired:
		return fmt.Sprintf("%s was stored, and retention deleted it: %s keeps no record for longer than its topic asks for.", order, t.where())
	case t.fate.acked:
		return fmt.Sprintf("%s was acknowledged and is lost: %s.%s", order, gone, t.whyLost())
	case t.fate.failed:
		return fmt.Sprintf("%s was reported failed, and %s: the application knows.", order, gone)
	case t.fate.untracked:
		return fmt.Sprintf("%s was sent, %s, and nobody was told: with acks=0 no answer comes back. acks=all with retries would have stored it.", order, gone)
	}
	return fmt.Sprintf("At the end of the run %s has no answer for %s, and %s.", t.node(t.producer), t.order(), gone)
}

// whyLost says who held the record when it was acknowledged, and what would have kept it.
func (t *teller) whyLost() string {
	held, isr := t.fate.heldWhenAcked, t.fate.isrWhenAcked
	switch {
	case held == 0:
		return ""
	case held.Len() > 1:
		return fmt.Sprintf(" It was held by %s when it was acknowledged.", brokers(held, t.names))
	case isr == held:
		return fmt.Sprintf(" When it was acknowledged only %s was in sync; with min.insync.replicas=2 and acks=all it would have been refused, not lost.",
			brokers(held, t.names))
	}
	return fmt.Sprintf(" When it was acknowledged only %s held it (acks=1). acks=all would have kept it.", brokers(held, t.names))
}

func (t *teller) verdictOnce(c *copied) string {
	text := fmt.Sprintf("%s is stored once, at offset %s of %s", capital(t.order()), number(c.offset), t.where())
	switch {
	case t.fate.recognised:
		return text + ": " + t.repeated() + " was recognised and answered with the first offset (enable.idempotence=true)."
	case t.fate.failed && t.fate.acked:
		return text + ", and acknowledged: its application had been told of a failure, and handed it over again."
	case t.fate.failed && t.fate.idempotent:
		return text + ", although the application was told that it failed: a lost answer looks like a lost request."
	case t.fate.failed:
		return text + ", although the application was told that it failed: a lost answer looks like a lost request. A retry with " +
			"enable.idempotence=true would have learned the truth."
	case t.fate.acked && t.attempts > 1:
		return text + fmt.Sprintf(", and acknowledged on attempt %d.", t.attempts)
	case t.fate.acked:
		return text + ", and acknowledged."
	case t.fate.untracked:
		return text + "; with acks=0 its producer never learned that."
	}
	return text + fmt.Sprintf(", but %s has no answer at the end of the run.", t.node(t.producer))
}
