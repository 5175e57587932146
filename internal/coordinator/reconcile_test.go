package coordinator

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"replog/internal/assign"
	"replog/internal/kafka"
	"replog/internal/testdata"
)

// A vector is one case of internal/testdata/vectors/group_reconcile.json.
type vector struct {
	ID, Desc       string
	Member, Expect vectorMember
	TargetEpoch    int32
	Target         []string
	Owned          *[]string
	NotFree        []string
}

type vectorMember struct {
	State             string
	Epoch             int32
	Assigned          []string
	PendingRevocation []string
}

// partitions turns t2-5 into 205.
func partitions(names []string) []kafka.PartitionID {
	var ids []kafka.PartitionID
	for _, name := range names {
		var topic, number int
		if _, err := fmt.Sscanf(name, "t%d-%d", &topic, &number); err != nil {
			panic(err)
		}
		ids = append(ids, kafka.PartitionID(topic*100+number))
	}
	return ids
}

func (v vectorMember) assignment() CurrentAssignment {
	return CurrentAssignment{
		Assigned:          partitions(v.Assigned),
		PendingRevocation: partitions(v.PendingRevocation),
		MemberEpoch:       v.Epoch,
		State:             MemberState(slices.Index(memberStateNames[:], v.State)),
	}
}

func TestMembersReconcileAsInKafka(t *testing.T) {
	cases := testdata.Vectors[vector](t, "group_reconcile.json")
	for _, v := range cases {
		t.Run(v.ID, func(t *testing.T) {
			var h Heartbeat
			if v.Owned != nil {
				h = Heartbeat{Owned: partitions(*v.Owned), Reported: true}
			}
			elsewhere := func(p kafka.PartitionID) bool { return slices.Contains(partitions(v.NotFree), p) }
			got := v.Member.assignment().Reconcile(Target{partitions(v.Target), v.TargetEpoch}, h, elsewhere)
			if want := v.Expect.assignment(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s\n got %v\nwant %v", v.Desc, got, want)
			}
		})
	}
}

// A drawnGroup is a group whose heartbeats come in any order. A member works on what it was last told, until it is told
// otherwise; it reports what it works on, or says nothing.
type drawnGroup struct {
	targets []Target
	members []CurrentAssignment
	working [][]kafka.PartitionID
}

const drawnPartitions = 8

// retarget deals the partitions anew, over some of the members.
func (g *drawnGroup) retarget(t *rapid.T) {
	for m := range g.targets {
		g.targets[m] = Target{Epoch: g.targets[m].Epoch + 1}
	}
	for p := range kafka.PartitionID(drawnPartitions) {
		m := &g.targets[rapid.IntRange(0, len(g.targets)-1).Draw(t, "target")]
		m.Partitions = append(m.Partitions, p)
	}
}

func (g *drawnGroup) heartbeat(m int, h Heartbeat) {
	g.members[m] = g.members[m].Reconcile(g.targets[m], h, func(p kafka.PartitionID) bool {
		return slices.IndexFunc(g.members, func(c CurrentAssignment) bool {
			return slices.Contains(c.Assigned, p) || slices.Contains(c.PendingRevocation, p)
		}) >= 0 && !slices.Contains(g.members[m].Assigned, p) && !slices.Contains(g.members[m].PendingRevocation, p)
	})
}

// answer reaches the member, which lets go and takes up what it is told.
func (g *drawnGroup) answer(m int) { g.working[m] = g.members[m].Assigned }

func TestNoPartitionHasTwoOwnersOnTheWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "members")
		g := drawnGroup{make([]Target, n), make([]CurrentAssignment, n), make([][]kafka.PartitionID, n)}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			m := rapid.IntRange(0, n-1).Draw(t, "member")
			before := g.members[m].MemberEpoch
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				g.retarget(t)
			case 1:
				g.heartbeat(m, Heartbeat{})
			case 2:
				g.heartbeat(m, Heartbeat{Owned: g.working[m], Reported: true})
			default:
				g.answer(m)
			}
			if g.members[m].MemberEpoch < before || g.members[m].MemberEpoch > g.targets[m].Epoch {
				t.Fatalf("the epoch of member %d goes from %d to %d, target %d", m, before, g.members[m].MemberEpoch, g.targets[m].Epoch)
			}
			g.oneOwnerEach(t)
		}
		g.settle(t)
	})
}

func (g *drawnGroup) oneOwnerEach(t *rapid.T) {
	for p := range kafka.PartitionID(drawnPartitions) {
		at := func(lists [][]kafka.PartitionID) (n int) {
			for _, list := range lists {
				if slices.Contains(list, p) {
					n++
				}
			}
			return n
		}
		var known [][]kafka.PartitionID
		for _, c := range g.members {
			known = append(known, c.Assigned, c.PendingRevocation)
		}
		if at(known) > 1 || at(g.working) > 1 {
			t.Fatalf("partition %d has two owners: %v, at work are %v", p, g.members, g.working)
		}
	}
}

// settle lets everybody report until nothing changes: each member then has its target.
func (g *drawnGroup) settle(t *rapid.T) {
	for range 4 * len(g.members) {
		for m := range g.members {
			g.answer(m)
			g.heartbeat(m, Heartbeat{Owned: g.working[m], Reported: true})
		}
	}
	for m, c := range g.members {
		if c.State != Stable || c.MemberEpoch != g.targets[m].Epoch || !slices.Equal(c.Assigned, g.targets[m].Partitions) {
			t.Fatalf("member %d does not get to %v, it has %v", m, g.targets[m], c)
		}
	}
}

func ExampleCurrentAssignment_Reconcile() {
	orders := assign.Topic{Name: "orders", Partitions: []kafka.PartitionID{0, 1, 2, 3}}
	members := []assign.Member{
		{ID: "m1", Topics: []string{"orders"}, Owned: orders.Partitions},
		{ID: "m2", Topics: []string{"orders"}},
	}
	targets := assign.Uniform.Assign(members, []assign.Topic{orders})
	m1 := CurrentAssignment{Assigned: orders.Partitions, MemberEpoch: 1}
	m2 := CurrentAssignment{}
	ownedBy := func(c *CurrentAssignment) func(kafka.PartitionID) bool {
		return func(p kafka.PartitionID) bool {
			return slices.Contains(c.Assigned, p) || slices.Contains(c.PendingRevocation, p)
		}
	}
	show := func(who string, c CurrentAssignment) {
		fmt.Println(who, "epoch", c.MemberEpoch, c.State, c.Assigned)
	}

	m2 = m2.Reconcile(Target{targets[1], 2}, Heartbeat{Reported: true}, ownedBy(&m1))
	show("m2", m2)
	m1 = m1.Reconcile(Target{targets[0], 2}, Heartbeat{}, ownedBy(&m2))
	show("m1", m1)
	m1 = m1.Reconcile(Target{targets[0], 2}, Heartbeat{Owned: m1.Assigned, Reported: true}, ownedBy(&m2))
	show("m1", m1)
	m2 = m2.Reconcile(Target{targets[1], 2}, Heartbeat{}, ownedBy(&m1))
	show("m2", m2)
	// Output:
	// m2 epoch 2 UNRELEASED_PARTITIONS []
	// m1 epoch 1 UNREVOKED_PARTITIONS [0 1]
	// m1 epoch 2 STABLE [0 1]
	// m2 epoch 2 STABLE [2 3]
}
