package broker

import (
	"replog/internal/kafka"
	"replog/internal/node"
)

// handleListOffsets tells a client where a partition begins, ends, or has its first record that is not older than a time
// (ReplicaManager.fetchOffset).
func (b *Broker) handleListOffsets(in *node.Input, request *kafka.ListOffsetsRequest, out *node.Out) {
	answer := &kafka.ListOffsetsResponse{Partitions: append([]kafka.ListedOffset(nil), request.Partitions...)}
	for i := range answer.Partitions {
		b.listOffset(&answer.Partitions[i], request.ReadCommitted)
	}
	out.Answer(in.Reply, answer)
}

func (b *Broker) listOffset(l *kafka.ListedOffset, committed bool) {
	p := b.parts[l.Partition]
	asked := l.LeaderEpoch
	l.Offset, l.LeaderEpoch = kafka.NoOffset, kafka.NoEpoch
	if l.Error = p.epochError(asked); l.Error != kafka.None {
		return
	}
	end := p.hw
	if committed {
		end = p.lastStable()
	}
	switch {
	case l.Timestamp == kafka.EarliestTimestamp:
		l.Offset = p.log.StartOffset()
	case p.hw < p.epochStart:
		// A new leader may not know yet how far its predecessor had committed (KIP-207).
		l.Error = kafka.OffsetNotAvailable
	case l.Timestamp == kafka.LatestTimestamp:
		l.Offset = end
	default:
		l.Offset = p.log.OffsetForTimestamp(l.Timestamp, end)
	}
	l.LeaderEpoch = p.log.EpochAt(l.Offset)
}

// epochError is what a client hears that asks in a leader epoch that is not this broker's, or asks the wrong broker.
func (p *partition) epochError(asked kafka.Epoch) kafka.ErrorCode {
	switch {
	case p == nil || !p.leading:
		return kafka.NotLeaderOrFollower
	case asked != kafka.NoEpoch && asked < p.leaderEpoch:
		return kafka.FencedLeaderEpoch
	case asked > p.leaderEpoch:
		return kafka.UnknownLeaderEpoch
	}
	return kafka.None
}

// handleEpochQuestions tells a client where leader epochs end in this log (KIP-320, OffsetForLeaderEpoch).
func (b *Broker) handleEpochQuestions(in *node.Input, request *kafka.OffsetForLeaderEpochRequest, out *node.Out) {
	answer := &kafka.OffsetForLeaderEpochResponse{}
	for _, q := range request.Partitions {
		p := b.parts[q.Partition]
		end := kafka.EpochAnswer{Partition: q.Partition, LeaderEpoch: kafka.NoEpoch, EndOffset: kafka.NoOffset}
		if end.Error = p.epochError(q.CurrentLeaderEpoch); end.Error == kafka.None {
			found := p.log.EndOffsetForEpoch(q.LeaderEpoch)
			end.LeaderEpoch, end.EndOffset = found.Epoch, found.EndOffset
		}
		answer.Ends = append(answer.Ends, end)
	}
	out.Answer(in.Reply, answer)
}
