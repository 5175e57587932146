package assign

import "slices"

// assignCooperative is the sticky assignment less what has to move (CooperativeStickyAssignor, KIP-429): all members
// keep working on what they own, so a partition may have a new owner only after the old one has let go of it. Members
// that lose something join again at once (Member.Revoked), and the second round hands out what they let go of.
func assignCooperative(members []Member, topics []Topic) Assignment {
	d := newDeal(members, byID, topics, byName)
	c := d.claims()
	d.sticky(c)
	d.withhold(c)
	return d.assignment()
}

// withhold takes back what somebody else owns still. With unequal subscriptions Kafka takes each member at its word: a
// member that was away and is given back what it had gets it at once, although another may be at work on it.
func (d *deal) withhold(c *claims) {
	alike := d.subscribeAlike()
	for p, m := range d.owner {
		claimed := c.owner[p] != nobody || c.contested[p]
		stays := c.owner[p] == m
		if !alike && m != nobody {
			stays = slices.Contains(d.members[m].Owned, d.partitions[p].id)
		}
		if claimed && !stays {
			d.take(p)
		}
	}
}
