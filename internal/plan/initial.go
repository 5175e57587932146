package plan

import "replog/internal/kafka"

// InitialPartitions is the state of every partition when a run begins: the first live replica leads in leader epoch 0,
// and all live replicas are in sync. One that is added later has no replica in sync, no leader, and a partition epoch below 0.
func InitialPartitions(p *Plan) []kafka.PartitionState {
	states := make([]kafka.PartitionState, len(p.Partitions))
	for i := range p.Partitions {
		s := kafka.PartitionState{Partition: kafka.PartitionID(i), Leader: kafka.NoNode}
		if p.Partitions[i].Added {
			s.PartitionEpoch = kafka.NotCreated
			states[i] = s
			continue
		}
		for _, r := range p.Partitions[i].Replicas {
			if p.startsDead(r) {
				continue
			}
			s.ISR = s.ISR.With(r)
			if s.Leader == kafka.NoNode {
				s.Leader = r
			}
		}
		states[i] = s
	}
	return states
}

// InitialBrokerEpoch is the broker epoch of a broker that is registered when the run begins.
func InitialBrokerEpoch(id kafka.NodeID) int64 { return int64(id) }

func (p *Plan) startsDead(id kafka.NodeID) bool {
	for i := range p.Brokers {
		if p.Brokers[i].ID == id {
			return p.Brokers[i].DeadFromStart
		}
	}
	return false
}
