package metrics

import (
	"fmt"

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
// count. The last two are the lag as kafka-consumer-groups has it, and a consumer's own metric.
func Names() []string { return names[:] }

// Readings are the values of all metrics at one time.
type Readings [len(names)]int

// meanings say what each metric counts, and its trap.
var meanings = [len(names)]string{
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

// Meanings say in a phrase what each metric counts, in the order of Names.
func Meanings() []string { return meanings[:] }

// Around is what the metrics were before something of the timeline began or ended, and what they had become before the
// next one did, or at the end of the run.
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

// Changes says of each metric that changed what it was, what it had become, and the difference.
func (a *Around) Changes() []string {
	var changes []string
	for i, name := range names {
		if a.Was[i] != a.Now[i] {
			changes = append(changes, fmt.Sprintf("%s %d -> %d (%+d)", name, a.Was[i], a.Now[i], a.Now[i]-a.Was[i]))
		}
	}
	return changes
}

// fault looks at the metrics before something begins or ends; what comes in the same tick is one thing.
func (f *Fold) fault(e *event.Event) {
	if n := len(f.Around); n > 0 && f.Around[n-1].At == e.At {
		return
	}
	f.settle()
	f.Around = append(f.Around, Around{At: e.At, Fault: e.Value, Ended: e.Kind == event.FaultEnded, Was: f.Readings()})
}

// settle notes what came of the last thing.
func (f *Fold) settle() {
	if n := len(f.Around); n > 0 {
		f.Around[n-1].Now = f.Readings()
	}
}

// IsCount reports that a reading counts what happened and never goes down.
func IsCount(reading int) bool { return reading >= firstCount && reading <= lastCount }

// The readings that are counts.
const firstCount, lastCount = 6, 8
