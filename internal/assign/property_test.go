package assign

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"replog/internal/kafka"
)

var everyAssignor = []Assignor{Range, RoundRobin, Sticky, CooperativeSticky, Uniform}

// A group is a drawn one: who is in it, and what there is to read.
type group struct {
	members []Member
	topics  []Topic
}

// drawGroup draws a group whose members own nothing yet.
func drawGroup(t *rapid.T, alike bool) group {
	var g group
	var names []string
	next := kafka.PartitionID(0)
	for i := range rapid.IntRange(1, 4).Draw(t, "topics") {
		topic := Topic{Name: fmt.Sprint("t", i)}
		for range rapid.IntRange(0, 9).Draw(t, "partitions") {
			topic.Partitions = append(topic.Partitions, next)
			next++
		}
		names = append(names, topic.Name)
		g.topics = append(g.topics, topic)
	}
	for i := range rapid.IntRange(1, 6).Draw(t, "members") {
		m := Member{ID: fmt.Sprint("m", i+7), Topics: names, Generation: NoGeneration} // m10 comes before m7
		if rapid.Bool().Draw(t, "static") {
			m.InstanceID = fmt.Sprint("i", 20-i)
		}
		if !alike {
			m.Topics = slices.DeleteFunc(slices.Clone(names), func(string) bool { return rapid.Bool().Draw(t, "without") })
		}
		g.members = append(g.members, m)
	}
	return g
}

// claim lets the members own partitions in any way, also the same one or some that they do not subscribe to.
func (g group) claim(t *rapid.T) {
	for _, topic := range g.topics {
		for _, p := range topic.Partitions {
			for range rapid.IntRange(0, 2).Draw(t, "owners") {
				m := &g.members[rapid.IntRange(0, len(g.members)-1).Draw(t, "owner")]
				m.Owned = append(m.Owned, p)
			}
		}
	}
	for i := range g.members {
		g.members[i].Generation = rapid.Int32Range(-1, 3).Draw(t, "generation")
	}
}

// take lets the members own what they were assigned.
func (g group) take(a Assignment) {
	for i := range g.members {
		g.members[i].Owned = a[i]
		g.members[i].Generation++
	}
}

func (g group) subscribers(topic Topic) int {
	n := 0
	for _, m := range g.members {
		if slices.Contains(m.Topics, topic.Name) {
			n++
		}
	}
	return n
}

func TestEachSubscribedPartitionHasExactlyOneOwner(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGroup(t, rapid.Bool().Draw(t, "alike"))
		g.claim(t)
		for _, assignor := range everyAssignor {
			a := assignor.Assign(g.members, g.topics)
			for _, topic := range g.topics {
				for _, p := range topic.Partitions {
					owners := 0
					for i, m := range g.members {
						if !slices.Contains(a[i], p) {
							continue
						}
						owners++
						if !slices.Contains(m.Topics, topic.Name) {
							t.Fatalf("%s: %s gets %d of %s, to which it does not subscribe", assignor, m.ID, p, topic.Name)
						}
					}
					withheld := owners == 0 && assignor == CooperativeSticky
					if owners != min(1, g.subscribers(topic)) && !withheld {
						t.Fatalf("%s: %d of %s has %d owners", assignor, p, topic.Name, owners)
					}
				}
			}
		}
	})
}

func TestSharesDifferByAtMostOneWhereAllSubscribeAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGroup(t, true)
		g.claim(t)
		for _, assignor := range []Assignor{RoundRobin, Sticky, Uniform} {
			a := assignor.Assign(g.members, g.topics)
			bySize := func(x, y []kafka.PartitionID) int { return len(x) - len(y) }
			if least, most := slices.MinFunc(a, bySize), slices.MaxFunc(a, bySize); len(most)-len(least) > 1 {
				t.Fatalf("%s: %v and %v", assignor, least, most)
			}
		}
	})
}

// TestNoMoveBalancesMore: with different subscriptions, no partition can go to a subscriber that has two fewer.
func TestNoMoveBalancesMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGroup(t, false)
		g.claim(t)
		for _, assignor := range []Assignor{Sticky, Uniform} {
			a := assignor.Assign(g.members, g.topics)
			for _, topic := range g.topics {
				for i := range g.members {
					has := slices.ContainsFunc(topic.Partitions, func(p kafka.PartitionID) bool { return slices.Contains(a[i], p) })
					for j, other := range g.members {
						if has && slices.Contains(other.Topics, topic.Name) && len(a[i]) > len(a[j])+1 {
							t.Fatalf("%s: of %s, %s could give to %s: %v", assignor, topic.Name, g.members[i].ID, other.ID, a)
						}
					}
				}
			}
		}
	})
}

func TestMembersKeepWhatBalanceAllows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGroup(t, true)
		total, owned := 0, make([][]kafka.PartitionID, len(g.members))
		for _, topic := range g.topics {
			total += len(topic.Partitions)
			for _, p := range topic.Partitions {
				if owner := rapid.IntRange(-1, len(g.members)-1).Draw(t, "owner"); owner >= 0 {
					owned[owner] = append(owned[owner], p)
				}
			}
		}
		g.take(owned)
		share, extra := total/len(g.members), total%len(g.members)
		sticky, uniform := Sticky.Assign(g.members, g.topics), Uniform.Assign(g.members, g.topics)
		kept, allowed := 0, 0
		for i, m := range g.members {
			keeps := func(a Assignment) int { return len(m.Owned) - len(m.Revoked(a[i])) }
			least := min(share, len(m.Owned))
			if keeps(sticky) < least || keeps(uniform) < least {
				t.Fatalf("%s owns %v and keeps %v (sticky), %v (uniform)", m.ID, m.Owned, sticky[i], uniform[i])
			}
			kept += keeps(sticky)
			allowed += least
			if len(m.Owned) > share && extra > 0 {
				allowed++
				extra--
			}
		}
		if kept != allowed {
			t.Fatalf("sticky keeps %d, balance allows %d: %v", kept, allowed, sticky)
		}
	})
}

