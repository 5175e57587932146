package kafka

import "slices"

// GroupID numbers the consumer groups of a run; Names.Groups has their group.id.
type GroupID int32

// TopicID numbers the topics of a run: an index into Names.Topics.
type TopicID int32

// Protocol is an assignor that a classic member offers, with the subscription that it has for it
// (ConsumerPartitionAssignor.Subscription).
type Protocol struct {
	Name       string // the assignor
	Topics     []TopicID
	Owned      []PartitionID // what the member owns; nothing when it is eager
	Generation int32         // in which it got that; -1 before the first
}

// FindCoordinatorRequest asks any broker who hosts a group, or a transactional id where one is given.
type FindCoordinatorRequest struct {
	Group         GroupID
	TransactionID TransactionalID
}

// FindCoordinatorResponse names the broker, or has COORDINATOR_NOT_AVAILABLE while the internal partition has no leader.
type FindCoordinatorResponse struct {
	Node  NodeID
	Error ErrorCode
}

// JoinGroupRequest asks to take part in the next generation. It is answered when the join phase is over.
type JoinGroupRequest struct {
	MemberID         string // empty the first time: the coordinator answers MEMBER_ID_REQUIRED with one (KIP-394)
	InstanceID       string // group.instance.id (KIP-345)
	ClientID         string // client.id, with which the coordinator begins a new member's id
	Protocols        []Protocol
	SessionTimeout   Tick // session.timeout.ms
	RebalanceTimeout Tick // max.poll.interval.ms
	Group            GroupID
}

// JoinGroupResponse opens a generation. Only the leader's has Members.
type JoinGroupResponse struct {
	MemberID   string
	Leader     string
	Protocol   string
	Members    []JoinedMember
	Generation int32
	// SkipAssignment: a static leader has come back and need not assign anew (KIP-814).
	SkipAssignment bool
	Error          ErrorCode
}

// JoinedMember is what the leader learns of a member.
type JoinedMember struct {
	ID           string
	InstanceID   string
	Subscription Protocol
}

// SyncGroupRequest asks for the member's assignment; the leader's brings those of all. It is answered when the leader's
// has come and the group's new state is committed.
type SyncGroupRequest struct {
	MemberID    string
	InstanceID  string
	Assignments []MemberAssignment // the leader's only
	Group       GroupID
	Generation  int32
}

// MemberAssignment is the partitions of one member.
type MemberAssignment struct {
	MemberID   string
	Partitions []PartitionID
}

// SyncGroupResponse gives a member its partitions.
type SyncGroupResponse struct {
	Partitions []PartitionID
	Error      ErrorCode
}

// HeartbeatRequest keeps a classic member's session.
type HeartbeatRequest struct {
	MemberID   string
	InstanceID string
	Group      GroupID
	Generation int32
}

// HeartbeatResponse has REBALANCE_IN_PROGRESS when the member must join again.
type HeartbeatResponse struct{ Error ErrorCode }

// LeaveGroupRequest takes a classic member out of its group at once.
type LeaveGroupRequest struct {
	MemberID   string
	InstanceID string
	Group      GroupID
}

// LeaveGroupResponse answers a LeaveGroupRequest.
type LeaveGroupResponse struct{ Error ErrorCode }

// ConsumerGroupHeartbeatRequest is all that a KIP-848 member says: with MemberEpoch 0 it joins, with -1 it leaves, with -2
// a static member leaves for a while.
type ConsumerGroupHeartbeatRequest struct {
	MemberID         string
	InstanceID       string
	Assignor         string // group.remote.assignor; empty leaves the choice to the coordinator
	Topics           []TopicID
	Owned            []PartitionID
	RebalanceTimeout Tick // max.poll.interval.ms
	Group            GroupID
	MemberEpoch      int32
	Reported         bool // Owned is there, possibly empty
	Subscribes       bool // Topics is there
}

// ConsumerGroupHeartbeatResponse carries the member's epoch, and its assignment when that is news.
type ConsumerGroupHeartbeatResponse struct {
	MemberID          string
	Assignment        []PartitionID
	HeartbeatInterval Tick // group.consumer.heartbeat.interval.ms
	MemberEpoch       int32
	Assigned          bool // Assignment is there, possibly empty
	Error             ErrorCode
}

