// Package plan is a checked scenario in core units: ticks, ids and bytes, with no text to parse and nothing left to
// default. scenario makes a Plan, sim runs it.
package plan

import "replog/internal/kafka"

// Plan is everything that decides what a run does. Two runs of one plan give the same events.
type Plan struct {
	Names      *kafka.Names
	Brokers    []Broker
	Partitions []Partition // indexed by kafka.PartitionID
	Producers  []Producer
	Readers    []Reader
	Groups     []Group // indexed by kafka.GroupID
	Consumers  []Consumer
	// Transactionals has the transactional ids, the first one with the number 1.
	Transactionals []Transactional
	Loads          []Load
	Faults         []Fault // ordered by At; Names.Faults has a sentence for each
	Broker         kafka.BrokerConfig
	Controller     kafka.ControllerConfig
	Group          kafka.GroupConfig
	// Transaction is what the transaction coordinators run with.
	Transaction kafka.TransactionConfig
	Latency     Latency
	// ConnectionSetup is how long a client waits for a connection that nobody answers (socket.connection.setup.timeout.ms).
	ConnectionSetup kafka.Tick
	Working         []Working
	Survive         *Survive // nil unless the scenario asks how many brokers may be lost
	Sweeps          []Sweep  // faults that the scenario has tried at every moment
	Notes           []string // what was rounded or quietly decided on the way to the plan, a sentence each
	Seed            uint64
	End             kafka.Tick // the run ends when every input up to and including this tick was taken
	Wire            kafka.Wire
	// Lesson is the lesson's simple world (see kafka.ControllerConfig.DetectAtOnce): clients learn of a new leader by
	// themselves, after the application actions of the tick in which it was elected.
	Lesson bool
}

// Survive asks how many brokers the partition can lose; explore answers it, with the entries of the timeline lose-N and
// lag-N, which a run of its own leaves out.
type Survive struct {
	Every kafka.Tick // from one loss to the next, where they come one after the other
}

// Sweep asks what a reader counts when a fault comes at each moment of a span at which something happens; explore answers it.
type Sweep struct {
	// Entries are the names of the timeline entries that make the fault. The first one comes at the moment, each of the others as
	// long after it as in the timeline.
	Entries  []string
	From, To kafka.Tick
	Counts   kafka.NodeID // the reader
}

// Working is one line of the working that goes with a scenario: what one reckons, and which fact of the run to hold
// beside it.
type Working struct {
	Say, Text string
	Unit      string // "", bytes or share
	Measured  string // a fact of the outcome; empty for none
	Value     int64
	Of        int64 // Unit share: what it is a share of
	Reckoned  bool  // there is a Value
}

// Broker is one broker.
type Broker struct {
	ID            kafka.NodeID
	DeadFromStart bool // down, fenced and out of every ISR when the run begins
}

// Partition is one partition when the run begins: every live replica holds an empty log from StartOffset on.
type Partition struct {
	Replicas    []kafka.NodeID // assignment order; the first live one leads
	StartOffset kafka.Offset   // log start offset and log end offset at the beginning
	Added       bool           // it comes with an AddPartitions of the timeline
	Topic       kafka.TopicID
	Config      kafka.TopicConfig
}

// EffectiveMinISR is min.insync.replicas, but at most the replication factor (KAFKA-15583).
func (p *Partition) EffectiveMinISR() int {
	return min(int(p.Config.MinInSyncReplicas), len(p.Replicas))
}

// DealLogDirs tells, by kafka.PartitionID, on which log directory of the broker a replica lies, from 1; 0 where the broker
// has none. They are dealt out in turn, which is what choosing the directory with the fewest comes to
// (LogManager.nextLogDirs).
func (p *Plan) DealLogDirs(broker kafka.NodeID) []int32 {
	dirs, next := make([]int32, len(p.Partitions)), int32(0)
	for i := range p.Partitions {
		for _, r := range p.Partitions[i].Replicas {
			if r == broker {
				dirs[i] = next%max(1, p.Broker.LogDirs) + 1
				next++
			}
		}
	}
	return dirs
}

// Producer is one producer instance with connections of its own.
type Producer struct {
	ID           kafka.NodeID
	Config       kafka.ProducerConfig
	Transactions Transactions
	// Fed is the consumer of the processor whose producer this is; 0 for a producer of its own.
	Fed kafka.NodeID
}

