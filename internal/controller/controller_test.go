package controller

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// desk is a controller of three brokers with one partition on all of them, broker 1 leading in leader epoch 0.
type desk struct {
	t   *testing.T
	c   *Controller
	out node.Out
	now kafka.Tick
}

func newDesk(t *testing.T) *desk {
	p := &plan.Plan{
		Brokers:    []plan.Broker{{ID: 1}, {ID: 2}, {ID: 3}},
		Partitions: []plan.Partition{{Replicas: []kafka.NodeID{1, 2, 3}, Config: kafka.TopicConfig{MinInSyncReplicas: 1}}},
		Controller: kafka.ControllerConfig{SessionTimeout: 9000, SessionCheck: 1125},
	}
	return &desk{t: t, c: New(p)}
}

// give hands in a request and returns the answer to it.
func (d *desk) give(from kafka.NodeID, body kafka.Body) kafka.Body {
	d.out.Begin(d.now, 0, 1, true)
	d.c.Handle(&node.Input{
		Kind: node.Request, From: from, Body: body, Now: d.now, Reply: node.Reply{Conn: kafka.ConnID(from)},
	}, &d.out)
	for i := range d.out.Effects {
		if e := &d.out.Effects[i]; e.Kind == node.SendReply && e.Reply.Conn == kafka.ConnID(from) {
			return e.Body
		}
	}
	return nil
}

func (d *desk) heartbeat(from kafka.NodeID) {
	d.give(from, &kafka.BrokerHeartbeatRequest{Broker: from, BrokerEpoch: d.c.brokers[from].epoch, MetadataOffset: 1 << 20})
}

func (d *desk) look() {
	d.out.Begin(d.now, 0, 1, true)
	d.c.Handle(&node.Input{Kind: node.TimerFired, Timer: node.Timer{Kind: timerSessions}, Now: d.now}, &d.out)
}

// alter asks for an ISR as the present leader would, changed by the test.
func (d *desk) alter(change func(*kafka.AlterPartitionRequest)) *kafka.AlterPartitionResponse {
	p := &d.c.partitions[0]
	r := &kafka.AlterPartitionRequest{
		Broker: p.Leader, BrokerEpoch: d.c.brokers[p.Leader].epoch, LeaderEpoch: p.LeaderEpoch,
		PartitionEpoch: p.PartitionEpoch, ISR: p.ISR,
	}
	change(r)
	return d.give(r.Broker, r).(*kafka.AlterPartitionResponse)
}

// TestFencedStrictlyAfterTheSession: at last contact + broker.session.timeout.ms a broker is not stale yet.
func TestFencedStrictlyAfterTheSession(t *testing.T) {
	d := newDesk(t)
	d.now = 100
	for id := kafka.NodeID(1); id <= 3; id++ {
		d.heartbeat(id)
	}
	d.now = 9100
	d.heartbeat(2)
	d.heartbeat(3)
	d.look()
	if d.c.Fenced(1) {
		t.Error("fenced at the end of its session")
	}
	d.now = 9101
	d.look()
	p := d.c.Partition(0)
	if !d.c.Fenced(1) || p.Leader != 2 || p.ISR != kafka.SetOf(2, 3) || p.LeaderEpoch != 1 || p.PartitionEpoch != 1 {
		t.Errorf("fenced %v, partition %+v", d.c.Fenced(1), p)
	}
}

// TestLastMemberStaysInTheISR, and leads again when it is back.
func TestLastMemberStaysInTheISR(t *testing.T) {
	d := newDesk(t)
	for id := kafka.NodeID(1); id <= 3; id++ {
		d.c.fence(id, 0, &d.out)
	}
	if p := d.c.Partition(0); p.Leader != kafka.NoNode || p.ISR != kafka.SetOf(3) || p.LeaderEpoch != 3 {
		t.Fatalf("with all fenced: %+v", p)
	}
	d.c.unfence(1, &d.out)
	if p := d.c.Partition(0); p.Leader != kafka.NoNode {
		t.Errorf("a broker outside of the ISR leads: %+v", p)
	}
	d.c.unfence(3, &d.out)
	if p := d.c.Partition(0); p.Leader != 3 || p.LeaderEpoch != 4 {
		t.Errorf("the last member is back: %+v", p)
	}
}

