package screen

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// sentences remembers the sentences of the events that were on the screen lately, since most lines stay from one frame to
// the next.
type sentences struct{ slots []sentence }

type sentence struct {
	log  *event.Log
	seq  event.Seq
	text string
}

const sentenceSlots = 512

func (s *sentences) of(log *event.Log, e *event.Event, names *kafka.Names) string {
	if s.slots == nil {
		s.slots = make([]sentence, sentenceSlots)
	}
	at := &s.slots[int(e.Seq)%sentenceSlots]
	if at.log != log || at.seq != e.Seq {
		*at = sentence{log: log, seq: e.Seq, text: event.Sentence(e, log.Records(e), names)}
	}
	return at.text
}
