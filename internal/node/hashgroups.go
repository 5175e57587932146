package node

import "replog/internal/kafka"

// Text mixes in a text.
func (h *Hash) Text(s string) {
	h.Int(int64(len(s)))
	for i := range len(s) {
		h.Int(int64(s[i]))
	}
}

// Partitions mixes in a list of partitions.
func (h *Hash) Partitions(list []kafka.PartitionID) {
	h.Int(int64(len(list)))
	for _, p := range list {
		h.Int(int64(p))
	}
}

// Offsets mixes in what a commit is about.
func (h *Hash) Offsets(offsets []kafka.PartitionOffset) {
	h.Int(int64(len(offsets)))
	for i := range offsets {
		h.Int(int64(offsets[i].Partition))
		h.Int(int64(offsets[i].Offset))
		h.Int(int64(offsets[i].LeaderEpoch))
		h.Int(int64(offsets[i].Error))
	}
}

// Topics mixes in a list of topics.
func (h *Hash) Topics(list []kafka.TopicID) {
	h.Int(int64(len(list)))
	for _, t := range list {
		h.Int(int64(t))
	}
}

// member mixes in who speaks, and in which generation or member epoch.
func (h *Hash) member(id, instance string, group kafka.GroupID, generation int32) {
	h.Text(id)
	h.Text(instance)
	h.Int(int64(group))
	h.Int(int64(generation))
}

// Protocol mixes in an assignor that a member offers.
func (h *Hash) Protocol(p *kafka.Protocol) {
	h.Text(p.Name)
	h.Topics(p.Topics)
	h.Partitions(p.Owned)
	h.Int(int64(p.Generation))
}

// groupMessage mixes in what a member of a classic group and its coordinator tell each other.
func (h *Hash) groupMessage(body kafka.Body) {
	switch b := body.(type) {
	case *kafka.FindCoordinatorRequest:
		h.Int(int64(b.Group))
	case *kafka.FindCoordinatorResponse:
		h.Int(int64(b.Node))
		h.Int(int64(b.Error))
	case *kafka.JoinGroupRequest:
		h.joinGroup(b)
	case *kafka.JoinGroupResponse:
		h.joinedGroup(b)
	case *kafka.SyncGroupRequest:
		h.member(b.MemberID, b.InstanceID, b.Group, b.Generation)
		for i := range b.Assignments {
			h.Text(b.Assignments[i].MemberID)
			h.Partitions(b.Assignments[i].Partitions)
		}
	case *kafka.SyncGroupResponse:
		h.Partitions(b.Partitions)
		h.Int(int64(b.Error))
	case *kafka.HeartbeatRequest:
		h.member(b.MemberID, b.InstanceID, b.Group, b.Generation)
	case *kafka.HeartbeatResponse:
		h.Int(int64(b.Error))
	case *kafka.LeaveGroupRequest:
		h.member(b.MemberID, b.InstanceID, b.Group, 0)
	case *kafka.LeaveGroupResponse:
		h.Int(int64(b.Error))
	case *kafka.ConsumerGroupHeartbeatRequest:
		h.consumerHeartbeat(b)
	case *kafka.ConsumerGroupHeartbeatResponse:
		h.Text(b.MemberID)
		h.Partitions(b.Assignment)
		h.Bool(b.Assigned)
		h.Int(int64(b.MemberEpoch))
		h.Int(int64(b.HeartbeatInterval))
		h.Int(int64(b.Error))
	default:
		h.offsetMessage(body)
	}
}

func (h *Hash) joinGroup(r *kafka.JoinGroupRequest) {
	h.member(r.MemberID, r.InstanceID, r.Group, 0)
	h.Text(r.ClientID)
	h.Int(int64(r.SessionTimeout))
	h.Int(int64(r.RebalanceTimeout))
	for i := range r.Protocols {
		h.Protocol(&r.Protocols[i])
	}
}

func (h *Hash) joinedGroup(r *kafka.JoinGroupResponse) {
	h.Text(r.MemberID)
	h.Text(r.Leader)
	h.Text(r.Protocol)
	h.Int(int64(r.Generation))
	h.Int(int64(r.Error))
	h.Bool(r.SkipAssignment)
	for i := range r.Members {
		h.Text(r.Members[i].ID)
		h.Text(r.Members[i].InstanceID)
		h.Protocol(&r.Members[i].Subscription)
	}
}