// OffsetCommitRequest commits offsets for a group. Generation is the member's generation, or its member epoch (KIP-848);
// -1, with no MemberID, is a commit from outside of the group.
type OffsetCommitRequest struct {
	MemberID   string
	InstanceID string
	Offsets    []PartitionOffset
	Group      GroupID
	Generation int32
}

// PartitionOffset is an offset of a partition, with the leader epoch of the record before it.
type PartitionOffset struct {
	Offset      Offset
	Partition   PartitionID
	LeaderEpoch Epoch
	Error       ErrorCode // in answers
}

// OffsetCommitResponse answers each offset of an OffsetCommitRequest, in its order.
type OffsetCommitResponse struct{ Results []PartitionOffset }

// OffsetFetchRequest asks for a group's committed offsets.
type OffsetFetchRequest struct {
	MemberID    string // KIP-848 members only
	Partitions  []PartitionID
	Group       GroupID
	MemberEpoch int32
	// RequireStable: an offset that a transaction is about to commit is answered UNSTABLE_OFFSET_COMMIT (KIP-447).
	RequireStable bool
}

// OffsetFetchResponse has a committed offset for each partition, NoOffset where there is none. Error concerns them all.
type OffsetFetchResponse struct {
	Offsets []PartitionOffset
	Error   ErrorCode
}

// The timestamps with a meaning of their own that a ListOffsetsRequest may ask for.
const (
	LatestTimestamp   Tick = -1 // the high watermark, or the last stable offset under read_committed
	EarliestTimestamp Tick = -2 // the log start offset
)

// ListOffsetsRequest asks a leader for the first offset whose record is not older than a timestamp.
type ListOffsetsRequest struct {
	Partitions    []ListedOffset
	ReadCommitted bool
}

// ListedOffset is a question of ListOffsetsRequest, and its answer: Offset is NoOffset where there is none.
type ListedOffset struct {
	Timestamp   Tick
	Offset      Offset
	Partition   PartitionID
	LeaderEpoch Epoch // CurrentLeaderEpoch in the question, the epoch of the offset in the answer
	Error       ErrorCode
}

// ListOffsetsResponse answers each question of a ListOffsetsRequest, in its order.
type ListOffsetsResponse struct{ Partitions []ListedOffset }

// OffsetForLeaderEpochRequest asks a leader where an epoch ends in its log (KIP-320).
type OffsetForLeaderEpochRequest struct{ Partitions []EpochQuestion }

// EpochQuestion asks for the end of LeaderEpoch.
type EpochQuestion struct {
	Partition          PartitionID
	CurrentLeaderEpoch Epoch
	LeaderEpoch        Epoch
}

// OffsetForLeaderEpochResponse answers each question, in its order.
type OffsetForLeaderEpochResponse struct{ Ends []EpochAnswer }

// EpochAnswer is where the largest epoch that is not above the one that was asked for ends.
type EpochAnswer struct {
	EndOffset   Offset
	Partition   PartitionID
	LeaderEpoch Epoch
	Error       ErrorCode
}

// GroupRequest is a request to the coordinator of a group.
type GroupRequest interface {
	Body
	ToGroup() GroupID
}

func (r *JoinGroupRequest) ToGroup() GroupID              { return r.Group }
func (r *SyncGroupRequest) ToGroup() GroupID              { return r.Group }
func (r *HeartbeatRequest) ToGroup() GroupID              { return r.Group }
func (r *LeaveGroupRequest) ToGroup() GroupID             { return r.Group }
func (r *ConsumerGroupHeartbeatRequest) ToGroup() GroupID { return r.Group }
func (r *OffsetCommitRequest) ToGroup() GroupID           { return r.Group }
func (r *OffsetFetchRequest) ToGroup() GroupID            { return r.Group }
func (r *TxnOffsetCommitRequest) ToGroup() GroupID        { return r.Group }

