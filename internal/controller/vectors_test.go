package controller

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
	"replog/internal/testdata"
)

// electionCase is a case of election.json.
type electionCase struct {
	ID, Desc  string
	Partition struct {
		Replicas, ISR, ELR, LastKnownELR []int
		Leader                           *int
		MinISR                           int
	}
	Input struct {
		Alive                                *[]int
		Election                             string
		TargetISR                            *[]int
		MetadataVersion                      string
		ELR                                  *bool
		UncleanShutdown                      []int
		UseLastKnownLeaderInBalancedRecovery *bool
		Fence, Unfence, ControlledShutdown   []int
		OfflineDir                           *struct{ Broker int }
	}
	Expect struct {
		Leader                              *int
		Unclean                             *bool
		ISR, ELR, LastKnownELR              *[]int
		LeaderEpochBump, PartitionEpochBump *bool
		RecoveryState                       string
		Change                              *bool
		EffectiveMinISR                     *int
		BrokerStaysRegistered               *bool
	}
}

func TestElectionVectors(t *testing.T) {
	for _, c := range testdata.Vectors[electionCase](t, "election.json") {
		t.Run(c.ID, func(t *testing.T) { runCase(t, &c) })
	}
}

var elections = map[string]kafka.Election{
	"": kafka.ElectOnline, "ONLINE": kafka.ElectOnline, "PREFERRED": kafka.ElectPreferred, "UNCLEAN": kafka.ElectUnclean,
}

// table gives a case's brokers the ids 1, 2, ... that the model has.
type table struct {
	t     *testing.T
	ids   []int
	c     *Controller
	p     *kafka.PartitionState
	out   node.Out
	start kafka.PartitionState
}

func (d *table) id(n int) kafka.NodeID {
	if n < 0 {
		return kafka.NoNode
	}
	return kafka.NodeID(slices.Index(d.ids, n) + 1)
}

func (d *table) set(list []int) (s kafka.BrokerSet) {
	for _, n := range list {
		s = s.With(d.id(n))
	}
	return s
}

// lay puts the case on the table: a controller with the brokers and the partition.
func lay(t *testing.T, c *electionCase) *table {
	d := &table{t: t, ids: slices.Clone(c.Partition.Replicas)}
	slices.Sort(d.ids)
	p := &plan.Plan{Partitions: []plan.Partition{{Config: kafka.TopicConfig{MinInSyncReplicas: int32(max(1, c.Partition.MinISR))}}}}
	for _, n := range c.Partition.Replicas {
		p.Partitions[0].Replicas = append(p.Partitions[0].Replicas, d.id(n))
	}
	for _, n := range d.ids {
		p.Brokers = append(p.Brokers, plan.Broker{ID: d.id(n)})
	}
	d.c = New(p)
	d.p = &d.c.partitions[0]
	*d.p = kafka.PartitionState{ISR: d.set(c.Partition.ISR), Leader: kafka.NoNode, LeaderEpoch: 100, PartitionEpoch: 200}
	if c.Partition.Leader != nil {
		d.p.Leader = d.id(*c.Partition.Leader)
	}
	for _, n := range d.ids {
		down := c.Input.Alive != nil && !slices.Contains(*c.Input.Alive, n) || slices.Contains(c.Input.Unfence, n) ||
			c.Input.Unfence != nil && d.p.ISR.Has(d.id(n))
		d.c.brokers[d.id(n)].fenced = down
	}
	d.p.ELR = d.set(c.Partition.ELR)
	for _, n := range c.Partition.LastKnownELR {
		d.p.LastKnownLeader = d.id(n)
	}
	p.Broker.Rules.EligibleLeaderReplicas = c.Partition.ELR != nil || c.Expect.ELR != nil || c.Expect.LastKnownELR != nil
	p.Broker.Rules.LeaderEpochBumpOnShrink = c.Input.MetadataVersion == "3.5-IV2"
	d.start = *d.p
	d.out.Begin(1000, 0, 1, true)
	return d
}