func (h *Hash) consumerHeartbeat(r *kafka.ConsumerGroupHeartbeatRequest) {
	h.member(r.MemberID, r.InstanceID, r.Group, r.MemberEpoch)
	h.Text(r.Assignor)
	h.Topics(r.Topics)
	h.Partitions(r.Owned)
	h.Int(int64(r.RebalanceTimeout))
	h.Bool(r.Reported)
	h.Bool(r.Subscribes)
}

// offsetMessage mixes in what is said of offsets.
func (h *Hash) offsetMessage(body kafka.Body) {
	switch b := body.(type) {
	case *kafka.OffsetCommitRequest:
		h.member(b.MemberID, b.InstanceID, b.Group, b.Generation)
		h.Offsets(b.Offsets)
	case *kafka.OffsetCommitResponse:
		h.Offsets(b.Results)
	case *kafka.OffsetFetchRequest:
		h.member(b.MemberID, "", b.Group, b.MemberEpoch)
		h.Partitions(b.Partitions)
		h.Bool(b.RequireStable)
	case *kafka.OffsetFetchResponse:
		h.Offsets(b.Offsets)
		h.Int(int64(b.Error))
	case *kafka.ListOffsetsRequest:
		h.listed(b.Partitions)
		h.Bool(b.ReadCommitted)
	case *kafka.ListOffsetsResponse:
		h.listed(b.Partitions)
	case *kafka.OffsetForLeaderEpochRequest:
		for i := range b.Partitions {
			h.Int(int64(b.Partitions[i].Partition))
			h.Int(int64(b.Partitions[i].CurrentLeaderEpoch))
			h.Int(int64(b.Partitions[i].LeaderEpoch))
		}
	case *kafka.OffsetForLeaderEpochResponse:
		for i := range b.Ends {
			h.Int(int64(b.Ends[i].Partition))
			h.Int(int64(b.Ends[i].LeaderEpoch))
			h.Int(int64(b.Ends[i].EndOffset))
			h.Int(int64(b.Ends[i].Error))
		}
	default:
		h.transactionMessage(body)
	}
}

func (h *Hash) listed(list []kafka.ListedOffset) {
	for i := range list {
		h.Int(int64(list[i].Partition))
		h.Int(int64(list[i].Timestamp))
		h.Int(int64(list[i].Offset))
		h.Int(int64(list[i].LeaderEpoch))
		h.Int(int64(list[i].Error))
	}
}

// CoordinatorRecord mixes in a record of an internal topic.
func (h *Hash) CoordinatorRecord(r *kafka.CoordinatorRecord) {
	h.Int(int64(r.Key.Kind))
	h.Int(int64(r.Key.Group))
	h.Int(int64(r.Key.Partition))
	h.Text(r.Key.Member)
	switch v := r.Value.(type) {
	case nil:
		h.Int(-1)
	case *kafka.OffsetCommitValue:
		h.Int(int64(v.Offset))
		h.Int(int64(v.LeaderEpoch))
		h.Time(v.Committed)
	case *kafka.GroupMetadataValue:
		h.groupMetadata(v)
	case *kafka.ConsumerGroupEpochValue:
		h.Int(int64(v.Epoch))
		h.Int(v.MetadataHash)
	case *kafka.ConsumerGroupMemberValue:
		h.Text(v.InstanceID)
		h.Int(int64(v.Node))
		h.Topics(v.Topics)
		h.Int(int64(v.RebalanceTimeout))
		h.Text(v.Assignor)
	case *kafka.TargetAssignmentEpochValue:
		h.Int(int64(v.Epoch))
	case *kafka.TargetAssignmentValue:
		h.Partitions(v.Partitions)
	case *kafka.CurrentAssignmentValue:
		h.Partitions(v.Assigned)
		h.Partitions(v.PendingRevocation)
		h.Int(int64(v.MemberEpoch))
		h.Int(int64(v.PreviousEpoch))
		h.Int(int64(v.State))
	}
}

func (h *Hash) groupMetadata(v *kafka.GroupMetadataValue) {
	h.Text(v.Leader)
	h.Text(v.Protocol)
	h.Int(int64(v.Generation))
	if v.EmptySince > 0 {
		h.Time(v.EmptySince)
	}
	for i := range v.Members {
		m := &v.Members[i]
		h.Text(m.ID)
		h.Text(m.InstanceID)
		h.Int(int64(m.Node))
		h.Int(int64(m.SessionTimeout))
		h.Int(int64(m.RebalanceTimeout))
		h.Partitions(m.Assignment)
		for j := range m.Protocols {
			h.Protocol(&m.Protocols[j])
		}
	}
}
