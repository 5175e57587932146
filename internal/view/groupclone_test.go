package view_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
	"replog/internal/view/history"
)

// act writes one random thing of a group of two; not all of them make sense, and the fold must bear them.
func act(t *rapid.T, g *history.Group) {
	member := kafka.NodeID(rapid.IntRange(int(one), int(two)).Draw(t, "member"))
	p := kafka.PartitionID(rapid.IntRange(0, 1).Draw(t, "partition"))
	epoch := kafka.Epoch(rapid.IntRange(0, 3).Draw(t, "epoch"))
	g.Now += kafka.Tick(rapid.IntRange(0, 3).Draw(t, "ticks"))
	switch rapid.IntRange(0, 11).Draw(t, "action") {
	case 0:
		g.Start(member)
	case 1:
		g.Crash(member)
	case 2:
		g.Join(member)
	case 3:
		g.Out(event.MemberExpired, member)
	case 4:
		g.Rebalance(member, epoch)
	case 5:
		g.Generation(member, epoch, 1)
		g.Stable(epoch, 1)
	case 6:
		g.Target(member, epoch)
		g.Reach(member, epoch, 0)
	case 7:
		g.Get(member, epoch, p)
	case 8:
		g.LetGo(event.PartitionRevoked, member, epoch, p)
	case 9:
		g.Commit(member, p, kafka.Offset(epoch), 0)
	case 10:
		g.Do(member, p, kafka.Offset(epoch), kafka.RecordID(epoch))
	default:
		g.Hosted(kafka.NodeID(1+epoch%2), 2)
	}
}

// allOfGroups is everything that the groups of a picture can answer.
type allOfGroups struct {
	Groups     []view.Group
	Members    []view.Member
	Claims     []view.Claim
	Partitions []view.GroupPartition
	Effects    []view.Effect
}

func everythingOf(c *view.Cluster) allOfGroups {
	g := c.Groups()
	a := allOfGroups{Groups: g.List(), Members: g.Members(0), Effects: c.Effects(0, kafka.NoNode, 1000)}
	a.Claims = append(a.Claims, g.Claims(0)...)
	a.Partitions = append(a.Partitions, g.Partitions(0)...)
	return a
}

func TestClonedGroupsDoNotDisturbEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := history.New(3, 0, 1, 2).Group(0, 1)
		for range rapid.IntRange(0, 40).Draw(t, "before") {
			act(t, g)
		}
		original := view.New(packing)
		apply(original, g.History, 0)
		seen := g.Log.Len()
		kept := original.Clone()
		forward := kept.Clone()
		before := everythingOf(kept)
		for range rapid.IntRange(1, 40).Draw(t, "after") {
			act(t, g)
		}
		apply(original, g.History, seen)
		apply(forward, g.History, seen)
		if diff := cmp.Diff(before, everythingOf(kept)); diff != "" {
			t.Fatal("the clone was changed:", diff)
		}
		want := everythingOf(pictureOf(g.History))
		for name, c := range map[string]*view.Cluster{"original": original, "clone": forward} {
			if diff := cmp.Diff(want, everythingOf(c)); diff != "" {
				t.Fatal(name, "differs from a fold from the start:", diff)
			}
		}
	})
}

// TestOwnerHasAClaim: whoever is said to have a partition believes so, and was not removed; when nobody is, nobody does.
func TestOwnerHasAClaim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := history.New(3, 0, 1, 2).Group(0, 1)
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			act(t, g)
		}
		c := groupsOf(g.History)
		for _, p := range c.Partitions(0) {
			valid := map[kafka.NodeID]bool{}
			for _, claim := range c.Claims(0) {
				if claim.Partition == p.Partition && !claim.Stale {
					valid[claim.Member] = true
				}
			}
			if (p.Owner == kafka.NoNode) != (len(valid) == 0) || p.Owner != kafka.NoNode && !valid[p.Owner] || p.Owner == p.Stray && p.Owner != kafka.NoNode {
				t.Fatalf("%+v, claims %+v", p, c.Claims(0))
			}
		}
	})
}
