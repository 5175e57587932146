// Package controller is the KRaft controller: it keeps the metadata log, knows by heartbeats who is alive, elects
// leaders and commits every change of an ISR. Nothing about a partition's leadership is true before it stands in the
// metadata log; brokers copy that log and act on it.
package controller

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

const (
	timerSessions  uint8 = iota // the periodic look at the broker sessions
	timerTakeover               // arg: the dead leader (DetectAtOnce)
	timerExit                   // arg: the dead follower (DetectAtOnce)
	timerRebalance              // the periodic preferred election
	timerUnclean                // the periodic unclean election
)

// Controller is the active controller of the cluster.
type Controller struct {
	plan       *plan.Plan
	config     *kafka.ControllerConfig
	brokers    [kafka.MaxBrokerID + 1]registration
	partitions []kafka.PartitionState // indexed by kafka.PartitionID
	log        []kafka.MetadataRecord // the metadata log; the run's initial state comes before it
	parked     []parkedFetch          // brokers that wait for more of the log
	nextEpoch  int64
	latest     event.Seq // the latest event that added to the log
}

// registration is what the controller knows of one broker (BrokerRegistration, BrokerHeartbeatState).
type registration struct {
	epoch       int64
	incarnation int64
	lastContact kafka.Tick
	registered  kafka.Offset // place of its registration in the metadata log
	position    kafka.Offset // how far it has asked for the log
	known       bool
	fenced      bool
	applied     kafka.Offset // how far it has applied the metadata log, by its heartbeats
	lastWord    kafka.Offset // end of the metadata log when its controlled shutdown began
	// shuttingDown: it has asked to stop (controlled shutdown).
	shuttingDown bool
	down         bool          // DetectAtOnce: its process is dead
	offline      kafka.LogDirs // its log directories that have failed
}

type parkedFetch struct {
	reply node.Reply
	from  kafka.NodeID
}

// New builds the controller in the state of the run's beginning.
func New(p *plan.Plan) *Controller {
	c := &Controller{
		plan: p, config: &p.Controller, partitions: plan.InitialPartitions(p),
		nextEpoch: plan.InitialBrokerEpoch(kafka.MaxBrokerID) + 1,
	}
	for i := range p.Brokers {
		b := &p.Brokers[i]
		c.brokers[b.ID] = registration{
			epoch: plan.InitialBrokerEpoch(b.ID), known: true, fenced: b.DeadFromStart, down: b.DeadFromStart,
		}
	}
	return c
}

// Handle implements node.Node.
func (c *Controller) Handle(in *node.Input, out *node.Out) {
	switch in.Kind {
	case node.Request:
		c.handleRequest(in, out)
	case node.TimerFired:
		c.handleTimer(in, out)
	case node.Disconnected:
		c.unpark(in.From)
	case node.PeerDown:
		c.peerDown(in.From, in.Now, out)
	case node.PeerUp:
		c.brokers[in.From].down = false
	case node.Restart:
		c.takeOffice(in.Now)
	case node.Elect:
		c.handleElect(in, out)
	case node.CreatePartitions:
		c.createPartitions(in, out)
	case node.Start:
		c.start(in.Now, out)
	case node.Reconfigure:
		c.plan, c.config = in.Plan, &in.Plan.Controller
	}
}

func (c *Controller) handleRequest(in *node.Input, out *node.Out) {
	switch body := in.Body.(type) {
	case *kafka.BrokerHeartbeatRequest:
		c.handleHeartbeat(in, body, out)
	case *kafka.BrokerRegistrationRequest:
		c.handleRegistration(in, body, out)
	case *kafka.AlterPartitionRequest:
		c.handleAlterPartition(in, body, out)
	case *kafka.MetadataFetchRequest:
		c.handleMetadataFetch(in, body, out)
	}
}

func (c *Controller) handleTimer(in *node.Input, out *node.Out) {
	switch in.Timer.Kind {
	case timerSessions:
		c.checkSessions(in.Now, out)
	case timerTakeover:
		c.takeOver(kafka.NodeID(in.Timer.Arg), out)
	case timerExit:
		c.expel(kafka.NodeID(in.Timer.Arg), out)
	case timerRebalance:
		c.rebalance(in.Now, out)
	case timerUnclean:
		c.electUnclean(in.Now, out)
	}
	c.publish(out)
}

// start tells of the state in which the run begins.
func (c *Controller) start(now kafka.Tick, out *node.Out) {
	for i := range c.partitions {
		p := &c.partitions[i]
		if p.PartitionEpoch == kafka.NotCreated {
			continue
		}
		out.BecauseOfInput()
		kind := event.LeaderElected
		if p.Leader == kafka.NoNode {
			kind = event.PartitionOffline
		}
		c.emitPartition(kind, p, p.ISR, out)
	}
	out.BecauseOfInput()
	if !c.config.DetectAtOnce {
		out.Timer(now+c.config.SessionCheck, node.Timer{Kind: timerSessions})
		c.startElections(now, out)
	}
}

// startElections arms the periodic elections.
func (c *Controller) startElections(now kafka.Tick, out *node.Out) {
	if every := c.config.RebalanceTicks; every > 0 {
		out.Timer(now+every, node.Timer{Kind: timerRebalance})
	}
	if every := c.config.UncleanTicks; every > 0 {
		out.Timer(now+every, node.Timer{Kind: timerUnclean})
	}
}

func (c *Controller) emitPartition(kind event.Kind, p *kafka.PartitionState, before kafka.BrokerSet, out *node.Out) {
	e := event.Event{
		Kind: kind, Node: kafka.ControllerID, Partition: p.Partition, Epoch: p.LeaderEpoch, Value: int64(p.ISR),
		Prev: int64(before),
	}
	if kind != event.PartitionOffline {
		e.Peer = p.Leader
	}
	c.latest = out.Emit(e)
}

// append adds a record to the metadata log.
func (c *Controller) append(r kafka.MetadataRecord) { c.log = append(c.log, r) }

// publish hands new records to the brokers that wait for them.
func (c *Controller) publish(out *node.Out) {
	out.Because(c.latest)
	for i := 0; i < len(c.parked); {
		p := c.parked[i]
		position := c.brokers[p.from].position
		if position >= kafka.Offset(len(c.log)) {
			i++
			continue
		}
		out.Answer(p.reply, c.logFrom(position))
		c.parked = append(c.parked[:i], c.parked[i+1:]...)
	}
}

func (c *Controller) logFrom(position kafka.Offset) *kafka.MetadataFetchResponse {
	return &kafka.MetadataFetchResponse{Offset: position, Records: c.log[position:len(c.log):len(c.log)]}
}

// handleMetadataFetch answers with the log from the offset on, or parks the request until there is more.
func (c *Controller) handleMetadataFetch(in *node.Input, request *kafka.MetadataFetchRequest, out *node.Out) {
	if request.Offset < kafka.Offset(len(c.log)) {
		out.Answer(in.Reply, c.logFrom(request.Offset))
		return
	}
	c.brokers[in.From].position = request.Offset
	c.unpark(in.From)
	c.parked = append(c.parked, parkedFetch{reply: in.Reply, from: in.From})
}

func (c *Controller) unpark(from kafka.NodeID) {
	for i := range c.parked {
		if c.parked[i].from == from {
			c.parked = append(c.parked[:i], c.parked[i+1:]...)
			return
		}
	}
}
