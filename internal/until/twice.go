package until

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// storedTwice waits for a leader that appends a record which its own log holds already. A copy that was cut off before
// does not count.
func storedTwice(wanted kafka.RecordID) match {
	var logs view.Logs
	stored := map[kafka.RecordID]bool{}
	return func(e *event.Event, ids []kafka.RecordID) bool {
		twice := false
		if e.Kind == event.BatchAppended && !kafka.OwnRecords(ids) {
			for _, id := range ids {
				if wanted != kafka.NoRecord && id != wanted {
					continue
				}
				twice = twice || stored[id] && holds(&logs, id, e.Node)
				stored[id] = true
			}
		}
		logs.Apply(e, ids)
		return twice
	}
}

func holds(logs *view.Logs, id kafka.RecordID, broker kafka.NodeID) bool {
	for _, place := range logs.Places(id) {
		if logs.Holders(place).Has(broker) {
			return true
		}
	}
	return false
}

// shownTwice waits for a reader that shows a record which it has shown from another offset.
func shownTwice(wanted kafka.RecordID) match {
	type showing struct {
		reader kafka.NodeID
		record kafka.RecordID
	}
	first := map[showing]kafka.Offset{}
	return func(e *event.Event, ids []kafka.RecordID) bool {
		if e.Kind != event.RecordsRead {
			return false
		}
		twice := false
		for i, id := range ids {
			if wanted != kafka.NoRecord && id != wanted {
				continue
			}
			at, shown := first[showing{e.Node, id}]
			if !shown {
				first[showing{e.Node, id}] = e.Offset + kafka.Offset(i)
			}
			twice = twice || shown && at != e.Offset+kafka.Offset(i)
		}
		return twice
	}
}

// doneTwice waits for an effect that happens with a record for the second time in a consumer group.
func doneTwice(wanted kafka.RecordID, names *kafka.Names) match {
	type effect struct {
		group  string
		record kafka.RecordID
	}
	done := map[effect]bool{}
	return func(e *event.Event, ids []kafka.RecordID) bool {
		if e.Kind != event.EffectHappened {
			return false
		}
		twice := false
		for _, id := range ids {
			if wanted == kafka.NoRecord || id == wanted {
				one := effect{names.Consumes(e.Node), id}
				twice = twice || done[one]
				done[one] = true
			}
		}
		return twice
	}
}
