package check

import (
	"fmt"
	"strconv"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Violation is one broken promise.
type Violation struct {
	Promise   string
	At        kafka.Tick
	Seq       event.Seq // the event after which the promise no longer held
	Partition kafka.PartitionID
	Record    kafka.RecordID // kafka.NoRecord when it is not about one record
	Sentence  string
}

// Violations lists the broken promises in the order in which they broke, the first few of each promise.
func (c *Checker) Violations() []Violation { return c.violations }

// Count is how often the promise was broken, also beyond what Violations keeps.
func (c *Checker) Count(name string) int {
	for i := range promises {
		if promises[i].Name == name {
			return c.counts[i]
		}
	}
	return 0
}

// report notes a violation at the event at hand.
func (c *Checker) report(which promise, p *partition, record kafka.RecordID, format string, args ...any) {
	c.reportOf(which, p.id, record, format, args...)
}

// reportOf is report for what is about a partition of a group, or about no partition.
func (c *Checker) reportOf(which promise, p kafka.PartitionID, record kafka.RecordID, format string, args ...any) {
	if !c.chosen[which] {
		return
	}
	c.counts[which]++
	if c.counts[which] > c.settings.Keep {
		return
	}
	c.violations = append(c.violations, Violation{
		Promise: promises[which].Name, At: c.at, Seq: c.seq, Partition: p, Record: record,
		Sentence: fmt.Sprintf(format, args...),
	})
}

// entry says what a log holds at an offset.
func (c *Checker) entry(l *replicaLog, o kafka.Offset) string {
	r := l.at(o)
	switch {
	case r == nil:
		return "nothing"
	case r.id(o) == kafka.NoRecord:
		return "an unknown record of leader epoch " + strconv.Itoa(int(r.epoch))
	}
	return c.names.Record(r.id(o)) + " of leader epoch " + strconv.Itoa(int(r.epoch))
}

// Tradeoff is a loss that the scenario's own settings allow.
type Tradeoff struct {
	// Sentence says what was lost and why that is allowed.
	Sentence string
	// Setting would have kept the records.
	Setting string
	Records []kafka.RecordID
}

// tradeoff numbers the reasons for which a configuration gives records up.
type tradeoff uint8

const (
	acksOne tradeoff = iota
	acksNone
	uncleanElection
	commitBeforeWork
	tradeoffCount
)

var tradeoffTexts = [tradeoffCount]struct{ sentence, setting string }{
	acksOne: {
		"acknowledged with acks=1 by a leader that stopped leading before a follower had them: %s", "acks=all",
	},
	acksNone: {
		"sent with acks=0, so nobody noticed that they were not stored or not kept: %s", "acks=all",
	},
	uncleanElection: {
		"acknowledged, and given up by the election of a broker outside of the ISR: %s",
		"unclean.leader.election.enable=false",
	},
	commitBeforeWork: {
		"committed before the work on them, which their member did not live to do: %s", "commit after the work",
	},
}

// Tradeoffs lists what was lost with the consent of the configuration. It is complete after the end of the run.
func (c *Checker) Tradeoffs() []Tradeoff {
	var list []Tradeoff
	for i, records := range c.tradeoffs {
		if len(records) > 0 {
			list = append(list, Tradeoff{
				Sentence: fmt.Sprintf(tradeoffTexts[i].sentence, event.RecordList(records, c.names)),
				Setting:  tradeoffTexts[i].setting, Records: records,
			})
		}
	}
	return list
}
