package client

import (
	"replog/internal/kafka"
	"replog/internal/node"
)

// feed is what makes a producer the second half of a processor: a consumer hands it records, and now and then asks whether all of
// them are stored, before it goes on.
type feed struct {
	finish   *node.Words // asked and not answered
	failed   kafka.ErrorCode
	consumer kafka.NodeID
	over     bool // it has told that it can not go on
}

// note keeps that a record was given up.
func (f *feed) note(code kafka.ErrorCode) {
	if f != nil {
		f.failed = code
	}
}

func (f *feed) clone() *feed {
	if f == nil {
		return nil
	}
	c := *f
	return &c
}

func (f *feed) fingerprint(h *node.Hash) {
	if f == nil {
		return
	}
	h.Int(int64(f.failed))
	h.Bool(f.over)
	h.Bool(f.finish != nil)
	if f.finish != nil {
		h.Message(f.finish)
	}
}

// answerFeed answers the consumer when there is something to say: a producer without transactions when nothing is on its way any
// more, as flush() returns.
func (p *Producer) answerFeed(out *node.Out) {
	f := p.feed
	switch {
	case p.fatal && !f.over:
		f.over = true
		f.answer(node.SayFatal, kafka.ProducerFatal, out)
	case f.finish != nil && p.transaction == nil && p.settledAll():
		say := node.SayDone
		if f.failed != kafka.None {
			say = node.SayFailed
		}
		f.answer(say, f.failed, out)
	}
}

func (f *feed) answer(say node.Saying, code kafka.ErrorCode, out *node.Out) {
	words := &node.Words{Say: say, Code: code}
	if f.finish != nil {
		words.Round = f.finish.Round
	}
	f.finish, f.failed = nil, kafka.None
	out.Tell(f.consumer, words)
}

// finishFed ends the transaction of a processor when its consumer wants that, and all that it handed over was sent: by a commit with
// the consumer's offsets, or by an abort when something went wrong.
func (p *Producer) finishFed(now kafka.Tick, out *node.Out) {
	t, f := p.transaction, p.feed
	if f == nil || f.finish == nil || t.phase != phaseReady && t.phase != phaseOpen || len(t.backlog) > 0 {
		return
	}
	if t.phase == phaseReady {
		p.beginTransaction(now, out)
	}
	t.phase, t.commit = phaseEnding, t.failed == kafka.None
	if t.commit {
		t.offsets = f.finish
	}
}

// fedOver tells the consumer how its transaction ended.
func (p *Producer) fedOver(out *node.Out) {
	t, f := p.transaction, p.feed
	t.offsets, t.offsetsAdded = nil, false
	if f == nil || f.finish == nil {
		return
	}
	say := node.SayDone
	if t.failed != kafka.None {
		say = node.SayFailed
	}
	f.answer(say, t.failed, out)
}

// offsetsCall is what a producer has to say of the consumer's offsets, or nil: first to the coordinator of the transaction, in
// version 1, then to that of the group (KafkaProducer.sendOffsetsToTransaction).
func (p *Producer) offsetsCall() kafka.Body {
	t := p.transaction
	w := t.offsets
	switch {
	case t.phase != phaseEnding || !t.commit || w == nil:
		return nil
	case t.version < 2 && !t.offsetsAdded:
		return &kafka.AddOffsetsToTxnRequest{
			TransactionID: t.spec.ID, ProducerID: p.identity.id, ProducerEpoch: p.identity.epoch, Group: w.Group,
		}
	}
	return &kafka.TxnOffsetCommitRequest{
		TransactionID: t.spec.ID, ProducerID: p.identity.id, ProducerEpoch: p.identity.epoch, Group: w.Group,
		MemberID: w.MemberID, InstanceID: w.InstanceID, Generation: w.Generation, Offsets: w.Offsets,
	}
}

// offsetsKept takes the answer of the group's coordinator (TransactionManager.TxnOffsetCommitHandler).
func (p *Producer) offsetsKept(now kafka.Tick, answer *kafka.TxnOffsetCommitResponse, out *node.Out) {
	t := p.transaction
	switch code := worst(answer.Results); code {
	case kafka.None:
		t.offsets = nil
	case kafka.FencedInstanceID, kafka.UnknownMemberID, kafka.IllegalGeneration, kafka.TransactionAbortable, kafka.InvalidTxnState:
		p.abortable(code, out)
	case kafka.NotCoordinator, kafka.CoordinatorNotAvailable, kafka.RequestTimedOut:
		t.calls.group = kafka.NoNode
		p.callLater(p.config.RetryBackoff, now, out)
	case kafka.UnknownTopicOrPartition, kafka.CoordinatorLoadInProgress, kafka.ConcurrentTransactions:
		p.callLater(p.config.RetryBackoff, now, out)
	default:
		p.becomeFatal(code, out)
	}
}
