package explain

import (
	"fmt"

	"replog/internal/event"
	"replog/internal/kafka"
)

// hearOfCompaction follows what the cleaner does to the record's copies. The story tells the leader's part.
func (t *teller) hearOfCompaction(e *event.Event) {
	for i := range t.copies {
		c := &t.copies[i]
		if c.offset < e.Offset || c.offset >= e.End() || !c.holders.Has(e.Node) {
			continue
		}
		leads := e.Node == t.world.partition(t.partition).leader
		switch e.Kind {
		case event.RecordsCompacted:
			c.holders = c.holders.Without(e.Node)
			t.fate.compacted = true
			if leads {
				t.fate.newer = t.newerThan(c.offset, e.Seq)
				t.tell(e, "The cleaner of %s removes it from %s: %s.", t.node(e.Node), t.where(), t.fate.newer)
			}
		case event.AbortedRecordsRemoved:
			c.holders = c.holders.Without(e.Node)
			t.fate.compacted, t.fate.newer = true, "its transaction was aborted, and a pass takes such a record whatever its key"
			if leads {
				t.tell(e, "The cleaner of %s removes it from %s: %s.", t.node(e.Node), t.where(), t.fate.newer)
			}
		case event.TombstonesStamped:
			if _, tombstone, _ := t.names.RecordKey(t.id); tombstone && leads {
				t.fate.horizon = kafka.Tick(e.Value)
				t.tell(e, "The cleaner of %s finds this tombstone for the first time: from %s on (delete.retention.ms later) a pass may remove it.",
					t.node(e.Node), t.names.Clock(t.fate.horizon))
			}
		case event.TombstonesRemoved:
			c.holders = c.holders.Without(e.Node)
			t.fate.compacted, t.fate.newer = true, "it was a tombstone, and its time was over at "+t.names.Clock(kafka.Tick(e.Value))
			if leads {
				t.tell(e, "The cleaner of %s removes it from %s: %s. Who has not read it by now never learns of the delete.", t.node(e.Node),
					t.where(), t.fate.newer)
			}
		}
	}
}

// newerThan names the record that stands further on under the same key, as of an event: the first one there is that was not
// aborted.
func (t *teller) newerThan(o kafka.Offset, until event.Seq) string {
	key, _, _ := t.names.RecordKey(t.id)
	committed := t.committed(until)
	for _, e := range t.log.Span(0, int(until)) {
		if e.Kind != event.BatchAppended || e.Partition != t.partition || t.aborted(e, until) {
			continue
		}
		for at, id := range t.log.Records(e) {
			newer := e.Offset + kafka.Offset(at)
			if k, _, ok := t.names.RecordKey(id); !ok || k != key || newer <= o {
				continue
			}
			text := fmt.Sprintf("order %s has the same key, %s, at offset %s", t.names.Record(id), t.names.Key(key), number(newer))
			if t.fate.early = newer >= committed; t.fate.early {
				text += ", which was not committed then"
			}
			return text
		}
	}
	return "a newer record has the same key, " + t.names.Key(key)
}

// aborted reports whether a batch belongs to a transaction that was aborted, as of an event: the next marker of its producer
// says so.
func (t *teller) aborted(batch *event.Event, until event.Seq) bool {
	if batch.Producer == kafka.NoProducerID {
		return false
	}
	for _, e := range t.log.Span(int(batch.Seq), int(until)) {
		if e.Kind == event.TransactionMarked && e.Partition == batch.Partition && e.Producer == batch.Producer {
			return e.Value == 0
		}
	}
	return false
}

// committed is the end of what was committed in the partition, as of an event.
func (t *teller) committed(until event.Seq) kafka.Offset {
	end := kafka.Offset(0)
	for _, e := range t.log.Span(0, int(until)) {
		if e.Kind == event.HighWatermarkAdvanced && e.Partition == t.partition {
			end = max(end, e.Offset)
		}
	}
	return end
}

// whenItGoes says of a tombstone that is still there when the cleaner may remove it.
func (t *teller) whenItGoes() string {
	if _, tombstone, _ := t.names.RecordKey(t.id); !tombstone {
		return ""
	}
	if t.fate.horizon > 0 {
		return " It is a tombstone: the first pass of the cleaner at " + t.names.Clock(t.fate.horizon) + " or later removes it, and there is no pass " +
			"without something new to clean."
	}
	return " It is a tombstone, and no pass of the cleaner has covered it yet, so its clock (delete.retention.ms) has not begun: the active segment " +
		"is never cleaned, and only an append closes it."
}
