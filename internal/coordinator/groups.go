package coordinator

import (
	"slices"

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

// Reply is an answer that must wait until all records written so far are committed. When they are, and Body is there, it
// goes out; without a Body the coordinator answers itself, and wants to hear of it through Committed.
type Reply struct {
	To      node.Reply
	Body    kafka.Body
	Request kafka.GroupRequest // what it answers, so that Refuse can, when the records are not written
}

// Write is what a step of the coordinator leads to: records for its partition, in one batch, and answers.
type Write struct {
	Records []kafka.CoordinatorRecord
	Replies []Reply
	// Transaction is the request to whose transaction the records belong; nil for those that count at once.
	Transaction *kafka.TxnOffsetCommitRequest
}

// Groups coordinates the groups of one partition of __consumer_offsets. It begins with nothing; the broker that becomes
// the partition's leader hands it all records of the log through Apply, and then calls Loaded.
//
// A step is taken when Handle, Committed or Expire returns, before its records are written. A broker that may not write
// just now tries the step on a Clone first, and refuses the request if there are records.
type Groups struct {
	setting   *Setting
	groups    []*group   // ascending by id
	nextCheck kafka.Tick // when offsets are looked at for expiry; kafka.Never before Loaded
	replayed  int32      // records that Apply has seen
}

// NewGroups makes a coordinator that knows of no group.
func NewGroups(setting *Setting) *Groups { return &Groups{setting: setting, nextCheck: kafka.Never} }

// Configure takes over the settings of a changed plan; what is under way goes on as it began.
func (c *Groups) Configure(config *kafka.GroupConfig) {
	setting := *c.setting
	setting.Config = config
	c.setting = &setting
}

// Know takes over which partitions the topics have by now. A group of KIP-848 acts on it with the next heartbeat
// (GroupMetadataManager.onNewMetadataImage); in a classic one it is for the leader to notice.
func (c *Groups) Know(topics []assign.Topic) {
	setting := *c.setting
	setting.Topics = topics
	c.setting = &setting
}

// Handle takes a request. Some answers leave at once, through out; some with w.Replies; those to JoinGroup and SyncGroup
// may come in a later step.
func (c *Groups) Handle(in *node.Input, out *node.Out, w *Write) {
	request, ok := in.Body.(kafka.GroupRequest)
	if !ok {
		return
	}
	s := step{Groups: c, now: in.Now, out: out, w: w, from: in.From, reply: in.Reply, request: request}
	switch r := request.(type) {
	case *kafka.JoinGroupRequest:
		s.joinGroup(r)
	case *kafka.SyncGroupRequest:
		s.syncGroup(r)
	case *kafka.HeartbeatRequest:
		s.heartbeat(r)
	case *kafka.LeaveGroupRequest:
		s.leaveGroup(r)
	case *kafka.ConsumerGroupHeartbeatRequest:
		s.consumerGroupHeartbeat(r)
	case *kafka.OffsetCommitRequest:
		s.commitOffsets(r)
	case *kafka.TxnOffsetCommitRequest:
		s.commitPending(r)
	case *kafka.OffsetFetchRequest:
		s.fetchOffsets(r)
	}
	c.touch(request.ToGroup())
}

// Committed says what became of the records behind a Reply without a Body: kafka.None when they are committed.
func (c *Groups) Committed(request kafka.GroupRequest, code kafka.ErrorCode, now kafka.Tick, out *node.Out, w *Write) {
	s := step{Groups: c, now: now, out: out, w: w, from: kafka.NoNode, request: request}
	switch r := request.(type) {
	case *kafka.SyncGroupRequest:
		s.assignmentCommitted(r, coordinatorError(code))
	case *kafka.JoinGroupRequest:
		s.replacementCommitted(r, coordinatorError(code))
	}
	c.touch(request.ToGroup())
}

// Resign ends the coordinator's work, when its broker no longer leads the partition: whoever waits for an answer hears
// NOT_COORDINATOR (GroupMetadataManager.onUnloaded). The broker itself refuses the replies that it has not sent yet.
func (c *Groups) Resign(out *node.Out) {
	for _, g := range c.groups {
		if g.classic != nil {
			g.classic.refuseAll(out, kafka.NotCoordinator)
		}
	}
}

// Deadline is when Expire has something to do, kafka.Never if nothing is to come.
func (c *Groups) Deadline() kafka.Tick {
	next := c.nextCheck
	for _, g := range c.groups {
		next = min(next, g.due)
	}
	return next
}

// Expire does what is due: sessions and phases of a rebalance that are over, offsets that nobody needs any more.
func (c *Groups) Expire(now kafka.Tick, out *node.Out, w *Write) {
	s := step{Groups: c, now: now, out: out, w: w, from: kafka.NoNode}
	for _, g := range c.groups {
		if g.due > now {
			continue
		}
		switch {
		case g.classic != nil:
			s.expireClassic(g)
		case g.consumer != nil:
			s.expireConsumer(g)
		}
		g.due = g.deadline()
	}
	if c.nextCheck <= now {
		c.nextCheck = now + c.setting.Config.OffsetsRetentionCheck
		s.expireOffsets()
	}
}

// find returns a group, or nil.
func (c *Groups) find(id kafka.GroupID) *group {
	if i, ok := c.index(id); ok {
		return c.groups[i]
	}
	return nil
}

func (c *Groups) index(id kafka.GroupID) (int, bool) {
	return slices.BinarySearchFunc(c.groups, id, func(g *group, id kafka.GroupID) int { return int(g.id) - int(id) })
}

// obtain returns a group, which it makes if there is none.
func (c *Groups) obtain(id kafka.GroupID) *group {
	i, ok := c.index(id)
	if !ok {
		c.groups = slices.Insert(c.groups, i, &group{id: id, due: kafka.Never})
	}
	return c.groups[i]
}

// touch keeps Deadline up to date after a step that concerned a group.
func (c *Groups) touch(id kafka.GroupID) {
	if g := c.find(id); g != nil {
		g.due = g.deadline()
		c.forget(g)
	}
}
