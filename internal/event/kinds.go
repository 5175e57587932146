package event

// Kind names what happened. The order of the kinds is part of the trace format only through their names.
type Kind uint8

// The kinds, grouped by who acts. Each has a row in the catalogue.
const (
	NoKind Kind = iota

	// The scenario.
	RunStarted
	FaultBegan
	FaultEnded
	BrokerCrashed
	BrokerStopped
	BrokerRestarted
	RunEnded

	// The network.
	ConnectionReset
	MessageHeld
	MessageReleased
	MessageDelayed
	MessageDropped
	MessageDuplicated
	ConnectionBroken
	ConnectionSilenced
	AnswerRewritten

	// The application and its producer.
	RecordsSent
	SendBlocked
	ProduceSent
	ProduceRetryScheduled
	ProduceRequestTimedOut
	AnswerOutOfTurn
	RecordsAcknowledged
	RecordsFailed
	RecordsUntracked
	RecordsResent
	ProducerIDAssigned
	ProducerEpochBumped
	ProducerFailed
	ProducerRestarted
	LeaderLearned

	// Brokers.
	LogLoaded
	BatchAppended
	DuplicateRecognised
	ProduceRefused
	ProduceAnswered
	ReplicaAppended
	FollowerOffsetLearned
	HighWatermarkAdvanced
	HighWatermarkLearned
	BecameLeader
	BecameFollower
	LogTruncated
	LogTailLost
	LogDirFailed
	ReplicaOffline
	SegmentRolled
	SegmentDeletedByTime
	SegmentDeletedBySize
	SegmentDeletedBelowLogStart
	LogStartAdvanced
	DeleteRecordsRefused
	RecordsCompacted
	TombstonesStamped
	TombstonesRemoved
	AbortedRecordsRemoved
	MarkerStamped
	MarkersRemoved
	EmptyBatchKept
	EmptyBatchRemoved
	SegmentCleaned
	LogCleaned
	GapCopied
	ISRChangeProposed
	ISRChangeRefused
	MetadataMisplaced

	// The controller.
	BrokerRegistered
	ControlledShutdownBegan
	ShutdownGranted
	LogDirReported
	BrokerFenced
	BrokerUnfenced
	LeaderElected
	UncleanLeaderElected
	PartitionOffline
	ISRChanged
	ELRChanged

	// Readers.
	RecordsRead
	OffsetReset

	// Group coordinators.
	GroupsLoaded
	MemberLoaded
	OffsetLoaded
	MemberJoined
	MemberLeft
	MemberExpired
	MemberRemoved
	MemberAbsent
	MemberFenced
	PartitionsNoticed
	RebalanceBegan
	GenerationBegan
	GroupStable
	TargetAssigned
	MemberEpochChanged
	OffsetCommitWritten
	OffsetCommitRefused
	OffsetExpired
	OffsetPending
	PendingOffsetEnded

	// Consumers.
	ConsumerStarted
	ConsumerCrashed
	ConsumerClosed
	ConsumerFailed
	CoordinatorLearned
	GroupJoined
	PartitionAssigned
	PartitionRevoked
	PartitionLost
	PositionFound
	PositionTruncated
	FetchedPassedOver
	PollIntervalExceeded
	OffsetCommitted
	OffsetCommitFailed
	EffectHappened
	EffectRefused

	// Transactions: their coordinators, the leaders of their partitions, producers and readers.
	TransactionsLoaded
	ProducerInitialised
	TransactionPartitionAdded
	TransactionPrepared
	TransactionCompleted
	TransactionTimedOut
	ProducerFenced
	TransactionOpened
	TransactionMarked
	MarkerRefused
	TransactionBegun
	TransactionHung
	TransactionEnding
	TransactionEnded
	TransactionFailed
	RecordsDropped

	kindCount
)

// Kinds lists every kind.
func Kinds() []Kind {
	kinds := make([]Kind, 0, kindCount-1)
	for k := NoKind + 1; k < kindCount; k++ {
		kinds = append(kinds, k)
	}
	return kinds
}
