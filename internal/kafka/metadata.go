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
	// ControlledShutdown marks a broker that wants to stop (BrokerRegistrationChangeRecord).
	ControlledShutdown
	// DirectoriesOffline takes log directories of a broker out of service (BrokerRegistrationChangeRecord, KIP-858).
	DirectoriesOffline
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

// NotCreated is the partition epoch of a partition that there is not yet.
const NotCreated = -1

// PartitionState is the controller's truth about a partition (PartitionRegistration).
type PartitionState struct {
	ISR            BrokerSet
	ELR            BrokerSet // eligible leader replicas (KIP-966); empty without them
	Partition      PartitionID
	LeaderEpoch    Epoch
	PartitionEpoch int32
	Leader         NodeID // NoNode: offline
	// Recovering: the leader was elected outside of the ISR and has not said yet that it recovered (KIP-704).
	Recovering bool
	// LastKnownLeader led when the ISR became empty; 0: nobody is remembered (KIP-966).
	LastKnownLeader NodeID
}

// Election says how far an election goes to find a leader (PartitionChangeBuilder.Election).
type Election uint8

const (
	// ElectOnline keeps a leader that may go on, and else takes the first of the ISR in assignment order.
	ElectOnline Election = iota
	// ElectPreferred looks at the first replica of the assignment first.
	ElectPreferred
	// ElectUnclean takes any live replica when the ISR has none.
	ElectUnclean
)

// String is the election's name on the command line.
func (e Election) String() string { return [...]string{"online", "preferred", "unclean"}[e] }

// LeadersOf is what a client learns of the partitions.
func LeadersOf(partitions []PartitionState) *MetadataResponse {
	r := &MetadataResponse{Partitions: make([]PartitionLeader, len(partitions))}
	for i := range partitions {
		p := &partitions[i]
		r.Partitions[i] = PartitionLeader{Partition: p.Partition, Epoch: p.LeaderEpoch, Leader: p.Leader}
		if p.PartitionEpoch == NotCreated {
			r.Partitions[i].Epoch = NoEpoch
		}
	}
	return r
}
