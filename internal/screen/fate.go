package screen

import (
	"replog/internal/kafka"
	"replog/internal/view"
)

// fate is what became so far of one stored record; the pane of offsets has a glyph for each.
type fate uint8

const (
	onDisk       fate = iota // some replica has it
	replicated               // every member of the ISR has it
	acknowledged             // and the application knows
	toldFailed               // the application was told that it failed
	storedTwice              // the leader's log has it twice
	ackedLost                // acknowledged, and the leader's log does not have it
	compacted                // the cleaner has removed it from the leader's log
)

var fates = [...]struct {
	glyph string
	style Style
	name  string
}{
	onDisk:       {"·", open, "on disk"},
	replicated:   {"○", copied, "replicated"},
	acknowledged: {"●", fine, "acknowledged"},
	toldFailed:   {"f", lost, "told failed"},
	storedTwice:  {"=", twice, "twice"},
	ackedLost:    {"!", lost, "lost"},
	compacted:    {"-", faint, "compacted away"},
}

// fateAt is the fate of a record that a replica holds at an offset.
func fateAt(c *view.Cluster, t *view.Partition, at view.Place, id kafka.RecordID) fate {
	marks := c.Marks(id)
	atLeader := c.RecordAt(at.Partition, t.Last, at.Offset) == id
	copies := 0
	if atLeader {
		copies = 1
	}
	if marks.Has(view.StoredAgain) {
		copies = copiesInLog(c, t, id)
	}
	switch {
	case copies > 1:
		return storedTwice
	case !atLeader && removedAt(c, t, at.Partition, at.Offset) == id:
		return compacted
	case marks.Has(view.Acked) && copies == 0:
		return ackedLost
	case marks.Has(view.Acked):
		return acknowledged
	case marks.Has(view.Failed):
		return toldFailed
	case atLeader && onWholeISR(c, t, at, id):
		return replicated
	}
	return onDisk
}

// removedAt is the record that the cleaner removed from the log of the leader, or of the last one, at an offset; NoRecord for
// none.
func removedAt(c *view.Cluster, t *view.Partition, id kafka.PartitionID, o kafka.Offset) kafka.RecordID {
	if logs := c.Logs(); logs.Gone(id, t.Last).Has(o) {
		return logs.RecordIn(id, logs.WroteAt(id, t.Last, o), o)
	}
	return kafka.NoRecord
}

// copiesInLog counts the places of a record in the log of the leader, or of the last one.
func copiesInLog(c *view.Cluster, t *view.Partition, id kafka.RecordID) int {
	n := 0
	for _, place := range c.Logs().Places(id) {
		if c.Logs().Holders(place).Has(t.Last) {
			n++
		}
	}
	return n
}

func onWholeISR(c *view.Cluster, t *view.Partition, at view.Place, id kafka.RecordID) bool {
	for b := t.ISR.Next(0); b != kafka.NoNode; b = t.ISR.Next(b) {
		if c.RecordAt(at.Partition, b, at.Offset) != id {
			return false
		}
	}
	return t.ISR != 0
}

// lostAt is a record that was acknowledged at an offset and that no replica holds there any more, or NoRecord.
func lostAt(c *view.Cluster, t *view.Partition, id kafka.PartitionID, o kafka.Offset) kafka.RecordID {
	for epoch := kafka.Epoch(0); epoch <= t.Epoch && epoch < maxEpochsLooked; epoch++ {
		at := view.Place{Partition: id, Epoch: epoch, Offset: o}
		record := c.Logs().RecordIn(id, epoch, o)
		if record != kafka.NoRecord && c.Logs().Holders(at) == 0 && fateAt(c, t, at, record) == ackedLost {
			return record
		}
	}
	return kafka.NoRecord
}

// maxEpochsLooked bounds the look back for records that were cut off.
const maxEpochsLooked = 64
