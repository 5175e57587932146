package client

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// findCoordinator asks a broker who coordinates the group, unless that is known or asked already.
func (c *Consumer) findCoordinator(out *node.Out) {
	if c.group.coordinator != kafka.NoNode || c.inCall(kafka.KindFindCoordinatorRequest) || out.Now() < c.group.findAt {
		return
	}
	broker := c.metadata.brokers[c.metadata.next]
	c.call(broker, node.ControlChannel, &kafka.FindCoordinatorRequest{Group: c.spec.Group}, out)
}

func (c *Consumer) coordinatorFound(answer *kafka.FindCoordinatorResponse, out *node.Out) {
	c.metadata.refused = 0
	if answer.Error != kafka.None {
		c.group.findAt = out.Now() + max(1, c.config.RetryBackoff)
		return
	}
	c.group.coordinator = answer.Node
	c.group.sessionEnds = out.Now() + c.config.SessionTimeout // Heartbeat.resetSessionTimeout
	out.Emit(event.Event{Kind: event.CoordinatorLearned, Node: c.id, Peer: answer.Node, Value: int64(c.spec.Group)})
}

// loseCoordinator makes the consumer look for it again, and gives up what it was asked (markCoordinatorUnknown).
func (c *Consumer) loseCoordinator(out *node.Out) {
	if old := c.group.coordinator; old != kafka.NoNode {
		c.hangUp(node.GroupChannel, old, out)
	}
}

// deniesCoordinator takes an error that says who was asked is not the coordinator. Whoever is told so looks for it again.
func (c *Consumer) deniesCoordinator(code kafka.ErrorCode, out *node.Out) bool {
	if code != kafka.CoordinatorNotAvailable && code != kafka.NotCoordinator {
		return false
	}
	c.loseCoordinator(out)
	return true
}

// askMetadata asks who leads what, unless that is asked already.
func (c *Consumer) askMetadata(out *node.Out) {
	c.metadata.wanted = false
	if !c.metadata.inFlight {
		c.metadata.deadline = c.later(out.Now(), c.config.AnswerTimeout)
		c.metadata.ask(out)
	}
}

// wantMetadata asks after an error, at most every retry.backoff.ms.
func (c *Consumer) wantMetadata(out *node.Out) {
	earliest := c.metadata.fresh + c.config.RetryBackoff
	if c.metadata.fresh > 0 && out.Now() < earliest {
		c.metadata.wanted = true
		c.metadata.later(earliest, timerConsumerMetadata, out)
		return
	}
	c.askMetadata(out)
}

// askLater asks again after a while, as long as some leader is missing.
func (c *Consumer) askLater(out *node.Out) {
	if c.lacksLeader() {
		c.metadata.later(out.Now()+c.config.MetadataRetry, timerConsumerMetadata, out)
	}
}

// lacksLeader reports whether some partition of this member has no leader that can be reached.
func (c *Consumer) lacksLeader() bool {
	for i := range c.positions {
		p := &c.positions[i]
		if s := c.session(p.leader); p.state != unassigned && (s == nil || s.blocked) {
			return true
		}
	}
	return false
}

// handleMetadata takes over who leads what, as far as this is news. All partitions of the subscription count, since any
// may come to this member.
func (c *Consumer) handleMetadata(answer *kafka.MetadataResponse, out *node.Out) {
	c.metadata.answered()
	c.metadata.fresh = out.Now()
	c.learnPartitions(answer)
	for _, fresh := range answer.Partitions {
		p := c.position(fresh.Partition)
		if p == nil || fresh.Epoch <= p.epoch {
			continue
		}
		p.asked = false // the old leader's word counts no more
		if s := c.learn(p, fresh, out); s != nil && p.state == standing && !c.buffered(p.partition) {
			s.Set(p.fetchPosition())
		}
	}
	for i := range c.sessions {
		c.sessions[i].blocked = false
	}
	c.electedGoesOn(out)
	c.askLater(out)
}
