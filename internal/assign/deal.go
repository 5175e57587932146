package assign

import (
	"cmp"
	"slices"
	"strings"

	"replog/internal/kafka"
)

// nobody stands in the place of a member.
const nobody = -1

// A deal is an assignment in the making. Members, topics and partitions are numbered in the order of their turn, so
// what is dealt is a number for each partition: the member that gets it.
type deal struct {
	members    []Member
	place      []int // by member: where the caller has it
	topics     []topic
	partitions []partition // topic by topic
	at         map[kafka.PartitionID]int
	owner      []int // by partition: the member that gets it, or nobody
	size       []int // by member: how many it gets
}

// A topic that at least one member subscribes to.
type topic struct {
	subscribers []int // members, in the order of their turn
	first, end  int   // its partitions
}

func (t *topic) len() int { return t.end - t.first }

// A partition is known by its topic and its number there.
type partition struct {
	id            kafka.PartitionID
	topic, number int
}

// newDeal seats the members, and lays out the partitions of the topics that somebody subscribes to.
func newDeal(members []Member, turn func(a, b Member) int, topics []Topic, before func(a, b Topic) int) *deal {
	d := &deal{at: map[kafka.PartitionID]int{}, size: make([]int, len(members))}
	d.place = ascending(len(members))
	slices.SortStableFunc(d.place, func(a, b int) int { return turn(members[a], members[b]) })
	for _, i := range d.place {
		d.members = append(d.members, members[i])
	}
	topics = slices.SortedStableFunc(slices.Values(topics), before)
	subscribers := d.subscribers(topics)
	for i, t := range topics {
		if len(subscribers[i]) > 0 {
			d.lay(t, subscribers[i])
		}
	}
	return d
}

// subscribers lists the members that subscribe to each topic.
func (d *deal) subscribers(topics []Topic) [][]int {
	index := make(map[string]int, len(topics))
	for i, t := range topics {
		index[t.Name] = i
	}
	lists := make([][]int, len(topics))
	for m := range d.members {
		for _, name := range d.members[m].Topics {
			if i, exists := index[name]; exists && (len(lists[i]) == 0 || lists[i][len(lists[i])-1] != m) {
				lists[i] = append(lists[i], m)
			}
		}
	}
	return lists
}

func (d *deal) lay(t Topic, subscribers []int) {
	first := len(d.partitions)
	for number, id := range t.Partitions {
		d.at[id] = len(d.partitions)
		d.partitions = append(d.partitions, partition{id: id, topic: len(d.topics), number: number})
		d.owner = append(d.owner, nobody)
	}
	d.topics = append(d.topics, topic{subscribers: subscribers, first: first, end: len(d.partitions)})
}

// give deals a partition to a member, and takes it from the one that had it.
func (d *deal) give(p, m int) {
	d.take(p)
	d.owner[p] = m
	d.size[m]++
}

// take leaves a partition with nobody.
func (d *deal) take(p int) {
	if m := d.owner[p]; m != nobody {
		d.size[m]--
		d.owner[p] = nobody
	}
}

// free lists the partitions that nobody has.
func (d *deal) free() []int {
	var free []int
	for p, m := range d.owner {
		if m == nobody {
			free = append(free, p)
		}
	}
	return free
}

// leastLoaded is the first of these members that has the fewest partitions.
func (d *deal) leastLoaded(members []int) int {
	return slices.MinFunc(members, func(a, b int) int { return cmp.Compare(d.size[a], d.size[b]) })
}

// mayOwn reports whether the member subscribes to the partition's topic.
func (d *deal) mayOwn(m, p int) bool {
	_, found := slices.BinarySearch(d.topics[d.partitions[p].topic].subscribers, m)
	return found
}

// subscribeAlike reports whether each member subscribes to the same topics. Then a fair share is the same for all.
func (d *deal) subscribeAlike() bool {
	return !slices.ContainsFunc(d.topics, func(t topic) bool { return len(t.subscribers) < len(d.members) })
}

// assignment is what was dealt, as the caller sees it.
func (d *deal) assignment() Assignment {
	a := make(Assignment, len(d.members))
	for m := range d.members {
		a[d.place[m]] = make([]kafka.PartitionID, 0, d.size[m])
	}
	for p, m := range d.owner {
		if m != nobody {
			a[d.place[m]] = append(a[d.place[m]], d.partitions[p].id)
		}
	}
	for m := range a {
		slices.Sort(a[m])
	}
	return a
}

// staticFirst is the order of range and roundrobin (AbstractPartitionAssignor.MemberInfo): static members by instance
// id, so that one that returns under another member id finds its partitions again, then the dynamic ones by member id.
func staticFirst(a, b Member) int {
	return cmp.Or(
		isDynamic(a)-isDynamic(b),
		strings.Compare(a.InstanceID, b.InstanceID),
		strings.Compare(a.ID, b.ID),
	)
}

func isDynamic(m Member) int {
	if m.InstanceID == "" {
		return 1
	}
	return 0
}

// byID is the order of the sticky assignors: what a member owns ties it to its partitions, not its place. As the ids
// are strings, m10 comes before m2.
func byID(a, b Member) int { return strings.Compare(a.ID, b.ID) }

// byName is the clients' order of topics.
func byName(a, b Topic) int { return strings.Compare(a.Name, b.Name) }

// byCreation is the coordinator's order of topics, which it knows by their ids. Kafka's ids are random; here an older
// topic has smaller partition ids.
func byCreation(a, b Topic) int { return slices.Compare(a.Partitions, b.Partitions) }

// ascending lists 0 to n-1.
func ascending(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
