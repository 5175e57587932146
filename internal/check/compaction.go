package check

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// This file follows the log cleaner. A record that it removed counts as held for ever, as what retention took does: that
// it might be removed is checked here.

// takeCleaning takes in what a cleaner did, or what a follower found cleaned on its leader.
func (c *Checker) takeCleaning(p *partition, e *event.Event) {
	r := p.replica(e.Node)
	if r == nil {
		return
	}
	switch e.Kind {
	case event.RecordsCompacted, event.TombstonesRemoved, event.AbortedRecordsRemoved, event.MarkersRemoved:
		if e.End() > r.highWatermark {
			c.report(compactionBelowHighWatermark, p, kafka.NoRecord, "%s cleans the offsets %d to %d of %s, but its high watermark is %d",
				c.names.Node(e.Node), e.Offset, e.End()-1, c.names.Partition(p.id), r.highWatermark)
		}
		r.log.gone.Add(e.Offset, e.End())
	case event.GapCopied:
		c.gapCopied(p, r, e)
	case event.LogCleaned:
		r.cleanedTo = max(r.cleanedTo, e.Offset)
		c.checkLatestValues(p, r)
	}
}

// gapCopied enters offsets that were cleaned before they came. What stood there was committed, so that is what the
// follower counts as holding. Where no cleaner has been, the follower has left a record out.
func (c *Checker) gapCopied(p *partition, r *replica, e *event.Event) {
	c.makeSequential(p, r, e)
	for i := range p.replicas {
		r.cleanedTo = max(r.cleanedTo, p.replicas[i].cleanedTo) // it may have come from any of them
	}
	for o := e.Offset; o < e.End(); {
		from := p.committed.at(o)
		if from == nil || o >= r.cleanedTo {
			c.report(sequentialOffsets, p, kafka.NoRecord, "%s copies a gap at offset %d of %s, where no cleaner has been",
				c.names.Node(e.Node), o, c.names.Partition(p.id))
			r.log.append(&branch{epoch: e.Epoch, writer: kafka.NoNode, from: o}, o, e.End())
			break
		}
		to := min(from.to, e.End())
		r.log.append(from.branch, o, to)
		o = to
	}
	r.log.gone.Add(e.Offset, e.End())
	c.grew(p)
	c.raise(p, r, kafka.Offset(e.Value))
}

// checkLatestValues looks for keys of which the cleaner has removed the last value below the cleaned point; what was aborted
// is nobody's value. A replica that does not reach that point yet may still get the newer record.
func (c *Checker) checkLatestValues(p *partition, r *replica) {
	if r.log.end < r.cleanedTo {
		return
	}
	last, aborted := map[kafka.KeyID]kafka.Offset{}, p.abortedIn(&r.log)
	for _, run := range r.log.runs {
		for o := max(run.from, r.log.start); o < min(run.to, r.cleanedTo); o++ {
			if key, _, ok := c.names.RecordKey(run.id(o)); ok && key != kafka.NoKey && !aborted.Has(o) {
				last[key] = o
			}
		}
	}
	for _, run := range r.log.runs {
		r.log.gone.Within(max(run.from, r.log.start), min(run.to, r.cleanedTo), func(part kafka.Span) bool {
			for o := part.From; o < part.To; o++ {
				id := run.id(o)
				key, tombstone, ok := c.names.RecordKey(id)
				if at, known := last[key]; ok && key != kafka.NoKey && known && at == o && !tombstone {
					c.report(latestValueKept, p, id, "%s has removed %s at offset %d of %s, the last value of the key %s below offset %d",
						c.names.Node(r.node), c.names.Record(id), o, c.names.Partition(p.id), c.names.Key(key), r.cleanedTo)
				}
			}
			return true
		})
	}
}
