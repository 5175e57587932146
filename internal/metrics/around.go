package metrics

import (
	"fmt"
	"slices"
	"strings"

	"replog/internal/event"
	"replog/internal/kafka"
)

var names = [...]string{
	"UnderReplicatedPartitions", "UnderMinIsrPartitionCount", "AtMinIsrPartitionCount", "OfflinePartitionsCount",
	"OfflineReplicaCount", "OfflineLogDirectoryCount",
	"UncleanLeaderElections", "IsrShrinks", "IsrExpands",
	"consumer-group-lag", "records-lag-max",
}

// Names are the metrics in the order of Readings, as Kafka's MBeans have them; of those that Kafka tells as rates, the
// count. The first OfCluster of them are what brokers and the controller report; the others are the lag as
// kafka-consumer-groups has it, and a consumer's own metric.
func Names() []string { return names[:] }

// OfCluster is how many of the metrics are of the cluster, and not of its consumers.
const OfCluster = lastCount + 1

// Readings are the values of all metrics at one time.
type Readings [len(names)]int

// meanings say what each metric counts, and its trap.
var meanings = [OfCluster]string{
	"a leader has an ISR smaller than its replicas; of a partition without a leader nobody reports it",
	"a leader has an ISR below min.insync.replicas: acks=all is refused",
	"a leader has just min.insync.replicas: one more lost, and acks=all is refused",
	"no leader, as the controller reports it",
	"replicas on failed log directories, of brokers that run",
	"failed log directories, of brokers that run",
	"leaders from outside of the ISR, so far",
	"ISRs that a leader made smaller, so far; a broker that is fenced counts nowhere",
	"ISRs that a leader made larger, so far",
}

// Meanings say in a phrase what each metric of the cluster counts, in the order of Names.
func Meanings() []string { return meanings[:] }

// Around is what the metrics were before something of the timeline began or ended, and what they had become before the
// next one did, or at the end of the run. A lag goes up with each batch and down with each commit, whatever happens: of it
// both are the most that there had been until then, so that only a new high is a change.
type Around struct {
	At    kafka.Tick
	Fault int64 // the first one of this tick
	Ended bool  // it ended
	Was   Readings
	Now   Readings
}

// Readings are the metrics as they stand.
func (m *Metrics) Readings() Readings {
	return Readings{
		m.UnderReplicated.End, m.UnderMinISR.End, m.AtMinISR.End, m.Offline.End,
		m.OfflineReplicas.End, m.OfflineLogDirs.End, m.UncleanElections, m.ISRShrinks, m.ISRExpands,
		m.GroupLag.End, m.RecordsLag.End,
	}
}

// Most are the highest values that the gauges had, and the counts.
func (m *Metrics) Most() Readings {
	return Readings{
		m.UnderReplicated.Max, m.UnderMinISR.Max, m.AtMinISR.Max, m.Offline.Max,
		m.OfflineReplicas.Max, m.OfflineLogDirs.Max, m.UncleanElections, m.ISRShrinks, m.ISRExpands,
		m.GroupLag.Max, m.RecordsLag.Max,
	}
}

// Change is one metric that changed: what it was, and what it had become.
type Change struct {
	Metric string `json:"metric"`
	Was    int    `json:"was"`
	Now    int    `json:"now"`
}

// Changes are the metrics that changed.
func (a *Around) Changes() []Change {
	var changes []Change
	for i, name := range names {
		if a.Was[i] != a.Now[i] {
			changes = append(changes, Change{name, a.Was[i], a.Now[i]})
		}
	}
	return changes
}

// String says what the metric was, what it had become, and the difference; of a lag, its new high.
func (c Change) String() string {
	if slices.Index(names[:], c.Metric) >= OfCluster {
		return fmt.Sprintf("%s up to %d (at most %d before)", c.Metric, c.Now, c.Was)
	}
	return fmt.Sprintf("%s %d -> %d (%+d)", c.Metric, c.Was, c.Now, c.Now-c.Was)
}

// ChangesText lists changes in one line.
func ChangesText(changes []Change) string {
	var all []string
	for _, c := range changes {
		all = append(all, c.String())
	}
	return strings.Join(all, ", ")
}

// forChanges are the readings of which a change says something.
func (m *Metrics) forChanges() Readings {
	r, most := m.Readings(), m.Most()
	copy(r[OfCluster:], most[OfCluster:])
	return r
}

// fault looks at the metrics before something begins or ends; what comes in the same tick is one thing.
func (f *Fold) fault(e *event.Event) {
	if n := len(f.Around); n > 0 && f.Around[n-1].At == e.At {
		return
	}
	f.settle()
	f.Around = append(f.Around, Around{At: e.At, Fault: e.Value, Ended: e.Kind == event.FaultEnded, Was: f.forChanges()})
}

// settle notes what came of the last thing.
func (f *Fold) settle() {
	if n := len(f.Around); n > 0 {
		f.Around[n-1].Now = f.forChanges()
	}
}

// IsCount reports that a reading counts what happened and never goes down.
func IsCount(reading int) bool { return reading >= firstCount && reading <= lastCount }

// The readings that are counts.
const firstCount, lastCount = 6, 8
