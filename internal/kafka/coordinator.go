package kafka

// CoordinatorKeyKind says what a record of __consumer_offsets or __transaction_state is about.
type CoordinatorKeyKind uint8

const (
	// OffsetCommitKey: a group's committed offset of one partition (OffsetCommitKey).
	OffsetCommitKey CoordinatorKeyKind = iota
	// GroupMetadataKey: a classic group, its members and their assignment (GroupMetadataKey).
	GroupMetadataKey
	// ConsumerGroupEpochKey: the group epoch of a KIP-848 group (ConsumerGroupMetadataKey).
	ConsumerGroupEpochKey
	// ConsumerGroupMemberKey: a member's subscription (ConsumerGroupMemberMetadataKey).
	ConsumerGroupMemberKey
	// TargetAssignmentEpochKey: the epoch of a group's target assignment (ConsumerGroupTargetAssignmentMetadataKey).
	TargetAssignmentEpochKey
	// TargetAssignmentKey: what a member shall have (ConsumerGroupTargetAssignmentMemberKey).
	TargetAssignmentKey
	// CurrentAssignmentKey: what a member has (ConsumerGroupCurrentMemberAssignmentKey).
	CurrentAssignmentKey
	// TransactionKey: the state of a transactional id (TransactionLogKey).
	TransactionKey
	// EndTransactionKey: a transaction marker, which has no key of its own (ControlRecordType).
	EndTransactionKey
)

// CoordinatorKey is the key of a record of an internal topic: of two records with one key only the later counts.
type CoordinatorKey struct {
	Member    string // of the kinds about one member
	Group     GroupID
	Partition PartitionID     // OffsetCommitKey
	ID        TransactionalID // TransactionKey
	Kind      CoordinatorKeyKind
}

// CoordinatorRecord is a record of an internal topic (CoordinatorRecord). A nil Value is a tombstone. What Value points to
// never changes.
type CoordinatorRecord struct {
	Key   CoordinatorKey
	Value CoordinatorValue
}

// CoordinatorValue is the value of a CoordinatorRecord: a pointer to one of the types below.
type CoordinatorValue interface{ coordinatorValue() }

// OffsetCommitValue is a committed offset: that of the next record to read.
type OffsetCommitValue struct {
	Offset      Offset
	LeaderEpoch Epoch // of the last record that was read, NoEpoch if unknown (KIP-320)
	Committed   Tick  // when
}

// GroupMetadataValue is a classic group as of its latest generation. Members are ordered by their ids.
type GroupMetadataValue struct {
	Members    []GroupMember
	Leader     string // member id; empty in an empty group
	Protocol   string // the assignor that the members agreed on
	Generation int32
	EmptySince Tick // when the last member left, 0 while there are any
}

// GroupMember is one member of a classic group.
type GroupMember struct {
	ID               string
	InstanceID       string // group.instance.id, empty for a dynamic member
	Node             NodeID
	SessionTimeout   Tick
	RebalanceTimeout Tick
	Protocols        []Protocol
	Assignment       []PartitionID
}

// ConsumerGroupEpochValue is the group epoch of a KIP-848 group.
type ConsumerGroupEpochValue struct {
	Epoch int32
	// MetadataHash sums up how many partitions its topics had (KIP-1101, 4.1; before, another record lists them).
	MetadataHash int64
}

// ConsumerGroupMemberValue is what a KIP-848 member told of itself when it joined.
type ConsumerGroupMemberValue struct {
	InstanceID       string
	Node             NodeID
	Topics           []TopicID
	RebalanceTimeout Tick
	Assignor         string // group.remote.assignor, empty for the coordinator's choice
}

// TargetAssignmentEpochValue is the group epoch for which the target assignment was computed.
type TargetAssignmentEpochValue struct{ Epoch int32 }

// TargetAssignmentValue is what a member shall have.
type TargetAssignmentValue struct{ Partitions []PartitionID }

// CurrentAssignmentValue is how far a member is on its way to its target.
type CurrentAssignmentValue struct {
	Assigned          []PartitionID
	PendingRevocation []PartitionID
	MemberEpoch       int32
	PreviousEpoch     int32
	State             uint8 // coordinator.MemberState
}

func (*OffsetCommitValue) coordinatorValue()          {}
func (*GroupMetadataValue) coordinatorValue()         {}
func (*ConsumerGroupEpochValue) coordinatorValue()    {}
func (*ConsumerGroupMemberValue) coordinatorValue()   {}
func (*TargetAssignmentEpochValue) coordinatorValue() {}
func (*TargetAssignmentValue) coordinatorValue()      {}
func (*CurrentAssignmentValue) coordinatorValue()     {}

// CoordinatorRecordBytes is the size of a record of Kafka's own: of an internal topic, or a transaction marker. Real ones have about
// that, markers a little less.
const CoordinatorRecordBytes = 100

// CoordinatorRecords makes the records of one batch for an internal topic, in columns of their own.
func CoordinatorRecords(records []CoordinatorRecord, timestamp Tick, size int32) Records {
	return NewColumns(len(records)).AppendOwn(records, timestamp, size)
}

// AppendOwn adds the records of one batch for an internal topic, and returns the view of them. They have no ids and no keys
// of the scenario.
func (c *Columns) AppendOwn(records []CoordinatorRecord, timestamp Tick, size int32) Records {
	if c.coordinator == nil {
		c.coordinator = make([]CoordinatorRecord, 0, cap(c.ids))
	}
	var view Records
	for i := range records {
		c.coordinator = append(c.coordinator, records[i])
		view = c.Extend(view, &Record{
			ID: NoRecord, Key: NoKey, Size: size, Timestamp: timestamp, Tombstone: records[i].Value == nil,
		})
	}
	return view
}

// Coordinator is what record i of an internal topic says; nil for the records of other topics.
func (r Records) Coordinator(i int) *CoordinatorRecord {
	if r.cols.coordinator == nil {
		return nil
	}
	return &r.cols.coordinator[int(r.from)+i]
}

// CompactionKey is the key of a record as the log cleaner compares it: that of the application, or of Kafka's own record.
type CompactionKey struct {
	Own CoordinatorKey
	Key KeyID
}

// CompactionKey is the key of record i; keyed is false for the null key, whose records no compacted topic takes.
func (r Records) CompactionKey(i int) (key CompactionKey, keyed bool) {
	if own := r.Coordinator(i); own != nil {
		return CompactionKey{Own: own.Key, Key: NoKey}, true
	}
	return CompactionKey{Key: r.Key(i)}, r.Key(i) != NoKey
}
