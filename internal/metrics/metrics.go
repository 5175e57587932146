// Package metrics is what an operator of the cluster would have watched, as Kafka defines it, traps included: a fold of
// events. A gauge is the sum of what the brokers report, and a broker reports only what it leads: a partition without a
// leader lowers UnderReplicatedPartitions, and a zombie leader still reports its own.
package metrics

import (
	"replog/internal/event"
	"replog/internal/kafka"
)

// Partition is what the fold must know of a partition and no event tells.
type Partition struct {
	Replicas int
	MinISR   int // effective min.insync.replicas
}

// Gauge is a number that goes up and down.
type Gauge struct {
	Max int `json:"max"`
	End int `json:"end"` // when the run ended
}

func (g *Gauge) set(v int) { g.Max, g.End = max(g.Max, v), v }

// Metrics are the numbers of a run, under the names of Kafka's MBeans.
type Metrics struct {
	// UnderReplicated: partitions whose leader has an ISR smaller than the replica set (UnderReplicatedPartitions).
	UnderReplicated Gauge `json:"under_replicated_partitions"`
	// UnderMinISR: partitions whose leader has an ISR below min.insync.replicas (UnderMinIsrPartitionCount).
	UnderMinISR Gauge `json:"under_min_isr_partition_count"`
	// AtMinISR: partitions that cannot lose one more (AtMinIsrPartitionCount).
	AtMinISR Gauge `json:"at_min_isr_partition_count"`
	// Offline: partitions without a leader, as the controller has it (OfflinePartitionsCount).
	Offline Gauge `json:"offline_partitions_count"`
	// OfflineReplicas: replicas on log directories that have failed, of brokers that run (OfflineReplicaCount).
	OfflineReplicas Gauge `json:"offline_replica_count"`
	// OfflineLogDirs: log directories that have failed, of brokers that run (OfflineLogDirectoryCount).
	OfflineLogDirs Gauge `json:"offline_log_directory_count"`
	// UncleanElections counts leaders that were elected outside of the ISR (UncleanLeaderElectionsPerSec).
	UncleanElections int `json:"unclean_leader_elections"`
	// ISRShrinks and ISRExpands count changes that a leader asked for and got. What the controller takes out of an ISR by
	// itself, because it fenced a broker, counts nowhere (IsrShrinksPerSec, IsrExpandsPerSec).
	ISRShrinks int `json:"isr_shrinks"`
	ISRExpands int `json:"isr_expands"`
	// GroupLag: readable records that are not committed, of all groups and partitions (kafka-consumer-groups, LAG).
	GroupLag Gauge `json:"consumer_group_lag"`
	// RecordsLag: the largest lag that a consumer reports of itself, by what it was handed and not by what is committed. Of a
	// partition that nobody has nobody reports anything (records-lag-max).
	RecordsLag Gauge `json:"records_lag_max"`

	// Around has an entry for each time at which something of the timeline began or ended.
	Around []Around `json:"-"`
	// Lags has an entry for each partition of each consumer group.
	Lags []Lag `json:"-"`
}

// Fold gathers the metrics of one run. It is an event.Sink.
type Fold struct {
	Metrics
	settings   []Partition
	partitions []partition // by id
	disks      [kafka.MaxBrokerID + 1]disks
	lags       lagFold
}

type partition struct {
	isr      kafka.BrokerSet // the controller's
	proposed kafka.BrokerSet
	epoch    kafka.Epoch
	offline  bool
	leaders  []leader // brokers that believe to lead; more than one with a zombie
}

// disks is what a broker has lost of its log directories; nobody reports it any more when the broker stops.
type disks struct{ dirs, replicas int }

type leader struct {
	broker kafka.NodeID
	epoch  kafka.Epoch
	isr    kafka.BrokerSet
}

// New starts a fold; settings are those of the partitions by id. The names tell of the consumer groups; nil for none.
func New(settings []Partition, names *kafka.Names) *Fold {
	return &Fold{settings: settings, partitions: make([]partition, len(settings)), lags: newLagFold(names)}
}

