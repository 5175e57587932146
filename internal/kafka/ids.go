package kafka

import "math/bits"

// Tick is a point or a span of simulated time in whole ticks; the plan says how long a tick is.
type Tick int64

// Never is a tick that no run reaches.
const Never Tick = 1<<63 - 1

// NodeID names a participant of a run: 0 is the controller, 1..63 are brokers (their Kafka broker.id), clients follow.
type NodeID int16

const (
	// ControllerID is the node id of the controller.
	ControllerID NodeID = 0
	// MaxBrokerID is the largest broker id; a BrokerSet has one bit for each.
	MaxBrokerID NodeID = 63
	// FirstClientID is the node id of the first client (producer or reader).
	FirstClientID NodeID = 64
	// NoNode stands for "no leader" (-1 in Kafka's metadata) and for "nobody".
	NoNode NodeID = -1
)

// IsBroker reports whether the id is in the range of broker ids.
func (n NodeID) IsBroker() bool { return n > ControllerID && n <= MaxBrokerID }

// IsClient reports whether the id is in the range of client ids.
func (n NodeID) IsClient() bool { return n >= FirstClientID }

// PartitionID numbers the partitions of all topics of a cluster, from 0; Names gives the topic and the number in it.
type PartitionID int32

// NoPartition marks an event or a message that concerns no partition.
const NoPartition PartitionID = -1

// Offset is a position in a partition's log, counted in records from 0.
type Offset int64

// NoOffset is Kafka's -1: unknown or undefined.
const NoOffset Offset = -1

// Epoch is a leader epoch: the number of a leader's term in one partition.
type Epoch int32

// NoEpoch is Kafka's -1: undefined.
const NoEpoch Epoch = -1

// RecordID numbers the records that the applications of a run send, from 0, in the order of the plan's loads.
// Names turns it into the scenario's own id (the order number).
type RecordID int32

// NoRecord marks an event that concerns no single record.
const NoRecord RecordID = -1

// KeyID numbers the distinct record keys of a run; Names has their text.
type KeyID int32

// NoKey is the null key. It is not the empty key: the Java client hashes the empty key and spreads the null key.
const NoKey KeyID = -1

// ProducerID is the id that a broker hands to an idempotent producer (InitProducerId).
type ProducerID int32

// NoProducerID marks a batch of a producer without idempotence.
const NoProducerID ProducerID = -1

// NoSequence marks a batch without a sequence number.
const NoSequence int32 = -1

// ConnID numbers connections; 0 is no connection.
type ConnID int32

// LogDirs is a set of log directories of one broker, a bit each; they are numbered from 1.
type LogDirs uint32

// MaxLogDirs is how many log directories a broker may have.
const MaxLogDirs = 31

// With is the set and one more.
func (s LogDirs) With(dir int32) LogDirs { return s | 1<<uint(dir) }

// Has reports whether the directory is in the set.
func (s LogDirs) Has(dir int32) bool { return s>>uint(dir)&1 != 0 }

// Len is the number of directories in the set.
func (s LogDirs) Len() int { return bits.OnesCount32(uint32(s)) }

// BrokerSet is a set of broker ids, a bit each: an ISR, a replica set.
type BrokerSet uint64

// SetOf builds a set from broker ids.
func SetOf(ids ...NodeID) BrokerSet {
	var s BrokerSet
	for _, id := range ids {
		s = s.With(id)
	}
	return s
}

// Has reports whether the broker is in the set.
func (s BrokerSet) Has(id NodeID) bool { return id.IsBroker() && s&(1<<uint(id)) != 0 }

// With returns the set with the broker added.
func (s BrokerSet) With(id NodeID) BrokerSet { return s | 1<<uint(id) }

// Without returns the set with the broker removed.
func (s BrokerSet) Without(id NodeID) BrokerSet { return s &^ (1 << uint(id)) }

// Len is the number of brokers in the set.
func (s BrokerSet) Len() int { return bits.OnesCount64(uint64(s)) }

// Next returns the smallest member greater than id, or NoNode. Start with Next(0).
func (s BrokerSet) Next(id NodeID) NodeID {
	rest := uint64(s) >> uint(id+1) << uint(id+1)
	if rest == 0 {
		return NoNode
	}
	return NodeID(bits.TrailingZeros64(rest))
}

// Members lists the set in ascending order.
func (s BrokerSet) Members() []NodeID {
	ids := make([]NodeID, 0, s.Len())
	for id := s.Next(0); id != NoNode; id = s.Next(id) {
		ids = append(ids, id)
	}
	return ids
}
