package coordinator

import (
	"replog/internal/assign"
	"replog/internal/kafka"
	"replog/internal/node"
)

// Setting is what a coordinator has to know of the cluster around it.
type Setting struct {
	Config    *kafka.GroupConfig
	Topics    []assign.Topic // indexed by kafka.TopicID; internal topics are not among those one may subscribe to
	Partition kafka.PartitionID
	Host      kafka.NodeID // the broker that leads Partition
}

// Reply answers a request. It goes out when all records written so far are committed.
type Reply struct {
	To      node.Reply
	Body    kafka.Body
	Request kafka.Body // what it answers, so that Refuse can, when the records are not written
}

// Write is what a step of the coordinator leads to: records for its partition, in one batch, and answers.
type Write struct {
	Records []kafka.CoordinatorRecord
	Replies []Reply
}
