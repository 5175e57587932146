package sim

import (
	"fmt"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
)

// small is three brokers, some partitions, one producer that sends to all of them, one reader.
func small(partitions, records int) *plan.Plan {
	p := &plan.Plan{
		Names: &kafka.Names{TickMicros: 1000, StartMicros: -1, Keys: []string{"a", "b", "c"},
			Topics: []kafka.TopicName{{Name: "orders", Partitions: partitions}},
			Loads:  []kafka.RecordRange{{Orders: records}},
		},
		Brokers:    []plan.Broker{{ID: 1}, {ID: 2}, {ID: 3}},
		Broker:     kafka.BrokerConfig{ReplicaLagTimeTicks: 30000, ReplicaFetchWait: 500, ReplicaFetchBackoff: 1000, ReplicaFetchMaxBytes: 1 << 20, HeartbeatTicks: 2000, HeartbeatPhase: 100, CheckpointTicks: 5000},
		Controller: kafka.ControllerConfig{SessionTimeout: 9000, SessionCheck: 1125},
		Latency:    plan.Latency{Min: 1, Max: 1},
		End:        kafka.Tick(records*10 + 2000),
	}
	all := []kafka.PartitionID{}
	for i := range partitions {
		r := []kafka.NodeID{1, 2, 3}
		p.Partitions = append(p.Partitions, plan.Partition{Replicas: append(r[i%3:], r[:i%3]...), Config: kafka.TopicConfig{MinInSyncReplicas: 2}})
		all = append(all, kafka.PartitionID(i))
	}
	p.Producers = []plan.Producer{{ID: 64, Config: kafka.ProducerConfig{
		Acks: kafka.AcksAll, Retries: 1 << 30, MaxInFlight: 1000000, BatchBytes: 16384, RequestTimeout: 30000, AnswerTimeout: 30000,
		DeliveryTimeout: kafka.Never, RetryBackoff: 100, MetadataRetry: 1000,
		ClientHabits: kafka.ClientHabits{OnePartitionARequest: true},
	}}}
	p.Readers = []plan.Reader{{ID: 65, Partitions: all, Config: kafka.ReaderConfig{FetchWait: 500, RetryBackoff: 100, MetadataRetry: 1000}}}
	p.Loads = []plan.Load{{Producers: []kafka.NodeID{64}, Topic: all, Keys: []kafka.KeyID{0, 1, 2}, Start: 10, Every: 10, Count: records, Burst: 1, Stride: 1, Size: 100}}
	return p
}

func TestSmoke(t *testing.T) {
	p := small(2, 5)
	p.End = 12000
	p.Names.Faults = []string{"broker 2 dies"}
	p.Faults = []plan.Fault{{At: 31, Kind: plan.Crash, Node: 2}}
	var log event.Log
	c := New(p, &log)
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	for _, e := range log.All() {
		fmt.Printf("%4d <-%4d %6d %s\n", e.Seq, e.Cause, e.At, event.Sentence(e, log.Records(e), p.Names))
	}
}
