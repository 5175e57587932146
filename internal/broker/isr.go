package broker

import (
	"replog/internal/event"
	"replog/internal/fetch"
	"replog/internal/kafka"
	"replog/internal/node"
)

// follower is what a leader knows of one follower (kafka.cluster.Replica).
type follower struct {
	logEndOffset    kafka.Offset // the offset of its latest fetch; NoOffset before the first in this leader epoch
	lastFetch       kafka.Tick
	leaderEndOffset kafka.Offset // the leader's log end offset at the latest fetch
	lastCaughtUp    kafka.Tick   // when it last had everything that the leader had
	brokerEpoch     int64        // of its latest fetch (KIP-903)
	id              kafka.NodeID
}

// never is a time so long ago that no follower is in sync by it.
const never kafka.Tick = -1 << 62

// reset begins a leader epoch: members of the ISR count as caught up now, the others as never (Replica.resetReplicaState).
func (f *follower) reset(now kafka.Tick, isr kafka.BrokerSet) {
	*f = follower{id: f.id, logEndOffset: kafka.NoOffset, leaderEndOffset: kafka.NoOffset, lastFetch: never, lastCaughtUp: never}
	if isr.Has(f.id) {
		f.lastCaughtUp = now
	}
}

// fetched takes in a fetch at the offset (Replica.updateFetchStateOrThrow).
func (f *follower) fetched(offset, leaderEnd kafka.Offset, now kafka.Tick) {
	switch {
	case offset >= leaderEnd:
		f.lastCaughtUp = max(f.lastCaughtUp, now)
	case offset >= f.leaderEndOffset:
		f.lastCaughtUp = max(f.lastCaughtUp, f.lastFetch)
	}
	f.logEndOffset, f.leaderEndOffset, f.lastFetch = offset, leaderEnd, now
}

// inSync reports whether the follower keeps up by replica.lag.time.max.ms (Replica.isCaughtUp).
func (b *Broker) inSync(f *follower, leaderEnd kafka.Offset, now kafka.Tick) bool {
	return f.logEndOffset == leaderEnd && !b.config.Rules.LagByTimeAlone || now-f.lastCaughtUp <= b.config.ReplicaLagTimeTicks
}

// learnFollowerOffsets takes in what a follower's fetch says of every partition of its session.
func (b *Broker) learnFollowerOffsets(s *fetch.Session, brokerEpoch int64, now kafka.Tick, out *node.Out) {
	for i := range s.Positions {
		position := &s.Positions[i]
		p := b.parts[position.Partition]
		if p == nil || !p.agrees(position) {
			if parting, code := b.examine(p, position); code != kafka.None || parting.Defined() {
				continue
			}
		}
		out.BecauseOfInput()
		b.learnFollowerOffset(p, s.From, position.FetchOffset, brokerEpoch, now, out)
	}
}

// learnFollowerOffset takes in that a follower holds everything below the offset (Partition.updateFollowerFetchState).
func (b *Broker) learnFollowerOffset(
	p *partition, from kafka.NodeID, offset kafka.Offset, brokerEpoch int64, now kafka.Tick, out *node.Out,
) {
	f := p.follower(from)
	if f == nil {
		return
	}
	before := f.logEndOffset
	f.brokerEpoch = brokerEpoch
	f.fetched(offset, p.log.EndOffset(), now)
	if before == offset {
		b.maybeExpandISR(p, f, now, out)
		return
	}
	b.emit(out, event.Event{
		Kind: event.FollowerOffsetLearned, Peer: from, Partition: p.id, Epoch: p.leaderEpoch, Offset: offset,
		Prev: int64(before),
	})
	b.maybeExpandISR(p, f, now, out)
	b.maybeIncrementHighWatermark(p, now, out)
}

// maybeExpandISR proposes a follower for the ISR when it has reached the high watermark and the start of this leader
// epoch, and the controller would take it (Partition.maybeExpandIsr, KAFKA-7128, KIP-841, KIP-903).
func (b *Broker) maybeExpandISR(p *partition, f *follower, now kafka.Tick, out *node.Out) {
	rules := &b.config.Rules
	if p.proposed != 0 || p.isr.Has(f.id) || f.logEndOffset < p.hw ||
		f.logEndOffset < p.epochStart && !rules.JoinBelowEpochStart || !b.eligible(f) {
		return
	}
	b.proposeISR(p, p.isr.With(f.id), now, out)
}

// eligible reports whether the controller would take the follower into the ISR (Partition.isReplicaIsrEligible).
func (b *Broker) eligible(f *follower) bool {
	known, rules := &b.image.brokers[f.id], &b.config.Rules
	active := !known.fenced && !known.shuttingDown
	return (active || rules.FencedMayJoinISR) && (known.epoch == f.brokerEpoch || rules.BrokerEpochsIgnored)
}

