package coordinator

import (
	"slices"
	"strings"

	"replog/internal/assign"
	"replog/internal/kafka"
	"replog/internal/node"
)

// classicState is where a classic group stands. Kafka's fifth state, Dead, is a group that is not here any more.
type classicState uint8

const (
	// emptyGroup: no members; there may be offsets.
	emptyGroup classicState = iota
	// preparingRebalance: the join phase. All members are to join again.
	preparingRebalance
	// completingRebalance: a generation has begun, and the leader's assignment is not committed yet.
	completingRebalance
	// stableGroup: every member has or can get its assignment.
	stableGroup
)

var classicStateNames = [...]string{"Empty", "PreparingRebalance", "CompletingRebalance", "Stable"}

// String is Kafka's name of the state.
func (s classicState) String() string { return classicStateNames[s] }

// classicGroup is a group whose members assign among themselves (ClassicGroup).
type classicGroup struct {
	members    []classicMember // ascending by id
	pending    []pendingMember // who was given an id and has not come back with it, ascending by id
	topics     []kafka.TopicID // that the members of this generation subscribe to, ascending
	leader     string          // member id, empty without members
	protocol   string          // the assignor of this generation
	generation int32
	state      classicState
	initial    bool // the rebalance began in an empty group, which waits a while for others to come
	grown      bool // somebody has come since the initial rebalance was last prolonged

	joinAt     kafka.Tick // when the join phase ends at the latest; kafka.Never outside of one
	joinDelay  kafka.Tick // the present prolongation of the initial rebalance
	joinLeft   kafka.Tick // how much longer it may still be prolonged
	syncAt     kafka.Tick // when those that owe their SyncGroup are removed; kafka.Never if nobody owes one
	emptySince kafka.Tick // emptyGroup only
}

// classicMember is a member of a classic group (ClassicGroupMember). Conn 0 stands for no parked request.
type classicMember struct {
	kafka.GroupMember
	join     node.Reply // of its parked JoinGroup
	sync     node.Reply // of its parked SyncGroup
	expires  kafka.Tick // when its session ends
	heard    kafka.Tick // when it last gave a sign of life
	isNew    bool       // its first JoinGroup is parked: it can not send heartbeats, and has longer
	owesSync bool       // its SyncGroup in this generation has not come
}

// pendingMember has an id and is to join with it (KIP-394).
type pendingMember struct {
	id      string
	expires kafka.Tick
}

func newClassicGroup() *classicGroup {
	return &classicGroup{joinAt: kafka.Never, syncAt: kafka.Never}
}

func (c *classicGroup) index(id string) (int, bool) {
	return slices.BinarySearchFunc(c.members, id, func(m classicMember, id string) int { return strings.Compare(m.ID, id) })
}

// member returns a member, or nil. The pointer is good until a member comes or goes.
func (c *classicGroup) member(id string) *classicMember {
	if i, ok := c.index(id); ok {
		return &c.members[i]
	}
	return nil
}

// instance returns the static member with a group.instance.id, or nil.
func (c *classicGroup) instance(instanceID string) *classicMember {
	for i := range c.members {
		if c.members[i].InstanceID == instanceID {
			return &c.members[i]
		}
	}
	return nil
}

// add takes a member in; the first one leads the group.
func (c *classicGroup) add(m classicMember) {
	i, _ := c.index(m.ID)
	c.members = slices.Insert(c.members, i, m)
	if c.leader == "" {
		c.leader = m.ID
	}
	c.dropPending(m.ID)
}

// remove takes a member out. If it was the leader, another one is; Kafka does not say which.
func (c *classicGroup) remove(id string) {
	if i, ok := c.index(id); ok {
		c.members = slices.Delete(c.members, i, i+1)
	}
	if c.leader == id {
		c.leader = ""
		if len(c.members) > 0 {
			c.leader = c.members[0].ID
		}
	}
}

func (c *classicGroup) pendingIndex(id string) (int, bool) {
	return slices.BinarySearchFunc(c.pending, id, func(p pendingMember, id string) int { return strings.Compare(p.id, id) })
}

func (c *classicGroup) addPending(p pendingMember) {
	i, _ := c.pendingIndex(p.id)
	c.pending = slices.Insert(c.pending, i, p)
}

// dropPending reports whether the id was a pending member's.
func (c *classicGroup) dropPending(id string) bool {
	i, ok := c.pendingIndex(id)
	if ok {
		c.pending = slices.Delete(c.pending, i, i+1)
	}
	return ok
}

