package kafka

// ErrorCode is Kafka's numeric protocol error (org.apache.kafka.common.protocol.Errors).
type ErrorCode int16

// The protocol errors that the model uses, with Kafka's own numbers.
const (
	None                         ErrorCode = 0
	OffsetOutOfRange             ErrorCode = 1
	UnknownTopicOrPartition      ErrorCode = 3
	LeaderNotAvailable           ErrorCode = 5
	NotLeaderOrFollower          ErrorCode = 6
	RequestTimedOut              ErrorCode = 7
	CoordinatorLoadInProgress    ErrorCode = 14
	CoordinatorNotAvailable      ErrorCode = 15
	NotCoordinator               ErrorCode = 16
	NotEnoughReplicas            ErrorCode = 19
	NotEnoughReplicasAfterAppend ErrorCode = 20
	IllegalGeneration            ErrorCode = 22
	InconsistentGroupProtocol    ErrorCode = 23
	UnknownMemberID              ErrorCode = 25
	InvalidSessionTimeout        ErrorCode = 26
	RebalanceInProgress          ErrorCode = 27
	NotController                ErrorCode = 41
	InvalidRequest               ErrorCode = 42
	PolicyViolation              ErrorCode = 44
	OutOfOrderSequenceNumber     ErrorCode = 45
	DuplicateSequenceNumber      ErrorCode = 46
	InvalidProducerEpoch         ErrorCode = 47
	InvalidTxnState              ErrorCode = 48
	InvalidProducerIDMapping     ErrorCode = 49
	InvalidTransactionTimeout    ErrorCode = 50
	ConcurrentTransactions       ErrorCode = 51
	TransactionCoordinatorFenced ErrorCode = 52
	KafkaStorageError            ErrorCode = 56
	UnknownProducerID            ErrorCode = 59
	GroupIDNotFound              ErrorCode = 69
	FencedLeaderEpoch            ErrorCode = 74
	UnknownLeaderEpoch           ErrorCode = 75
	StaleBrokerEpoch             ErrorCode = 77
	OffsetNotAvailable           ErrorCode = 78
	MemberIDRequired             ErrorCode = 79
	FencedInstanceID             ErrorCode = 82
	InvalidRecord                ErrorCode = 87
	UnstableOffsetCommit         ErrorCode = 88
	ProducerFenced               ErrorCode = 90
	InvalidUpdateVersion         ErrorCode = 95
	DuplicateBrokerRegistration  ErrorCode = 101
	BrokerIDNotRegistered        ErrorCode = 102
	IneligibleReplica            ErrorCode = 107
	NewLeaderElected             ErrorCode = 108
	FencedMemberEpoch            ErrorCode = 110
	UnreleasedInstanceID         ErrorCode = 111
	UnsupportedAssignor          ErrorCode = 112
	StaleMemberEpoch             ErrorCode = 113
	TransactionAbortable         ErrorCode = 120
	// NetworkException is what a client reports when the connection closed before the answer came. It never crosses
	// the wire; librdkafka calls it _TRANSPORT.
	NetworkException ErrorCode = 13
	// UnknownServerError is Kafka's -1.
	UnknownServerError ErrorCode = -1
	// MessageTimedOut is librdkafka's own error for a record whose delivery.timeout.ms has passed; the Java client calls it
	// TimeoutException. It never crosses the wire.
	MessageTimedOut ErrorCode = -192
	// QueueFull is librdkafka's own error for a record for which there is no room in its queue. It never crosses the wire.
	QueueFull ErrorCode = -184
	// ProducerFatal is librdkafka's own error for every record after a fatal one. It never crosses the wire.
	ProducerFatal ErrorCode = -150
	// NoStoredOffset is librdkafka's own error for a partition without a committed offset and without auto.offset.reset;
	// the Java client throws NoOffsetForPartitionException.
	NoStoredOffset ErrorCode = -168
	// LogTruncation is librdkafka's own error for a position that the log no longer has as it was read; the Java client
	// throws LogTruncationException (KIP-320).
	LogTruncation ErrorCode = -139
)

