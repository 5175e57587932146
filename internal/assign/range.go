package assign

// assignRange cuts each topic into blocks, one for each subscriber; where that does not come out even, the first
// subscribers get one more (RangeAssignor). It starts anew for each topic: partition n of two topics that are cut alike
// goes to one member, which a join needs, and the first members pay for it with the remainder of every topic.
func assignRange(members []Member, topics []Topic) Assignment {
	d := newDeal(members, staticFirst, topics, byName)
	for _, t := range d.topics {
		share, extra := t.len()/len(t.subscribers), t.len()%len(t.subscribers)
		next := t.first
		for i, m := range t.subscribers {
			block := share
			if i < extra {
				block++
			}
			for range block {
				d.give(next, m)
				next++
			}
		}
	}
	return d.assignment()
}
