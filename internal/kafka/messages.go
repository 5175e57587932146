package kafka

// MessageKind names what a message is: an API of Kafka's protocol and its direction.
type MessageKind uint8

// The messages that travel between nodes. StreamAppend and StreamAck exist only under replication: stream.
const (
	AnyMessage MessageKind = iota
	KindProduceRequest
	KindProduceResponse
	KindFetchRequest
	KindFetchResponse
	KindMetadataRequest
	KindMetadataResponse
	KindInitProducerIDRequest
	KindInitProducerIDResponse
	KindBrokerRegistrationRequest
	KindBrokerRegistrationResponse
	KindBrokerHeartbeatRequest
	KindBrokerHeartbeatResponse
	KindAlterPartitionRequest
	KindAlterPartitionResponse
	KindMetadataFetchRequest
	KindMetadataFetchResponse
	KindStreamAppend
	KindStreamAck
	KindFindCoordinatorRequest
	KindFindCoordinatorResponse
	KindJoinGroupRequest
	KindJoinGroupResponse
	KindSyncGroupRequest
	KindSyncGroupResponse
	KindHeartbeatRequest
	KindHeartbeatResponse
	KindLeaveGroupRequest
	KindLeaveGroupResponse
	KindConsumerGroupHeartbeatRequest
	KindConsumerGroupHeartbeatResponse
	KindOffsetCommitRequest
	KindOffsetCommitResponse
	KindOffsetFetchRequest
	KindOffsetFetchResponse
	KindListOffsetsRequest
	KindListOffsetsResponse
	KindOffsetForLeaderEpochRequest
	KindOffsetForLeaderEpochResponse
	KindAddPartitionsToTxnRequest
	KindAddPartitionsToTxnResponse
	KindAddOffsetsToTxnRequest
	KindAddOffsetsToTxnResponse
	KindTxnOffsetCommitRequest
	KindTxnOffsetCommitResponse
	KindEndTxnRequest
	KindEndTxnResponse
	KindWriteTxnMarkersRequest
	KindWriteTxnMarkersResponse
	messageKinds
)

var messageKindNames = [messageKinds]string{
	"any message",
	"ProduceRequest", "ProduceResponse",
	"FetchRequest", "FetchResponse",
	"MetadataRequest", "MetadataResponse",
	"InitProducerIdRequest", "InitProducerIdResponse",
	"BrokerRegistrationRequest", "BrokerRegistrationResponse",
	"BrokerHeartbeatRequest", "BrokerHeartbeatResponse",
	"AlterPartitionRequest", "AlterPartitionResponse",
	"MetadataFetchRequest", "MetadataFetchResponse",
	"StreamAppend", "StreamAck",
	"FindCoordinatorRequest", "FindCoordinatorResponse",
	"JoinGroupRequest", "JoinGroupResponse",
	"SyncGroupRequest", "SyncGroupResponse",
	"HeartbeatRequest", "HeartbeatResponse",
	"LeaveGroupRequest", "LeaveGroupResponse",
	"ConsumerGroupHeartbeatRequest", "ConsumerGroupHeartbeatResponse",
	"OffsetCommitRequest", "OffsetCommitResponse",
	"OffsetFetchRequest", "OffsetFetchResponse",
	"ListOffsetsRequest", "ListOffsetsResponse",
	"OffsetForLeaderEpochRequest", "OffsetForLeaderEpochResponse",
	"AddPartitionsToTxnRequest", "AddPartitionsToTxnResponse",
	"AddOffsetsToTxnRequest", "AddOffsetsToTxnResponse",
	"TxnOffsetCommitRequest", "TxnOffsetCommitResponse",
	"EndTxnRequest", "EndTxnResponse",
	"WriteTxnMarkersRequest", "WriteTxnMarkersResponse",
}

// String is the protocol's name of the message.
func (k MessageKind) String() string {
	if k >= messageKinds {
		return "unknown message"
	}
	return messageKindNames[k]
}

// MessageKindNames lists the names that a scenario may use, in the order of the kinds; the first means any message.
func MessageKindNames() []string { return messageKindNames[:] }

// ParseMessageKind finds a kind by its protocol name.
func ParseMessageKind(name string) (MessageKind, bool) {
	for k, n := range messageKindNames {
		if n == name {
			return MessageKind(k), true
		}
	}
	return AnyMessage, false
}

// Body is the content of a message. A body never changes after it was sent.
type Body interface {
	Kind() MessageKind
	// Concerns reports whether the message speaks of the partition; a message about no partition concerns none.
	Concerns(PartitionID) bool
}

// Acks is the producer setting acks: how many acknowledgements a leader waits for.
type Acks int8

const (
	AcksAll  Acks = -1 // every member of the maximal ISR
	AcksNone Acks = 0  // no answer at all
	AcksOne  Acks = 1  // the leader's own append
)

