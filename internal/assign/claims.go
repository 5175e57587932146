package assign

import "math"

// claims is who owns what when a deal begins, as far as the members' word can be trusted. A member that was away
// still claims what it had, and others have got it since: the claim of the highest generation counts. If several
// members claim a partition in that generation, no claim to it counts (AbstractStickyAssignor, KIP-341).
type claims struct {
	owner     []int  // by partition: the member whose claim counts, or nobody
	contested []bool // by partition: several claims of the highest generation, so none counts
	former    []int  // by partition: the last one to claim it in an older generation than the group's newest, or nobody
}

func (d *deal) claims() *claims {
	n := len(d.partitions)
	c := &claims{owner: make([]int, n), contested: make([]bool, n), former: make([]int, n)}
	claimed, formerly := make([]int32, n), make([]int32, n) // the generations of owner and former
	for p := range n {
		c.owner[p], c.former[p] = nobody, nobody
		claimed[p], formerly[p] = math.MinInt32, math.MinInt32
	}
	newest := NoGeneration
	for _, m := range d.members {
		newest = max(newest, m.Generation)
	}
	for m := range d.members {
		generation := d.members[m].Generation
		for _, p := range d.owned(m) {
			switch {
			case generation > claimed[p]:
				c.owner[p], c.contested[p], claimed[p] = m, false, generation
			case generation == claimed[p]:
				c.owner[p], c.contested[p] = nobody, true
			}
			if generation < newest && generation > formerly[p] {
				c.former[p], formerly[p] = m, generation
			}
		}
	}
	return c
}

// owned lists the partitions in the deal that a member says it owns, each once.
func (d *deal) owned(m int) []int {
	list := d.members[m].Owned
	owned := make([]int, 0, len(list))
	seen := make(map[int]bool, len(list))
	for _, id := range list {
		if p, dealt := d.at[id]; dealt && !seen[p] {
			seen[p] = true
			owned = append(owned, p)
		}
	}
	return owned
}
