package view

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// Producer is what a producer has told of itself.
type Producer struct {
	ID        kafka.NodeID
	Identity  kafka.ProducerID // NoProducerID until a broker gave it one
	Waiting   int              // records not sent yet, or to be sent again
	Acked     int
	Failed    int
	Untracked int // acks=0: sent, and no answer will come
}

// Flight is a batch that was sent and not answered.
type Flight struct {
	Sent      event.Seq // its ProduceSent
	At        kafka.Tick
	Since     kafka.Tick // when the application sent the oldest of its records
	Sequence  int32      // of the first record; NoSequence without idempotence
	Peer      kafka.NodeID
	Partition kafka.PartitionID
	Attempt   int
	Records   []kafka.RecordID // the caller must not change them
	Stored    kafka.Offset     // where a leader stored it; NoOffset as long as it did not
	open      int              // records that nobody has told the application of
}

type producer struct {
	Producer
	lanes   []lane // indexed by kafka.PartitionID
	flights []Flight
}

// lane is what waits in a producer for one partition.
type lane struct {
	again     queue // sent before, to be sent again
	fresh     queue
	notBefore kafka.Tick // the latest backoff ends
}

func (c *Cluster) producer(id kafka.NodeID) *producer {
	at := int(id - kafka.FirstClientID)
	for at >= len(c.producers) {
		c.producers = append(c.producers, producer{})
	}
	if p := &c.producers[at]; p.ID == id {
		return p
	}
	c.producers[at].Producer = Producer{ID: id, Identity: kafka.NoProducerID}
	return &c.producers[at]
}

// sender is a producer that has sent something, or nil.
func (c *Cluster) sender(id kafka.NodeID) *producer {
	if at := int(id - kafka.FirstClientID); at >= 0 && at < len(c.producers) && c.producers[at].ID == id {
		return &c.producers[at]
	}
	return nil
}

func (p *producer) lane(id kafka.PartitionID) *lane {
	for int(id) >= len(p.lanes) {
		p.lanes = append(p.lanes, lane{})
	}
	return &p.lanes[id]
}

func (c *Cluster) applyToProducer(e *event.Event, ids []kafka.RecordID) {
	p := c.producer(e.Node)
	switch e.Kind {
	case event.RecordsSent:
		c.marks.add(ids, Sent)
		p.lane(e.Partition).fresh.push(ids, e.At)
		p.Waiting += len(ids)
	case event.ProduceSent:
		if e.Value > 1 {
			c.marks.add(ids, Retried)
		}
		p.send(e, ids)
	case event.ProduceRetryScheduled:
		since := p.land(e, ids)
		l := p.lane(e.Partition)
		l.again.push(ids, since)
		l.notBefore = e.At + kafka.Tick(e.Value)
		p.Waiting += len(ids)
	case event.RecordsAcknowledged:
		c.marks.add(ids, Acked)
		p.Acked += len(ids)
		p.land(e, ids)
	case event.RecordsFailed:
		c.marks.add(ids, Failed)
		p.Failed += len(ids)
		p.land(e, ids)
	case event.RecordsUntracked:
		p.Untracked += len(ids)
		p.land(e, ids)
	case event.ProducerIDAssigned:
		p.Identity = e.Producer
	}
}

func (p *producer) send(e *event.Event, ids []kafka.RecordID) {
	since := min(p.unqueue(e.Partition, ids), e.At)
	p.flights = append(p.flights, Flight{
		Sent: e.Seq, At: e.At, Since: since, Sequence: e.Sequence, Peer: e.Peer, Partition: e.Partition, Attempt: int(e.Value),
		Records: ids, Stored: kafka.NoOffset, open: len(ids),
	})
}

// unqueue takes records that waited, and says since when the oldest of them did; kafka.Never when none did.
func (p *producer) unqueue(partition kafka.PartitionID, ids []kafka.RecordID) kafka.Tick {
	l, oldest := p.lane(partition), kafka.Never
	for _, id := range ids {
		since, waited := l.again.take(id)
		if !waited {
			since, waited = l.fresh.take(id)
		}
		if waited {
			p.Waiting--
			oldest = min(oldest, since)
		}
	}
	return oldest
}

