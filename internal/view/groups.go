package view

import (
	"slices"

	"replog/internal/kafka"
)

// GroupState is where a group stands in a rebalance (ClassicGroupState, ConsumerGroupState).
type GroupState uint8

// The states. A classic group goes through GroupPreparing and GroupCompleting, a KIP-848 group through GroupAssigning and
// GroupReconciling.
const (
	GroupEmpty       GroupState = iota // no members
	GroupPreparing                     // waits until its members have joined again
	GroupCompleting                    // waits for the assignment that its leader makes
	GroupAssigning                     // the next heartbeat has the coordinator compute a new target assignment
	GroupReconciling                   // its members are on their way to the target assignment
	GroupStable
)

var groupStateNames = [...]string{"Empty", "PreparingRebalance", "CompletingRebalance", "Assigning", "Reconciling", "Stable"}

// String is Kafka's name of the state.
func (s GroupState) String() string { return groupStateNames[s] }

// Group is a consumer group, as its coordinator has it.
type Group struct {
	ID     kafka.GroupID
	State  GroupState
	Server bool         // KIP-848: the coordinator assigns
	Host   kafka.NodeID // the broker that coordinates it; NoNode while none does
	Leader kafka.NodeID // the member that assigns, in a classic group
	Begun  kafka.NodeID // the member because of which it rebalances, or rebalanced last
	Epoch  kafka.Epoch  // generation of a classic group, group epoch of the other kind; NoEpoch before the first
	Since  kafka.Tick   // when it came into its State
}

// Process is how a consumer's process is.
type Process uint8

// The states of a process.
const (
	ProcessNotStarted Process = iota
	ProcessUp
	ProcessCrashed
	ProcessClosed
	ProcessFailed // its consumer ended with an error
)

var processNames = [...]string{"not started", "up", "crashed", "closed", "failed"}

// String is the state in a word.
func (p Process) String() string { return processNames[p] }

// Member is a consumer process, and what it is in its group.
type Member struct {
	ID      kafka.NodeID
	Process Process
	Stuck   bool        // max.poll.interval.ms has passed since its last poll()
	Listed  bool        // the coordinator counts it, which is news of session.timeout.ms ago
	Epoch   kafka.Epoch // the generation or member epoch that it is in; NoEpoch before the first
	Since   kafka.Tick  // when its process came to be as it is
	Done    int         // effects that happened
	Refused int         // effects that a unique key refused
}

// Claim is a partition that a member believes to have.
type Claim struct {
	Partition kafka.PartitionID
	Member    kafka.NodeID
	Epoch     kafka.Epoch // the generation or member epoch in which it got it
	Since     kafka.Tick
	Stale     bool // the group has removed the member, and the member does not know
}

// GroupPartition is one partition as a group has it.
type GroupPartition struct {
	Partition kafka.PartitionID
	Owner     kafka.NodeID // NoNode: nobody reads it
	Former    kafka.NodeID // who had it before
	Stray     kafka.NodeID // who believes to have it as well, and was removed; NoNode
	Since     kafka.Tick   // since when Owner has it, or nobody
	Commit
	// Pending are the offsets of open transactions: until each is decided, nobody is told where the group goes on
	// (UNSTABLE_OFFSET_COMMIT).
	Pending []PendingOffset
}

// PendingOffset is an offset that a producer has committed in a transaction that is not decided yet.
type PendingOffset struct {
	Producer kafka.ProducerID
	Offset   kafka.Offset
}

// Groups is what every consumer group is and its members are: a fold of its own, for those who need no more of the picture.
type Groups struct {
	names     *kafka.Names
	groups    []group   // indexed by kafka.GroupID
	consumers []process // indexed by id - kafka.FirstClientID
}

// group is a group with all that belongs to it.
type group struct {
	Group
	members []kafka.NodeID   // the processes that may be its members, in the order of their ids
	claims  []Claim          // ordered by partition, then by time
	parts   []GroupPartition // ordered by partition: those that events have spoken of
}

