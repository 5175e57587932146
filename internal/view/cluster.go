package view

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Cluster is the picture of a cluster after some event.
type Cluster struct {
	names      *kafka.Names
	tick       kafka.Tick
	seq        event.Seq
	ended      bool
	brokers    []Broker // ordered by id
	partitions []partition
	logs       Logs
	producers  []producer // indexed by id - kafka.FirstClientID; without an ID where that client has sent nothing
	readers    []reader   // ordered by id
	groups     Groups
	effects    []effects // by group
	faults     []Fault

	transactions Transactions
	marks        recordMarks
}

// Fault is a timeline entry that acts at present.
type Fault struct {
	Entry int64     // index into Names.Faults
	Began event.Seq // its FaultBegan
}

// New is the picture before the first event.
func New(names *kafka.Names) *Cluster {
	c := &Cluster{names: names, marks: newRecordMarks(), groups: NewGroups(names), effects: make([]effects, len(names.Groups))}
	for i := range c.effects {
		c.effects[i].done = newRecordMarks()
	}
	for i := range names.Nodes {
		if id := names.Nodes[i].ID; id.IsBroker() {
			c.broker(id)
		}
	}
	return c
}

// Apply takes in the next event and the records it speaks of. The picture keeps the ids: they must not change
// afterwards, as those of an event.Log do not.
func (c *Cluster) Apply(e *event.Event, ids []kafka.RecordID) {
	c.tick, c.seq = e.At, e.Seq
	switch e.Kind {
	case event.RecordsSent, event.ProduceSent, event.ProduceRetryScheduled, event.RecordsAcknowledged, event.RecordsFailed,
		event.RecordsUntracked, event.ProducerIDAssigned:
		c.applyToProducer(e, ids)
	case event.BatchAppended:
		c.marks.addOrAgain(ids, Stored, StoredAgain)
		c.logs.Apply(e, ids)
		c.noteStored(e, ids)
		c.transactions.Apply(e, &c.logs)
	case event.TransactionOpened, event.TransactionMarked:
		c.transactions.Apply(e, &c.logs)
	case event.DuplicateRecognised:
		c.marks.add(ids, Recognised)
		c.noteStored(e, ids)
	case event.ProduceRefused:
		c.marks.add(ids, Refused)
	case event.SegmentRolled, event.SegmentDeletedByTime, event.SegmentDeletedBySize, event.SegmentDeletedBelowLogStart,
		event.LogStartAdvanced:
		c.logs.Apply(e, ids)
	case event.RecordsCompacted, event.TombstonesRemoved, event.AbortedRecordsRemoved, event.MarkersRemoved,
		event.EmptyBatchKept, event.EmptyBatchRemoved, event.SegmentCleaned,
		event.LogCleaned:
		c.logs.Apply(e, ids)
	case event.ReplicaAppended, event.GapCopied, event.LogTruncated, event.LogTailLost, event.LogLoaded:
		c.logs.Apply(e, ids)
		c.applyToReplica(e)
	case event.HighWatermarkAdvanced, event.HighWatermarkLearned, event.BecameLeader, event.FollowerOffsetLearned:
		c.applyToReplica(e)
	case event.BecameFollower, event.ReplicaOffline:
		c.logs.Apply(e, ids)
		c.applyToReplica(e)
		c.groups.Apply(e)
	case event.LeaderElected, event.PartitionOffline, event.ISRChanged, event.ELRChanged, event.ISRChangeProposed, event.ISRChangeRefused:
		c.partition(e.Partition).apply(e)
	case event.RecordsRead, event.OffsetReset, event.PositionFound, event.PositionTruncated, event.FetchedPassedOver, event.PartitionAssigned, event.PartitionRevoked, event.PartitionLost:
		c.reader(e.Node).apply(e, &c.logs)
		c.groups.Apply(e)
	default:
		c.applyRare(e, ids)
	}
}

