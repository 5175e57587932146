package outcome

import "replog/internal/kafka"

// flags are the facts about one record that events have told, and how its producer was set.
type flags uint16

const (
	sent flags = 1 << iota
	onTheWire
	retried
	acked
	failed
	untracked
	refused
	recognised
	givenUp   // by an unclean election
	expired   // some replica deleted it by retention, or by a log start that moved
	compacted // the cleaner of some replica removed it

	// The policy of the record's producer; policyKnown is missing where no settings were given.
	policyKnown
	acksNone
	acksOne
	idempotent
	retriesOn
)

func (f flags) has(all flags) bool { return f&all == all }

// unheard: the producer learned neither of a success nor of a failure, though it waited for one.
func (f flags) unheard() bool { return f&(acked|failed|untracked) == 0 }

const factsChunk = 256

// facts has the flags of each record, in chunks that never move: two bytes a record.
type facts struct{ chunks []*[factsChunk]flags }

// of is the place of a record's flags.
func (f *facts) of(id kafka.RecordID) *flags {
	at := int(id) / factsChunk
	for at >= len(f.chunks) {
		f.chunks = append(f.chunks, new([factsChunk]flags))
	}
	return &f.chunks[at][id%factsChunk]
}

func (f *facts) get(id kafka.RecordID) flags {
	if at := int(id) / factsChunk; id >= 0 && at < len(f.chunks) {
		return f.chunks[at][id%factsChunk]
	}
	return 0
}

func (f *facts) add(ids []kafka.RecordID, fact flags) {
	for _, id := range ids {
		if id >= 0 { // else it is a record of Kafka's own
			*f.of(id) |= fact
		}
	}
}

// transmit notes one more attempt and returns how many of the records had been on the wire before.
func (f *facts) transmit(ids []kafka.RecordID) (again int) {
	for _, id := range ids {
		flag := f.of(id)
		if flag.has(onTheWire) {
			*flag |= retried
			again++
		}
		*flag |= onTheWire
	}
	return again
}

// len is a number that every record id known here lies below.
func (f *facts) len() int { return len(f.chunks) * factsChunk }
