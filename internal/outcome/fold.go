package outcome

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// Settings is what the producers ran with. The zero value knows nothing: a bare trace has none, and then no trade-off
// can be named.
type Settings struct{ Producers []Producer }

// Producer is the configuration of one producer.
type Producer struct {
	ID     kafka.NodeID
	Config kafka.ProducerConfig
}

// Fold gathers the outcome of one run, event by event. It is an event.Sink.
type Fold struct {
	names    *kafka.Names
	policies []flags // indexed by node id
	logs     view.Logs
	leaders  []kafka.NodeID // indexed by partition: who leads or led last; NoNode before any did
	facts    facts
	sent     int
	retries  int
	first    histogram
	later    histogram
	readers  []reader // ordered by node
	bytes    bytesFold
	rates    ratesFold
	rest     restFold
	groups   groupsFold
	order    orderFold

	transactions transactionsFold
	now          kafka.Tick // of the last event
	keyed        bool       // some topic is compacted
}

// NewFold starts an outcome. Of the settings only the producers' acks, retries and idempotence matter.
func NewFold(names *kafka.Names, settings Settings) *Fold {
	f := &Fold{names: names, groups: newGroupsFold(names), keyed: anyKeyed(names)}
	for _, p := range settings.Producers {
		for int(p.ID) >= len(f.policies) {
			f.policies = append(f.policies, 0)
		}
		f.policies[p.ID] = policyOf(&p.Config)
	}
	return f
}

func policyOf(c *kafka.ProducerConfig) flags {
	policy := policyKnown
	switch c.Acks {
	case kafka.AcksNone:
		policy |= acksNone
	case kafka.AcksOne:
		policy |= acksOne
	}
	if c.EnableIdempotence {
		policy |= idempotent
	}
	if c.Retries > 0 {
		policy |= retriesOn
	}
	return policy
}

// Consume implements event.Sink.
func (f *Fold) Consume(step *event.Step) {
	for i := range step.Events {
		e := &step.Events[i]
		f.Apply(e, step.Records(e))
	}
}

// Apply takes in one event and the records it speaks of. The ids are copied.
func (f *Fold) Apply(e *event.Event, ids []kafka.RecordID) {
	f.now = e.At
	f.applyToRecords(e, ids)
	f.groups.take(e, ids)
	f.transactions.take(e, &f.logs)
}

// applyToRecords takes in what concerns records, logs, readers in memory and brokers.
func (f *Fold) applyToRecords(e *event.Event, ids []kafka.RecordID) {
	switch e.Kind {
	case event.RecordsSent:
		f.sent += len(ids)
		f.rates.sent(e.At, len(ids), f.names)
		f.facts.add(ids, sent|f.policy(e.Node))
		f.order.sent(e, f.names)
	case event.ProduceSent:
		f.retries += f.facts.transmit(ids)
		f.order.transmitted(e, len(ids))
	case event.RecordsAcknowledged:
		f.acknowledge(e, ids)
	case event.RecordsFailed:
		f.facts.add(ids, failed)
	case event.RecordsUntracked:
		f.facts.add(ids, untracked)
	case event.ProduceRefused:
		f.facts.add(ids, refused)
	case event.DuplicateRecognised:
		f.facts.add(ids, recognised)
	case event.RecordsRead:
		if _, member := f.groups.isMember(e.Node); !member {
			f.reader(e.Node).show(e, ids, f)
		}
		if f.keyed {
			f.reader(e.Node).believe(ids, f.names)
		}
	case event.UncleanLeaderElected:
		f.giveUp(e.Partition, e.Peer)
	case event.OffsetReset:
		if _, member := f.groups.isMember(e.Node); !member {
			f.reader(e.Node).skip(e, &f.logs)
		}
	case event.SegmentRolled, event.SegmentDeletedByTime, event.SegmentDeletedBySize, event.SegmentDeletedBelowLogStart,
		event.LogStartAdvanced:
		f.expire(e)
		f.logs.Apply(e, ids)
	case event.LeaderElected:
		f.lead(e.Partition, e.Peer)
		f.rest.take(e)
	case event.ISRChanged, event.PartitionOffline, event.BrokerCrashed, event.BrokerStopped, event.BrokerRestarted,
		event.BrokerFenced, event.BrokerUnfenced:
		f.rest.take(e)
	case event.BatchAppended, event.ReplicaAppended:
		if e.Kind == event.BatchAppended && !kafka.OwnRecords(ids) {
			f.noteOrder(e, ids)
		}
		f.rates.stored(e, f.names)
		f.logs.Apply(e, ids)
	case event.LogTruncated, event.LogTailLost, event.LogLoaded:
		f.logs.Apply(e, ids)
	case event.ReplicaOffline:
		f.rest.take(e)
		f.logs.Apply(e, ids)
	case event.RecordsCompacted, event.TombstonesRemoved, event.AbortedRecordsRemoved, event.MarkersRemoved,
		event.EmptyBatchKept, event.EmptyBatchRemoved, event.SegmentCleaned,
		event.GapCopied:
		f.compacted(e)
		f.logs.Apply(e, ids)
	}
}

// expire notes what a log start that moves leaves behind, and how full the disks were before a segment went.
func (f *Fold) expire(e *event.Event) {
	switch e.Kind {
	case event.SegmentRolled:
	case event.LogStartAdvanced:
		if f.names.Internal(e.Partition) {
			return // Kafka's own records have no ids
		}
		for _, ids := range f.logs.Written(e.Partition, e.Node, kafka.Offset(e.Prev), e.Offset) {
			f.facts.add(ids, expired)
		}
	default:
		f.bytes.look(&f.logs, f.names, e.At)
	}
}

func (f *Fold) policy(producer kafka.NodeID) flags {
	if int(producer) < len(f.policies) {
		return f.policies[producer]
	}
	return 0
}

// acknowledge counts the latency that the event tells: one event speaks of records that were sent at the same tick.
func (f *Fold) acknowledge(e *event.Event, ids []kafka.RecordID) {
	f.facts.add(ids, acked)
	for _, id := range ids {
		if f.facts.get(id).has(retried) {
			f.later.add(kafka.Tick(e.Value))
		} else {
			f.first.add(kafka.Tick(e.Value))
		}
	}
}

// giveUp notes what the last leader holds beyond the log of one that is elected outside of the ISR.
func (f *Fold) giveUp(p kafka.PartitionID, elected kafka.NodeID) {
	if int(p) >= len(f.leaders) {
		return
	}
	_, kept := f.logs.Bounds(p, elected)
	_, end := f.logs.Bounds(p, f.leaders[p])
	for _, ids := range f.logs.Slices(p, f.leaders[p], kept, max(kept, end)) {
		f.facts.add(ids, givenUp)
	}
}

// lead notes a leader. A partition that goes offline keeps its last one: what is on that disk is the log.
func (f *Fold) lead(p kafka.PartitionID, leader kafka.NodeID) {
	for int(p) >= len(f.leaders) {
		f.leaders = append(f.leaders, kafka.NoNode)
	}
	f.leaders[p] = leader
}

// reader finds a reader, of which there are few.
func (f *Fold) reader(node kafka.NodeID) *reader {
	at := 0
	for ; at < len(f.readers) && f.readers[at].node <= node; at++ {
		if f.readers[at].node == node {
			return &f.readers[at]
		}
	}
	f.readers = slices.Insert(f.readers, at, reader{node: node})
	return &f.readers[at]
}