// TestRefusals goes through what the controller says to a proposal that it must not commit.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		want   kafka.ErrorCode
		change func(*kafka.AlterPartitionRequest)
	}{
		{kafka.None, func(r *kafka.AlterPartitionRequest) { r.ISR = kafka.SetOf(1, 2) }},
		{kafka.StaleBrokerEpoch, func(r *kafka.AlterPartitionRequest) { r.BrokerEpoch-- }},
		{kafka.NotController, func(r *kafka.AlterPartitionRequest) { r.LeaderEpoch++ }},
		{kafka.FencedLeaderEpoch, func(r *kafka.AlterPartitionRequest) { r.LeaderEpoch-- }},
		{kafka.InvalidUpdateVersion, func(r *kafka.AlterPartitionRequest) { r.PartitionEpoch-- }},
		{kafka.InvalidRequest, func(r *kafka.AlterPartitionRequest) { r.ISR = kafka.SetOf(2, 3) }},
		{kafka.InvalidRequest, func(r *kafka.AlterPartitionRequest) { r.Broker, r.BrokerEpoch = 2, 2 }},
		{kafka.IneligibleReplica, func(r *kafka.AlterPartitionRequest) { r.ISR = kafka.SetOf(1, 2, 3) }},
	} {
		d := newDesk(t)
		d.c.fence(3, 0, &d.out) // ISR 1,2
		before := d.c.Partition(0)
		got := d.alter(c.change)
		if got.Error != c.want || c.want != kafka.None && d.c.Partition(0) != before {
			t.Errorf("answered %v, want %v; partition %+v", got.Error, c.want, d.c.Partition(0))
		}
	}
}

// TestISRChangeBumpsOnlyThePartitionEpoch: a shrink by the leader keeps the leader epoch (3.6 and later).
func TestISRChangeBumpsOnlyThePartitionEpoch(t *testing.T) {
	d := newDesk(t)
	got := d.alter(func(r *kafka.AlterPartitionRequest) { r.ISR = kafka.SetOf(1, 3) })
	p := d.c.Partition(0)
	if got.PartitionEpoch != 1 || p.PartitionEpoch != 1 || p.LeaderEpoch != 0 || p.ISR != kafka.SetOf(1, 3) {
		t.Errorf("answered %+v, partition %+v", got, p)
	}
}

// TestRegistrationWaitsForTheOldSession: a restarted broker is refused while its session lasts, then enters fenced with
// an epoch of its own and is unfenced once it has read its own registration.
func TestRegistrationWaitsForTheOldSession(t *testing.T) {
	d := newDesk(t)
	register := func() *kafka.BrokerRegistrationResponse {
		return d.give(1, &kafka.BrokerRegistrationRequest{Broker: 1, Incarnation: 7}).(*kafka.BrokerRegistrationResponse)
	}
	if got := register(); got.Error != kafka.DuplicateBrokerRegistration {
		t.Fatalf("answered %+v", got)
	}
	d.c.fence(1, 0, &d.out)
	got := register()
	if got.Error != kafka.None || got.BrokerEpoch <= 1 || !d.c.Fenced(1) {
		t.Fatalf("answered %+v, fenced %v", got, d.c.Fenced(1))
	}
	beat := &kafka.BrokerHeartbeatRequest{Broker: 1, BrokerEpoch: got.BrokerEpoch}
	beat.MetadataOffset = d.c.brokers[1].registered
	d.give(1, beat)
	if !d.c.Fenced(1) {
		t.Error("unfenced before it has read its registration")
	}
	beat = &kafka.BrokerHeartbeatRequest{Broker: 1, BrokerEpoch: got.BrokerEpoch, MetadataOffset: d.c.brokers[1].registered + 1}
	d.give(1, beat)
	if d.c.Fenced(1) {
		t.Error("still fenced")
	}
	stale := d.give(1, &kafka.BrokerHeartbeatRequest{Broker: 1, BrokerEpoch: 1}).(*kafka.BrokerHeartbeatResponse)
	if stale.Error != kafka.StaleBrokerEpoch {
		t.Errorf("an old broker epoch is answered %+v", stale)
	}
}

// TestEveryChangeIsInTheMetadataLog, in the order in which it was made.
func TestEveryChangeIsInTheMetadataLog(t *testing.T) {
	d := newDesk(t)
	d.out.Begin(0, 0, 1, true)
	d.c.fence(1, 0, &d.out)
	kinds := []kafka.MetadataRecordKind{kafka.FenceBroker, kafka.PartitionChange}
	if len(d.c.log) != len(kinds) || d.c.log[0].Kind != kinds[0] || d.c.log[1].Kind != kinds[1] || d.c.log[1].Partition.Leader != 2 {
		t.Errorf("the metadata log is %+v", d.c.log)
	}
	events := d.out.Step.Events
	if len(events) != 2 || events[0].Kind != event.BrokerFenced || events[1].Kind != event.LeaderElected {
		t.Errorf("events %+v", events)
	}
}