// Transactions is what an application does with its transactional producer. It begins a transaction with the first record
// after the one before, and ends it when Records were sent, or when Every has passed since it began.
type Transactions struct {
	ID      kafka.TransactionalID // transactional.id; NoTransactionalID without transactions
	Timeout kafka.Tick            // transaction.timeout.ms
	Records int32                 // 0: no limit
	Every   kafka.Tick            // kafka.Never: no limit
	// Abort and Hang number transactions, from 1, ascending: those that the application aborts, and those after which it does
	// nothing more, so that they stay open.
	Abort, Hang []int32
	// Fed: the transactions end when the consumer of the processor says so. initTransactions() comes at once.
	Fed bool
}

// Reader is one in-memory reader, such as a screen.
type Reader struct {
	ID         kafka.NodeID
	Partitions []kafka.PartitionID
	Config     kafka.ReaderConfig
}

// Group is one consumer group.
type Group struct {
	// Coordinator is the partition of __consumer_offsets whose leader hosts the group: abs(hash(group.id)) mod
	// offsets.topic.num.partitions (GroupMetadataManager.partitionFor).
	Coordinator kafka.PartitionID
}

// Transactional is one transactional id.
type Transactional struct {
	// Coordinator is the partition of __transaction_state whose leader coordinates the id's transactions
	// (TransactionStateManager.partitionFor).
	Coordinator kafka.PartitionID
}

// CoordinatesTransactions reports whether the leader of a partition coordinates a transactional id.
func (p *Plan) CoordinatesTransactions(id kafka.PartitionID) bool {
	for i := range p.Transactionals {
		if p.Transactionals[i].Coordinator == id {
			return true
		}
	}
	return false
}

// TransactionHome is the partition of __transaction_state that a transactional id falls into.
func (p *Plan) TransactionHome(id kafka.TransactionalID) kafka.PartitionID {
	return p.Transactionals[id-1].Coordinator
}

// TransactionVersion is the level of the feature transaction.version: 2 since Kafka 4.0.
func (p *Plan) TransactionVersion() uint8 {
	if p.Broker.Rules.TransactionVersion1 {
		return 0
	}
	return 2
}

// Coordinates reports whether the leader of a partition hosts a group.
func (p *Plan) Coordinates(id kafka.PartitionID) bool {
	for i := range p.Groups {
		if p.Groups[i].Coordinator == id {
			return true
		}
	}
	return false
}

// IsConsumer reports whether a node is a member of a consumer group.
func (p *Plan) IsConsumer(id kafka.NodeID) bool {
	for i := range p.Consumers {
		if p.Consumers[i].ID == id {
			return true
		}
	}
	return false
}

// Consumer is one member of a consumer group: one process with a consumer of its own.
type Consumer struct {
	ID     kafka.NodeID
	Group  kafka.GroupID
	Topics []kafka.TopicID
	Config kafka.ConsumerConfig
	Starts kafka.Tick       // when its process starts; kafka.Never when only the timeline starts it
	Fails  []kafka.RecordID // ascending: the work on these fails the first time
	Effect Effect
	// Feeds is what a processor does with the records: it makes others of them. nil for a consumer that is none.
	Feeds *Feeds
}

// Feeds is how a processor makes a record of each that it reads: it consumes, transforms and produces.
type Feeds struct {
	Topic    []kafka.PartitionID // of the results
	Results  []Results
	Producer kafka.NodeID
	Size     int32 // bytes of a result
	// Exactly: the results and the offsets behind what they were made of are one transaction. Else the offsets are committed when
	// the results are acknowledged.
	Exactly bool
	// Fenced: the producer tells with the offsets which member it is, and of which generation (KIP-447).
	Fenced bool
}

// Results says which records the records From, From+1, ... become: To, To+1, and so on, one each.
type Results struct {
	From, To kafka.RecordID
	Count    int
}

// Result is the record that a record becomes, NoRecord where it becomes none.
func (f *Feeds) Result(id kafka.RecordID) kafka.RecordID {
	for _, r := range f.Results {
		if at := id - r.From; at >= 0 && int(at) < r.Count {
			return r.To + at
		}
	}
	return kafka.NoRecord
}

// EffectKind is what an application does with a record outside of Kafka.
type EffectKind uint8

const (
	// NoEffect: the application only reads.
	NoEffect EffectKind = iota
	// Show puts the record on a screen.
	Show
	// Print prints a slip.
	Print
	// Insert inserts a row into a table of a database.
	Insert
	// HandOn hands it to the producer of the same processor.
	HandOn
)

// Effect is what becomes of a record that an application has worked on.
type Effect struct {
	Kind EffectKind
	// Unique: the table has a unique key on the order number; it refuses a second row for the same record.
	Unique bool
}

