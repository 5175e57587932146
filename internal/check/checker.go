package check

import (
	"math"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Settings says what a scenario promised in the first place.
type Settings struct {
	// Acks is the acks setting of a producer; nil means that every producer has acks=all.
	Acks func(producer kafka.NodeID) kafka.Acks
	// Idempotent says which producers have enable.idempotence; nil where nobody knows.
	Idempotent func(producer kafka.NodeID) bool
	// MinISR is the effective min.insync.replicas of a partition, the largest that the run sets; nil where nobody knows.
	MinISR func(kafka.PartitionID) int
	// Only lists the names of the promises to check; empty for all.
	Only []string
	// Keep is the number of violations of a promise that are kept in full; 0 means 10. All are counted.
	Keep int
}

const defaultKeep = 10

func (s *Settings) minISR(p kafka.PartitionID) int {
	if s.MinISR == nil {
		return math.MaxInt
	}
	return s.MinISR(p)
}

// Checker folds events and notes what they break. It is an event.Sink: a step is held against the promises when all of
// its events are in, for the partitions that it touched.
type Checker struct {
	names    *kafka.Names
	settings Settings
	chosen   [promiseCount]bool

	partitions []*partition // by id; nil until a broker opens a log of it
	running    kafka.BrokerSet
	serving    kafka.BrokerSet // running, and not fenced
	fenced     kafka.BrokerSet
	touched    []*partition // by the current step
	at         kafka.Tick   // of the event at hand
	seq        event.Seq

	// transactions are looked at only where the run has transactional ids.
	transactions  transactions
	transactional bool
	groups        []*group // by id
	consumers     []*group // by client: the group that it is in, or nil
	loading       []*group // a new coordinator tells of them in this step
	polls         [][]poll // by client and partition
	faults        []fault  // that act
	disturbed     kafka.Tick
	once          bits // records of idempotent producers
	seen          bits // those of them that were read
	loose         bool // some application handed over again, or its producer began anew

	untracked  []kafka.RecordID // sent with acks=0: nobody will tell what became of them
	violations []Violation
	counts     [promiseCount]int
	tradeoffs  [tradeoffCount][]kafka.RecordID
	ended      bool
}

// New makes a checker; names are those of the run, for its sentences.
func New(names *kafka.Names, settings Settings) *Checker {
	if settings.Keep == 0 {
		settings.Keep = defaultKeep
	}
	if settings.Acks == nil {
		settings.Acks = func(kafka.NodeID) kafka.Acks { return kafka.AcksAll }
	}
	groups := newGroups(names)
	return &Checker{
		names: names, settings: settings, chosen: selection(settings.Only), groups: groups, consumers: byNode(groups),
		transactional: len(names.TransactionalIDs) > 0,
	}
}

// Consume implements event.Sink.
func (c *Checker) Consume(step *event.Step) {
	for i := range step.Events {
		e := &step.Events[i]
		c.at, c.seq = e.At, e.Seq
		c.take(e, step)
		if c.transactional {
			c.takeTransaction(e, step)
		}
		if len(c.groups) > 0 {
			c.takeGroup(e, step.Records(e))
		}
	}
	c.finishStep()
}

// take hands an event to whom it concerns. Kinds that are not listed change no log and no leader.
func (c *Checker) take(e *event.Event, step *event.Step) {
	switch e.Kind {
	case event.FaultBegan, event.FaultEnded, event.ConsumerCrashed, event.ConsumerClosed, event.ConsumerStarted:
		c.disturb(e)
	case event.BrokerCrashed, event.BrokerStopped:
		c.disturb(e)
		c.brokerCrashed(e)
	case event.BrokerRestarted:
		c.disturb(e)
		c.running = c.running.With(e.Node)
	case event.BrokerFenced:
		c.disturb(e)
		c.brokerFenced(e)
	case event.BrokerUnfenced:
		c.disturb(e)
		c.brokerUnfenced(e)
	case event.MetadataMisplaced:
		c.metadataMisplaced(e)
	case event.RecordsUntracked:
		c.untracked = append(c.untracked, step.Records(e)...)
	case event.RecordsSent:
		c.sent(e, step.Records(e))
	case event.RecordsResent, event.ProducerRestarted, event.ProducerEpochBumped, event.TransactionFailed:
		c.loose = true
	case event.LogLoaded:
		c.logLoaded(e)
	case event.LeaderElected, event.PartitionOffline:
		c.disturb(e)
		c.open(e.Partition) // the run begins with them, before a log is opened
	case event.RunEnded:
		c.Finish()
	}
	if p := c.partition(e.Partition); p != nil {
		c.takeOf(p, e, step)
	}
}

// takeOf hands an event to the partition that it is about.
func (c *Checker) takeOf(p *partition, e *event.Event, step *event.Step) {
	switch e.Kind {
	case event.BatchAppended:
		c.batchAppended(p, e, step.Records(e))
	case event.ReplicaAppended:
		c.replicaAppended(p, e)
	case event.LogTruncated, event.LogTailLost:
		c.logTruncated(p, e)
	case event.ReplicaOffline:
		c.replicaOffline(p, e)
	case event.LogStartAdvanced:
		c.logStartAdvanced(p, e)
	case event.RecordsCompacted, event.TombstonesRemoved, event.AbortedRecordsRemoved, event.MarkersRemoved,
		event.GapCopied, event.LogCleaned:
		c.takeCleaning(p, e)
	case event.HighWatermarkAdvanced:
		c.highWatermarkAdvanced(p, e)
	case event.FollowerOffsetLearned:
		p.followerHeard(e)
	case event.HighWatermarkLearned:
		c.highWatermarkLearned(p, e)
	case event.BecameLeader:
		c.becameLeader(p, e)
	case event.BecameFollower:
		c.becameFollower(p, e)
	case event.ELRChanged:
		c.elrChanged(p, e)
	case event.UncleanLeaderElected:
		p.unclean = true
	case event.LeaderElected:
		c.leaderElected(p, e)
	case event.PartitionOffline:
		c.partitionOffline(p, e)
	case event.ISRChanged:
		c.isrChanged(p, e)
	case event.RecordsAcknowledged:
		c.recordsAcknowledged(p, e, step.Records(e))
	case event.RecordsRead:
		c.checkPoll(p, e, step.Records(e))
		c.recordsRead(p, e, step.Records(e))
	case event.PositionFound, event.OffsetReset, event.PositionTruncated:
		c.positioned(p, e)
	}
}

// partition is the state of a partition that some broker has a log of, or nil.
func (c *Checker) partition(id kafka.PartitionID) *partition {
	if id < 0 || int(id) >= len(c.partitions) {
		return nil
	}
	return c.partitions[id]
}

// open is the state of a partition, made when it is new.
func (c *Checker) open(id kafka.PartitionID) *partition {
	for int(id) >= len(c.partitions) {
		c.partitions = append(c.partitions, nil)
	}
	if c.partitions[id] == nil {
		c.partitions[id] = newPartition(id)
	}
	return c.partitions[id]
}

// touch has the partition checked at the end of the step.
func (c *Checker) touch(p *partition) {
	if !p.touched {
		p.touched = true
		c.touched = append(c.touched, p)
	}
}

func (c *Checker) finishStep() {
	for _, p := range c.touched {
		c.checkISR(p)
		c.checkLogs(p)
		c.checkLeader(p)
		c.checkCandidates(p)
		c.checkQuorum(p)
		if p.moved {
			c.checkAcknowledged(p)
		}
		p.ailing = p.broken != [promiseCount]bool{}
		p.touched, p.moved, p.tookOver = false, false, false
	}
	c.touched = c.touched[:0]
	for _, g := range c.loading {
		c.checkLoaded(g)
	}
	c.loading = c.loading[:0]
}

// Finish makes the checks of the end of a run. RunEnded calls it; a caller does for a trace that was cut off.
func (c *Checker) Finish() {
	if c.ended {
		return
	}
	c.ended = true
	for _, p := range c.partitions {
		if p != nil {
			p.moved, p.tookOver = true, true
			c.touch(p)
			c.checkUnread(p)
			c.checkUnseen(p)
		}
	}
	c.finishStep()
	c.checkUntracked()
	for _, g := range c.groups {
		c.checkOwned(g)
		c.giveUpWork(g)
	}
}
