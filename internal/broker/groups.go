package broker

import (
	"replog/internal/assign"
	"replog/internal/coordinator"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// This file has the group coordinators work in their host (CoordinatorRuntime): the leader of a partition of
// __consumer_offsets answers for the groups that fall into it. A step of theirs counts at once, so it is not taken where its
// records can not be written; its answer goes out when they are committed.

// coordinatorRetryMillis is how long what a timer wanted to write, and could not, is put off (CoordinatorRuntime schedules it
// again after 500 ms).
const coordinatorRetryMillis = 500

// groupCoordinator is the coordinator of the groups of one partition.
type groupCoordinator struct {
	*coordinator.Groups
	wrote kafka.Offset // where the latest of its own records ends
	retry kafka.Tick   // before it no timer of the groups is looked at
}

// groupStep is a step of the coordinator.
type groupStep func(c *coordinator.Groups, out *node.Out, w *coordinator.Write)

// groups is the coordinator of the groups of a partition, nil where this broker hosts none.
func (p *partition) groups() *groupCoordinator {
	if p == nil || p.host == nil {
		return nil
	}
	c, _ := p.host.hosted.(*groupCoordinator)
	return c
}

// Groups is the coordinator that the broker hosts in a partition, nil where it hosts none; for those who compare what it
// knows with what the events say.
func (b *Broker) Groups(id kafka.PartitionID) *coordinator.Groups {
	if c := b.parts[id].groups(); c != nil {
		return c.Groups
	}
	return nil
}

func (b *Broker) groupSetting(p *partition) *coordinator.Setting {
	return &coordinator.Setting{
		Config: &b.plan.Group, Topics: subscribable(b.plan, &b.image), Partition: p.id, Host: b.id,
	}
}

// subscribable lists the topics that a group may read, by their ids, with the partitions that the metadata has; those that
// Kafka made for itself have no partitions here.
func subscribable(p *plan.Plan, im *image) []assign.Topic {
	topics := make([]assign.Topic, len(p.Names.Topics))
	for i := range topics {
		topics[i].Name = p.Names.Topics[i].Name
	}
	for i := range p.Partitions {
		if t := p.Partitions[i].Topic; !p.Names.Topics[t].Internal && im.partitions[i].PartitionEpoch != kafka.NotCreated {
			topics[t].Partitions = append(topics[t].Partitions, kafka.PartitionID(i))
		}
	}
	return topics
}

// tellGroups tells the coordinators of partitions that a topic has got.
func (b *Broker) tellGroups() {
	for _, p := range b.parts {
		if c := p.groups(); c != nil {
			c.Know(subscribable(b.plan, &b.image))
		}
	}
}

// handleGroupRequest hands a request to the coordinator of its group.
func (b *Broker) handleGroupRequest(in *node.Input, request kafka.GroupRequest, out *node.Out) {
	p := b.parts[b.plan.Groups[request.ToGroup()].Coordinator]
	switch {
	case p.groups() == nil:
		out.Answer(in.Reply, coordinator.Refuse(request, kafka.NotLeaderOrFollower))
	case !b.tryGroups(p, in, handled(in), out):
		out.Answer(in.Reply, coordinator.Refuse(request, kafka.NotEnoughReplicas))
	}
}

// handled is the step that a request leads to.
func handled(in *node.Input) groupStep {
	return func(c *coordinator.Groups, out *node.Out, w *coordinator.Write) { c.Handle(in, out, w) }
}

// tryGroups takes a step, unless it writes something that the partition can not take now: then the coordinator stays as it
// was (CoordinatorRuntime goes back to its last snapshot).
func (b *Broker) tryGroups(p *partition, in *node.Input, step groupStep, out *node.Out) bool {
	if p.underMinISR() && p.groups().wouldWrite(in, step) {
		return false
	}
	b.stepGroups(p, in.Now, step, out)
	return true
}

func (c *groupCoordinator) wouldWrite(in *node.Input, step groupStep) bool {
	var trial node.Out
	var w coordinator.Write
	trial.Begin(in.Now, in.Cause, 0, false)
	step(c.Groups.Clone(), &trial, &w)
	return len(w.Records) > 0
}

// stepGroups takes a step, writes what it decided and answers, at once or when it is committed. An answer without a record
// waits for the records before it as well: it may rest on them.
func (b *Broker) stepGroups(p *partition, now kafka.Tick, step groupStep, out *node.Out) {
	c := p.groups()
	var w coordinator.Write
	step(c.Groups, out, &w)
	if len(w.Records) > 0 {
		header := plainHeader()
		if w.Transaction != nil {
			header = *pendingBatch(w.Transaction)
		}
		c.wrote = b.storeRecords(p, header, w.Records, now, out)
	}
	for i := range w.Replies {
		if c.wrote <= p.hw || b.answersAtOnce(&w.Replies[i]) {
			out.Answer(w.Replies[i].To, w.Replies[i].Body)
			continue
		}
		p.host.deferred = append(p.host.deferred, deferred{
			event: (*heldReply)(&w.Replies[i]), need: c.wrote, deadline: deadline(now, b.plan.Group.CommitTimeout),
		})
	}
	if len(w.Records) > 0 {
		b.afterAppend(p.id, now, out)
	}
	b.watchCoordinator(p, out)
}

// answersAtOnce reports whether an answer need not wait for the replicas.
func (b *Broker) answersAtOnce(r *coordinator.Reply) bool {
	_, commit := r.Body.(*kafka.OffsetCommitResponse)
	return commit && b.config.Rules.CommitsUnreplicated
}

// heldReply is an answer that waits until the records are committed, at most for offsets.commit.timeout.ms.
type heldReply coordinator.Reply

func (r *heldReply) complete(b *Broker, p *partition, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	switch {
	case r.Body == nil: // the coordinator answers itself, and others who wait for the same
		b.stepGroups(p, now, func(c *coordinator.Groups, out *node.Out, w *coordinator.Write) {
			c.Committed(r.Request, code, now, out, w)
		}, out)
	case code == kafka.None:
		out.Answer(r.To, r.Body)
	default:
		out.Answer(r.To, coordinator.Refuse(r.Request, code))
	}
}

func (r *heldReply) refuse(out *node.Out) {
	if r.Body != nil {
		out.Answer(r.To, coordinator.Refuse(r.Request, kafka.NotLeaderOrFollower))
	}
}

func (c *groupCoordinator) loaded(_ *Broker, _ *partition, now kafka.Tick, out *node.Out) {
	c.Loaded(now, out)
}

// Deadline is that of the groups, unless they are put off.
func (c *groupCoordinator) Deadline() kafka.Tick { return max(c.Groups.Deadline(), c.retry) }

func (c *groupCoordinator) expire(b *Broker, p *partition, in *node.Input, out *node.Out) {
	expired := func(c *coordinator.Groups, out *node.Out, w *coordinator.Write) { c.Expire(in.Now, out, w) }
	if !b.tryGroups(p, in, expired, out) {
		c.retry = in.Now + max(1, kafka.Tick(coordinatorRetryMillis*1000/b.plan.Names.TickMicros))
	}
}

func (c *groupCoordinator) configure(b *Broker, _ *partition) { c.Configure(&b.plan.Group) }

// Fingerprint implements hosted.
func (c *groupCoordinator) Fingerprint(h *node.Hash) {
	c.Groups.Fingerprint(h)
	h.Int(int64(c.wrote))
	h.Time(max(c.retry, h.Now))
}

func (c *groupCoordinator) clone() hosted {
	return &groupCoordinator{Groups: c.Groups.Clone(), wrote: c.wrote, retry: c.retry}
}