// land ends the flight of some records, and says when the application sent the oldest; records in no flight were waiting.
func (p *producer) land(e *event.Event, ids []kafka.RecordID) (since kafka.Tick) {
	at := p.flightOf(e, ids)
	if at < 0 {
		return min(p.unqueue(e.Partition, ids), e.At)
	}
	since = p.flights[at].Since
	if p.flights[at].open -= len(ids); p.flights[at].open <= 0 {
		p.flights = slices.Delete(p.flights, at, at+1)
	}
	return since
}

// flightOf finds the flight by its ProduceSent, or by its records where the event does not name it.
func (p *producer) flightOf(e *event.Event, ids []kafka.RecordID) int {
	for i := range p.flights {
		if p.flights[i].Sent == e.About {
			return i
		}
	}
	for i := range p.flights {
		if p.flights[i].Partition == e.Partition && len(ids) > 0 && slices.Contains(p.flights[i].Records, ids[0]) {
			return i
		}
	}
	return -1
}

// noteStored marks the flight that a leader stored, or found stored already.
func (c *Cluster) noteStored(e *event.Event, ids []kafka.RecordID) {
	p := c.sender(e.Peer)
	for i := 0; p != nil && i < len(p.flights); i++ {
		f := &p.flights[i]
		if f.Partition == e.Partition && len(ids) > 0 && f.Records[0] == ids[0] {
			f.Stored = e.Offset
			return
		}
	}
}

func (p *producer) copyLists() {
	p.flights = slices.Clone(p.flights)
	p.lanes = slices.Clone(p.lanes)
	for i := range p.lanes {
		p.lanes[i].again = p.lanes[i].again.clone()
		p.lanes[i].fresh = p.lanes[i].fresh.clone()
	}
}

// Producers lists the producers that have sent something, ordered by id.
func (c *Cluster) Producers() []Producer {
	var producers []Producer
	for i := range c.producers {
		if c.producers[i].ID != 0 {
			producers = append(producers, c.producers[i].Producer)
		}
	}
	return producers
}

// InFlight lists the batches that a producer waits to hear of, oldest first. The caller must not change them.
func (c *Cluster) InFlight(id kafka.NodeID) []Flight {
	if p := c.sender(id); p != nil {
		return p.flights
	}
	return nil
}

// Queued lists the records that wait in a producer for a partition: those to be sent again, and those never sent.
func (c *Cluster) Queued(id kafka.NodeID, partition kafka.PartitionID) (again, fresh []kafka.RecordID) {
	if p := c.sender(id); p != nil && int(partition) < len(p.lanes) {
		return p.lanes[partition].again.waiting(), p.lanes[partition].fresh.waiting()
	}
	return nil, nil
}

// Accumulated is what waits in a producer for one partition.
type Accumulated struct {
	Partition  kafka.PartitionID
	Again      []kafka.RecordID // sent before, to be sent again; the caller must not change them
	AgainSince kafka.Tick       // when the application sent the first of them; kafka.Never without one
	NotBefore  kafka.Tick       // the backoff after the latest attempt ends
	Fresh      []kafka.RecordID // never sent; the caller must not change them
	Oldest     kafka.Tick       // when the application sent the first of them; kafka.Never without one
}

// Accumulator tells what waits in a producer for a partition.
func (c *Cluster) Accumulator(id kafka.NodeID, partition kafka.PartitionID) Accumulated {
	p := c.sender(id)
	if p == nil || int(partition) >= len(p.lanes) {
		return Accumulated{Partition: partition, AgainSince: kafka.Never, Oldest: kafka.Never}
	}
	l := &p.lanes[partition]
	return Accumulated{partition, l.again.waiting(), l.again.oldest(), l.notBefore, l.fresh.waiting(), l.fresh.oldest()}
}
