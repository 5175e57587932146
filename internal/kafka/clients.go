package kafka

// Client names a client library, with its version where defaults changed, whose behaviour a producer or reader takes.
type Client uint8

// The clients whose defaults the catalogue of settings knows.
const (
	Java28 Client = iota
	Java30
	Java32
	Java40
	Librdkafka
	FranzGo
	clients
)

var clientNames = [clients]string{"java-2.8", "java-3.0", "java-3.2", "java-4.0", "librdkafka", "franz-go"}

// String is the client's name as a scenario writes it.
func (c Client) String() string { return clientNames[c] }

// ClientNames lists the names that a scenario may use.
func ClientNames() []string { return clientNames[:] }

// ParseClient finds a client by its name.
func ParseClient(name string) (Client, bool) {
	for c, n := range clientNames {
		if n == name {
			return Client(c), true
		}
	}
	return Java40, false
}

// ClientTraits is how a client behaves where no setting says so.
type ClientTraits struct {
	// Partitioner is what it does where its setting partitioner is not set, or where it has no such setting.
	Partitioner Partitioner
	// MetadataRetryMillis is how often it asks for metadata while a leader is missing; 0 means every retry.backoff.ms.
	MetadataRetryMillis int64
	// OnePartitionARequest: a produce request carries one partition, not all that the broker leads.
	OnePartitionARequest bool
	// RetryInPlace: a record to be sent again goes back to its place in the order of sending (rd_kafka_retry_msgq), not
	// to the front of the queue (RecordAccumulator.reenqueue).
	RetryInPlace bool
	// IdempotenceYields: idempotence that nobody asked for is quietly off where another setting conflicts with it.
	IdempotenceYields bool
	// SerialWithoutIdempotence: one produce request in flight a broker while idempotence is off.
	SerialWithoutIdempotence bool
}

// Traits is how the client behaves (measured in experiments with librdkafka 2.0.2 and 2.11.1 and franz-go 1.22.3; the
// Java client by its source).
func (c Client) Traits() ClientTraits {
	switch c {
	case Librdkafka:
		return ClientTraits{Partitioner: ConsistentRandom, MetadataRetryMillis: 1000, OnePartitionARequest: true, RetryInPlace: true}
	case FranzGo:
		return ClientTraits{Partitioner: Murmur2Random, MetadataRetryMillis: 5000, SerialWithoutIdempotence: true}
	}
	return ClientTraits{Partitioner: Murmur2, IdempotenceYields: true}
}
