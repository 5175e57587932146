package broker

import (
	"replog/internal/kafka"
	"replog/internal/node"
	"replog/internal/plan"
)

// image is the cluster as this broker knows it: the fold of the metadata log up to offset.
type image struct {
	partitions []kafka.PartitionState  // indexed by kafka.PartitionID
	leaders    *kafka.MetadataResponse // made from partitions when a client asks; nil after a change
	brokers    [kafka.MaxBrokerID + 1]knownBroker
	offset     kafka.Offset
	asked      bool // a fetch of the metadata log waits for its answer
	// behindSince is when a heartbeat's answer last found nothing missing.
	behindSince kafka.Tick
}

type knownBroker struct {
	epoch        int64
	fenced       bool
	shuttingDown bool
}

// initialImage is the metadata at the beginning of a run; the metadata log goes on from there.
func initialImage(p *plan.Plan) image {
	im := image{partitions: plan.InitialPartitions(p)}
	for i := range p.Brokers {
		im.brokers[p.Brokers[i].ID] = knownBroker{epoch: plan.InitialBrokerEpoch(p.Brokers[i].ID), fenced: p.Brokers[i].DeadFromStart}
	}
	return im
}

// answer tells a client who leads what. The body is shared by all who ask until something changes.
func (im *image) answer() *kafka.MetadataResponse {
	if im.leaders == nil {
		im.leaders = kafka.LeadersOf(im.partitions)
	}
	return im.leaders
}

// handleMetadata takes in new records of the metadata log, acts on where they lead, and asks for the next. A broker that
// starts reads the whole log at once: it never acts on what is past (MetadataLoader).
func (b *Broker) handleMetadata(now kafka.Tick, answer *kafka.MetadataFetchResponse, out *node.Out) {
	if answer.Offset != b.image.offset {
		return // a second copy of an answer
	}
	grown := false
	for i := range answer.Records {
		grown = b.image.apply(&answer.Records[i]) || grown
	}
	b.image.offset += kafka.Offset(len(answer.Records))
	b.image.asked = false
	b.image.leaders = nil
	b.rouseAll(out)
	b.act(now, out)
	if grown {
		b.tellGroups()
	}
	b.fetchMetadata(out)
}

// act brings every replica to where the metadata wants it. A broker that starts waits until it has read its own
// registration (BrokerLifecycleManager.initialCatchUpFuture).
func (b *Broker) act(now kafka.Tick, out *node.Out) {
	if b.life.epoch == 0 || b.image.brokers[b.id].epoch != b.life.epoch {
		return
	}
	b.openAdded(out)
	for _, p := range b.parts {
		if p != nil {
			out.BecauseOfInput()
			b.applyPartition(p, &b.image.partitions[p.id], now, out)
		}
	}
	out.BecauseOfInput()
	b.fetchAll(out)
}

// openAdded makes the replicas of partitions that a topic has got meanwhile.
func (b *Broker) openAdded(out *node.Out) {
	for i := range b.plan.Partitions {
		if b.parts[i] == nil && b.plan.Partitions[i].Added && b.image.partitions[i].PartitionEpoch != kafka.NotCreated {
			if b.openPartition(kafka.PartitionID(i)); b.parts[i] != nil {
				out.BecauseOfInput()
				b.emitLoaded(b.parts[i], out)
			}
		}
	}
}

func (b *Broker) fetchMetadata(out *node.Out) {
	b.image.asked = true
	out.Request(kafka.ControllerID, node.MetadataChannel, 0, &kafka.MetadataFetchRequest{Offset: b.image.offset})
}

// noticeGap asks for the metadata log anew when a fetch of it, or the answer to one, must have been lost: its connection
// broke, or what the controller is known to have has not come for the time-out of a connection.
func (b *Broker) noticeGap(end kafka.Offset, now kafka.Tick, out *node.Out) {
	if end <= b.image.offset {
		b.image.behindSince = now
	}
	if b.image.asked && now-b.image.behindSince < b.config.ReplicaSocketTimeout {
		return
	}
	b.image.behindSince = now
	out.Close(kafka.ControllerID, node.MetadataChannel)
	b.fetchMetadata(out)
}

// apply takes in a record; grown says that there is a partition that was not there before.
func (im *image) apply(r *kafka.MetadataRecord) (grown bool) {
	switch r.Kind {
	case kafka.RegisterBroker:
		im.brokers[r.Broker] = knownBroker{epoch: r.BrokerEpoch, fenced: true}
	case kafka.FenceBroker:
		im.brokers[r.Broker].fenced = true
	case kafka.UnfenceBroker:
		im.brokers[r.Broker].fenced = false
	case kafka.ControlledShutdown:
		im.brokers[r.Broker].shuttingDown = true
	case kafka.DirectoriesOffline: // concerns only the controller
	case kafka.PartitionChange:
		p := &im.partitions[r.Partition.Partition]
		grown = p.PartitionEpoch == kafka.NotCreated
		*p = r.Partition
	}
	return grown
}

// applyPartition follows the controller: a newer leader epoch changes the role, a newer partition epoch the ISR.
func (b *Broker) applyPartition(p *partition, state *kafka.PartitionState, now kafka.Tick, out *node.Out) {
	switch {
	case p.offline: // no role to take (HostedPartition.Offline)
	case state.LeaderEpoch > p.leaderEpoch && state.Leader == b.id:
		b.becomeLeader(p, state, now, out)
		b.follow(p)
	case state.LeaderEpoch > p.leaderEpoch:
		b.becomeFollower(p, state, now, out)
		b.follow(p)
	case state.PartitionEpoch > p.partitionEpoch && p.leading:
		b.commitISR(p, state.ISR, state.PartitionEpoch, now, out)
	case state.PartitionEpoch > p.partitionEpoch:
		p.isr, p.partitionEpoch = state.ISR, state.PartitionEpoch
	}
}
