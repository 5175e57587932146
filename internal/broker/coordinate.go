package broker

import (
	"slices"

	"replog/internal/assign"
	"replog/internal/coordinator"
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// This file hosts the group coordinators (CoordinatorRuntime): the leader of a partition of __consumer_offsets answers for
// the groups that fall into it. What a coordinator decides is a record of that partition, written with acks=all; its
// answer goes out when the record is committed. So it survives the broker: the next leader reads the partition.

// coordinatorRetryMillis is how long what a timer wanted to write, and could not, is put off (CoordinatorRuntime schedules it
// again after 500 ms).
const coordinatorRetryMillis = 500

// hosted is the coordinator of the groups of one partition that this broker leads.
type hosted struct {
	groups *coordinator.Groups
	held   []heldReply  // ordered by what they need
	wrote  kafka.Offset // where the latest of its own records ends
	timer  kafka.Tick   // the earliest tick for which a timer is set, 0 when there is none
	retry  kafka.Tick   // before it no timer of the groups is looked at
}

// heldReply is an answer that waits until everything below need is committed.
type heldReply struct {
	coordinator.Reply
	need     kafka.Offset
	deadline kafka.Tick // offsets.commit.timeout.ms
}

func (h *hosted) clone() *hosted {
	if h == nil {
		return nil
	}
	c := *h
	c.groups = h.groups.Clone()
	c.held = append([]heldReply(nil), h.held...)
	return &c
}

func (h *hosted) fingerprint(hash *node.Hash) {
	h.groups.Fingerprint(hash)
	for i := range h.held {
		hash.Int(int64(h.held[i].need))
		hash.Time(h.held[i].deadline)
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
		if p != nil && p.hosted != nil {
			p.hosted.groups.Know(subscribable(b.plan, &b.image))
		}
	}
}

// host begins to coordinate the groups of a partition: it reads the whole log, also above the high watermark
// (CoordinatorLoader).
func (b *Broker) host(p *partition, now kafka.Tick, out *node.Out) {
	if p.hosted != nil || !b.plan.Coordinates(p.id) {
		return
	}
	groups := coordinator.NewGroups(&coordinator.Setting{
		Config: &b.plan.Group, Topics: subscribable(b.plan, &b.image), Partition: p.id, Host: b.id,
	})
	for batch := range p.log.All() {
		groups.ApplyBatch(batch)
	}
	p.hosted = &hosted{groups: groups}
	groups.Loaded(now, out)
	b.watchCoordinator(p, out)
}

// unhost ends the coordinator of a partition that is led elsewhere now. Its members look for the new one.
func (b *Broker) unhost(p *partition, out *node.Out) {
	h := p.hosted
	if h == nil {
		return
	}
	p.hosted = nil
	for i := range h.held {
		if h.held[i].Body != nil {
			out.Answer(h.held[i].To, coordinator.Refuse(h.held[i].Request, kafka.NotLeaderOrFollower))
		}
	}
	h.groups.Resign(out)
}

// handleGroupRequest hands a request to the coordinator of its group.
func (b *Broker) handleGroupRequest(in *node.Input, group kafka.GroupID, out *node.Out) {
	p := b.parts[b.plan.Groups[group].Coordinator]
	if p == nil || p.hosted == nil {
		out.Answer(in.Reply, coordinator.Refuse(in.Body, kafka.NotLeaderOrFollower))
		return
	}
	if p.underMinISR() && b.wouldWrite(p, in) {
		out.Answer(in.Reply, coordinator.Refuse(in.Body, kafka.NotEnoughReplicas))
		return
	}
	b.coordinate(p, in, out)
}

func (b *Broker) coordinate(p *partition, in *node.Input, out *node.Out) {
	var w coordinator.Write
	p.hosted.groups.Handle(in, out, &w)
	b.carryOut(p, &w, in.Now, out)
}

// wouldWrite reports whether a step of the coordinator writes anything, which the partition can not take now: then the
// step must not be taken (CoordinatorRuntime goes back to its last snapshot). With no request it is about the timers.
func (b *Broker) wouldWrite(p *partition, in *node.Input) bool {
	var trial node.Out
	var w coordinator.Write
	trial.Begin(in.Now, in.Cause, 0, false)
	groups := p.hosted.groups.Clone()
	if in.Body == nil {
		groups.Expire(in.Now, &trial, &w)
	} else {
		groups.Handle(in, &trial, &w)
	}
	return len(w.Records) > 0
}

// carryOut writes what the coordinator decided and answers, at once or when it is committed. An answer without a record
// waits for the records before it as well: it may rest on them.
func (b *Broker) carryOut(p *partition, w *coordinator.Write, now kafka.Tick, out *node.Out) {
	h := p.hosted
	if len(w.Records) > 0 {
		batch := kafka.Batch{ProducerID: kafka.NoProducerID, BaseSequence: kafka.NoSequence}
		if w.Transaction != nil {
			batch = *pendingBatch(w.Transaction)
		}
		batch.Records = kafka.CoordinatorRecords(w.Records, now, kafka.CoordinatorRecordBytes)
		stored, _ := b.store(p, batch, b.id, out)
		h.wrote = stored.NextOffset()
	}
	for i := range w.Replies {
		if h.wrote <= p.hw {
			out.Answer(w.Replies[i].To, w.Replies[i].Body)
			continue
		}
		h.held = append(h.held, heldReply{
			Reply: w.Replies[i], need: h.wrote, deadline: deadline(now, b.plan.Group.CommitTimeout),
		})
	}
	if len(w.Records) > 0 {
		b.afterAppend(p.id, now, out)
	}
	b.watchCoordinator(p, out)
}

// answerCommitted sends the answers whose records are committed.
func (b *Broker) answerCommitted(p *partition, now kafka.Tick, out *node.Out) {
	for h := p.hosted; h != nil && len(h.held) > 0 && h.held[0].need <= p.hw; {
		b.release(p, 0, kafka.None, now, out)
	}
}

// release ends the wait of an answer: its records are committed, or will not be known to be.
func (b *Broker) release(p *partition, i int, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	r := p.hosted.held[i].Reply
	p.hosted.held = slices.Delete(p.hosted.held, i, i+1)
	switch {
	case r.Body == nil: // the coordinator answers itself, and others who wait for the same
		var w coordinator.Write
		p.hosted.groups.Committed(r.Request, code, now, out, &w)
		b.carryOut(p, &w, now, out)
	case code == kafka.None:
		out.Answer(r.To, r.Body)
	default:
		out.Answer(r.To, coordinator.Refuse(r.Request, code))
	}
}

// coordinatorDue refuses the answers that have waited for offsets.commit.timeout.ms, and lets the groups do what is due.
func (b *Broker) coordinatorDue(id kafka.PartitionID, in *node.Input, out *node.Out) {
	p := b.parts[id]
	if p == nil || p.hosted == nil || p.hosted.timer == 0 || p.hosted.timer > in.Now {
		return // an earlier one was set since this one
	}
	h := p.hosted
	h.timer = 0
	for i := 0; i < len(h.held); {
		if h.held[i].deadline > in.Now {
			i++
			continue
		}
		b.release(p, i, kafka.RequestTimedOut, in.Now, out)
	}
	if h.groups.Deadline() <= in.Now && h.retry <= in.Now {
		b.expireGroups(p, in, out)
	}
	b.watchCoordinator(p, out)
}

func (b *Broker) expireGroups(p *partition, in *node.Input, out *node.Out) {
	if p.underMinISR() && b.wouldWrite(p, in) {
		p.hosted.retry = in.Now + max(1, kafka.Tick(coordinatorRetryMillis*1000/b.plan.Names.TickMicros))
		return
	}
	var w coordinator.Write
	p.hosted.groups.Expire(in.Now, out, &w)
	b.carryOut(p, &w, in.Now, out)
}

// watchCoordinator arms the timer for the next thing that is due.
func (b *Broker) watchCoordinator(p *partition, out *node.Out) {
	h := p.hosted
	at := max(h.groups.Deadline(), h.retry)
	for i := range h.held {
		at = min(at, h.held[i].deadline)
	}
	at = max(at, out.Now()+1)
	if at >= kafka.Never || h.timer != 0 && h.timer <= at {
		return
	}
	h.timer = at
	out.Timer(at, node.Timer{Kind: timerCoordinator, Arg: int32(p.id)})
}

// findCoordinator tells who leads the partition of a group, or of a transactional id.
func (b *Broker) findCoordinator(request *kafka.FindCoordinatorRequest) *kafka.FindCoordinatorResponse {
	home := kafka.NoPartition
	if id := request.TransactionID; id != kafka.NoTransactionalID {
		home = b.plan.TransactionHome(id)
	} else {
		home = b.plan.Groups[request.Group].Coordinator
	}
	leader := b.image.partitions[home].Leader
	if leader == kafka.NoNode {
		return &kafka.FindCoordinatorResponse{Node: kafka.NoNode, Error: kafka.CoordinatorNotAvailable}
	}
	return &kafka.FindCoordinatorResponse{Node: leader}
}

// configureGroups hands the coordinators their new settings.
func (b *Broker) configureGroups(p *partition, out *node.Out) {
	if p.hosted != nil {
		p.hosted.groups.Configure(&b.plan.Group)
		b.watchCoordinator(p, out)
	}
}

// Groups is the coordinator that the broker hosts in a partition, nil where it hosts none; for those who compare what it
// knows with what the events say.
func (b *Broker) Groups(id kafka.PartitionID) *coordinator.Groups {
	if p := b.parts[id]; p != nil && p.hosted != nil {
		return p.hosted.groups
	}
	return nil
}
