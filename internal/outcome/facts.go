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

// facts has the flags and the time of sending of each record, in chunks that never move: 6 bytes a record.
type facts struct{ chunks []*factChunk }

type factChunk struct {
	flags [factsChunk]flags
	// sentAt is the low half of the tick. A latency is a difference, so nothing is lost as long as it fits.
	sentAt [factsChunk]uint32
}

func (f *facts) chunk(id kafka.RecordID) *factChunk {
	at := int(id) / factsChunk
	for at >= len(f.chunks) {
		f.chunks = append(f.chunks, new(factChunk))
	}
	return f.chunks[at]
}

func (f *facts) get(id kafka.RecordID) flags {
	if at := int(id) / factsChunk; id >= 0 && at < len(f.chunks) {
		return f.chunks[at].flags[id%factsChunk]
	}
	return 0
}

func (f *facts) add(ids []kafka.RecordID, fact flags) {
	for _, id := range ids {
		f.chunk(id).flags[id%factsChunk] |= fact
	}
}

// send notes that the application handed the records over at the tick.
func (f *facts) send(ids []kafka.RecordID, at kafka.Tick, policy flags) {
	for _, id := range ids {
		c := f.chunk(id)
		c.flags[id%factsChunk] |= sent | policy
		c.sentAt[id%factsChunk] = uint32(at)
	}
}

// transmit notes one more attempt and returns how many of the records had been on the wire before.
func (f *facts) transmit(ids []kafka.RecordID) (again int) {
	for _, id := range ids {
		flag := &f.chunk(id).flags[id%factsChunk]
		if flag.has(onTheWire) {
			*flag |= retried
			again++
		}
		*flag |= onTheWire
	}
	return again
}

// sinceSent is how long ago the record was handed over.
func (f *facts) sinceSent(id kafka.RecordID, now kafka.Tick) kafka.Tick {
	return kafka.Tick(uint32(now) - f.chunk(id).sentAt[id%factsChunk])
}

// len is a number that every record id known here lies below.
func (f *facts) len() int { return len(f.chunks) * factsChunk }
