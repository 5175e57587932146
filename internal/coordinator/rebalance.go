package coordinator

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// rebalanceOrComplete follows on whatever may make the group rebalance, or be what its join phase waits for. because is
// the member behind it.
func (s *step) rebalanceOrComplete(g *group, because kafka.NodeID) {
	if g.classic.state == preparingRebalance {
		s.maybeCompleteJoin(g)
		return
	}
	s.prepareRebalance(g, because)
}

// prepareRebalance begins a join phase (GroupMetadataManager.prepareRebalance). A group that was empty first waits
// group.initial.rebalance.delay.ms, as members that start together do not come at the same moment.
func (s *step) prepareRebalance(g *group, because kafka.NodeID) {
	c := g.classic
	if c.state == completingRebalance {
		s.propagate(g, kafka.RebalanceInProgress)
	}
	c.forgiveSyncs()
	c.initial = c.state == emptyGroup
	c.state = preparingRebalance
	s.emit(g, event.Event{Kind: event.RebalanceBegan, Peer: because, Epoch: kafka.Epoch(c.generation)})
	switch {
	case c.initial:
		c.joinDelay = s.setting.Config.InitialRebalanceDelay
		c.joinLeft = max(c.rebalanceTimeout()-c.joinDelay, 0)
		c.joinAt = s.now + c.joinDelay
	case c.allJoined():
		s.completeJoin(g)
	default:
		c.joinAt = s.now + c.rebalanceTimeout()
	}
}

// maybeCompleteJoin ends the join phase if everybody is there. An initial one always lasts its time.
func (s *step) maybeCompleteJoin(g *group) {
	if c := g.classic; c.state == preparingRebalance && !c.initial && c.allJoined() {
		s.completeJoin(g)
	}
}

// joinPhaseOver is called when the time of the join phase is up. The initial one is prolonged while new members come, up
// to the rebalance timeout (tryCompleteInitialRebalanceElseSchedule).
func (s *step) joinPhaseOver(g *group) {
	c := g.classic
	if !c.initial || !c.grown || c.joinLeft == 0 {
		s.completeJoin(g)
		return
	}
	c.grown = false
	before := c.joinDelay
	c.joinDelay = min(s.setting.Config.InitialRebalanceDelay, c.joinLeft)
	c.joinLeft = max(c.joinLeft-before, 0)
	c.joinAt = s.now + c.joinDelay
}

// completeJoin ends the join phase: who has not joined is out, and the next generation begins
// (GroupMetadataManager.completeClassicGroupJoin).
func (s *step) completeJoin(g *group) {
	c := g.classic
	c.joinAt = kafka.Never
	s.removeAbsent(g)
	if len(c.members) > 0 && !c.electJoined() {
		// Nobody is there but static members that are away. Their sessions will end, or they come back.
		c.joinAt = s.now + c.rebalanceTimeout()
		return
	}
	s.initNextGeneration(c)
	if len(c.members) == 0 {
		s.becomeEmpty(g)
		return
	}
	c.protocol = c.selectProtocol()
	c.topics = c.subscribed()
	c.state = completingRebalance
	s.emit(g, event.Event{
		Kind: event.GenerationBegan, Peer: c.member(c.leader).Node, Epoch: kafka.Epoch(c.generation), Count: int32(len(c.members)),
	})
	for i := range c.members {
		m := &c.members[i]
		if m.joining() {
			s.out.Answer(m.join, c.joined(m, false))
			m.join.Conn = 0
		} else {
			s.emit(g, event.Event{Kind: event.MemberAbsent, Peer: m.Node, Epoch: kafka.Epoch(c.generation)})
		}
		m.alive(s.now)
		m.isNew, m.owesSync = false, true
	}
	c.syncAt = s.now + c.rebalanceTimeout()
}

// initNextGeneration raises the generation, so that nobody can act for one that is over.
func (s *step) initNextGeneration(c *classicGroup) {
	if !s.setting.Config.Rules.GenerationKept || c.generation == 0 {
		c.generation++
	}
}

// removeAbsent takes out the dynamic members that have not joined. A static one may be on its way back.
func (s *step) removeAbsent(g *group) {
	c := g.classic
	for i := 0; i < len(c.members); {
		m := c.members[i]
		if m.joining() || m.static() {
			i++
			continue
		}
		c.remove(m.ID)
		s.emit(g, event.Event{Kind: event.MemberRemoved, Peer: m.Node})
	}
}

// electJoined makes sure that the leader is one that has joined; false if nobody has
// (ClassicGroup.maybeElectNewJoinedLeader).
func (c *classicGroup) electJoined() bool {
	if c.member(c.leader).joining() {
		return true
	}
	for i := range c.members {
		if c.members[i].joining() {
			c.leader = c.members[i].ID
			return true
		}
	}
	return false
}

func (s *step) becomeEmpty(g *group) {
	c := g.classic
	c.state, c.emptySince, c.protocol, c.topics = emptyGroup, s.now, "", nil
	s.emit(g, event.Event{Kind: event.GenerationBegan, Peer: kafka.NoNode, Epoch: kafka.Epoch(c.generation)})
	s.writeClassic(g)
}

// forgiveSyncs lets go of whoever owes a SyncGroup: the generation is over.
func (c *classicGroup) forgiveSyncs() {
	c.syncAt = kafka.Never
	for i := range c.members {
		c.members[i].owesSync = false
	}
}