// checkISRs is the periodic look for followers that have fallen behind (ReplicaManager.maybeShrinkIsr).
func (b *Broker) checkISRs(now kafka.Tick, out *node.Out) {
	out.Timer(now+max(1, b.config.ReplicaLagTimeTicks/2), node.Timer{Kind: timerISRCheck})
	for _, p := range b.parts {
		if p == nil || !p.leading {
			continue
		}
		if p.proposed != 0 {
			if p.requested && now-p.proposedAt >= b.config.ReplicaLagTimeTicks {
				b.sendProposal(p, now, out) // the request or its answer was lost
			}
			continue
		}
		isr := p.isr
		for i := range p.followers {
			f := &p.followers[i]
			if !b.inSync(f, p.log.EndOffset(), now) {
				isr = isr.Without(f.id)
			}
		}
		if isr != p.isr {
			b.proposeISR(p, isr, now, out)
		}
	}
}

// proposeISR asks the controller for a new ISR. Until it answers, the larger one counts, and nothing else is asked for
// (KIP-497).
func (b *Broker) proposeISR(p *partition, isr kafka.BrokerSet, now kafka.Tick, out *node.Out) {
	b.emit(out, event.Event{
		Kind: event.ISRChangeProposed, Partition: p.id, Epoch: p.leaderEpoch, Value: int64(isr), Prev: int64(p.isr),
	})
	p.proposed = isr
	p.proposal++
	b.sendProposal(p, now, out)
}

func (b *Broker) sendProposal(p *partition, now kafka.Tick, out *node.Out) {
	p.proposedAt, p.requested = now, true
	out.Request(kafka.ControllerID, node.ControlChannel, p.proposal, &kafka.AlterPartitionRequest{
		Broker: b.id, BrokerEpoch: b.life.epoch, Partition: p.id, LeaderEpoch: p.leaderEpoch,
		PartitionEpoch: p.partitionEpoch, ISR: p.proposed, MemberEpochs: b.memberEpochs(p),
	})
}

// memberEpochs are the broker epochs of the proposed ISR, as their fetches told them (Partition.addBrokerEpochToIsr).
func (b *Broker) memberEpochs(p *partition) []int64 {
	epochs := make([]int64, 0, p.proposed.Len())
	for id := p.proposed.Next(0); id != kafka.NoNode; id = p.proposed.Next(id) {
		if f := p.follower(id); f != nil {
			epochs = append(epochs, f.brokerEpoch)
		} else {
			epochs = append(epochs, b.life.epoch)
		}
	}
	return epochs
}

// handleAlterPartition takes the controller's answer to a proposal, if that still stands (Partition.submitAlterPartition).
func (b *Broker) handleAlterPartition(in *node.Input, answer *kafka.AlterPartitionResponse, out *node.Out) {
	p := b.parts[answer.Partition]
	if p == nil || !p.leading || p.proposed == 0 || in.Corr != p.proposal || answer.LeaderEpoch != p.leaderEpoch {
		return
	}
	if answer.Error != kafka.None {
		b.proposalRefused(p, answer.Error, in.Now, out)
		return
	}
	if answer.PartitionEpoch > p.partitionEpoch {
		b.commitISR(p, answer.ISR, answer.PartitionEpoch, in.Now, out)
	}
}

// proposalRefused does what the controller's error asks for (Partition.handleAlterPartitionError). A member that may
// not join is dropped. Where the leader's own view is out of date the proposal stays, and counts, until metadata brings
// a newer one. Everything else is asked again.
func (b *Broker) proposalRefused(p *partition, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	b.emit(out, event.Event{
		Kind: event.ISRChangeRefused, Partition: p.id, Epoch: p.leaderEpoch, Value: int64(p.proposed), Error: code,
	})
	switch code {
	case kafka.IneligibleReplica:
		p.proposed, p.requested = 0, false // the high watermark follows with the next append or fetch that brings news
	case kafka.UnknownTopicOrPartition, kafka.NewLeaderElected, kafka.FencedLeaderEpoch, kafka.InvalidUpdateVersion,
		kafka.InvalidRequest:
		p.requested = false
	default:
		out.Timer(now+b.config.AlterPartitionRetry, node.Timer{Kind: timerAlterPartition, Arg: int32(p.id)})
	}
}

// proposeAgain sends a proposal again that met a passing error.
func (b *Broker) proposeAgain(id kafka.PartitionID, now kafka.Tick, out *node.Out) {
	if p := b.parts[id]; p.leading && p.requested && now-p.proposedAt >= b.config.AlterPartitionRetry {
		b.sendProposal(p, now, out)
	}
}

// commitISR takes over an ISR that the controller has committed. A smaller one may let the high watermark move, or let
// it stand for good below min.insync.replicas.
func (b *Broker) commitISR(p *partition, isr kafka.BrokerSet, partitionEpoch int32, now kafka.Tick, out *node.Out) {
	p.isr, p.partitionEpoch, p.proposed, p.requested = isr, partitionEpoch, 0, false
	b.maybeIncrementHighWatermark(p, now, out)
}