// applyRare is for the kinds that a run has few of.
func (c *Cluster) applyRare(e *event.Event, ids []kafka.RecordID) {
	switch e.Kind {
	case event.BrokerCrashed, event.BrokerStopped, event.BrokerRestarted, event.LogDirFailed, event.BrokerRegistered, event.ShutdownGranted, event.BrokerFenced, event.BrokerUnfenced,
		event.MessageHeld, event.MessageReleased:
		c.applyToBroker(e)
		c.groups.Apply(e)
	case event.FaultBegan:
		if !slices.Contains(c.names.Requests, e.Value) {
			c.faults = append(c.faults, Fault{Entry: e.Value, Began: e.Seq})
		}
	case event.FaultEnded:
		c.endFault(func(f Fault) bool { return f.Entry == e.Value })
	case event.RunEnded:
		c.ended = true
	case event.RecordsDropped:
		c.reader(e.Node).apply(e, &c.logs)
	case event.ConsumerStarted, event.ConsumerCrashed, event.ConsumerClosed, event.ConsumerFailed:
		c.endFault(func(f Fault) bool { return f.Began == e.Cause }) // that was all it did
		c.reader(e.Node).forget()
		c.groups.Apply(e)
	case event.EffectHappened, event.EffectRefused:
		c.applyEffect(e, ids)
		c.groups.Apply(e)
	default:
		c.groups.Apply(e)
	}
}

func (c *Cluster) endFault(over func(Fault) bool) { c.faults = slices.DeleteFunc(c.faults, over) }

// Consume implements event.Sink, for those who keep no event.Log: it copies the ids of the step.
func (c *Cluster) Consume(step *event.Step) {
	kept := event.Step{Events: step.Events, IDs: slices.Clone(step.IDs)}
	for i := range kept.Events {
		c.Apply(&kept.Events[i], kept.Records(&kept.Events[i]))
	}
}

// Clone is a picture of its own. What lies in the past is shared, so it costs as much as what is on the screen, not as
// the run behind it.
func (c *Cluster) Clone() *Cluster {
	d := *c
	d.brokers = slices.Clone(c.brokers)
	d.faults = slices.Clone(c.faults)
	d.logs = c.logs.Clone()
	d.marks = c.marks.clone()
	d.partitions = slices.Clone(c.partitions)
	for i := range d.partitions {
		d.partitions[i].replicas = slices.Clone(c.partitions[i].replicas)
	}
	d.producers = slices.Clone(c.producers)
	for i := range d.producers {
		d.producers[i].copyLists()
	}
	d.groups = c.groups.Clone()
	d.effects = slices.Clone(c.effects)
	for i := range d.effects {
		d.effects[i] = c.effects[i].clone()
	}
	d.transactions = c.transactions.Clone()
	d.readers = slices.Clone(c.readers)
	for i := range d.readers {
		d.readers[i].positions = slices.Clone(c.readers[i].positions)
		d.readers[i].shown = c.readers[i].shown.clone()
	}
	return &d
}

// Names turns the numbers of the picture into words.
func (c *Cluster) Names() *kafka.Names { return c.names }

// Tick is the time of the last event.
func (c *Cluster) Tick() kafka.Tick { return c.tick }

// Seq is the last event that the picture shows.
func (c *Cluster) Seq() event.Seq { return c.seq }

// Ended reports whether the run is over.
func (c *Cluster) Ended() bool { return c.ended }

// Faults lists the timeline entries that act at present, in the order in which they began.
func (c *Cluster) Faults() []Fault { return c.faults }

// Logs is what the replicas hold.
func (c *Cluster) Logs() *Logs { return &c.logs }

// Groups is what every consumer group is, and what its members are.
func (c *Cluster) Groups() *Groups { return &c.groups }

// Marks are the facts about one record.
func (c *Cluster) Marks(id kafka.RecordID) Marks { return c.marks.get(id) }

// Copy is a place where a record was appended, and the brokers that have it there.
type Copy struct {
	Place
	Holders kafka.BrokerSet // empty when every replica cut it off again
}

// CopiesOf lists where a record was ever appended, and who has it there now.
func (c *Cluster) CopiesOf(id kafka.RecordID) []Copy {
	places := c.logs.Places(id)
	copies := make([]Copy, len(places))
	for i, place := range places {
		copies[i] = Copy{Place: place, Holders: c.logs.Holders(place)}
	}
	return copies
}

// RecordAt is the record that a broker holds at an offset, or NoRecord.
func (c *Cluster) RecordAt(p kafka.PartitionID, broker kafka.NodeID, o kafka.Offset) kafka.RecordID {
	return c.logs.RecordAt(p, broker, o)
}

// LogOf lists the epochs of a broker's log in the order of their offsets.
func (c *Cluster) LogOf(p kafka.PartitionID, broker kafka.NodeID) []Run {
	return c.logs.Runs(p, broker)
}