// Load is a steady stream of records from an application. Record i (from 0) has the id First + i*Stride, is sent at
// Start + (i/Burst)*Every by Producers[i mod len] with Keys[i mod len].
type Load struct {
	Producers []kafka.NodeID
	Topic     []kafka.PartitionID // the topic's partitions
	Keys      []kafka.KeyID       // never empty; kafka.NoKey for no key
	// Tombstones says which records have no value: record i where Tombstones[i mod len] is true; nil for none.
	Tombstones []bool
	Start      kafka.Tick
	Every      kafka.Tick
	Count      int
	Burst      int // records that are sent at the same instant, at least 1
	Round      int // records after which the load begins again, Period later than the round before; 0 = never
	Period     kafka.Tick
	First      kafka.RecordID
	Stride     int32
	Size       int32 // bytes a record
}

// At is when record i is sent.
func (l *Load) At(i int) kafka.Tick {
	start := l.Start
	if l.Round > 0 {
		start += kafka.Tick(i/l.Round) * l.Period
		i %= l.Round
	}
	return start + kafka.Tick(i/l.Burst)*l.Every
}

// Latency is the one-way time of a message: Min, or drawn evenly from Min..Max for each message.
type Latency struct{ Min, Max kafka.Tick }

// FaultKind names what a timeline entry does.
type FaultKind uint8

const (
	// Crash stops the process of a broker or consumer; what it has not delivered to others yet is lost, its connections
	// reset.
	Crash FaultKind = iota
	// Restart starts a broker that is down, with the log that it had, or a consumer that is down.
	Restart
	// Hold keeps matching messages inside their sender until the fault ends; their connection stays busy.
	Hold
	// Delay makes matching messages take Delay longer on the wire; later ones of the connection queue behind them.
	Delay
	// Drop loses matching messages on the wire.
	Drop
	// Duplicate delivers matching messages twice.
	Duplicate
	// Configure gives every node the settings of After.
	Configure
	// Reset breaks the connection under a matching message, which is lost.
	Reset
	// Rewrite answers Error to matching produce requests: instead of what the broker answers (Match names the response),
	// or instead of handing the request to the broker (Match names the request).
	Rewrite
	// Silence makes the data connections that stand between clients in Match.From and servers in Match.To carry nothing
	// more; they stay open. Connections that are opened later work.
	Silence
	// Cut lets no packet through between the nodes of Match.From and those of Match.To, in either direction. Each side
	// keeps what it sends, as TCP does, until the cut ends.
	Cut
	// Shutdown asks a broker to stop in good order (SIGTERM, controlled shutdown), or a consumer to close.
	Shutdown
	// PowerLoss is a Crash that takes the last Unflushed records of each of the broker's logs with it.
	PowerLoss
	// Elect asks the controller for an election of the kind Election in Partitions.
	Elect
	// Pause stops a broker, a consumer, a reader or the controller until the fault ends, as a long garbage collection or SIGSTOP does.
	// Its connections stand; what comes for it, and its own timers, wait.
	Pause
	// Start starts the process of a consumer that did not run yet.
	Start
	// Stall makes the application of a consumer stand still until the fault ends: it does not call poll(), while the client's
	// own thread goes on with the heartbeats.
	Stall
	// DiskFailure takes one log directory of a broker, with every replica on it.
	DiskFailure
	// AddPartitions makes those of Partitions that there are not yet, which are Added, of a topic (kafka-topics.sh --alter
	// --partitions).
	AddPartitions
	// DeleteRecords asks the leader of each partition of Partitions to delete everything before the offset Before.
	DeleteRecords
)

// Fault is one timeline entry.
type Fault struct {
	At    kafka.Tick
	Until kafka.Tick // message faults, Pause and Stall: first tick at which it no longer acts; kafka.Never for open end
	Delay kafka.Tick // Delay only
	Count int32      // message faults: at most so many messages; 0 = all
	Match Match      // message faults
	After *Plan      // Configure: this plan with other settings; nodes, partitions and loads are the same
	Node  kafka.NodeID
	Kind  FaultKind
	Error kafka.ErrorCode // Rewrite

	Partitions []kafka.PartitionID // Elect, DeleteRecords, AddPartitions
	Before     kafka.Offset        // DeleteRecords; kafka.NoOffset for the high watermark
	Election   kafka.Election      // Elect
	Unflushed  int32               // PowerLoss
	LogDir     int32               // DiskFailure: from 1
	Entry      string              // its name in the timeline; empty without one
}

// Match says which messages a fault concerns. An empty list matches every node.
type Match struct {
	From, To  []kafka.NodeID
	Partition kafka.PartitionID // kafka.NoPartition matches all
	Kind      kafka.MessageKind // kafka.AnyMessage matches all
}
