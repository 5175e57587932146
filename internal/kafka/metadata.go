package kafka

// MetadataRecordKind names the records of the metadata log (KRaft's __cluster_metadata).
type MetadataRecordKind uint8

const (
	// RegisterBroker enters a broker's new incarnation; it starts fenced.
	RegisterBroker MetadataRecordKind = iota
	// FenceBroker takes a broker out of service.
	FenceBroker
	// UnfenceBroker lets a broker serve.
	UnfenceBroker
	// PartitionChange sets leader, ISR and epochs of a partition.
	PartitionChange
)

// MetadataRecord is one entry of the metadata log. A broker's view of the cluster is the fold of these.
type MetadataRecord struct {
	BrokerEpoch int64
	Partition   PartitionState // with PartitionChange
	Broker      NodeID         // with the broker kinds
	Kind        MetadataRecordKind
}

// PartitionState is the controller's truth about a partition (PartitionRegistration).
type PartitionState struct {
	ISR            BrokerSet
	Partition      PartitionID
	LeaderEpoch    Epoch
	PartitionEpoch int32
	Leader         NodeID // NoNode: offline
}

// LeadersOf is what a client learns of the partitions.
func LeadersOf(partitions []PartitionState) *MetadataResponse {
	r := &MetadataResponse{Partitions: make([]PartitionLeader, len(partitions))}
	for i := range partitions {
		p := &partitions[i]
		r.Partitions[i] = PartitionLeader{Partition: p.Partition, Epoch: p.LeaderEpoch, Leader: p.Leader}
	}
	return r
}