// String is the setting as one writes it.
func (a Acks) String() string {
	switch a {
	case AcksAll:
		return "all"
	case AcksNone:
		return "0"
	}
	return "1"
}

// ProduceRequest carries at most one batch a partition.
type ProduceRequest struct {
	Batches []PartitionBatch
	Timeout Tick // how long the leader may wait for replicas (request.timeout.ms)
	// TransactionID is whose transaction the batches belong to, where they are transactional.
	TransactionID TransactionalID
	Acks          Acks
}

// PartitionBatch is a batch and where it goes.
type PartitionBatch struct {
	Batch
	Partition PartitionID
}

// ProduceResponse answers each batch of a ProduceRequest, in its order.
type ProduceResponse struct{ Results []ProduceResult }

// ProduceResult is the leader's answer for one batch. BaseOffset is NoOffset on an error.
type ProduceResult struct {
	BaseOffset Offset
	Partition  PartitionID
	Error      ErrorCode
}

// FetchRequest asks for records from each partition of a fetch session (KIP-227). It names only the partitions whose
// position changed since the last request of the session; Full starts the session anew.
type FetchRequest struct {
	Partitions  []FetchPartition
	Forgotten   []PartitionID // leave the session
	MaxWait     Tick          // replica.fetch.wait.max.ms or fetch.max.wait.ms
	BrokerEpoch int64         // of the follower (KIP-903); 0 from a reader
	Replica     NodeID
	Isolation   IsolationLevel // of a reader
	Full        bool
}

// FetchPartition is a position in one partition.
type FetchPartition struct {
	FetchOffset        Offset
	Partition          PartitionID
	CurrentLeaderEpoch Epoch // KIP-320: fences a fetch to a stale leader; NoEpoch asks for no check
	LastFetchedEpoch   Epoch // epoch of the record before FetchOffset; NoEpoch asks for no divergence check
}

// FetchResponse holds what is new in the partitions of the session; it leaves out those without news.
type FetchResponse struct{ Partitions []FetchedPartition }

// MetadataRequest asks a broker who leads what.
type MetadataRequest struct{}

// MetadataResponse is what the answering broker believes; it may be behind the controller.
type MetadataResponse struct{ Partitions []PartitionLeader }

// PartitionLeader says who leads a partition. Leader is NoNode while there is none.
type PartitionLeader struct {
	Partition PartitionID
	Epoch     Epoch
	Leader    NodeID
}

// InitProducerIDRequest asks for a producer id (KIP-98). With a transactional id it goes to the id's coordinator, which fences
// the producer that had the id before and ends its transaction.
type InitProducerIDRequest struct {
	TransactionID TransactionalID
	Timeout       Tick // transaction.timeout.ms
	// ProducerID and ProducerEpoch are what a producer has that goes on after an error (KIP-360); Continues says that they
	// are there.
	ProducerID    ProducerID
	ProducerEpoch int16
	Continues     bool
}

// InitProducerIDResponse assigns the id and the epoch under which the producer writes.
type InitProducerIDResponse struct {
	ProducerID ProducerID
	Epoch      int16
	Error      ErrorCode
}

// BrokerRegistrationRequest announces a broker that has started. Incarnation differs from start to start (KIP-631).
type BrokerRegistrationRequest struct {
	Incarnation int64
	Broker      NodeID
	// Clean: it stopped in good order the last time, as its clean-shutdown file proves (KIP-966).
	Clean bool
}

// BrokerRegistrationResponse gives the broker epoch, or DUPLICATE_BROKER_REGISTRATION while an older incarnation's
// session lasts.
type BrokerRegistrationResponse struct {
	BrokerEpoch int64
	Error       ErrorCode
}

// BrokerHeartbeatRequest renews the broker's session with the controller.
type BrokerHeartbeatRequest struct {
	BrokerEpoch    int64
	MetadataOffset Offset // the broker has applied the metadata log up to here
	Broker         NodeID
	WantShutdown   bool    // it wants to stop (controlled shutdown)
	OfflineLogDirs LogDirs // that have failed since it started (KIP-858)
}

// BrokerHeartbeatResponse tells whether the controller holds the broker fenced.
type BrokerHeartbeatResponse struct {
	// MetadataEnd is the end of the metadata log. Kafka's brokers do not need it: their fetches of that log time out.
	MetadataEnd Offset
	Fenced      bool
	// ShouldShutdown lets a broker go that wants to stop.
	ShouldShutdown bool
	Error          ErrorCode
}

// AlterPartitionRequest proposes a new ISR for one partition (KIP-497). Both epochs must be the controller's.
type AlterPartitionRequest struct {
	// MemberEpochs are the broker epochs under which the members of ISR last fetched, in ascending order of the members;
	// 0 where the leader knows none (KIP-903).
	MemberEpochs   []int64
	BrokerEpoch    int64
	ISR            BrokerSet
	Partition      PartitionID
	LeaderEpoch    Epoch
	PartitionEpoch int32
	Broker         NodeID
}

