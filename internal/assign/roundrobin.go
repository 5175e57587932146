package assign

// assignRoundRobin deals the partitions of all topics in one circle (RoundRobinAssignor). A member that does not
// subscribe to the topic is passed over, and waits until the circle comes round again: with unequal subscriptions the
// shares may differ widely.
func assignRoundRobin(members []Member, topics []Topic) Assignment {
	d := newDeal(members, staticFirst, topics, byName)
	turn := 0
	for p := range d.partitions {
		for !d.mayOwn(turn, p) {
			turn = (turn + 1) % len(d.members)
		}
		d.give(p, turn)
		turn = (turn + 1) % len(d.members)
	}
	return d.assignment()
}
