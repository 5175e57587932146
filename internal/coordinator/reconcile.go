package coordinator

import (
	"slices"

	"replog/internal/kafka"
)

// MemberState is how far a member of a KIP-848 group is on its way to its target.
type MemberState uint8

const (
	// Stable: the member has its target, or will hear of a newer one with its next heartbeat.
	Stable MemberState = iota
	// UnrevokedPartitions: the member was told to let go of partitions and has not confirmed it.
	UnrevokedPartitions
	// UnreleasedPartitions: the member has all of its target that is free, and waits for what others still own.
	UnreleasedPartitions
)

var memberStateNames = [...]string{"STABLE", "UNREVOKED_PARTITIONS", "UNRELEASED_PARTITIONS"}

// String is Kafka's name of the state.
func (s MemberState) String() string { return memberStateNames[s] }

// CurrentAssignment is what the coordinator knows of one member's partitions. The lists are in ascending order, share
// no partition, and never change.
type CurrentAssignment struct {
	Assigned          []kafka.PartitionID // what the member may work on
	PendingRevocation []kafka.PartitionID // what it was told to let go of; nobody else may have it yet
	MemberEpoch       int32               // the target epoch that the member has reached
	State             MemberState
}

// Target is what one member shall have in the end: an assignor's word, in ascending order.
type Target struct {
	Partitions []kafka.PartitionID
	Epoch      int32 // the group epoch for which the targets of all members were computed
}

// Heartbeat is what a member says about its partitions in a ConsumerGroupHeartbeat. It does so when they have changed;
// otherwise it leaves the list out, and the coordinator learns nothing.
type Heartbeat struct {
	Owned    []kafka.PartitionID
	Reported bool // Owned is there, possibly empty
}

// owns reports whether the member may own one of these still: it says so, or says nothing.
func (h Heartbeat) owns(partitions []kafka.PartitionID) bool {
	return !h.Reported || slices.ContainsFunc(h.Owned, func(p kafka.PartitionID) bool { return slices.Contains(partitions, p) })
}

// Reconcile takes the member one step towards its target, which may have changed since the step before
// (CurrentAssignmentBuilder). elsewhere says that another member owns a partition or has not let go of it.
func (c CurrentAssignment) Reconcile(target Target, h Heartbeat, elsewhere func(kafka.PartitionID) bool) CurrentAssignment {
	if c.rests(target, h) {
		return c
	}
	if c.State == UnrevokedPartitions {
		c.MemberEpoch++ // it did what it was asked to; the newest version of Kafka lets the epoch stay (see doc.go)
	}
	return c.next(target, h, elsewhere)
}

// rests reports whether there is no step to take: the member is where it should be, or has still to let go of something.
func (c CurrentAssignment) rests(target Target, h Heartbeat) bool {
	return c.State == Stable && c.MemberEpoch == target.Epoch || c.State == UnrevokedPartitions && h.owns(c.PendingRevocation)
}

// next is the step: first revoke, and only when there is nothing to revoke move to the target's epoch and take what is
// free. So no two members ever own a partition at the same time, and none waits for all the others.
func (c CurrentAssignment) next(target Target, h Heartbeat, elsewhere func(kafka.PartitionID) bool) CurrentAssignment {
	isTarget := func(p kafka.PartitionID) bool { return slices.Contains(target.Partitions, p) }
	kept, dropped := split(c.Assigned, isTarget)
	if len(dropped) > 0 && h.owns(dropped) {
		return CurrentAssignment{Assigned: kept, PendingRevocation: dropped, MemberEpoch: c.MemberEpoch, State: UnrevokedPartitions}
	}
	_, added := split(target.Partitions, func(p kafka.PartitionID) bool { return slices.Contains(kept, p) })
	unreleased, free := split(added, elsewhere)
	n := CurrentAssignment{Assigned: append(kept, free...), MemberEpoch: target.Epoch, State: Stable}
	slices.Sort(n.Assigned)
	if len(unreleased) > 0 {
		n.State = UnreleasedPartitions
	}
	return n
}

// split parts a list into what is so and what is not.
func split(list []kafka.PartitionID, isSo func(kafka.PartitionID) bool) (so, not []kafka.PartitionID) {
	for _, p := range list {
		if isSo(p) {
			so = append(so, p)
		} else {
			not = append(not, p)
		}
	}
	return so, not
}
