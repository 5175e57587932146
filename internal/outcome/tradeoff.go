package outcome

import (
	"fmt"
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// Tradeoff is something that the configuration gave up: what it cost in this run, and what would have kept it.
type Tradeoff struct {
	Setting string           // the setting that would have kept the data, as one writes it
	Records []kafka.RecordID // ascending
	Text    string           // a sentence
}

// tradeoffRule finds the records on a list whose producers were set so that this had to be expected.
type tradeoffRule struct {
	list    func(*Outcome) []kafka.RecordID
	all     flags // what the record must have
	none    flags // what it must not have
	setting string
	text    string // what happened to {records}
}

var tradeoffRules = []tradeoffRule{
	{
		list: func(o *Outcome) []kafka.RecordID { return o.AckedThenLost }, all: policyKnown | acksOne,
		setting: "acks=all",
		text:    "%s acknowledged and then lost: acks=1 answers before any follower has a copy, and acks=all would have kept them",
	},
	{
		list: func(o *Outcome) []kafka.RecordID { return o.AckedThenLost }, all: policyKnown | givenUp, none: acksOne | acksNone,
		setting: "unclean.leader.election.enable=false",
		text:    "%s acknowledged and then lost: an unclean election gave up what only dead members of the ISR had, and unclean.leader.election.enable=false would have waited for one of them",
	},
	{
		list: func(o *Outcome) []kafka.RecordID { return o.Silent }, all: policyKnown | acksNone,
		setting: "acks=all",
		text:    "%s never stored, and nobody was told: with acks=0 no answer comes back, and acks=all with retries would have stored them",
	},
	{
		list: func(o *Outcome) []kafka.RecordID { return o.NeverStored }, all: policyKnown | failed, none: retriesOn | acksNone,
		setting: "retries=2147483647",
		text:    "%s reported failed and never stored: with retries=0 one failed attempt is the last, and retries at its default would have stored them",
	},
	{
		list: func(o *Outcome) []kafka.RecordID { return o.FailedButStored }, all: policyKnown, none: retriesOn | acksNone,
		setting: "enable.idempotence=true",
		text:    "%s reported failed although stored: with retries=0 a lost answer looks like a failure, and a retry with enable.idempotence=true would have learned the truth",
	},
	{
		list: func(o *Outcome) []kafka.RecordID { return o.StoredTwice }, all: policyKnown | retried, none: idempotent,
		setting: "enable.idempotence=true",
		text:    "%s stored twice: the producer sent again what it had no answer for, and enable.idempotence=true would have kept one copy",
	},
	{
		list: func(o *Outcome) []kafka.RecordID { return o.StoredTwice }, all: policyKnown, none: idempotent | retried,
		setting: "enable.idempotence=true",
		text:    "%s stored twice: the request arrived twice, and enable.idempotence=true would have kept one copy",
	},
}

func tradeoffs(o *Outcome, facts *facts) []Tradeoff {
	var found []Tradeoff
	for i := range tradeoffRules {
		rule := &tradeoffRules[i]
		var records []kafka.RecordID
		for _, id := range rule.list(o) {
			if f := facts.get(id); f.has(rule.all) && f&rule.none == 0 {
				records = append(records, id)
			}
		}
		if len(records) > 0 {
			found = append(found, Tradeoff{rule.setting, records, fmt.Sprintf(rule.text, subject(records, o.Names))})
		}
	}
	for i := range o.Groups {
		found = append(found, groupTradeoffs(o, &o.Groups[i], facts)...)
	}
	return found
}

// againTexts say what happened where a group came to a record again and did it twice, and what would have helped.
var againTexts = [view.AgainCount]struct{ setting, text string }{
	view.AgainUncommitted: {
		"a unique key where the effect is",
		"a commit after the work comes too late when a member dies or loses its partition between the two, and a unique key where the effect is would have refused the second one",
	},
	view.AgainExpired: {
		"a longer offsets.retention.minutes",
		"what the group had committed has expired, so it began anew, and a longer offsets.retention.minutes would have kept its place",
	},
	view.AgainOverwritten: {
		"a unique key where the effect is",
		"a later commit, of an offset further back, took the place of the one behind them, and a unique key where the effect is would have refused the second one",
	},
	view.AgainLost: {
		"more replicas of __consumer_offsets",
		"the commit behind them was lost with the broker that had it, and more replicas of __consumer_offsets would have kept it",
	},
	view.AgainByItself: {
		"a unique key where the effect is",
		"they were committed, and a member went back to them by itself; a unique key where the effect is would have refused the second one",
	},
}

// groupTradeoffs is what the members of a group gave up by when they commit, and by where they begin.
func groupTradeoffs(o *Outcome, g *Group, facts *facts) []Tradeoff {
	var found []Tradeoff
	name := "in group " + o.Names.ConsumerGroup(g.ID) + " "
	add := func(records []kafka.RecordID, setting, text string) {
		if len(records) > 0 {
			found = append(found, Tradeoff{setting, records, name + fmt.Sprintf(text, subject(records, o.Names))})
		}
	}
	gone := func(id kafka.RecordID) bool { return facts.get(id).has(expired) }
	for why, a := range againTexts {
		ids := sorted(g.again[why])
		again := func(id kafka.RecordID) bool { _, is := slices.BinarySearch(ids, id); return is }
		add(only(g.EffectsTwice, again), a.setting, "%s done twice: "+a.text)
	}
	add(g.undone, "commit after the work",
		"%s committed and never done: they were committed before the work on them was done, and then nobody did it; a commit after the work would have done them twice at worst")
	add(only(g.missed, gone), "a longer retention.ms",
		"%s never read: retention deleted them before the group came to them, and a longer retention.ms would have kept them")
	add(only(g.missed, func(id kafka.RecordID) bool { return !gone(id) }), "auto.offset.reset=earliest",
		"%s never read: without a committed offset auto.offset.reset=latest begins behind them, and earliest would have read them")
	return found
}

// only are the records of a list for which something holds.
func only(ids []kafka.RecordID, holds func(kafka.RecordID) bool) []kafka.RecordID {
	var list []kafka.RecordID
	for _, id := range ids {
		if holds(id) {
			list = append(list, id)
		}
	}
	return list
}

// maxListed is how many records event.RecordList names one by one.
const maxListed = 6

// subject names the records as what a sentence speaks of: "3 orders (11 12 13) were".
func subject(records []kafka.RecordID, names *kafka.Names) string {
	list := event.RecordList(records, names)
	switch {
	case len(records) == 1:
		return "order " + list + " was"
	case len(records) <= maxListed:
		return fmt.Sprintf("%d orders (%s) were", len(records), list)
	}
	first, last := names.Record(records[0]), names.Record(records[len(records)-1])
	return fmt.Sprintf("%d orders (%s to %s) were", len(records), first, last)
}
