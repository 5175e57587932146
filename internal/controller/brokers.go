package controller

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// handleHeartbeat renews a broker's session and unfences it when it has caught up with its own registration
// (ReplicationControlManager.processBrokerHeartbeat).
func (c *Controller) handleHeartbeat(in *node.Input, request *kafka.BrokerHeartbeatRequest, out *node.Out) {
	b := &c.brokers[request.Broker]
	if !b.known || b.epoch != request.BrokerEpoch {
		out.Answer(in.Reply, &kafka.BrokerHeartbeatResponse{Fenced: true, Error: kafka.StaleBrokerEpoch})
		return
	}
	b.lastContact, b.applied = in.Now, request.MetadataOffset
	c.noteOfflineDirs(request, out)
	if request.WantShutdown {
		c.answerShutdown(in, request.Broker, out)
		return
	}
	if b.fenced && request.MetadataOffset > b.registered {
		c.unfence(request.Broker, out)
	}
	out.Answer(in.Reply, &kafka.BrokerHeartbeatResponse{MetadataEnd: kafka.Offset(len(c.log)), Fenced: b.fenced})
	c.publish(out)
}

// answerShutdown answers the heartbeat of a broker that wants to stop.
func (c *Controller) answerShutdown(in *node.Input, id kafka.NodeID, out *node.Out) {
	b := &c.brokers[id]
	if !b.shuttingDown {
		c.beginShutdown(id, out)
	}
	stop := c.mayStop(id)
	if stop && !b.fenced {
		c.letGo(id, out)
	}
	out.Answer(in.Reply, &kafka.BrokerHeartbeatResponse{MetadataEnd: kafka.Offset(len(c.log)), Fenced: b.fenced, ShouldShutdown: stop})
	c.publish(out)
}

// handleRegistration enters a broker that has started, unless the session of its incarnation before still lasts
// (ClusterControlManager.registerBroker).
func (c *Controller) handleRegistration(in *node.Input, request *kafka.BrokerRegistrationRequest, out *node.Out) {
	b := &c.brokers[request.Broker]
	if b.known && !b.fenced && b.incarnation != request.Incarnation {
		out.Answer(in.Reply, &kafka.BrokerRegistrationResponse{Error: kafka.DuplicateBrokerRegistration})
		return
	}
	if b.known && b.epoch != 0 && b.incarnation == request.Incarnation {
		out.Answer(in.Reply, &kafka.BrokerRegistrationResponse{BrokerEpoch: b.epoch}) // it did not hear the first answer
		return
	}
	*b = registration{
		epoch: c.nextEpoch, incarnation: request.Incarnation, lastContact: in.Now, position: b.position,
		registered: kafka.Offset(len(c.log)), known: true, fenced: true,
	}
	c.nextEpoch++
	c.append(kafka.MetadataRecord{Kind: kafka.RegisterBroker, Broker: request.Broker, BrokerEpoch: b.epoch})
	c.latest = out.Emit(event.Event{
		Kind: event.BrokerRegistered, Node: kafka.ControllerID, Peer: request.Broker, Value: b.epoch,
	})
	if c.rules().EligibleLeaderReplicas && !request.Clean {
		c.returnedUnclean(request.Broker, out)
	}
	out.Answer(in.Reply, &kafka.BrokerRegistrationResponse{BrokerEpoch: b.epoch})
	if c.config.DetectAtOnce {
		c.unfence(request.Broker, out) // the lesson has no heartbeats
	}
	c.publish(out)
}

// checkSessions is the periodic look at the sessions. It fences whoever was last heard of more than
// broker.session.timeout.ms ago (BrokerHeartbeatManager, KAFKA-17793). Kafka fences one broker a run and lets the next
// run follow at once; that is one loop here.
func (c *Controller) checkSessions(now kafka.Tick, out *node.Out) {
	for i := range c.plan.Brokers {
		id := c.plan.Brokers[i].ID
		b := &c.brokers[id]
		if b.known && !b.fenced && b.lastContact+c.config.SessionTimeout < now {
			out.BecauseOfInput()
			c.fence(id, b.lastContact, out)
		}
	}
	out.BecauseOfInput()
	out.Timer(now+c.config.SessionCheck, node.Timer{Kind: timerSessions})
}

// takeOffice begins the time of a new active controller: it gives every broker a whole session, because nobody could have
// heard the heartbeats before (KAFKA-18138).
func (c *Controller) takeOffice(now kafka.Tick) {
	for i := range c.brokers {
		c.brokers[i].lastContact = now
	}
}

// fence takes a broker out of service: out of every ISR, and out of every leadership (handleBrokerFenced).
func (c *Controller) fence(id kafka.NodeID, lastContact kafka.Tick, out *node.Out) {
	c.brokers[id].fenced = true
	c.append(kafka.MetadataRecord{Kind: kafka.FenceBroker, Broker: id, BrokerEpoch: c.brokers[id].epoch})
	fenced := out.Emit(event.Event{
		Kind: event.BrokerFenced, Node: kafka.ControllerID, Peer: id, Value: int64(lastContact),
	})
	c.latest = fenced
	for i := range c.partitions {
		out.Because(fenced)
		c.leave(&c.partitions[i], id, out)
	}
}

// unfence lets a broker serve, and leads again what waits for it (handleBrokerUnfenced).
func (c *Controller) unfence(id kafka.NodeID, out *node.Out) {
	c.brokers[id].fenced = false
	c.append(kafka.MetadataRecord{Kind: kafka.UnfenceBroker, Broker: id, BrokerEpoch: c.brokers[id].epoch})
	unfenced := out.Emit(event.Event{Kind: event.BrokerUnfenced, Node: kafka.ControllerID, Peer: id})
	c.latest = unfenced
	for i := range c.partitions {
		if p := &c.partitions[i]; p.Leader == kafka.NoNode {
			out.Because(unfenced)
			c.change(p, change{isr: p.ISR, election: c.anyElection(p.Partition)}, out)
		}
	}
}
