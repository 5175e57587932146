package broker

import (
	"replog/internal/kafka"
	"replog/internal/node"
)

// This file is the lesson's way to replicate (replication: stream): the leader sends each batch to every follower by
// itself; it arrives after the lag, and so does the follower's word that it holds it.

// stream sends a batch that was just appended.
func (b *Broker) stream(p *partition, stored kafka.Batch, out *node.Out) {
	if b.config.Replication != kafka.ReplicateByStream {
		return
	}
	for i := range p.followers {
		b.streamTo(p, []kafka.Batch{stored}, p.followers[i].id, out)
	}
}

// streamTail sends again what lies above the high watermark when a leader begins: it counts as just appended.
func (b *Broker) streamTail(p *partition, out *node.Out) {
	if b.config.Replication != kafka.ReplicateByStream {
		return
	}
	for i := range p.followers {
		b.streamFrom(p, p.hw, p.followers[i].id, out)
	}
}

// streamFrom sends a follower everything from an offset on, batch by batch.
func (b *Broker) streamFrom(p *partition, from kafka.Offset, to kafka.NodeID, out *node.Out) {
	for from < p.log.EndOffset() {
		batch := p.log.Read(from, p.log.EndOffset(), 0)
		from = batch[0].NextOffset()
		b.streamTo(p, batch, to, out)
	}
}

func (b *Broker) streamTo(p *partition, batches []kafka.Batch, to kafka.NodeID, out *node.Out) {
	out.Stream(to, b.config.StreamLagTicks, &kafka.StreamAppend{
		Partition: p.id, Epoch: p.leaderEpoch, Batches: batches, HighWatermark: p.hw,
	})
}

// handleStreamAppend takes batches from the leader. What it has already it only confirms; what lies differently it
// replaces; a gap it reports, and the leader sends from there.
func (b *Broker) handleStreamAppend(leader kafka.NodeID, message *kafka.StreamAppend, out *node.Out) {
	p := b.parts[message.Partition]
	if p == nil || p.leading || message.Epoch < p.leaderEpoch {
		return
	}
	for i := range message.Batches {
		batch := &message.Batches[i]
		end := p.log.EndOffset()
		if batch.BaseOffset > end {
			break
		}
		if batch.BaseOffset < end {
			if p.log.EpochAt(batch.BaseOffset) == batch.LeaderEpoch {
				continue
			}
			b.truncate(p, leader, batch.BaseOffset, out.Now(), out)
		}
		b.copyBatches(p, leader, &kafka.FetchedPartition{
			Batches: message.Batches[i : i+1], HighWatermark: message.HighWatermark,
		}, out.Now(), out)
	}
	b.learnHighWatermark(p, leader, message.HighWatermark, out.Now(), out)
	out.Stream(leader, b.config.StreamLagTicks, &kafka.StreamAck{
		Partition: p.id, Epoch: message.Epoch, LogEndOffset: p.log.EndOffset(),
		Gap: message.Batches[0].BaseOffset > p.log.EndOffset(),
	})
}

// handleStreamAck learns what a follower holds.
func (b *Broker) handleStreamAck(from kafka.NodeID, now kafka.Tick, message *kafka.StreamAck, out *node.Out) {
	p := b.parts[message.Partition]
	if p == nil || !p.leading || message.Epoch != p.leaderEpoch {
		return
	}
	b.learnFollowerOffset(p, from, message.LogEndOffset, b.image.brokers[from].epoch, now, out)
	if message.Gap {
		b.streamFrom(p, message.LogEndOffset, from, out)
	}
}