var errorNames = [...]struct {
	code ErrorCode
	name string
	// retriable: the client may send the request again (RetriableException).
	retriable bool
}{
	{None, "NONE", false},
	{OffsetOutOfRange, "OFFSET_OUT_OF_RANGE", false},
	{UnknownTopicOrPartition, "UNKNOWN_TOPIC_OR_PARTITION", true},
	{LeaderNotAvailable, "LEADER_NOT_AVAILABLE", true},
	{NotLeaderOrFollower, "NOT_LEADER_OR_FOLLOWER", true},
	{RequestTimedOut, "REQUEST_TIMED_OUT", true},
	{NetworkException, "NETWORK_EXCEPTION", true},
	{CoordinatorLoadInProgress, "COORDINATOR_LOAD_IN_PROGRESS", true},
	{CoordinatorNotAvailable, "COORDINATOR_NOT_AVAILABLE", true},
	{NotCoordinator, "NOT_COORDINATOR", true},
	{NotEnoughReplicas, "NOT_ENOUGH_REPLICAS", true},
	{NotEnoughReplicasAfterAppend, "NOT_ENOUGH_REPLICAS_AFTER_APPEND", true},
	{IllegalGeneration, "ILLEGAL_GENERATION", false},
	{InconsistentGroupProtocol, "INCONSISTENT_GROUP_PROTOCOL", false},
	{UnknownMemberID, "UNKNOWN_MEMBER_ID", false},
	{InvalidSessionTimeout, "INVALID_SESSION_TIMEOUT", false},
	{RebalanceInProgress, "REBALANCE_IN_PROGRESS", false},
	{NotController, "NOT_CONTROLLER", true},
	{InvalidRequest, "INVALID_REQUEST", false},
	{PolicyViolation, "POLICY_VIOLATION", false},
	{OutOfOrderSequenceNumber, "OUT_OF_ORDER_SEQUENCE_NUMBER", false},
	{DuplicateSequenceNumber, "DUPLICATE_SEQUENCE_NUMBER", false},
	{InvalidProducerEpoch, "INVALID_PRODUCER_EPOCH", false},
	{InvalidTxnState, "INVALID_TXN_STATE", false},
	{InvalidProducerIDMapping, "INVALID_PRODUCER_ID_MAPPING", false},
	{InvalidTransactionTimeout, "INVALID_TRANSACTION_TIMEOUT", false},
	{ConcurrentTransactions, "CONCURRENT_TRANSACTIONS", true},
	{TransactionCoordinatorFenced, "TRANSACTION_COORDINATOR_FENCED", false},
	{KafkaStorageError, "KAFKA_STORAGE_ERROR", true},
	{UnknownProducerID, "UNKNOWN_PRODUCER_ID", false},
	{GroupIDNotFound, "GROUP_ID_NOT_FOUND", false},
	{FencedLeaderEpoch, "FENCED_LEADER_EPOCH", true},
	{UnknownLeaderEpoch, "UNKNOWN_LEADER_EPOCH", true},
	{StaleBrokerEpoch, "STALE_BROKER_EPOCH", false},
	{OffsetNotAvailable, "OFFSET_NOT_AVAILABLE", true},
	{MemberIDRequired, "MEMBER_ID_REQUIRED", false},
	{FencedInstanceID, "FENCED_INSTANCE_ID", false},
	{InvalidRecord, "INVALID_RECORD", false},
	{UnstableOffsetCommit, "UNSTABLE_OFFSET_COMMIT", true},
	{ProducerFenced, "PRODUCER_FENCED", false},
	{InvalidUpdateVersion, "INVALID_UPDATE_VERSION", false},
	{DuplicateBrokerRegistration, "DUPLICATE_BROKER_REGISTRATION", false},
	{BrokerIDNotRegistered, "BROKER_ID_NOT_REGISTERED", false},
	{IneligibleReplica, "INELIGIBLE_REPLICA", false},
	{NewLeaderElected, "NEW_LEADER_ELECTED", false},
	{FencedMemberEpoch, "FENCED_MEMBER_EPOCH", false},
	{UnreleasedInstanceID, "UNRELEASED_INSTANCE_ID", false},
	{UnsupportedAssignor, "UNSUPPORTED_ASSIGNOR", false},
	{StaleMemberEpoch, "STALE_MEMBER_EPOCH", false},
	{TransactionAbortable, "TRANSACTION_ABORTABLE", false},
	{UnknownServerError, "UNKNOWN_SERVER_ERROR", false},
	{MessageTimedOut, "_MSG_TIMED_OUT", false},
	{QueueFull, "_QUEUE_FULL", false},
	{ProducerFatal, "_FATAL", false},
	{NoStoredOffset, "_NO_OFFSET", false},
	{LogTruncation, "_LOG_TRUNCATION", false},
}

// String is Kafka's name of the error.
func (e ErrorCode) String() string {
	for i := range errorNames {
		if errorNames[i].code == e {
			return errorNames[i].name
		}
	}
	return "UNKNOWN_SERVER_ERROR"
}

// ParseErrorCode finds an error by Kafka's name of it.
func ParseErrorCode(name string) (ErrorCode, bool) {
	for i := range errorNames {
		if errorNames[i].name == name {
			return errorNames[i].code, true
		}
	}
	return UnknownServerError, false
}

// ErrorNames lists the names of the errors, None first.
func ErrorNames() []string {
	names := make([]string, len(errorNames))
	for i := range errorNames {
		names[i] = errorNames[i].name
	}
	return names
}

// Retriable reports whether a producer may send the batch again after this error.
func (e ErrorCode) Retriable() bool {
	for i := range errorNames {
		if errorNames[i].code == e {
			return errorNames[i].retriable
		}
	}
	return false
}

// MayBeStored reports whether the batch may be in a log in spite of the error (rd_kafka_handle_Produce_error:
// POSSIBLY_PERSISTED).
func (e ErrorCode) MayBeStored() bool {
	switch e {
	case NetworkException, RequestTimedOut, NotEnoughReplicasAfterAppend, UnknownServerError:
		return true
	}
	return false
}

// BreaksSequence reports whether the error says that the sequence of an idempotent producer does not follow on.
func (e ErrorCode) BreaksSequence() bool {
	return e == OutOfOrderSequenceNumber || e == UnknownProducerID || e == InvalidProducerEpoch
}

// InvalidatesMetadata reports whether a client asks for fresh metadata on this error (InvalidMetadataException).
func (e ErrorCode) InvalidatesMetadata() bool {
	switch e {
	case UnknownTopicOrPartition, LeaderNotAvailable, NotLeaderOrFollower, NetworkException, FencedLeaderEpoch,
		UnknownLeaderEpoch, KafkaStorageError:
		return true
	}
	return false
}
