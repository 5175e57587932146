// Package event is the catalogue of what can happen in a cluster. An Event is one flat value without pointers; the
// table in catalogue.go says for each kind which fields it uses, the sentence a person reads, and the rule of Kafka
// behind it. The log on screen, the trace, explain, the checks and the reference page are all made from that table.
//
// A Log keeps the events of a run. Its one rule: nothing in it ever changes.
package event

import "replog/internal/kafka"

// Seq numbers the events of a run from 1; 0 is no event.
type Seq uint32

// Event is one thing that happened. Which fields a kind uses stands in its Spec; the others are zero.
type Event struct {
	Seq Seq
	// Cause is the event that brought the input which led to this one.
	Cause Seq
	// About is a second reference: the first copy of a record, the request that was never answered, ...
	About Seq
	// Records is the place of the record ids in the Step or Log that holds the event; read it with their Records method.
	Records uint32

	At     kafka.Tick
	Offset kafka.Offset
	Prev   int64 // the value before: an offset, or an ISR as a kafka.BrokerSet
	Value  int64 // a quantity whose meaning and unit stand in the Spec

	Partition kafka.PartitionID
	Epoch     kafka.Epoch // a leader epoch; of a group its generation or group epoch, of its member the member epoch
	Producer  kafka.ProducerID
	Sequence  int32
	Count     int32 // number of records

	Kind          Kind
	Message       kafka.MessageKind
	Node          kafka.NodeID // who did it, or to whom it happened
	Peer          kafka.NodeID // the other side
	Error         kafka.ErrorCode
	ProducerEpoch int16
}

// End is the offset behind the event's records: Offset + Count.
func (e *Event) End() kafka.Offset { return e.Offset + kafka.Offset(e.Count) }

// ISR reads Value as a set of brokers.
func (e *Event) ISR() kafka.BrokerSet { return kafka.BrokerSet(e.Value) }

// PrevISR reads Prev as a set of brokers.
func (e *Event) PrevISR() kafka.BrokerSet { return kafka.BrokerSet(e.Prev) }

// Step is what one input led to: events in order, and the record ids that they speak of. It is valid only during the
// call that receives it.
type Step struct {
	Events []Event
	IDs    []kafka.RecordID
}

// Records lists the record ids of an event of the step.
func (s *Step) Records(e *Event) []kafka.RecordID { return recordsIn(s.IDs, e) }

func recordsIn(ids []kafka.RecordID, e *Event) []kafka.RecordID {
	if e.Count == 0 || catalogue[e.Kind].Fields&Records == 0 {
		return nil
	}
	return ids[e.Records : e.Records+uint32(e.Count)]
}

// Sink receives the events of a run, a step at a time.
type Sink interface{ Consume(*Step) }

// Sinks passes each step to several sinks in order.
type Sinks []Sink

// Consume implements Sink.
func (s Sinks) Consume(step *Step) {
	for _, sink := range s {
		sink.Consume(step)
	}
}

// Where a consumer found its position: the Value of PositionFound.
const (
	FoundCommitted = iota
	FoundEarliest
	FoundLatest
	FoundByDuration
	FoundBySeek
)

// NoPrevious is the Prev of an event that has no value before.
const NoPrevious int64 = -1

// Flag is a truth value as a field of an event has it: 1 or 0.
func Flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// Group reads Value as a consumer group.
func (e *Event) Group() kafka.GroupID { return kafka.GroupID(e.Value) }
