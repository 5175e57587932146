package explain

import (
	"fmt"

	"replog/internal/event"
	"replog/internal/kafka"
)

// hearOfRetention follows what a log start that moves leaves behind. The story tells the leader's part.
func (t *teller) hearOfRetention(e *event.Event) {
	for i := range t.copies {
		c := &t.copies[i]
		if !c.holders.Has(e.Node) {
			continue
		}
		if gone := e.Offset <= c.offset && c.offset < e.End(); e.Kind != event.LogStartAdvanced && gone {
			t.drop(c, e.Node)
			if e.Node == t.world.partition(t.partition).leader {
				t.fate.early = !c.committed
				t.tell(e, "%s deletes the segment that holds it, offsets %s to %s of %s: %s.", t.node(e.Node),
					number(e.Offset), number(e.End()-1), t.where(), t.whyDeleted(e))
			}
		} else if e.Kind == event.LogStartAdvanced && c.offset < e.Offset {
			t.drop(c, e.Node)
		}
	}
}

func (t *teller) drop(c *copied, broker kafka.NodeID) {
	c.holders = c.holders.Without(broker)
	t.fate.expired = true
}

// whyDeleted is the rule by which the segment went.
func (t *teller) whyDeleted(e *event.Event) string {
	switch e.Kind {
	case event.SegmentDeletedByTime:
		return "its newest record, of " + t.names.Clock(kafka.Tick(e.Value)) + ", is older than retention.ms"
	case event.SegmentDeletedBySize:
		return fmt.Sprintf("the %s bytes behind it are still at least retention.bytes", number(e.Value))
	}
	return "it lies below the log start offset"
}

// hearOfReset tells of a reader that comes too late for the record.
func (t *teller) hearOfReset(e *event.Event) {
	for i := range t.copies {
		if o := int64(t.copies[i].offset); e.Prev <= o && o < int64(e.Offset) {
			t.tell(e, "%s asks for offset %s, which is gone, and goes on from %s: it never sees the order.", t.node(e.Node),
				number(e.Prev), number(e.Offset))
			return
		}
	}
}
