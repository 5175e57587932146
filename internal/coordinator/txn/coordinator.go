package txn

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// Setting is what a coordinator has to know of the cluster around it.
type Setting struct {
	Config    *kafka.TransactionConfig
	Groups    []kafka.PartitionID // of each group, its partition of __consumer_offsets
	Partition kafka.PartitionID   // of __transaction_state
	Epoch     kafka.Epoch         // leader epoch of Partition: the coordinator epoch that markers carry
	Host      kafka.NodeID        // the broker that leads Partition
	Version   uint8               // transaction.version of the clients: 0 or 2
	Phase     kafka.Tick          // when the broker started: the looks at the time-outs count from there
}

// Marker is a marker for one partition, which the host has its leader write. The host tells Marked what became of it.
type Marker struct {
	Partition     kafka.PartitionID
	ProducerID    kafka.ProducerID
	ID            kafka.TransactionalID
	ProducerEpoch int16
	Commit        bool
}

// Write is what a step leads to: records for the partition, in one batch, and markers. The host tells Committed what became of
// each record.
type Write struct {
	Records []kafka.CoordinatorRecord
	Markers []Marker
	// FreshID is a producer id that nobody has, for the step to use; Used says that it did.
	FreshID kafka.ProducerID
	Used    bool
}

// Transactions coordinates the transactional ids of one partition of __transaction_state. It begins with nothing; the broker
// that becomes the partition's leader hands it all records of the log through Apply, and then calls Loaded.
type Transactions struct {
	setting  *Setting
	list     []*transaction // ascending by id
	replayed int32          // records that Apply has seen
}

// transaction is what the coordinator knows of one transactional id (TransactionMetadata).
type transaction struct {
	value *kafka.TransactionValue // as committed; what it points to never changes
	// pending is the state that the id is on its way to; nil when it rests.
	pending *kafka.TransactionValue
	request kafka.TransactionRequest // that led to it, nil where time did
	answer  kafka.Body               // to it, once the record is committed
	reply   node.Reply
	from    kafka.NodeID
	// unmarked are the partitions of a decided transaction that have no marker yet, and unsent those of them to which none is
	// on its way: they get one at retryAt.
	unmarked, unsent []kafka.PartitionID
	retryAt          kafka.Tick // kafka.Never when nothing waits to be tried again
	due              kafka.Tick // the look that finds the transaction too old, kafka.Never while none is open
	id               kafka.TransactionalID
	// fenced: the record that raises the epoch could not be written; it is not raised a second time.
	fenced bool
	// given up: a partition has refused the marker for good (TransactionMarkerChannelManager.removeMarkersForTxn).
	givenUp bool
}

// New makes a coordinator that knows of no transactional id.
func New(setting *Setting) *Transactions { return &Transactions{setting: setting} }

// step is one step of a coordinator, with all that it may use.
type step struct {
	*Transactions
	now     kafka.Tick
	out     *node.Out
	w       *Write
	from    kafka.NodeID // who asks; kafka.NoNode where time does
	reply   node.Reply
	request kafka.TransactionRequest // nil where time asks
}

// Handle takes a request.
func (c *Transactions) Handle(in *node.Input, out *node.Out, w *Write) {
	request, _ := in.Body.(kafka.TransactionRequest)
	s := step{Transactions: c, now: in.Now, out: out, w: w, from: in.From, reply: in.Reply, request: request}
	switch r := request.(type) {
	case *kafka.InitProducerIDRequest:
		s.initProducerID(r)
	case *kafka.AddPartitionsToTxnRequest:
		s.addPartitions(r)
	case *kafka.AddOffsetsToTxnRequest:
		s.addOffsets(r)
	case *kafka.EndTxnRequest:
		s.endTransaction(r)
	}
}

// Apply takes in a record of the log: what a coordinator before this one wrote.
func (c *Transactions) Apply(r *kafka.CoordinatorRecord) {
	c.replayed++
	value, _ := r.Value.(*kafka.TransactionValue)
	i, found := c.index(r.Key.ID)
	switch {
	case value == nil && found:
		c.list = slices.Delete(c.list, i, i+1)
	case value != nil:
		c.obtain(r.Key.ID).value = value
	}
}

// ApplyBatch takes in the records of a batch of the log.
func (c *Transactions) ApplyBatch(b *kafka.Batch) {
	for i := range b.Len() {
		if r := b.Coordinator(i); r != nil {
			c.Apply(r)
		}
	}
}

