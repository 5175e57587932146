package assign

import (
	"slices"

	"replog/internal/kafka"
)

// NoGeneration is the generation of a member that was never part of the group.
const NoGeneration int32 = -1

// A Member is what an assignor knows of one consumer. Member ids are unique in a group.
type Member struct {
	ID         string
	InstanceID string   // group.instance.id of a static member (KIP-345), else empty
	Topics     []string // the subscription; a topic that does not exist contributes nothing
	// Owned is what the member says it owns (for the coordinator's assignors: its present target). A partition of a topic
	// that is gone or no longer subscribed to counts for nothing. Uniform keeps the first ones of the list.
	Owned []kafka.PartitionID
	// Generation is the one in which the member got what it owns. The coordinator's assignors do not look at it.
	Generation int32
}

// Revoked lists what the member owns and is not assigned any more. A cooperative member that has to let go of something
// does so and joins again at once: the second round (KIP-429).
func (m *Member) Revoked(assigned []kafka.PartitionID) []kafka.PartitionID {
	var revoked []kafka.PartitionID
	for _, p := range m.Owned {
		if !slices.Contains(assigned, p) {
			revoked = append(revoked, p)
		}
	}
	return revoked
}

// A Topic is what an assignor knows of one topic.
type Topic struct {
	Name       string
	Partitions []kafka.PartitionID // partition 0 of the topic first
}

// An Assignment lists the partitions of each member, in ascending order; it has the order of the members handed in.
type Assignment [][]kafka.PartitionID

// An Assignor is a way of dealing.
type Assignor uint8

const (
	// Range cuts each topic into blocks. The clients' and the coordinator's range deal the same way.
	Range Assignor = iota
	// RoundRobin deals the partitions of all topics in one circle.
	RoundRobin
	// Sticky balances, and moves as little as that takes.
	Sticky
	// CooperativeSticky is Sticky in two rounds: what moves is given to nobody in the first.
	CooperativeSticky
	// Uniform is the coordinator's default: balanced and sticky.
	Uniform
)

var assignors = [...]struct {
	name   string
	assign func([]Member, []Topic) Assignment
}{
	Range:             {"range", assignRange},
	RoundRobin:        {"roundrobin", assignRoundRobin},
	Sticky:            {"sticky", assignSticky},
	CooperativeSticky: {"cooperative-sticky", assignCooperative},
	Uniform:           {"uniform", assignUniform},
}

// Assign deals the topics out to the members.
func (a Assignor) Assign(members []Member, topics []Topic) Assignment {
	return assignors[a].assign(members, topics)
}

// Cooperative reports whether members keep what they own while the group rebalances. The others are eager: each member
// gives up everything before it joins.
func (a Assignor) Cooperative() bool { return a == CooperativeSticky }

// String is the assignor's name in Kafka's configurations.
func (a Assignor) String() string { return assignors[a].name }

// ClientAssignors lists what partition.assignment.strategy may name.
func ClientAssignors() []Assignor {
	return []Assignor{Range, RoundRobin, Sticky, CooperativeSticky}
}

// ServerAssignors lists what group.remote.assignor may name, the default first.
func ServerAssignors() []Assignor { return []Assignor{Uniform, Range} }

// ParseClient finds an assignor of the classic protocol by its name.
func ParseClient(name string) (Assignor, bool) { return parse(ClientAssignors(), name) }

// ParseServer finds an assignor of the coordinator by its name.
func ParseServer(name string) (Assignor, bool) { return parse(ServerAssignors(), name) }

func parse(among []Assignor, name string) (Assignor, bool) {
	at := slices.IndexFunc(among, func(a Assignor) bool { return a.String() == name })
	if at < 0 {
		return 0, false
	}
	return among[at], true
}
