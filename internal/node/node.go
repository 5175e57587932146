// Package node says what a participant of a run is: it takes one Input at a time and answers with effects, which it
// writes into an Out: requests, answers, timers, events. A node knows no clock, draws no chance and touches no other
// node; sim does all that for it. That is what makes a run repeatable.
package node

import (
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
)

// Node is a broker, the controller or a client.
type Node interface {
	// Handle takes one input. The body of the input must not be changed.
	Handle(in *Input, out *Out)
	// Clone copies the node so that both copies can go on, independent of each other.
	Clone() Node
	// Fingerprint writes all state that decides the future into h; times as spans from now, and no sequence numbers
	// of events.
	Fingerprint(h *Hash)
}

// InputKind names what comes in.
type InputKind uint8

const (
	// Start comes once, at the beginning of a run.
	Start InputKind = iota
	// Crash ends the process: all state that is not on disk is gone.
	Crash
	// Shutdown asks the process to stop in good order (SIGTERM).
	Shutdown
	// Stop ends the process after it asked for that itself (Exit): everything is on disk.
	Stop
	// Restart begins the process anew with what is on disk.
	Restart
	// Request brings Body from From; it can be answered through Reply.
	Request
	// Response brings the Body that answers the node's request with the number Corr.
	Response
	// Connected says that the connection to From on Channel stands.
	Connected
	// Reset says that the connection to From on Channel is gone, with all requests on it that have no response, or
	// that it could not be opened.
	Reset
	// Disconnected tells a broker that From closed its connection on Channel or died.
	Disconnected
	// TimerFired brings back a Timer that was set. It may be out of date; the node compares its own deadlines.
	TimerFired
	// Send hands a record from the application to a producer, for the partitions of Topic.
	Send
	// PeerDown and PeerUp tell the controller of a broker's death or return in From (DetectAtOnce only).
	PeerDown
	PeerUp
	// Metadata hands a client the cluster's leaders without being asked (plan.Plan.Lesson only); Body is a
	// kafka.MetadataResponse.
	Metadata
	// Elect asks the controller for an election of the kind Election in the partitions of Topic
	// (kafka-leader-election.sh).
	Elect
	// Stall has the application of a consumer stand still until the tick Until: it calls no poll(), while the client's own
	// thread goes on with the heartbeats.
	Stall
	// CreatePartitions makes the partitions of Topic (kafka-topics.sh --alter).
	CreatePartitions
	// DiskFailure takes the log directory LogDir of a broker.
	DiskFailure
	// Awaited tells a broker that From waits for its fetch to come back: it may not be computed any longer. It is no message
	// of Kafka's (see broker/idle.go).
	Awaited
	// Told brings the Words in Body from the other half of a processor.
	Told
	// DeleteRecords asks a broker to move the log start offset of the partitions of Topic up to Before
	// (kafka-delete-records.sh).
	DeleteRecords
	// Reconfigure gives the node the settings of Plan; what is under way goes on as it began.
	Reconfigure
)

// Channel tells apart the connections that one node opens to another.
type Channel uint8

const (
	// DataChannel carries Produce from producers, Fetch from followers and readers.
	DataChannel Channel = iota
	// ControlChannel carries AlterPartition of brokers; metadata and producer id requests of clients.
	ControlChannel
	// LifecycleChannel carries registration and heartbeats, so that nothing delays them (NodeToControllerChannelManager).
	LifecycleChannel
	// MetadataChannel carries the brokers' fetches of the metadata log.
	MetadataChannel
	// GroupChannel carries what a consumer says to the coordinator of its group: a connection of its own, so that it never
	// waits behind a fetch (AbstractCoordinator).
	GroupChannel
	// MarkerChannel carries WriteTxnMarkers from the coordinators of transactions (TransactionMarkerChannelManager).
	MarkerChannel
	// VerifyChannel carries what leaders ask the coordinators of transactions (AddPartitionsToTxnManager).
	VerifyChannel
	// StreamChannel carries StreamAppend and StreamAck, which need no answers (replication: stream).
	StreamChannel
	// Channels is the number of channels.
	Channels
)

// Input is one thing that happens to a node.
type Input struct {
	Refused   bool // Reset: the connection never stood
	Body      kafka.Body
	Topic     []kafka.PartitionID // Send, Elect, CreatePartitions, DeleteRecords
	Plan      *plan.Plan          // Reconfigure
	Now       kafka.Tick
	Until     kafka.Tick   // Stall
	Before    kafka.Offset // DeleteRecords
	Draw      uint64       // chance for this input, where the node may need it (Send)
	Reply     Reply        // Request
	Record    kafka.Record
	Cause     event.Seq
	Corr      uint32 // Response
	Timer     Timer
	From      kafka.NodeID
	Kind      InputKind
	Election  kafka.Election // Elect
	LogDir    int32          // DiskFailure: from 1
	Unflushed int32          // Crash: how many records at the end of each log never reached the disk
	Channel   Channel
}

// Reply is where the answer to a request goes. An answer to a connection that is gone goes nowhere.
type Reply struct {
	Conn kafka.ConnID
	Corr uint32
}

// Timer names a timer of a node; the kinds belong to the node's package.
type Timer struct {
	Kind uint8
	Arg  int32
}