// Loaded says that Apply has seen the whole log: the coordinator begins its work, with the markers of what was decided
// (TransactionStateManager.loadTransactionsForTxnTopicPartition).
func (c *Transactions) Loaded(now kafka.Tick, out *node.Out, w *Write) {
	s := step{Transactions: c, now: now, out: out, w: w, from: kafka.NoNode}
	out.Emit(event.Event{
		Kind: event.TransactionsLoaded, Node: c.setting.Host, Partition: c.setting.Partition, Count: c.replayed,
		Value: int64(len(c.list)),
	})
	for _, t := range c.list {
		if t.value.State.Prepared() {
			s.sendMarkers(t)
		}
		s.settle(t)
	}
}

// Resign ends the coordinator's work, when its broker no longer leads the partition: whoever waits for a record hears
// NOT_COORDINATOR.
func (c *Transactions) Resign(out *node.Out) {
	for _, t := range c.list {
		if t.request != nil {
			out.Answer(t.reply, Refuse(t.request, kafka.NotCoordinator))
			t.request = nil
		}
	}
}

// Configure gives the coordinator new settings.
func (c *Transactions) Configure(setting *Setting) { c.setting = setting }

// State is what is committed of a transactional id; false when the coordinator does not know it.
func (c *Transactions) State(id kafka.TransactionalID) (kafka.TransactionValue, bool) {
	t := c.find(id)
	if t == nil {
		return kafka.TransactionValue{}, false
	}
	return *t.value, true
}

func (c *Transactions) index(id kafka.TransactionalID) (int, bool) {
	return slices.BinarySearchFunc(c.list, id, func(t *transaction, id kafka.TransactionalID) int { return int(t.id - id) })
}

func (c *Transactions) find(id kafka.TransactionalID) *transaction {
	if i, found := c.index(id); found {
		return c.list[i]
	}
	return nil
}

// obtain returns a transactional id, which it makes if there is none: without a producer that has ever had it.
func (c *Transactions) obtain(id kafka.TransactionalID) *transaction {
	i, found := c.index(id)
	if !found {
		c.list = slices.Insert(c.list, i, &transaction{id: id, retryAt: kafka.Never, due: kafka.Never, value: &kafka.TransactionValue{
			ProducerID: kafka.NoProducerID, PreviousProducer: kafka.NoProducerID, NextProducer: kafka.NoProducerID,
			Epoch: kafka.NoProducerEpoch, LastEpoch: kafka.NoProducerEpoch,
		}})
	}
	return c.list[i]
}

// exhausted reports whether an epoch is the last that a producer gets.
func exhausted(epoch int16) bool { return epoch >= kafka.LastProducerEpoch }

// fresh is a producer id that nobody has.
func (s *step) fresh() kafka.ProducerID {
	s.w.Used = true
	return s.w.FreshID
}

// write puts a transactional id on its way to a state. Who asked is answered when the record is committed; nobody where time
// asks.
func (s *step) write(t *transaction, next *kafka.TransactionValue, answer kafka.Body) {
	next.Updated = s.now
	t.due = kafka.Never
	t.pending, t.request, t.answer, t.reply, t.from = next, s.request, answer, s.reply, s.from
	s.record(t)
}

func (s *step) record(t *transaction) {
	s.w.Records = append(s.w.Records, kafka.CoordinatorRecord{
		Key: kafka.CoordinatorKey{Kind: kafka.TransactionKey, ID: t.id}, Value: t.pending,
	})
}

// refuse answers a request at once, and tells of a producer that is fenced.
func (s *step) refuse(code kafka.ErrorCode) {
	if code == kafka.ProducerFenced {
		id, producer, epoch := s.request.ToTransaction()
		s.out.Emit(event.Event{
			Kind: event.ProducerFenced, Node: s.setting.Host, Peer: s.from, Value: int64(id), Producer: producer,
			ProducerEpoch: epoch, Error: code,
		})
	}
	s.out.Answer(s.reply, Refuse(s.request, code))
}

// emit records an event about a transactional id as it stands.
func (s *step) emit(t *transaction, e event.Event) {
	e.Node, e.Value = s.setting.Host, int64(t.id)
	e.Producer, e.ProducerEpoch = t.value.ProducerID, t.value.Epoch
	s.out.Emit(e)
}
