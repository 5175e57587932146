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
	Librdkafka20
	Sarama
	clients
)

var clientNames = [clients]string{
	"java-2.8", "java-3.0", "java-3.2", "java-4.0", "librdkafka", "franz-go", "librdkafka-2.0", "sarama",
}

// IsLibrdkafka reports whether the client is librdkafka, in whatever version: 2.11 is the one without a number.
func (c Client) IsLibrdkafka() bool { return c == Librdkafka || c == Librdkafka20 }

// IsJava reports whether the client is the Java client, in whatever version.
func (c Client) IsJava() bool { return c <= Java40 }

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

// ClientHabits is what of a client's behaviour its producer goes by as it is, beside its settings.
type ClientHabits struct {
	// RetryAfterMetadata: a batch that was answered with an error waits for fresh metadata, not for retry.backoff.ms.
	RetryAfterMetadata bool
	// FreeLeaderRetries: a retry after NOT_LEADER_OR_FOLLOWER does not count against retries.
	FreeLeaderRetries bool
	// ExpiresInFlight: delivery.timeout.ms also ends the wait for a batch in flight, whose connection stays open.
	ExpiresInFlight bool
	// ExpiresAtRequest: the request's own time-out ends with delivery.timeout.ms of its first record.
	ExpiresAtRequest bool
	// ReconnectGrows: reconnect.backoff.ms goes on doubling over connections that did not last reconnect.backoff.max.ms;
	// others begin anew with each connection that stands.
	ReconnectGrows bool
	// ReopensBroken: a connection that broke is opened again by the retry; only one that could not be opened waits for fresh
	// metadata (kgo sink.handleReqClientErr). Others without reconnect.backoff.ms wait for it in both cases.
	ReopensBroken bool
	// AnswersInTurn: an answer that is not the next one due ends its connection (kgo errCorrelationIDMismatch).
	AnswersInTurn bool
	// OneUntilAcknowledged: a partition has one batch in flight until its leader has acknowledged one, and again after an
	// error (kgo recBuf.okOnSink): no second batch overtakes a first at a leader that does not know the producer id.
	OneUntilAcknowledged bool
	// KeepsDoubtful: an idempotent batch that may be stored outlives delivery.timeout.ms (kgo: canFailFromLoadErrs).
	KeepsDoubtful bool
	// SequenceErrorFatal: OUT_OF_ORDER_SEQUENCE_NUMBER with nothing open before it ends the producer
	// (rd_kafka_idemp_set_fatal_error); the others raise their producer epoch (KIP-360).
	SequenceErrorFatal bool
	// Sticky is how long it stays with a partition that it drew.
	Sticky Stickiness
	// StickyBytes is after how many bytes StickyForBytes draws anew; 0 means batch.size (kgo.UniformBytesPartitioner: 64 KiB).
	StickyBytes int32
	// Adaptive: StickyForBytes draws a partition the less often the more batches wait for it, where no setting says otherwise.
	Adaptive bool
	// OnePartitionARequest: a produce request carries one partition, not all that the broker leads.
	OnePartitionARequest bool
	// MutesPartition: with one request in flight a partition waits for its open batch, also when its leader has changed
	// (RecordAccumulator.mutePartition).
	MutesPartition bool
	// RebatchesRetries: without idempotence a record to be sent again goes back to its place in the order of sending, and into
	// a new batch (rd_kafka_retry_msgq); with the others a batch stays as it is.
	RebatchesRetries bool
	// RetriesToFront: without idempotence each batch that failed goes to the front of its queue, so that of several on a
	// connection that broke the last comes first (RecordAccumulator.reenqueue); with the others in the order of sending.
	RetriesToFront bool
}