// Consume implements event.Sink.
func (f *Fold) Consume(step *event.Step) {
	moved := false
	for i := range step.Events {
		moved = f.take(&step.Events[i]) || moved
	}
	if moved {
		f.gauge()
	}
	if f.lags.active() && f.takeLags(step) {
		committed, reported := f.lags.gauge(f.lags.now)
		f.GroupLag.set(committed)
		f.RecordsLag.set(reported)
	}
}

// Result is what was folded so far, with the lags.
func (f *Fold) Result() Metrics {
	m := f.Metrics
	m.Lags = f.lags.summary()
	return m
}

// takeLags reports whether a lag may have moved.
func (f *Fold) takeLags(step *event.Step) bool {
	moved := false
	for i := range step.Events {
		moved = f.lags.take(&step.Events[i]) || moved
	}
	return moved
}

// Concerns reports whether events of the kind can move a metric.
func Concerns(k event.Kind) bool {
	switch k {
	case event.FaultBegan, event.FaultEnded, event.BrokerCrashed, event.BrokerStopped, event.LogDirFailed, event.ReplicaOffline,
		event.UncleanLeaderElected, event.ISRChangeProposed, event.LeaderElected, event.PartitionOffline, event.ISRChanged,
		event.BecameLeader, event.BecameFollower:
		return true
	}
	return false
}

// Now are the metrics as if the run ended here.
func (f *Fold) Now() Metrics {
	f.settle()
	return f.Metrics
}

// take reports whether a gauge may have moved.
func (f *Fold) take(e *event.Event) bool {
	switch e.Kind {
	case event.FaultBegan, event.FaultEnded:
		f.fault(e)
		return false
	case event.RunEnded:
		f.settle()
		return false
	case event.BrokerCrashed, event.BrokerStopped:
		f.disks[e.Node] = disks{}
		for i := range f.partitions {
			f.partitions[i].forget(e.Node)
		}
	case event.LogDirFailed:
		f.disks[e.Node].dirs++
	case event.ReplicaOffline:
		f.disks[e.Node].replicas++
		f.partitions[e.Partition].forget(e.Node)
	case event.UncleanLeaderElected:
		f.UncleanElections++
	case event.ISRChangeProposed:
		f.partitions[e.Partition].proposed = e.ISR()
	case event.LeaderElected, event.PartitionOffline, event.ISRChanged:
		f.changed(&f.partitions[e.Partition], e)
	case event.BecameLeader:
		p := &f.partitions[e.Partition]
		p.forget(e.Node)
		p.leaders = append(p.leaders, leader{e.Node, e.Epoch, p.isr})
	case event.BecameFollower:
		f.partitions[e.Partition].forget(e.Node)
	default:
		return false
	}
	return true
}

// changed takes in what the controller committed; a leader of an older epoch does not hear of it.
func (f *Fold) changed(p *partition, e *event.Event) {
	if isr := e.ISR(); e.Kind == event.ISRChanged && isr == p.proposed {
		if isr&^p.isr != 0 {
			f.ISRExpands++
		} else {
			f.ISRShrinks++
		}
	}
	p.isr, p.epoch, p.offline, p.proposed = e.ISR(), e.Epoch, e.Kind == event.PartitionOffline, 0
	for i := range p.leaders {
		if l := &p.leaders[i]; l.epoch == p.epoch {
			l.isr = p.isr
		}
	}
}

func (p *partition) forget(broker kafka.NodeID) {
	for i := range p.leaders {
		if p.leaders[i].broker == broker {
			p.leaders = append(p.leaders[:i], p.leaders[i+1:]...)
			return
		}
	}
}

func (f *Fold) gauge() {
	under, below, at, offline := 0, 0, 0, 0
	for i := range f.partitions {
		p, s := &f.partitions[i], f.settings[i]
		offline += one(p.offline)
		for _, l := range p.leaders {
			n := l.isr.Len()
			under += one(n < s.Replicas)
			below += one(n < s.MinISR)
			at += one(n == s.MinISR)
		}
	}
	f.UnderReplicated.set(under)
	f.UnderMinISR.set(below)
	f.AtMinISR.set(at)
	f.Offline.set(offline)
	dirs, replicas := 0, 0
	for i := range f.disks {
		dirs += f.disks[i].dirs
		replicas += f.disks[i].replicas
	}
	f.OfflineReplicas.set(replicas)
	f.OfflineLogDirs.set(dirs)
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