// process is a consumer's process. Without an ID the client is not a consumer.
type process struct {
	Member
	group   kafka.GroupID
	entries int // memberships that the coordinator counts: two after a quick restart
}

// NewGroups knows the groups and their processes by name.
func NewGroups(names *kafka.Names) Groups {
	g := Groups{names: names, groups: make([]group, len(names.Groups))}
	for i := range g.groups {
		g.groups[i] = group{
			Group: Group{ID: kafka.GroupID(i), Host: kafka.NoNode, Leader: kafka.NoNode, Begun: kafka.NoNode, Epoch: kafka.NoEpoch},
		}
	}
	for i := range names.Nodes {
		id, known := names.FindGroup(names.Nodes[i].Consumes)
		if !known || names.Nodes[i].Consumes == "" || !names.Nodes[i].ID.IsClient() {
			continue
		}
		at := int(names.Nodes[i].ID - kafka.FirstClientID)
		for at >= len(g.consumers) {
			g.consumers = append(g.consumers, process{})
		}
		g.consumers[at] = process{Member: Member{ID: names.Nodes[i].ID, Epoch: kafka.NoEpoch}, group: id}
		g.groups[id].members = append(g.groups[id].members, names.Nodes[i].ID)
	}
	for i := range g.groups {
		slices.Sort(g.groups[i].members)
	}
	return g
}

// Clone is a copy that shares what cannot change any more.
func (g *Groups) Clone() Groups {
	c := Groups{names: g.names, groups: slices.Clone(g.groups), consumers: slices.Clone(g.consumers)}
	for i := range c.groups {
		d := &c.groups[i]
		d.claims, d.parts = slices.Clone(d.claims), slices.Clone(d.parts)
	}
	return c
}

// List has all groups.
func (g *Groups) List() []Group {
	list := make([]Group, len(g.groups))
	for i := range list {
		list[i] = g.groups[i].Group
	}
	return list
}

// known is a group, or nil.
func (g *Groups) known(id kafka.GroupID) *group {
	if id < 0 || int(id) >= len(g.groups) {
		return nil
	}
	return &g.groups[id]
}

// Group is one of the groups.
func (g *Groups) Group(id kafka.GroupID) Group { return g.groups[id].Group }

// Members lists the processes of a group, in the order of their ids, also those that are no members at present.
func (g *Groups) Members(id kafka.GroupID) []Member {
	list := make([]Member, len(g.groups[id].members))
	for i, node := range g.groups[id].members {
		list[i] = g.consumer(node).Member
	}
	return list
}

// Member is a consumer, and the group that it belongs to; false for other nodes.
func (g *Groups) Member(id kafka.NodeID) (Member, kafka.GroupID, bool) {
	if c := g.consumer(id); c != nil {
		return c.Member, c.group, true
	}
	return Member{}, -1, false
}

// consumer is the process of a node, or nil.
func (g *Groups) consumer(id kafka.NodeID) *process {
	if at := int(id - kafka.FirstClientID); at >= 0 && at < len(g.consumers) && g.consumers[at].ID == id {
		return &g.consumers[at]
	}
	return nil
}

// Claims lists what the members of a group believe to have, ordered by partition. The caller must not change it.
func (g *Groups) Claims(id kafka.GroupID) []Claim { return g.groups[id].claims }

// Partitions lists the partitions that a group has had or committed, ordered by id. The caller must not change it.
func (g *Groups) Partitions(id kafka.GroupID) []GroupPartition { return g.groups[id].parts }

// Partition is one partition as a group has it; false when nothing was heard of it.
func (g *Groups) Partition(id kafka.GroupID, p kafka.PartitionID) (GroupPartition, bool) {
	if d := g.known(id); d != nil {
		if at, found := d.find(p); found {
			return d.parts[at], true
		}
	}
	return GroupPartition{}, false
}