// ClientTraits is how a client behaves where no setting says so.
type ClientTraits struct {
	ClientHabits
	// Partitioner is what it does where its setting partitioner is not set, or where it has no such setting.
	Partitioner Partitioner
	// MetadataMinAgeMillis is how long it waits at least after one question for metadata before the next (kgo.MetadataMinAge).
	MetadataMinAgeMillis int64
	// AnswerTimeoutMillis is how long it waits for an answer beyond request.timeout.ms (kgo.RequestTimeoutOverhead).
	AnswerTimeoutMillis int64
	// ExpiryLookMillis is how often it looks for records whose delivery.timeout.ms has passed; 0 means at once.
	ExpiryLookMillis int64
	// BufferedRecords is how many records that nobody has been told of it takes; then the call waits (kgo.MaxBufferedRecords).
	// 0: settings say so.
	BufferedRecords int32
	// MetadataRetryMillis is how often it asks for metadata while a leader is missing; 0 means every retry.backoff.ms.
	MetadataRetryMillis int64
	Idempotence         IdempotenceTerms
	// RebalancesBeside: a consumer joins its group and lets go of partitions whatever its application does; the others do so
	// inside of poll() only.
	RebalancesBeside bool
	// PositionsUnchecked: a consumer does not ask a new leader whether its log has the position still (without KIP-320:
	// librdkafka before 2.1, Sarama).
	PositionsUnchecked bool
	// ReadsOnBeforeRevoke: a consumer hands out more of its partitions while its commit before their revocation is under way
	// (Java 3.2, KAFKA-14196).
	ReadsOnBeforeRevoke bool
	// AsksToAssign: the leader of a classic group asks for metadata each time before it assigns (rd_kafka_cgrp_handle_JoinGroup);
	// the others go by what they know.
	AsksToAssign bool
}

// IdempotenceTerms is which settings a client lets stand beside enable.idempotence.
type IdempotenceTerms struct {
	// Yields: idempotence that nobody asked for is quietly off where another setting conflicts with it.
	Yields bool
	// ByHand: it does not change the defaults of the others; whoever wants it sets them, too.
	ByHand bool
	// WithoutRetries: retries=0 is no conflict; what was numbered and may be stored is sent again all the same.
	WithoutRetries bool
	// MostInFlight is the largest max.in.flight.requests.per.connection that may be set.
	MostInFlight int32
	// InFlight is how many requests are in flight at least, whatever is set; 0 for none.
	InFlight int32
}

// rememberedBatches is how many batches a leader remembers of a producer (KIP-98, ProducerStateEntry).
const rememberedBatches = 5

// Traits is how the client behaves (measured in experiments with librdkafka 2.0.2 and 2.11.1 and franz-go 1.22.3; the
// Java client and Sarama by their source).
func (c Client) Traits() ClientTraits {
	switch c {
	case Librdkafka, Librdkafka20:
		return ClientTraits{
			ClientHabits: ClientHabits{
				OnePartitionARequest: true, RebatchesRetries: true, FreeLeaderRetries: true, ExpiresAtRequest: true,
				ReconnectGrows: true, SequenceErrorFatal: true, Sticky: StickyForTime,
			},
			Partitioner: ConsistentRandom, MetadataRetryMillis: 1000, ExpiryLookMillis: 1000, RebalancesBeside: true,
			PositionsUnchecked: c == Librdkafka20, AsksToAssign: true, Idempotence: IdempotenceTerms{MostInFlight: rememberedBatches},
		}
	case FranzGo:
		return ClientTraits{
			ClientHabits: ClientHabits{
				RetryAfterMetadata: true, KeepsDoubtful: true, ReopensBroken: true, AnswersInTurn: true,
				OneUntilAcknowledged: true, Sticky: StickyForBytes, StickyBytes: 64 << 10, Adaptive: true,
			},
			Partitioner: Murmur2Random, MetadataRetryMillis: 5000, MetadataMinAgeMillis: 5000, AnswerTimeoutMillis: 10000,
			ExpiryLookMillis: 5000, RebalancesBeside: true, BufferedRecords: 10000,
			Idempotence: IdempotenceTerms{WithoutRetries: true, MostInFlight: 1, InFlight: 4}, // kgo sink.firstRespCheck
		}
	case Sarama:
		return ClientTraits{
			ClientHabits: ClientHabits{RebatchesRetries: true},
			Partitioner:  FNV1a, MetadataRetryMillis: 250, AnswerTimeoutMillis: 20000, PositionsUnchecked: true,
			Idempotence: IdempotenceTerms{ByHand: true, MostInFlight: 1}, // Config.Validate
		}
	}
	java := ClientTraits{
		ClientHabits: ClientHabits{ExpiresInFlight: true, RetriesToFront: true, Sticky: StickyForBatch},
		Partitioner:  Murmur2, ReadsOnBeforeRevoke: c == Java32,
		Idempotence: IdempotenceTerms{Yields: true, MostInFlight: rememberedBatches},
	}
	if c == Java40 {
		java.Sticky = StickyForBytes
	}
	return java
}
