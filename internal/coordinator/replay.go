package coordinator

import (
	"strconv"
	"strings"

	"replog/internal/kafka"
)

// Apply takes in a record of the log: what a coordinator before this one wrote. Record by record it comes to know all
// that the others knew, but for what waits for an answer, and for the time of each session.
func (c *Groups) Apply(r *kafka.CoordinatorRecord) {
	c.replayed++
	g := c.obtain(r.Key.Group)
	switch r.Key.Kind {
	case kafka.OffsetCommitKey:
		g.applyOffset(r)
	case kafka.GroupMetadataKey:
		value, _ := r.Value.(*kafka.GroupMetadataValue)
		g.applyClassic(value)
	}
	c.forget(g)
}

// forget drops a group of which nothing is left.
func (c *Groups) forget(g *group) {
	if g.exists() || len(g.offsets) > 0 {
		return
	}
	if i, ok := c.index(g.id); ok {
		c.groups = append(c.groups[:i], c.groups[i+1:]...)
	}
}

// applyClassic makes the group what the record says: a group with members is stable, since the record was written with
// their assignment.
func (g *group) applyClassic(v *kafka.GroupMetadataValue) {
	g.classic = nil
	if v == nil {
		return
	}
	c := newClassicGroup()
	c.leader, c.protocol, c.generation, c.emptySince = v.Leader, v.Protocol, v.Generation, v.EmptySince
	for i := range v.Members {
		c.members = append(c.members, classicMember{GroupMember: v.Members[i], expires: kafka.Never})
		g.memberNo = max(g.memberNo, memberNo(v.Members[i].ID))
	}
	if len(c.members) > 0 {
		c.state = stableGroup
		c.topics = c.subscribed()
	}
	g.classic = c
}

// memberNo is the number at the end of a member id, so that it is not given out again.
func memberNo(id string) int32 {
	n, err := strconv.ParseInt(id[strings.LastIndexByte(id, '-')+1:], 10, 32)
	if err != nil {
		return 0
	}
	return int32(n)
}