// AlterPartitionResponse is the controller's answer; on success it carries the committed state.
type AlterPartitionResponse struct {
	ISR            BrokerSet
	Partition      PartitionID
	LeaderEpoch    Epoch
	PartitionEpoch int32
	Error          ErrorCode
}

// MetadataFetchRequest asks the controller for the metadata log from Offset on; it is parked until there is more.
type MetadataFetchRequest struct{ Offset Offset }

// MetadataFetchResponse carries metadata records from the offset that was asked for.
type MetadataFetchResponse struct {
	Records []MetadataRecord
	Offset  Offset
}

// StreamAppend hands a follower the leader's newest batches (replication: stream only).
type StreamAppend struct {
	Batches       []Batch
	HighWatermark Offset
	Partition     PartitionID
	Epoch         Epoch
}

// StreamAck tells the leader the follower's log end offset (replication: stream only).
type StreamAck struct {
	LogEndOffset Offset
	Partition    PartitionID
	Epoch        Epoch
	Gap          bool // the batches began behind the follower's log end: send from LogEndOffset on
}

func (*ProduceRequest) Kind() MessageKind             { return KindProduceRequest }
func (*ProduceResponse) Kind() MessageKind            { return KindProduceResponse }
func (*FetchRequest) Kind() MessageKind               { return KindFetchRequest }
func (*FetchResponse) Kind() MessageKind              { return KindFetchResponse }
func (*MetadataRequest) Kind() MessageKind            { return KindMetadataRequest }
func (*MetadataResponse) Kind() MessageKind           { return KindMetadataResponse }
func (*InitProducerIDRequest) Kind() MessageKind      { return KindInitProducerIDRequest }
func (*InitProducerIDResponse) Kind() MessageKind     { return KindInitProducerIDResponse }
func (*BrokerRegistrationRequest) Kind() MessageKind  { return KindBrokerRegistrationRequest }
func (*BrokerRegistrationResponse) Kind() MessageKind { return KindBrokerRegistrationResponse }
func (*BrokerHeartbeatRequest) Kind() MessageKind     { return KindBrokerHeartbeatRequest }
func (*BrokerHeartbeatResponse) Kind() MessageKind    { return KindBrokerHeartbeatResponse }
func (*AlterPartitionRequest) Kind() MessageKind      { return KindAlterPartitionRequest }
func (*AlterPartitionResponse) Kind() MessageKind     { return KindAlterPartitionResponse }
func (*MetadataFetchRequest) Kind() MessageKind       { return KindMetadataFetchRequest }
func (*MetadataFetchResponse) Kind() MessageKind      { return KindMetadataFetchResponse }
func (*StreamAppend) Kind() MessageKind               { return KindStreamAppend }
func (*StreamAck) Kind() MessageKind                  { return KindStreamAck }

// Concerns implements Body.
func (r *ProduceRequest) Concerns(p PartitionID) bool {
	for i := range r.Batches {
		if r.Batches[i].Partition == p {
			return true
		}
	}
	return false
}

// Concerns implements Body.
func (r *ProduceResponse) Concerns(p PartitionID) bool {
	for i := range r.Results {
		if r.Results[i].Partition == p {
			return true
		}
	}
	return false
}

// Concerns implements Body.
func (r *FetchRequest) Concerns(p PartitionID) bool {
	for i := range r.Partitions {
		if r.Partitions[i].Partition == p {
			return true
		}
	}
	return false
}

// Concerns implements Body.
func (r *FetchResponse) Concerns(p PartitionID) bool {
	for i := range r.Partitions {
		if r.Partitions[i].Partition == p {
			return true
		}
	}
	return false
}

func (*MetadataRequest) Concerns(PartitionID) bool            { return false }
func (*MetadataResponse) Concerns(PartitionID) bool           { return false }
func (*InitProducerIDRequest) Concerns(PartitionID) bool      { return false }
func (*InitProducerIDResponse) Concerns(PartitionID) bool     { return false }
func (*BrokerRegistrationRequest) Concerns(PartitionID) bool  { return false }
func (*BrokerRegistrationResponse) Concerns(PartitionID) bool { return false }
func (*BrokerHeartbeatRequest) Concerns(PartitionID) bool     { return false }
func (*BrokerHeartbeatResponse) Concerns(PartitionID) bool    { return false }
func (r *AlterPartitionRequest) Concerns(p PartitionID) bool  { return r.Partition == p }
func (r *AlterPartitionResponse) Concerns(p PartitionID) bool { return r.Partition == p }
func (*MetadataFetchRequest) Concerns(PartitionID) bool       { return false }
func (*MetadataFetchResponse) Concerns(PartitionID) bool      { return false }
func (r *StreamAppend) Concerns(p PartitionID) bool           { return r.Partition == p }
func (r *StreamAck) Concerns(p PartitionID) bool              { return r.Partition == p }
