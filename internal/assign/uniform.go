package assign

import (
	"cmp"
	"slices"
)

// assignUniform is the coordinator's default (UniformAssignor, KIP-848): balanced, and sticky towards the present
// targets, which the coordinator knows for certain; there are no claims to weigh.
func assignUniform(members []Member, topics []Topic) Assignment {
	d := newDeal(members, byID, topics, byCreation)
	if d.subscribeAlike() {
		d.uniformAlike()
	} else {
		d.uniformUnlike()
	}
	return d.assignment()
}

// uniformAlike deals where all members subscribe to the same topics. Each has a quota, and the first members have one
// more, whatever they own (UniformHomogeneousAssignmentBuilder). They are filled up one after the other, so a member
// that starts empty gets neighbours.
func (d *deal) uniformAlike() {
	if len(d.partitions) == 0 {
		return
	}
	quota := make([]int, len(d.members))
	for m := range quota {
		quota[m] = len(d.partitions) / len(d.members)
		if m < len(d.partitions)%len(d.members) {
			quota[m]++
		}
	}
	present := d.present()
	d.keep(present)
	free := d.free()
	for m, owned := range present {
		for _, p := range owned[min(quota[m], len(owned)):] {
			d.take(p)
			free = append(free, p)
		}
	}
	for m := range d.members {
		for d.size[m] < quota[m] {
			d.give(free[0], m)
			free = free[1:]
		}
	}
}

// present lists what each member has and subscribes to; what two have counts as the first one's.
func (d *deal) present() [][]int {
	lists := make([][]int, len(d.members))
	taken := make([]bool, len(d.partitions))
	for m := range d.members {
		for _, p := range d.owned(m) {
			if !taken[p] && d.mayOwn(m, p) {
				taken[p] = true
				lists[m] = append(lists[m], p)
			}
		}
	}
	return lists
}

// keep gives each member its list.
func (d *deal) keep(lists [][]int) {
	for m, owned := range lists {
		for _, p := range owned {
			d.give(p, m)
		}
	}
}

// maxRounds bounds how often uniformUnlike goes over the topics. Members that share some of their topics and not others
// may take a few rounds (UniformHeterogeneousAssignmentBuilder.MAX_ITERATION_COUNT).
const maxRounds = 16

// uniformUnlike deals where members subscribe to different topics: everybody keeps everything at first, what is free
// goes to whoever has least, and then each topic is levelled among its subscribers, over and over while that moves
// anything (UniformHeterogeneousAssignmentBuilder).
func (d *deal) uniformUnlike() {
	d.keep(d.present())
	order := d.crowdedFirst()
	for _, t := range order {
		subscribers := d.bySize(t.subscribers)
		for p := t.first; p < t.end; p++ {
			if d.owner[p] == nobody {
				d.give(p, d.leastLoaded(subscribers))
			}
		}
	}
	for range maxRounds {
		moved := 0
		for _, t := range order {
			moved += d.level(t)
		}
		if moved == 0 {
			return
		}
	}
}

// crowdedFirst orders the topics: those with the most partitions for each subscriber first, then those with the fewest
// subscribers. The topics that are left for the end can make up for what is uneven.
func (d *deal) crowdedFirst() []topic {
	return slices.SortedStableFunc(slices.Values(d.topics), func(a, b topic) int {
		return cmp.Or(
			cmp.Compare(b.len()*len(a.subscribers), a.len()*len(b.subscribers)),
			cmp.Compare(len(a.subscribers), len(b.subscribers)),
		)
	})
}

// bySize orders members by how many partitions they have.
func (d *deal) bySize(members []int) []int {
	return slices.SortedStableFunc(slices.Values(members), func(a, b int) int { return cmp.Compare(d.size[a], d.size[b]) })
}

// level moves partitions of one topic from the subscriber that has most, of all topics, to the one that has least,
// until the two differ by one. It returns how many it moved.
func (d *deal) level(t topic) int {
	subscribers := d.bySize(t.subscribers)
	gives := make([][]int, len(d.members)) // by member: its partitions of the topic
	for p := t.first; p < t.end; p++ {
		gives[d.owner[p]] = append(gives[d.owner[p]], p)
	}
	for moved := 0; ; moved++ {
		from, to := nobody, d.leastLoaded(subscribers)
		for _, m := range subscribers {
			if len(gives[m]) > 0 && (from == nobody || d.size[m] >= d.size[from]) {
				from = m
			}
		}
		if from == nobody || d.size[from] <= d.size[to]+1 {
			return moved
		}
		last := len(gives[from]) - 1
		d.give(gives[from][last], to)
		gives[from] = gives[from][:last]
	}
}
