package broker

import (
	"replog/internal/event"
	"replog/internal/fetch"
	"replog/internal/kafka"
	"replog/internal/node"
)

// fetcher copies from one other broker: everything that it leads and we follow, one request at a time
// (ReplicaFetcherThread, num.replica.fetchers=1).
type fetcher struct {
	fetch.Requester
	deadline kafka.Tick // of the fetch in flight
	watched  bool       // the timer for the deadline is armed
	backoff  bool       // the connection is lost; a timer will try again
}

// fetcherFrom finds or makes the fetcher for a source; they are ordered by source.
func (b *Broker) fetcherFrom(source kafka.NodeID) *fetcher {
	at := len(b.fetchers)
	for i := range b.fetchers {
		if b.fetchers[i].Source == source {
			return &b.fetchers[i]
		}
		if b.fetchers[i].Source > source {
			at = i
			break
		}
	}
	b.fetchers = append(b.fetchers, fetcher{})
	copy(b.fetchers[at+1:], b.fetchers[at:])
	b.fetchers[at] = fetcher{Requester: fetch.NewRequester(source)}
	return &b.fetchers[at]
}

// follow points the fetchers at the partition's leader, and away from any other.
func (b *Broker) follow(p *partition) {
	for i := range b.fetchers {
		if b.fetchers[i].Source != p.leader {
			b.fetchers[i].Remove(p.id)
		}
	}
	if !p.offline && !p.leading && p.leader != kafka.NoNode && b.config.Replication == kafka.ReplicateByFetch {
		b.fetcherFrom(p.leader).Set(b.fetchPosition(p))
	}
}

// fetchPosition is where this replica goes on: behind its log, with its latest epoch so that the leader can tell
// whether the logs have parted (KIP-595).
func (b *Broker) fetchPosition(p *partition) kafka.FetchPartition {
	position := kafka.FetchPartition{
		Partition: p.id, FetchOffset: p.log.EndOffset(), CurrentLeaderEpoch: p.leaderEpoch,
		LastFetchedEpoch: p.log.LatestEpoch(),
	}
	rules := &b.config.Rules
	if rules.TruncateToHighWatermark || rules.DivergingEpochIgnored && p.aligned {
		position.LastFetchedEpoch = kafka.NoEpoch
	}
	if rules.FetchWithoutLeaderEpoch {
		position.CurrentLeaderEpoch = kafka.NoEpoch
	}
	return position
}

// fetchAll sends the next request of every fetcher that has none in flight.
func (b *Broker) fetchAll(out *node.Out) {
	for i := range b.fetchers {
		b.fetchNext(&b.fetchers[i], out)
	}
}

func (b *Broker) fetchNext(f *fetcher, out *node.Out) {
	if f.InFlight || f.backoff || f.Empty() {
		return
	}
	request := b.asked.New()
	request.MaxWait, request.Replica, request.BrokerEpoch = b.config.ReplicaFetchWait, b.id, b.life.epoch
	request.Partitions = request.one[:0]
	f.Next(&request.FetchRequest)
	out.Request(f.Source, node.DataChannel, f.Corr, &request.FetchRequest)
	// While all is quiet an answer may be left out as well as be lost: then nothing is lost.
	f.deadline = deadline(max(out.Now(), b.quietUntil), b.config.ReplicaSocketTimeout)
	b.watchFetcher(f, out)
}

// watchFetcher arms the timer that gives up a fetch without an answer.
func (b *Broker) watchFetcher(f *fetcher, out *node.Out) {
	if !f.watched && f.deadline != kafka.Never {
		f.watched = true
		out.Timer(f.deadline, node.Timer{Kind: timerFetchTimeout, Arg: int32(f.Source)})
	}
}

// checkFetcher closes a connection whose fetch has had no answer for replica.socket.timeout.ms; the follower can not
// know what was lost, and begins a new session.
func (b *Broker) checkFetcher(source kafka.NodeID, now kafka.Tick, out *node.Out) {
	f := b.fetcherFrom(source)
	f.watched = false
	switch {
	case !f.InFlight:
	case f.deadline > now:
		b.watchFetcher(f, out)
	default:
		out.Close(source, node.DataChannel)
		b.fetchConnectionLost(source, now, out)
	}
}

// asked is a request with room for the one position that most of them name.
type asked struct {
	kafka.FetchRequest
	one [1]kafka.FetchPartition
}

// handleFetchResponse appends what came and asks for more.
func (b *Broker) handleFetchResponse(in *node.Input, answer *kafka.FetchResponse, out *node.Out) {
	f := b.fetcherFrom(in.From)
	if !f.Answered(in.Corr) {
		return
	}
	for i := range answer.Partitions {
		b.takeFetched(f, &answer.Partitions[i], in.Now, out)
	}
	b.fetchNext(f, out)
}

