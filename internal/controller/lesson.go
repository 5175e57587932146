package controller

import (
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file is the lesson's way to notice a death (kafka.ControllerConfig.DetectAtOnce): no heartbeats, no sessions.

// peerDown hears of a broker's death. What it led is taken over after the takeover time; where it followed it leaves
// the ISR after the exit time.
func (c *Controller) peerDown(id kafka.NodeID, now kafka.Tick, out *node.Out) {
	c.brokers[id].down = true
	leads := false
	for i := range c.partitions {
		leads = leads || c.partitions[i].Leader == id
	}
	if leads { // also at once: whoever dies in the same tick is then known to be dead
		out.Timer(now+c.config.TakeoverTicks, node.Timer{Kind: timerTakeover, Arg: int32(id)})
	}
	out.Timer(now+c.config.FollowerExitTicks, node.Timer{Kind: timerExit, Arg: int32(id)})
}

// takeOver elects a new leader for what a dead broker led. The ISR is then whoever of it is alive.
func (c *Controller) takeOver(id kafka.NodeID, out *node.Out) {
	cause := out.Cause()
	elected := false
	for i := range c.partitions {
		p := &c.partitions[i]
		if p.Leader != id {
			continue
		}
		isr := p.ISR
		for member := isr.Next(0); member != kafka.NoNode; member = isr.Next(member) {
			if c.brokers[member].down && isr.Len() > 1 {
				isr = isr.Without(member)
			}
		}
		out.Because(cause)
		c.change(p, change{isr: isr}, out)
		elected = elected || p.Leader != kafka.NoNode
	}
	if elected {
		out.Announce(kafka.LeadersOf(c.partitions))
	}
}

// expel takes a dead broker out of the ISRs in which it follows.
func (c *Controller) expel(id kafka.NodeID, out *node.Out) {
	if !c.brokers[id].down || c.brokers[id].fenced {
		return
	}
	cause := out.Cause()
	c.brokers[id].fenced = true
	c.append(kafka.MetadataRecord{Kind: kafka.FenceBroker, Broker: id, BrokerEpoch: c.brokers[id].epoch})
	for i := range c.partitions {
		if p := &c.partitions[i]; p.Leader != id {
			out.Because(cause)
			c.leave(p, id, out)
		}
	}
}
