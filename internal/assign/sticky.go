package assign

import (
	"cmp"
	"slices"
)

// assignSticky balances first, and second lets members keep what they own (StickyAssignor).
func assignSticky(members []Member, topics []Topic) Assignment {
	d := newDeal(members, byID, topics, byName)
	d.sticky(d.claims())
	return d.assignment()
}

func (d *deal) sticky(c *claims) {
	if d.subscribeAlike() {
		d.stickyAlike(c)
	} else {
		d.stickyUnlike(c)
	}
}

// stickyAlike deals where all members subscribe to the same topics. Then each gets the rounded down share, and some get
// one more: first those that own that many already (AbstractStickyAssignor.ConstrainedAssignmentBuilder).
func (d *deal) stickyAlike(c *claims) {
	if len(d.partitions) == 0 {
		return
	}
	share, extra := len(d.partitions)/len(d.members), len(d.partitions)%len(d.members)
	var hungry, content []int // those with less than the share, and those with just that
	trusted := d.trusted(c)
	for _, m := range d.hashOrder() {
		owned := trusted[m]
		switch {
		case len(owned) < share:
			hungry = append(hungry, m)
		case len(owned) > share && extra > 0:
			owned = owned[:share+1]
			extra--
		default:
			owned = owned[:share]
			content = append(content, m)
		}
		for _, p := range owned {
			d.give(p, m)
		}
	}

	slices.Sort(hungry)
	slices.Sort(content)
	d.dealAround(share, hungry, content)
}

// dealAround deals what is free around the hungry until each has the share; what is then left goes to the content, one
// each.
func (d *deal) dealAround(share int, hungry, content []int) {
	for _, p := range d.free() {
		queue := &hungry
		if len(hungry) == 0 {
			queue = &content
		}
		m := (*queue)[0]
		*queue = (*queue)[1:]
		d.give(p, m)
		switch {
		case d.size[m] < share:
			hungry = append(hungry, m)
		case d.size[m] == share:
			content = append(content, m)
		}
	}
}

// trusted lists what each member owns, low partition numbers first: what it gives up is then of all topics alike.
func (d *deal) trusted(c *claims) [][]int {
	owned := make([][]int, len(d.members))
	for p, m := range c.owner {
		if m != nobody {
			owned[m] = append(owned[m], p)
		}
	}
	for _, list := range owned {
		slices.SortFunc(list, func(a, b int) int {
			return cmp.Or(cmp.Compare(d.partitions[a].number, d.partitions[b].number), cmp.Compare(a, b))
		})
	}
	return owned
}

// stickyUnlike deals where members subscribe to different topics: everybody keeps everything at first, what is free
// goes to whoever has least, and then partitions move until no move makes two members more alike
// (AbstractStickyAssignor.GeneralAssignmentBuilder).
func (d *deal) stickyUnlike(c *claims) {
	unsubscribed := false
	for p, m := range c.owner {
		switch {
		case m == nobody:
		case d.mayOwn(m, p):
			d.give(p, m)
		default:
			unsubscribed = true
		}
	}
	all := d.scarceFirst()
	var fresh []int
	for _, p := range all {
		if d.owner[p] == nobody {
			d.give(p, d.leastLoaded(d.subscribersOf(p)))
			fresh = append(fresh, p)
		}
	}
	l := leveling{deal: d, former: c.former, home: slices.Clone(d.owner)}
	if !unsubscribed {
		l.run(fresh) // it may be enough to move what nobody had
	}
	l.run(all)
}

// scarceFirst lists all partitions; those that the fewest members can have come first.
func (d *deal) scarceFirst() []int {
	all := ascending(len(d.partitions))
	slices.SortStableFunc(all, func(a, b int) int {
		return cmp.Compare(len(d.subscribersOf(a)), len(d.subscribersOf(b)))
	})
	return all
}

func (d *deal) subscribersOf(p int) []int { return d.topics[d.partitions[p].topic].subscribers }

// A leveling moves partitions from members that have more to members that have less.
type leveling struct {
	*deal
	former []int // by partition: who had it in an older generation
	home   []int // by partition: who had it when the leveling began
}

// run moves partitions of the list until no move helps. A partition moves only to a member that has at least two fewer,
// so the shares grow more alike with each move, and it comes to an end. (Kafka compares before and after, and goes back
// if nothing was gained; that cannot be.)
func (l *leveling) run(list []int) {
	for moved := true; moved; {
		moved = false
		for _, p := range list {
			if to := l.better(p); to != nobody {
				l.move(p, to)
				moved = true
			}
		}
	}
}

// better is a member that should have the partition instead of its owner: whoever had it formerly, or has the fewest.
func (l *leveling) better(p int) int {
	if m := l.former[p]; m != nobody && l.mayOwn(m, p) && l.helps(p, m) {
		return m
	}
	if m := l.leastLoaded(l.subscribersOf(p)); l.helps(p, m) {
		return m
	}
	return nobody
}

func (l *leveling) helps(p, to int) bool { return l.size[l.owner[p]] > l.size[to]+1 }

// move moves the partition, or rather one of the same topic that came from there: then one partition has moved in the
// end and not two.
func (l *leveling) move(p, to int) {
	from, t := l.owner[p], l.topics[l.partitions[p].topic]
	for other := t.first; other < t.end; other++ {
		if l.owner[other] == from && l.home[other] == to {
			p = other
			break
		}
	}
	l.give(p, to)
}