// takeFetched takes the answer for one partition, if nothing has changed since it was asked for: same leader epoch, same
// offset.
func (b *Broker) takeFetched(f *fetcher, got *kafka.FetchedPartition, now kafka.Tick, out *node.Out) {
	position, wanted := f.Asked(got.Partition)
	p := b.parts[got.Partition]
	if b.config.Rules.LateFetchAnswerTaken && b.takeLate(p, f.Source, got, now, out) {
		return
	}
	if !wanted || p.offline || p.leading || p.leader != f.Source ||
		position.FetchOffset != p.log.EndOffset() && !b.leavesGap(p, got) ||
		position.CurrentLeaderEpoch != p.leaderEpoch && position.CurrentLeaderEpoch != kafka.NoEpoch {
		return
	}
	switch {
	case b.config.Rules.DivergingEpochIgnored && b.alignByOffset(p, f.Source, got, now, out):
	case got.Error == kafka.OffsetOutOfRange:
		b.startOver(p, f.Source, got, now, out)
	case got.Error != kafka.None:
		f.Remove(p.id)
		out.Timer(now+b.config.ReplicaFetchBackoff, node.Timer{Kind: timerPartitionWait, Arg: int32(p.id)})
		return
	case got.Diverging != nil:
		b.truncateDiverging(p, f.Source, got, now, out)
	case len(got.Batches) > 0 && !p.log.Takes(&got.Batches[0]):
		f.Remove(p.id) // until the next leader epoch (AbstractFetcherThread.markPartitionFailed)
		return
	case len(got.Batches) > 0:
		b.copyBatches(p, f.Source, got, now, out)
	default:
		b.learnHighWatermark(p, f.Source, got.HighWatermark, now, out)
	}
	b.learnLogStart(p, got, out)
	if next := b.fetchPosition(p); next != position {
		f.Set(next)
	}
}

// takeLate appends what came from a broker that this one does not follow any more, if it fits behind the log.
func (b *Broker) takeLate(
	p *partition, source kafka.NodeID, got *kafka.FetchedPartition, now kafka.Tick, out *node.Out,
) bool {
	if p.leading || p.leader == source || len(got.Batches) == 0 ||
		got.Batches[0].BaseOffset != p.log.EndOffset() && !b.leavesGap(p, got) {
		return false
	}
	b.copyBatches(p, source, got, now, out)
	b.follow(p)
	return true
}

// leavesGap reports whether an answer is appended although it begins behind the log end offset.
func (b *Broker) leavesGap(p *partition, got *kafka.FetchedPartition) bool {
	return b.config.Rules.FetchOffsetIgnored && len(got.Batches) > 0 && got.Batches[0].BaseOffset > p.log.EndOffset()
}

// copyBatches appends the leader's batches at the leader's offsets (ReplicaFetcherThread.processPartitionData).
func (b *Broker) copyBatches(
	p *partition, leader kafka.NodeID, got *kafka.FetchedPartition, now kafka.Tick, out *node.Out,
) {
	rolled, before := len(p.log.Rolled()), p.log.EndOffset()
	for batches := range got.Pieces {
		b.copyPiece(p, batches)
	}
	if hw := min(got.HighWatermark, p.log.EndOffset()); hw > p.hw {
		p.setHighWatermark(hw, now, b.config.CheckpointTicks)
	}
	if out.Tracing() {
		b.emitCopied(p, leader, got, before, out)
		b.emitRolls(p, rolled, out)
	}
}

func (b *Broker) copyPiece(p *partition, batches []kafka.Batch) {
	rolled := len(p.log.Rolled())
	p.log.AppendAsFollower(batches)
	for i := range batches {
		for rolled < len(p.log.Rolled()) && batches[i].BaseOffset == p.log.Base(rolled+1) {
			p.producers.TakeSnapshot(batches[i].BaseOffset)
			rolled++
		}
		if batches[i].Idempotent() {
			p.producers.Update(&batches[i])
		}
	}
}

// emitCopied tells of the batches that were copied from the offset on, one event for each run of one leader epoch.
func (b *Broker) emitCopied(
	p *partition, leader kafka.NodeID, got *kafka.FetchedPartition, next kafka.Offset, out *node.Out,
) {
	run := event.Event{Kind: event.ReplicaAppended, Peer: leader, Partition: p.id}
	flush := func() {
		if run.Count > 0 {
			run.Value = int64(min(p.hw, run.End()))
			b.emit(out, run)
			run.Count = 0
		}
	}
	for batches := range got.Pieces {
		for i := range batches {
			batch := &batches[i]
			if cleaned := batch.Attributes&kafka.Cleaned != 0; cleaned || batch.BaseOffset > next {
				flush()
				b.emitGap(p, leader, batch.LeaderEpoch, next, batch.BaseOffset, out)
				if next = batch.NextOffset(); cleaned {
					b.emitCleanedCopy(p, leader, batch, out)
					continue
				}
			}
			next = batch.NextOffset()
			if run.Count == 0 || batch.LeaderEpoch != run.Epoch {
				flush()
				run.Epoch, run.Offset, run.Count = batch.LeaderEpoch, batch.BaseOffset, 0
			}
			run.Count += int32(batch.Len())
		}
	}
	flush()
}