// validate says what is wrong with the sender of a request, if anything is (ClassicGroup.validateMember).
func (c *classicGroup) validate(memberID, instanceID string) kafka.ErrorCode {
	if instanceID != "" {
		static := c.instance(instanceID)
		switch {
		case static == nil:
			return kafka.UnknownMemberID
		case static.ID != memberID:
			return kafka.FencedInstanceID
		}
	}
	if c.member(memberID) == nil {
		return kafka.UnknownMemberID
	}
	return kafka.None
}

// validateGeneration is the same for a request that belongs to a generation.
func (c *classicGroup) validateGeneration(memberID, instanceID string, generation int32) kafka.ErrorCode {
	if code := c.validate(memberID, instanceID); code != kafka.None {
		return code
	}
	if generation != c.generation {
		return kafka.IllegalGeneration
	}
	return kafka.None
}

// allJoined reports whether everybody that the group knows of has joined.
func (c *classicGroup) allJoined() bool {
	return len(c.pending) == 0 && !slices.ContainsFunc(c.members, func(m classicMember) bool { return !m.joining() })
}

// rebalanceTimeout is the largest of the members'.
func (c *classicGroup) rebalanceTimeout() kafka.Tick {
	var longest kafka.Tick
	for i := range c.members {
		longest = max(longest, c.members[i].RebalanceTimeout)
	}
	return longest
}

// supports reports whether a newcomer has an assignor that all members have (ClassicGroup.supportsProtocols).
func (c *classicGroup) supports(protocols []kafka.Protocol) bool {
	if c.state == emptyGroup {
		return len(protocols) > 0
	}
	return slices.ContainsFunc(protocols, func(p kafka.Protocol) bool { return c.common(p.Name) })
}

// common reports whether all members have an assignor.
func (c *classicGroup) common(name string) bool {
	for i := range c.members {
		if c.members[i].subscription(name) == nil {
			return false
		}
	}
	return true
}

// selectProtocol lets each member vote for the first of its assignors that all have (ClassicGroup.selectProtocol).
func (c *classicGroup) selectProtocol() string {
	var names []string
	var votes []int
	for i := range c.members {
		name := c.members[i].vote(c)
		at := slices.Index(names, name)
		if at < 0 {
			at = len(names)
			names, votes = append(names, name), append(votes, 0)
		}
		votes[at]++
	}
	return mostVotes(names, votes)
}

// mostVotes breaks a tie as Kafka's HashMap of the votes happens to: by the order of its buckets.
func mostVotes(names []string, votes []int) string {
	best := 0
	for i := range names {
		if votes[i] > votes[best] || votes[i] == votes[best] && assign.Bucket(names[i]) < assign.Bucket(names[best]) {
			best = i
		}
	}
	return names[best]
}

func (c *classicGroup) subscribed() []kafka.TopicID {
	var topics []kafka.TopicID
	for i := range c.members {
		topics = append(topics, c.members[i].subscription(c.protocol).Topics...)
	}
	slices.Sort(topics)
	return slices.Compact(topics)
}

func (m *classicMember) joining() bool { return m.join.Conn != 0 }
func (m *classicMember) syncing() bool { return m.sync.Conn != 0 }
func (m *classicMember) static() bool  { return m.InstanceID != "" }

// subscription is what the member says for an assignor, nil if it does not have that one.
func (m *classicMember) subscription(name string) *kafka.Protocol {
	for i := range m.Protocols {
		if m.Protocols[i].Name == name {
			return &m.Protocols[i]
		}
	}
	return nil
}

func (m *classicMember) vote(c *classicGroup) string {
	for i := range m.Protocols {
		if c.common(m.Protocols[i].Name) {
			return m.Protocols[i].Name
		}
	}
	return ""
}

// matches reports whether a JoinGroup says what the member said before.
func (m *classicMember) matches(protocols []kafka.Protocol) bool {
	return slices.EqualFunc(m.Protocols, protocols, func(a, b kafka.Protocol) bool {
		return a.Name == b.Name && a.Generation == b.Generation && slices.Equal(a.Topics, b.Topics) && slices.Equal(a.Owned, b.Owned)
	})
}

// alive begins the member's session anew.
func (m *classicMember) alive(now kafka.Tick) { m.heard, m.expires = now, now+m.SessionTimeout }

// clone copies the group. What the members' slices point to never changes.
func (c *classicGroup) clone() *classicGroup {
	n := *c
	n.members, n.pending = slices.Clone(c.members), slices.Clone(c.pending)
	return &n
}