func TestNothingMovesWithoutACause(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGroup(t, rapid.Bool().Draw(t, "alike"))
		for _, assignor := range everyAssignor {
			first := assignor.Assign(g.members, g.topics)
			g.take(first)
			if again := assignor.Assign(g.members, g.topics); !equal(first, again) {
				t.Fatalf("%s: %v becomes %v", assignor, first, again)
			}
			g.take(make(Assignment, len(g.members)))
		}
	})
}

func TestALeaveTakesNothingFromThoseWhoStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGroup(t, true)
		for _, assignor := range []Assignor{Sticky, CooperativeSticky} {
			g.take(assignor.Assign(g.members, g.topics))
			left := rapid.IntRange(0, len(g.members)-1).Draw(t, "left")
			stay := slices.Delete(slices.Clone(g.members), left, left+1)
			for i, assigned := range assignor.Assign(stay, g.topics) {
				if lost := stay[i].Revoked(assigned); len(lost) > 0 {
					t.Fatalf("%s: %s left, and %s loses %v", assignor, g.members[left].ID, stay[i].ID, lost)
				}
			}
		}
	})
}

// TestTwoRoundsGiveWhatOneWouldHave: what is withheld in the first round is handed out in the second, as it was meant.
func TestTwoRoundsGiveWhatOneWouldHave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGroup(t, true)
		g.take(Sticky.Assign(g.members, g.topics))
		g.members = append(g.members, Member{ID: "m0", Topics: g.members[0].Topics, Generation: NoGeneration})
		meant := Sticky.Assign(g.members, g.topics)
		first := CooperativeSticky.Assign(g.members, g.topics)
		for i, m := range g.members {
			for _, p := range first[i] {
				if !slices.Contains(meant[i], p) {
					t.Fatalf("%s gets %d, which is not meant for it", m.ID, p)
				}
				for j := range g.members {
					if j != i && slices.Contains(g.members[j].Owned, p) {
						t.Fatalf("%s gets %d while %s owns it", m.ID, p, g.members[j].ID)
					}
				}
			}
		}
		g.take(first)
		for i := range g.members {
			g.members[i].Generation = 9
		}
		if second := CooperativeSticky.Assign(g.members, g.topics); !equal(second, meant) {
			t.Fatalf("second round %v, meant was %v", second, meant)
		}
	})
}

func TestTheOrderOfMembersAndTopicsPlaysNoPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGroup(t, rapid.Bool().Draw(t, "alike"))
		g.claim(t)
		members := rapid.Permutation(g.members).Draw(t, "order of members")
		topics := rapid.Permutation(g.topics).Draw(t, "order of topics")
		for _, assignor := range everyAssignor {
			a, b := assignor.Assign(g.members, g.topics), assignor.Assign(members, topics)
			for i, m := range g.members {
				j := slices.IndexFunc(members, func(o Member) bool { return o.ID == m.ID })
				if !slices.Equal(a[i], b[j]) {
					t.Fatalf("%s: %s gets %v or %v", assignor, m.ID, a[i], b[j])
				}
			}
		}
	})
}

func TestAssignorsLeaveTheirInputAlone(t *testing.T) {
	g := group{
		members: []Member{{ID: "b", Topics: []string{"u", "t"}, Owned: []kafka.PartitionID{2, 1, 0}}, {ID: "a", Topics: []string{"t"}}},
		topics:  []Topic{{Name: "u", Partitions: []kafka.PartitionID{2, 3}}, {Name: "t", Partitions: []kafka.PartitionID{0, 1}}},
	}
	before := fmt.Sprint(g)
	for _, assignor := range everyAssignor {
		assignor.Assign(g.members, g.topics)
		if after := fmt.Sprint(g); after != before {
			t.Errorf("%s makes %s of %s", assignor, after, before)
		}
	}
}

func TestAnEmptyGroupIsAssignedNothing(t *testing.T) {
	topics := []Topic{{Name: "orders", Partitions: []kafka.PartitionID{0}}}
	for _, assignor := range everyAssignor {
		if a := assignor.Assign(nil, topics); len(a) != 0 {
			t.Errorf("%s: %v", assignor, a)
		}
	}
}

func TestAssignorsAreKnownByKafkasNames(t *testing.T) {
	for _, a := range ClientAssignors() {
		if got, ok := ParseClient(a.String()); !ok || got != a {
			t.Errorf("client %s: %s, %v", a, got, ok)
		}
		if a.Cooperative() != (a == CooperativeSticky) {
			t.Errorf("%s: cooperative %v", a, a.Cooperative())
		}
	}
	for _, a := range ServerAssignors() {
		if got, ok := ParseServer(a.String()); !ok || got != a {
			t.Errorf("server %s: %s, %v", a, got, ok)
		}
	}
	if _, ok := ParseServer("sticky"); ok {
		t.Error("the coordinator has no sticky assignor of that name")
	}
	if _, ok := ParseClient("uniform"); ok {
		t.Error("uniform is not an assignor of the clients")
	}
}

func equal(a, b Assignment) bool { return slices.EqualFunc(a, b, slices.Equal) }