func (*FindCoordinatorRequest) Kind() MessageKind         { return KindFindCoordinatorRequest }
func (*FindCoordinatorResponse) Kind() MessageKind        { return KindFindCoordinatorResponse }
func (*JoinGroupRequest) Kind() MessageKind               { return KindJoinGroupRequest }
func (*JoinGroupResponse) Kind() MessageKind              { return KindJoinGroupResponse }
func (*SyncGroupRequest) Kind() MessageKind               { return KindSyncGroupRequest }
func (*SyncGroupResponse) Kind() MessageKind              { return KindSyncGroupResponse }
func (*HeartbeatRequest) Kind() MessageKind               { return KindHeartbeatRequest }
func (*HeartbeatResponse) Kind() MessageKind              { return KindHeartbeatResponse }
func (*LeaveGroupRequest) Kind() MessageKind              { return KindLeaveGroupRequest }
func (*LeaveGroupResponse) Kind() MessageKind             { return KindLeaveGroupResponse }
func (*ConsumerGroupHeartbeatRequest) Kind() MessageKind  { return KindConsumerGroupHeartbeatRequest }
func (*ConsumerGroupHeartbeatResponse) Kind() MessageKind { return KindConsumerGroupHeartbeatResponse }
func (*OffsetCommitRequest) Kind() MessageKind            { return KindOffsetCommitRequest }
func (*OffsetCommitResponse) Kind() MessageKind           { return KindOffsetCommitResponse }
func (*OffsetFetchRequest) Kind() MessageKind             { return KindOffsetFetchRequest }
func (*OffsetFetchResponse) Kind() MessageKind            { return KindOffsetFetchResponse }
func (*ListOffsetsRequest) Kind() MessageKind             { return KindListOffsetsRequest }
func (*ListOffsetsResponse) Kind() MessageKind            { return KindListOffsetsResponse }
func (*OffsetForLeaderEpochRequest) Kind() MessageKind    { return KindOffsetForLeaderEpochRequest }
func (*OffsetForLeaderEpochResponse) Kind() MessageKind   { return KindOffsetForLeaderEpochResponse }

func (*FindCoordinatorRequest) Concerns(PartitionID) bool         { return false }
func (*FindCoordinatorResponse) Concerns(PartitionID) bool        { return false }
func (*JoinGroupRequest) Concerns(PartitionID) bool               { return false }
func (*JoinGroupResponse) Concerns(PartitionID) bool              { return false }
func (*SyncGroupRequest) Concerns(PartitionID) bool               { return false }
func (*HeartbeatRequest) Concerns(PartitionID) bool               { return false }
func (*HeartbeatResponse) Concerns(PartitionID) bool              { return false }
func (*LeaveGroupRequest) Concerns(PartitionID) bool              { return false }
func (*LeaveGroupResponse) Concerns(PartitionID) bool             { return false }
func (*ConsumerGroupHeartbeatRequest) Concerns(PartitionID) bool  { return false }
func (*SyncGroupResponse) Concerns(PartitionID) bool              { return false }
func (*ConsumerGroupHeartbeatResponse) Concerns(PartitionID) bool { return false }

// Concerns implements Body.
func (r *OffsetCommitRequest) Concerns(p PartitionID) bool { return concernsOffset(r.Offsets, p) }

// Concerns implements Body.
func (r *OffsetCommitResponse) Concerns(p PartitionID) bool { return concernsOffset(r.Results, p) }

// Concerns implements Body.
func (r *OffsetFetchResponse) Concerns(p PartitionID) bool { return concernsOffset(r.Offsets, p) }

func concernsOffset(offsets []PartitionOffset, p PartitionID) bool {
	for i := range offsets {
		if offsets[i].Partition == p {
			return true
		}
	}
	return false
}

// Concerns implements Body.
func (r *OffsetFetchRequest) Concerns(p PartitionID) bool { return slices.Contains(r.Partitions, p) }

// Concerns implements Body.
func (r *ListOffsetsRequest) Concerns(p PartitionID) bool { return concernsListed(r.Partitions, p) }

// Concerns implements Body.
func (r *ListOffsetsResponse) Concerns(p PartitionID) bool { return concernsListed(r.Partitions, p) }

func concernsListed(listed []ListedOffset, p PartitionID) bool {
	for i := range listed {
		if listed[i].Partition == p {
			return true
		}
	}
	return false
}

// Concerns implements Body.
func (r *OffsetForLeaderEpochRequest) Concerns(p PartitionID) bool {
	for i := range r.Partitions {
		if r.Partitions[i].Partition == p {
			return true
		}
	}
	return false
}

// Concerns implements Body.
func (r *OffsetForLeaderEpochResponse) Concerns(p PartitionID) bool {
	for i := range r.Ends {
		if r.Ends[i].Partition == p {
			return true
		}
	}
	return false
}