func (b *Broker) learnHighWatermark(
	p *partition, leader kafka.NodeID, leaderHW kafka.Offset, now kafka.Tick, out *node.Out,
) {
	hw := min(leaderHW, p.log.EndOffset())
	if hw <= p.hw {
		return
	}
	before := p.hw
	p.setHighWatermark(hw, now, b.config.CheckpointTicks)
	b.emit(out, event.Event{
		Kind: event.HighWatermarkLearned, Peer: leader, Partition: p.id, Epoch: p.leaderEpoch, Offset: hw,
		Prev: int64(before),
	})
}

// truncateDiverging cuts the log back to where it and the leader's part (KIP-101, KIP-279).
func (b *Broker) truncateDiverging(
	p *partition, leader kafka.NodeID, got *kafka.FetchedPartition, now kafka.Tick, out *node.Out,
) {
	to, _ := p.log.TruncationPoint(*got.Diverging, p.hw)
	b.truncate(p, leader, to, now, out)
}

// alignByOffset is KIP-101 without KIP-279: the follower cuts its log to the end offset that the leader names for its own
// last epoch, or to its high watermark where the leader knows no such epoch, and asks no more.
func (b *Broker) alignByOffset(
	p *partition, leader kafka.NodeID, got *kafka.FetchedPartition, now kafka.Tick, out *node.Out,
) bool {
	if p.aligned {
		return false
	}
	p.aligned = got.Error == kafka.None || got.Error == kafka.OffsetOutOfRange
	switch {
	case got.Error == kafka.OffsetOutOfRange:
		b.truncate(p, leader, p.hw, now, out)
	case got.Diverging != nil:
		b.truncate(p, leader, got.Diverging.EndOffset, now, out)
	default:
		return false
	}
	return true
}

func (b *Broker) truncate(p *partition, leader kafka.NodeID, to kafka.Offset, now kafka.Tick, out *node.Out) {
	before := p.log.EndOffset()
	p.log.TruncateTo(min(to, before)) // also where no record goes: an epoch in which none was appended goes
	if to < before {
		b.afterCut(p, leader, before, now, out)
	}
}

// startOver handles a position that the leader's log does not have.
func (b *Broker) startOver(
	p *partition, leader kafka.NodeID, got *kafka.FetchedPartition, now kafka.Tick, out *node.Out,
) {
	start, before := p.log.StartOffset(), p.log.EndOffset()
	p.log.ResetToLeader(got.LogStartOffset, got.LogEndOffset)
	b.afterCut(p, leader, before, now, out)
	if p.log.EndOffset() < before && p.log.StartOffset() < start {
		b.emitLoaded(p, out) // it begins anew below its own log start
	}
}

// afterCut makes what the log implies agree with it again.
func (b *Broker) afterCut(p *partition, leader kafka.NodeID, before kafka.Offset, now kafka.Tick, out *node.Out) {
	end := p.log.EndOffset()
	p.producers.Rebuild(p.log)
	p.producers.HighWatermarkMoved(p.hw)
	if hw := min(max(p.hw, p.log.StartOffset()), end); hw != p.hw {
		p.setHighWatermark(hw, now, b.config.CheckpointTicks)
	}
	if end < before {
		b.emit(out, event.Event{
			Kind: event.LogTruncated, Peer: leader, Partition: p.id, Epoch: p.leaderEpoch, Offset: end, Prev: int64(before),
		})
	} else if end > before {
		b.emitLoaded(p, out)
	}
}

// resumePartition fetches a partition again after an error, if this broker still follows.
func (b *Broker) resumePartition(id kafka.PartitionID, out *node.Out) {
	b.follow(b.parts[id])
	b.fetchAll(out)
}

// fetchConnectionLost waits replica.fetch.backoff.ms before the source is asked again.
func (b *Broker) fetchConnectionLost(source kafka.NodeID, now kafka.Tick, out *node.Out) {
	f := b.fetcherFrom(source)
	f.Lost()
	if !f.backoff {
		f.backoff = true
		out.Timer(now+b.config.ReplicaFetchBackoff, node.Timer{Kind: timerFetchBackoff, Arg: int32(source)})
	}
}

func (b *Broker) fetchAgain(source kafka.NodeID, out *node.Out) {
	f := b.fetcherFrom(source)
	f.backoff = false
	b.fetchNext(f, out)
}
