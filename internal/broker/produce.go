package broker

import (
	"replog/internal/commitlog"
	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// handleProduce appends each batch and answers: at once for acks=1 and for refusals, when the high watermark has passed
// for acks=all, never for acks=0 (ReplicaManager.appendRecords).
func (b *Broker) handleProduce(in *node.Input, request *kafka.ProduceRequest, out *node.Out) {
	if !b.verify(in, request, out) {
		b.produce(in, request, nil, out)
	}
}

// produce appends each batch that the coordinator of its transaction lets pass.
func (b *Broker) produce(in *node.Input, request *kafka.ProduceRequest, asked *permits, out *node.Out) {
	slot := b.openProduce(in, request)
	for i := range request.Batches {
		out.Because(in.Cause)
		sent := &request.Batches[i]
		result := &b.produces.at(slot).answer.Results[i]
		result.Partition, result.BaseOffset = sent.Partition, kafka.NoOffset
		verdict := b.validate(sent, request.Acks, asked.of(i))
		need, about := b.append(in.From, sent, verdict, result, out)
		b.produces.at(slot).about[i] = about
		if request.Acks == kafka.AcksAll && result.Error == kafka.None {
			b.await(b.parts[sent.Partition], waiter{need: need, slot: slot, result: int32(i)})
		}
	}
	b.settle(slot, in.Now, out)
	for i := range request.Batches {
		b.afterAppend(request.Batches[i].Partition, in.Now, out)
	}
}

// validate says what to do with a batch (UnifiedLog.analyzeAndValidateProducerState): a duplicate is recognised first, then
// the transaction must let it pass, then producer epoch and sequence must follow on.
func (b *Broker) validate(sent *kafka.PartitionBatch, acks kafka.Acks, asked permit) commitlog.Verdict {
	p := b.parts[sent.Partition]
	code := b.refusal(p, acks)
	if code == kafka.None && p.log.Compacted() && lacksKey(&sent.Batch) {
		code = kafka.InvalidRecord
	}
	if code != kafka.None || !sent.Idempotent() {
		return commitlog.Verdict{Error: code}
	}
	verdict := p.producers.Check(&sent.Batch)
	if b.config.Rules.ProducerStateWithRecords && sent.BaseSequence > 0 && p.producers.Producer(sent.ProducerID) == nil {
		verdict = commitlog.Verdict{Error: kafka.UnknownProducerID}
	}
	if b.plan.Lesson && verdict.Error == kafka.OutOfOrderSequenceNumber {
		verdict = p.findInLog(&sent.Batch, verdict)
	}
	if code := b.permits(p, &sent.Batch, asked); code != kafka.None && !verdict.Duplicate {
		verdict.Error = code
	}
	return verdict
}

// append writes one batch, or finds that it must not, and fills in the result. It returns the offset that the high
// watermark must reach before an acks=all answer, and the event that the answer will be about.
func (b *Broker) append(
	from kafka.NodeID, sent *kafka.PartitionBatch, verdict commitlog.Verdict, result *kafka.ProduceResult, out *node.Out,
) (kafka.Offset, event.Seq) {
	p := b.parts[sent.Partition]
	switch {
	case verdict.Error != kafka.None:
		result.Error = verdict.Error
		return kafka.NoOffset, out.EmitRecords(event.Event{
			Kind: event.ProduceRefused, Node: b.id, Peer: from, Partition: sent.Partition, Error: verdict.Error,
		}, sent.Records)
	case verdict.Duplicate:
		// It is in the log already: it gets the offset that it has there, and waits as a new one would (KIP-98).
		result.BaseOffset = verdict.BaseOffset
		return verdict.BaseOffset + kafka.Offset(sent.Len()), out.EmitRecords(event.Event{
			Kind: event.DuplicateRecognised, Node: b.id, Peer: from, Partition: p.id, Epoch: p.leaderEpoch,
			Offset: verdict.BaseOffset, Producer: sent.ProducerID, ProducerEpoch: sent.ProducerEpoch, Sequence: sent.BaseSequence,
		}, sent.Records)
	}
	stored, appended := b.store(p, sent.Batch, from, out)
	result.BaseOffset = stored.BaseOffset
	return stored.NextOffset(), appended
}

// store appends a batch to a partition that this broker leads.
func (b *Broker) store(p *partition, batch kafka.Batch, from kafka.NodeID, out *node.Out) (kafka.Batch, event.Seq) {
	rolled := len(p.log.Rolled())
	if c := p.log.Config(); c != nil && c.AppendTime {
		batch.Records = batch.Records.Stamped(out.Now())
	}
	stored := p.log.AppendAsLeader(batch, p.leaderEpoch)
	b.afterRolls(p, rolled, out)
	p.producers.Update(&stored)
	appended := out.EmitRecords(event.Event{
		Kind: event.BatchAppended, Node: b.id, Peer: from, Partition: p.id, Epoch: p.leaderEpoch, Offset: stored.BaseOffset,
		Producer: stored.ProducerID, ProducerEpoch: stored.ProducerEpoch, Sequence: stored.BaseSequence,
	}, stored.Records)
	if out.Tracing() && stored.IsTransactional() {
		b.emitOpened(p, &stored, out)
	}
	b.stream(p, stored, out)
	return stored, appended
}

// refusal is the error for a batch that must not be written here, whatever it holds.
func (b *Broker) refusal(p *partition, acks kafka.Acks) kafka.ErrorCode {
	switch {
	case p == nil || !p.leading:
		return p.absence()
	case acks == kafka.AcksAll && p.underMinISR():
		return kafka.NotEnoughReplicas
	}
	return kafka.None
}

// lacksKey reports whether some record of the batch has no key: a compacted topic could never remove it
// (LogValidator.validateKey).
func lacksKey(batch *kafka.Batch) bool {
	for i := range batch.Len() {
		if batch.Key(i) == kafka.NoKey {
			return true
		}
	}
	return false
}

// findInLog is the lesson's memory: any batch of a producer is recognised, not just its last five.
func (p *partition) findInLog(sent *kafka.Batch, verdict commitlog.Verdict) commitlog.Verdict {
	for stored := range p.log.All() {
		if stored.ProducerID == sent.ProducerID && stored.ProducerEpoch == sent.ProducerEpoch &&
			stored.BaseSequence == sent.BaseSequence && stored.Span() == sent.Span() {
			return commitlog.Verdict{Duplicate: true, BaseOffset: stored.BaseOffset}
		}
	}
	return verdict
}

// afterAppend lets the high watermark follow, and hands what is new to parked fetches.
func (b *Broker) afterAppend(id kafka.PartitionID, now kafka.Tick, out *node.Out) {
	p := b.parts[id]
	if p == nil || !p.leading {
		return
	}
	if !b.maybeIncrementHighWatermark(p, now, out) {
		b.completeWaiting(p, now, out) // a recognised duplicate may lie below the high watermark already
	}
	b.wakeFollowers(p, out)
	if b.config.Rules.ReadToLogEnd {
		b.wakeReaders(p, out)
	}
}