func runCase(t *testing.T, c *electionCase) {
	d := lay(t, c)
	switch {
	case c.Input.Fence != nil:
		for _, n := range c.Input.Fence {
			d.c.fence(d.id(n), 0, &d.out)
		}
	case c.Input.Unfence != nil:
		for _, n := range c.Input.Unfence {
			d.c.unfence(d.id(n), &d.out)
		}
	case c.Input.ControlledShutdown != nil:
		for _, n := range c.Input.ControlledShutdown {
			d.c.beginShutdown(d.id(n), &d.out)
		}
	case c.Input.OfflineDir != nil:
		broker := d.id(c.Input.OfflineDir.Broker)
		d.c.plan.Broker.LogDirs = 2
		dir := d.c.plan.DealLogDirs(broker)[0] // where the partition lies
		d.c.handleHeartbeat(&node.Input{Now: 1000, From: broker}, &kafka.BrokerHeartbeatRequest{
			Broker: broker, BrokerEpoch: d.c.brokers[broker].epoch, OfflineLogDirs: kafka.LogDirs(0).With(dir),
		}, &d.out)
		b := d.c.brokers[broker]
		if want := c.Expect.BrokerStaysRegistered; want != nil && (b.known && !b.fenced) != *want {
			d.t.Errorf("the broker is %+v, want registered: %v", b, *want)
		}
	default:
		isr := d.p.ISR
		if c.Input.TargetISR != nil {
			isr = d.set(*c.Input.TargetISR)
		}
		d.c.change(d.p, change{isr: isr, lost: d.set(c.Input.UncleanShutdown), election: elections[c.Input.Election]}, &d.out)
	}
	d.compare(c)
}

func (d *table) compare(c *electionCase) {
	sets := func(what string, got kafka.BrokerSet, want *[]int) {
		if want != nil && got != d.set(*want) {
			d.t.Errorf("%s is %v, want %v of %v", what, got.Members(), d.set(*want).Members(), d.ids)
		}
	}
	flag := func(what string, got bool, want *bool) {
		if want != nil && got != *want {
			d.t.Errorf("%s is %v, want %v", what, got, *want)
		}
	}
	if want := c.Expect.Leader; want != nil && d.p.Leader != d.id(*want) {
		d.t.Errorf("leader %d, want %d", d.p.Leader, d.id(*want))
	}
	sets("the ISR", d.p.ISR, c.Expect.ISR)
	unclean := false
	for i := range d.out.Step.Events {
		unclean = unclean || d.out.Step.Events[i].Kind == event.UncleanLeaderElected
	}
	flag("an unclean election", unclean, c.Expect.Unclean)
	if c.Expect.RecoveryState != "" && d.p.Recovering != (c.Expect.RecoveryState == "RECOVERING") {
		d.t.Errorf("recovering is %v, want %s", d.p.Recovering, c.Expect.RecoveryState)
	}
	sets("the ELR", d.p.ELR, c.Expect.ELR)
	if c.Input.UseLastKnownLeaderInBalancedRecovery == nil { // it is true in a real cluster, and here
		var last kafka.BrokerSet
		if d.p.LastKnownLeader != 0 {
			last = last.With(d.p.LastKnownLeader)
		}
		sets("the last known ELR", last, c.Expect.LastKnownELR)
	}
	flag("a change", *d.p != d.start, c.Expect.Change)
	flag("a new leader epoch", d.p.LeaderEpoch > d.start.LeaderEpoch, c.Expect.LeaderEpochBump)
	flag("a new partition epoch", d.p.PartitionEpoch > d.start.PartitionEpoch, c.Expect.PartitionEpochBump)
	if want := c.Expect.EffectiveMinISR; want != nil && d.c.plan.Partitions[0].EffectiveMinISR() != *want {
		d.t.Errorf("effective min ISR %d, want %d", d.c.plan.Partitions[0].EffectiveMinISR(), *want)
	}
}
