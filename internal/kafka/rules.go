package kafka

// Rules names the behaviours that changed between Kafka versions, or that no version ever had and that show what a rule
// is for. The zero value is Kafka 4.0. Each node reads them and never changes them.
type Rules struct {
	// HighWatermarkBelowMinISR lets the high watermark advance while the ISR is below min.insync.replicas
	// (before 3.7, KAFKA-15583).
	HighWatermarkBelowMinISR bool
	// TruncateToHighWatermark makes a new follower cut its log to its own high watermark (before 0.11, KIP-101).
	TruncateToHighWatermark bool
	// DivergingEpochIgnored makes a follower take only the end offset of the leader's answer and not which epoch it is of,
	// and ask once in each leader epoch (0.11 to 1.1: KIP-101 without KIP-279).
	DivergingEpochIgnored bool
	// FetchWithoutLeaderEpoch leaves the leader epoch out of fetches, so that nothing fences them (before 2.1, KIP-320).
	FetchWithoutLeaderEpoch bool
	// JoinBelowEpochStart lets a follower join the ISR at the high watermark, also below the start of the leader's epoch
	// (before 2.1, KAFKA-7128).
	JoinBelowEpochStart bool
	// CommittedISROnly counts only the committed ISR for the high watermark, not whom the leader has proposed (no version;
	// KIP-497 brought the maximal ISR with the change that needs it).
	CommittedISROnly bool
	// IneligibleFollowersCount lets a follower that is caught up by time hold the high watermark back although the controller
	// would not let it into the ISR (before 3.6, KAFKA-15021).
	IneligibleFollowersCount bool
	// LagByTimeAlone takes a follower that has everything out of the ISR when it has not fetched for replica.lag.time.max.ms
	// (before 2.1, KAFKA-7152).
	LagByTimeAlone bool
	// InFlightPerConnection makes a producer with max.in.flight.requests.per.connection=1 count the connection alone: after a
	// change of leader a batch overtakes one that is still open at the old leader (Java before 0.10, KAFKA-3197).
	InFlightPerConnection bool
	// ProducerStateWithRecords forgets a producer when retention has deleted its last record, and refuses one that it does not
	// know unless its sequence is 0 (before 2.4, KAFKA-7190; before 2.5, KIP-360).
	ProducerStateWithRecords bool
	// LateFetchAnswerTaken makes a follower append what a fetch answer brings although it has turned to another leader, or to
	// another leader epoch, since it asked (no version; AbstractFetcherThread.processFetchRequest compares both).
	LateFetchAnswerTaken bool
	// FetchOffsetIgnored makes a follower append what a fetch answer brings although its log ends before it, and so leave a
	// gap (no version; ReplicaFetcherThread.processPartitionData compares the offset with the log end offset). What lies
	// before the log end offset UnifiedLog.append refuses all the same.
	FetchOffsetIgnored bool
	// ReadToLogEnd shows readers everything that the leader has, up to its log end offset (no version;
	// FetchIsolation.HIGH_WATERMARK). Those with read_committed still see what is below the last stable offset.
	ReadToLogEnd bool
	// SameLeaderNotRealigned makes a follower go on fetching from where it is when its leader leads in a new epoch, as if
	// nothing had happened (no version; ReplicaManager.makeFollowers sets the fetch state anew).
	SameLeaderNotRealigned bool
	// MetadataOffsetIgnored makes a broker apply whatever records of the metadata log an answer brings, without asking whether
	// it has come so far (no version; KafkaMetadataLog.appendAsFollower compares the offsets, KIP-595).
	MetadataOffsetIgnored bool
	// ElectOutsideISR makes the controller take any active replica for a new leader, as if it stood in the ISR (no version;
	// PartitionChangeBuilder.isValidNewLeader asks for the ISR or the ELR).
	ElectOutsideISR bool
	// FencedMayJoinISR lets a broker into the ISR that the controller has fenced, or that is shutting down (before 3.3,
	// KIP-841).
	FencedMayJoinISR bool
	// PartitionEpochIgnored makes the controller take an ISR that was proposed from an older state (no version, KIP-497).
	PartitionEpochIgnored bool
	// BrokerEpochsIgnored takes a member into the ISR whatever incarnation of its broker was seen (before 3.5, KIP-903).
	BrokerEpochsIgnored bool
	// LeaderEpochBumpOnShrink starts a new leader epoch when the ISR shrinks (KRaft before 3.6).
	LeaderEpochBumpOnShrink bool
	// EligibleLeaderReplicas keeps a list of replicas that may lead although they left the ISR, because they hold
	// everything that was committed (KIP-966; on in new clusters since 4.1).
	EligibleLeaderReplicas bool
	// TransactionVersion1 lets a producer keep its epoch from one transaction to the next, and enter partitions into its
	// transaction itself (before 4.0, KIP-890 part 2).
	TransactionVersion1 bool
	// TransactionsUnverified makes a leader take a transactional batch without asking the coordinator whether its transaction
	// goes on (before 3.6, KIP-890 part 1). Transaction version 1 only.
	TransactionsUnverified bool
	// TombstonesAgeWithSegment takes the age of a tombstone from the last write of its segment, which every merge with younger
	// segments renews, instead of a delete horizon in its batch (before 3.1, KIP-534).
	TombstonesAgeWithSegment bool
	// OffsetsExpireFromCommit lets a committed offset expire offsets.retention.minutes after its commit, also in a group that
	// is alive (before 2.1, KIP-211).
	OffsetsExpireFromCommit bool
	// RetentionBeyondHighWatermark lets retention delete segments that are not committed (before 1.0, KAFKA-5634).
	RetentionBeyondHighWatermark bool
	// CompactionBeyondHighWatermark lets the cleaner go up to the active segment, whatever of that is committed
	// (before 3.1, KAFKA-13194: then LogCleanerManager.cleanableOffsets bounds it where no transaction is open, too).
	CompactionBeyondHighWatermark bool
	// OpenTransactionsShown hands readers with read_committed everything below the high watermark, with the list of aborted
	// transactions, but without waiting for open ones (no version; UnifiedLog.fetchLastStableOffsetMetadata, KIP-98).
	OpenTransactionsShown bool
	// ProducerEpochKept gives who comes with a transactional id the producer epoch of who came before, where no transaction is
	// open that fences it (no version; TransactionMetadata.prepareIncrementProducerEpoch, KIP-98).
	ProducerEpochKept bool
	// TransactionOffsetsUnfenced lets any producer commit offsets of a group in its transaction, whatever member it speaks for
	// (before 2.5, KIP-447: OffsetMetadataManager.validateTransactionalOffsetCommit).
	TransactionOffsetsUnfenced bool
	// GenerationKept lets a classic group go from one rebalance to the next in the same generation (no version;
	// ClassicGroup.initNextGeneration).
	GenerationKept bool
	// StaticLeaderUntold does not tell a static member that comes back that it leads the group (before 3.2, KIP-814).
	StaticLeaderUntold bool
	// AssignedBeforeRevoked gives a partition to its next owner in a KIP-848 group without waiting for the one before to let go
	// of it (no version; CurrentAssignmentBuilder.computeNextAssignment goes by ConsumerGroup.currentPartitionEpoch).
	AssignedBeforeRevoked bool
	// CommitsUnreplicated answers a commit of offsets as soon as the coordinator has it in its own log (before 4.0, as
	// offsets.commit.required.acks=1).
	CommitsUnreplicated bool
	// CommitsBesidePoll lets the thread of a KIP-848 consumer commit what the application is still at work on (Java before 4.0,
	// KAFKA-18641: since then only poll() says what may be committed).
	CommitsBesidePoll bool
	// WholeBatchesHandedOut lets a member of a group hand out the records of a batch that lie before its position: a broker
	// answers with whole batches (no version of the Java client, whose CompletedFetch passes over them; ruby-kafka before 0.7.1).
	WholeBatchesHandedOut bool
	// DiscardedCountsAsRead moves the position of a member of a group behind what it has fetched and drops again without handing
	// it out (no version of the Java client; kafka-python before 2.1.2).
	DiscardedCountsAsRead bool
}
