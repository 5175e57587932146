package assign

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"replog/internal/kafka"
	"replog/internal/testdata"
)

// A vector is one case of internal/testdata/vectors/assignor_*.json: what Kafka's own classes do.
type vector struct {
	ID, Desc, Basis string
	Assignor        string // assignor_server.json: uniform or range
	Topics          map[string]int
	Members         map[string]vectorMember
	Expect, Target  map[string][]string
	Rejoin          *bool
	Checks          *struct {
		Total int
		Sizes []int
		Kept  map[string]int
	}
}

type vectorMember struct {
	Topics         []string
	InstanceID     string
	Owned, Current []string
	Generation     int32
}

// notExpressed lists the cases that cannot run through the code, and why. All can: also where Kafka's own tests ask for
// less (basis observed or executed), what was dealt is the same.
var notExpressed = map[string]string{}

// A cluster gives the partitions of a case their ids. Partitions that are only owned, because their topic is gone, get
// one too.
type cluster struct {
	topics []Topic
	ids    map[string]kafka.PartitionID
	names  map[kafka.PartitionID]string
}

// newCluster creates the topics in the reverse order of their names. The coordinator goes by the topics' ids; Kafka's
// tests give theirs such ids that the hash set which hands out free partitions has them in this order.
func newCluster(partitions map[string]int) *cluster {
	c := &cluster{ids: map[string]kafka.PartitionID{}, names: map[kafka.PartitionID]string{}}
	for name, n := range partitions {
		c.topics = append(c.topics, Topic{Name: name, Partitions: make([]kafka.PartitionID, n)})
	}
	slices.SortFunc(c.topics, func(a, b Topic) int { return cmp.Compare(b.Name, a.Name) })
	for _, topic := range c.topics {
		for i := range topic.Partitions {
			topic.Partitions[i] = c.id(topic.Name + "-" + strconv.Itoa(i))
		}
	}
	return c
}

func (c *cluster) id(name string) kafka.PartitionID {
	id, known := c.ids[name]
	if !known {
		id = kafka.PartitionID(len(c.ids))
		c.ids[name], c.names[id] = id, name
	}
	return id
}

func (c *cluster) member(id string, v vectorMember) Member {
	m := Member{ID: id, InstanceID: v.InstanceID, Topics: v.Topics, Generation: v.Generation}
	for _, name := range slices.Concat(v.Owned, v.Current) {
		m.Owned = append(m.Owned, c.id(name))
	}
	return m
}

// members are those of the case, in any order.
func (c *cluster) members(v vector) []Member {
	var members []Member
	for id, m := range v.Members {
		members = append(members, c.member(id, m))
	}
	return members
}

// read writes an assignment as the vectors do.
func (c *cluster) read(members []Member, a Assignment) map[string][]string {
	read := map[string][]string{}
	for i, m := range members {
		read[m.ID] = []string{}
		for _, p := range a[i] {
			read[m.ID] = append(read[m.ID], c.names[p])
		}
	}
	return read
}

func differ(got, want map[string][]string) string {
	var b strings.Builder
	for id := range want {
		slices.Sort(got[id])
		slices.Sort(want[id])
		if !slices.Equal(got[id], want[id]) {
			fmt.Fprintf(&b, "%s gets %v, want %v\n", id, got[id], want[id])
		}
	}
	if len(got) != len(want) {
		fmt.Fprintf(&b, "%d members, want %d\n", len(got), len(want))
	}
	return b.String()
}

func TestAssignorsDealAsKafkaDoes(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range []struct {
		name     string
		assignor Assignor
	}{
		{"assignor_range.json", Range},
		{"assignor_roundrobin.json", RoundRobin},
		{"assignor_sticky.json", Sticky},
		{"assignor_cooperative.json", CooperativeSticky},
		{"assignor_server.json", Uniform},
	} {
		for _, v := range testdata.Vectors[vector](t, file.name) {
			seen[v.ID] = true
			assignor := file.assignor
			if v.Assignor != "" {
				assignor, _ = ParseServer(v.Assignor)
			}
			t.Run(v.ID, func(t *testing.T) {
				if why := notExpressed[v.ID]; why != "" {
					t.Skip(why)
				}
				runVector(t, v, assignor)
			})
		}
	}
	for id, why := range notExpressed {
		if !seen[id] || why == "" {
			t.Errorf("%s is on the list of what cannot be expressed: no such case, or no reason (%q)", id, why)
		}
	}
}

func runVector(t *testing.T, v vector, assignor Assignor) {
	c := newCluster(v.Topics)
	members := c.members(v)
	got := assignor.Assign(members, c.topics)
	difference := differ(c.read(members, got), v.Expect)
	if v.Target != nil {
		difference += differ(c.read(members, Sticky.Assign(members, c.topics)), v.Target)
	}
	if difference != "" {
		t.Errorf("%s (%s)\n%s", v.Desc, v.Basis, difference)
	}
	if v.Rejoin != nil {
		rejoin := false
		for i := range members {
			rejoin = rejoin || len(members[i].Revoked(got[i])) > 0
		}
		if rejoin != *v.Rejoin {
			t.Errorf("somebody joins again: %v, want %v", rejoin, *v.Rejoin)
		}
	}
	if v.Checks != nil {
		var sizes []int
		for i, m := range members {
			sizes = append(sizes, len(got[i]))
			if kept := len(m.Owned) - len(m.Revoked(got[i])); kept != v.Checks.Kept[m.ID] {
				t.Errorf("%s keeps %d, want %d", m.ID, kept, v.Checks.Kept[m.ID])
			}
		}
		slices.Sort(sizes)
		if !slices.Equal(sizes, v.Checks.Sizes) {
			t.Errorf("shares of %v, want %v", sizes, v.Checks.Sizes)
		}
	}
}
