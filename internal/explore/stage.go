package explore

import (
	"fmt"
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
)

// Stage is how far a processor is with what it has read: what is under way when a fault comes.
type Stage uint8

// The stages, in their order. Without a transaction a processor goes from NothingCommitted back to BetweenPolls.
const (
	BetweenPolls     Stage = iota // everything that was read is committed
	NothingSent                   // it has read records, and sent no result yet
	NothingCommitted              // results are on their way or stored, and no offset says so
	Undecided                     // the transaction has the offsets as well, and is not decided
	Decided                       // it is decided, and not every partition has its marker
	Stages                        // how many there are
)

var stageNames = [Stages]string{
	"between two polls", "read, and nothing sent", "sent, and no offset committed", "with offsets, and undecided", "decided, and not all marked",
}

// String is the stage in words.
func (s Stage) String() string { return stageNames[s] }

// MarshalText implements encoding.TextMarshaler.
func (s Stage) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Stage) UnmarshalText(text []byte) error {
	at := slices.Index(stageNames[:], string(text))
	if at < 0 {
		return fmt.Errorf("a processor is in no stage %q", text)
	}
	*s = Stage(at)
	return nil
}

// stages follows the processors of a run. It is an event.Sink.
type stages struct {
	processors []processor
	// at has the ticks in which something happened, ascending, and how far the processors were at the end of each.
	at []stageAt
}

type processor struct {
	consumer, producer kafka.NodeID
	transactional      kafka.TransactionalID
	stage              Stage // of its latest poll
	marking            bool  // of the transaction before it
}

type stageAt struct {
	tick  kafka.Tick
	stage Stage
}

func newStages(p *plan.Plan) *stages {
	s := &stages{}
	for i := range p.Consumers {
		feeds := p.Consumers[i].Feeds
		if feeds == nil {
			continue
		}
		one := processor{consumer: p.Consumers[i].ID, producer: feeds.Producer}
		if at := slices.IndexFunc(p.Producers, func(p plan.Producer) bool { return p.ID == feeds.Producer }); at >= 0 {
			one.transactional = p.Producers[at].Transactions.ID
		}
		s.processors = append(s.processors, one)
	}
	return s
}

// Consume implements event.Sink.
func (s *stages) Consume(step *event.Step) {
	furthest := BetweenPolls
	for i := range s.processors {
		p := &s.processors[i]
		for j := range step.Events {
			p.take(&step.Events[j])
		}
		if furthest = max(furthest, p.stage); p.marking {
			furthest = Decided
		}
	}
	if len(step.Events) == 0 {
		return
	}
	now := step.Events[0].At
	if last := len(s.at) - 1; last >= 0 && s.at[last].tick == now {
		s.at[last].stage = furthest
		return
	}
	s.at = append(s.at, stageAt{now, furthest})
}

func (p *processor) take(e *event.Event) {
	switch e.Kind {
	case event.RecordsRead:
		if e.Node == p.consumer && p.stage == BetweenPolls {
			p.stage = NothingSent
		}
	case event.RecordsSent:
		if e.Node == p.producer {
			p.stage = max(p.stage, NothingCommitted)
		}
	case event.OffsetCommitWritten:
		if e.Peer == p.consumer {
			p.stage = BetweenPolls
		}
	case event.OffsetPending:
		if e.Peer == p.producer {
			p.stage = Undecided
		}
	case event.TransactionPrepared:
		if p.has(e) {
			p.stage, p.marking = BetweenPolls, true
		}
	case event.TransactionCompleted:
		if p.has(e) {
			p.marking = false
		}
	}
}

func (p *processor) has(e *event.Event) bool {
	return p.transactional != kafka.NoTransactionalID && e.Transaction() == p.transactional
}

// moments are the ticks of a span at which a fault finds another state: the first one, and those behind a tick in which something
// happened.
func (s *stages) moments(from, to kafka.Tick) []stageAt {
	all := []stageAt{{tick: from}}
	for _, at := range s.at {
		switch {
		case at.tick < from:
			all[0].stage = at.stage
		case at.tick < to:
			all = append(all, stageAt{at.tick + 1, at.stage})
		}
	}
	return all
}
