package broker

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/node"
)

// verifying is a produce request with transactional batches, or the offsets of a transaction, about which the coordinator is
// asked before anything of it is appended: whether the partition belongs to the open transaction (version 1), or to enter it
// there (version 2).
type verifying struct {
	input   node.Input // as it came
	request *kafka.ProduceRequest
	offsets *kafka.TxnOffsetCommitRequest
	guards  []uint32 // of each batch, 0 where nothing is asked
	corr    uint32
	to      kafka.NodeID
}

func cloneVerifying(list []verifying) []verifying { return slices.Clone(list) } // what they point to never changes

func fingerprintVerifying(list []verifying, h *node.Hash) {
	for i := range list {
		if list[i].offsets != nil {
			h.Message(list[i].offsets)
		} else {
			h.Message(list[i].request)
		}
		h.Int(int64(list[i].to))
		for _, guard := range list[i].guards {
			h.Bool(guard != 0)
		}
	}
}

// verify asks about the batches of a produce request that would begin a transaction in their partitions
// (ReplicaManager.maybeSendPartitionsToTransactionCoordinator). It reports whether the request waits now.
func (b *Broker) verify(in *node.Input, request *kafka.ProduceRequest, out *node.Out) bool {
	if request.TransactionID == kafka.NoTransactionalID || b.config.Rules.TransactionsUnverified {
		return false
	}
	guards := make([]uint32, len(request.Batches))
	ask := &kafka.AddPartitionsToTxnRequest{TransactionID: request.TransactionID}
	for i := range request.Batches {
		sent := &request.Batches[i]
		p := b.parts[sent.Partition]
		if b.refusal(p, request.Acks) != kafka.None {
			continue
		}
		if guards[i] = p.producers.Guard(&sent.Batch, b.plan.TransactionVersion()); guards[i] != 0 {
			ask.ProducerID, ask.ProducerEpoch = sent.ProducerID, sent.ProducerEpoch
			ask.Partitions = append(ask.Partitions, sent.Partition)
		}
	}
	if len(ask.Partitions) == 0 {
		return false
	}
	b.askTransaction(verifying{input: *in, request: request, guards: guards}, ask, out)
	return true
}

// askTransaction asks the coordinator of a transaction whether partitions belong to it, or in version 2 enters them there
// (AddPartitionsToTxnManager).
func (b *Broker) askTransaction(v verifying, ask *kafka.AddPartitionsToTxnRequest, out *node.Out) {
	b.asks++
	v.corr, v.to = b.asks, b.image.partitions[b.plan.TransactionHome(ask.TransactionID)].Leader
	b.verifying = append(b.verifying, v)
	if v.to == kafka.NoNode {
		b.verified(v.corr, nil, kafka.CoordinatorNotAvailable, out.Now(), out)
		return
	}
	ask.VerifyOnly = b.plan.TransactionVersion() < 2
	out.Request(v.to, node.VerifyChannel, v.corr, ask)
}

// verified goes on with a produce request when the coordinator has answered, or an error stands for its answer.
func (b *Broker) verified(corr uint32, answers []kafka.PartitionError, code kafka.ErrorCode, now kafka.Tick, out *node.Out) {
	at := slices.IndexFunc(b.verifying, func(v verifying) bool { return v.corr == corr })
	if at < 0 {
		return
	}
	v := b.verifying[at]
	b.verifying = slices.Delete(b.verifying, at, at+1)
	v.input.Now = now
	if v.offsets != nil {
		if len(answers) > 0 {
			code = answers[0].Error
		}
		b.storePending(&v.input, v.offsets, v.guards[0], code, out)
		return
	}
	codes := make([]kafka.ErrorCode, len(v.guards))
	for i, guard := range v.guards {
		if guard == 0 {
			continue
		}
		answered := code
		for _, a := range answers {
			if a.Partition == v.request.Batches[i].Partition {
				answered = a.Error
			}
		}
		codes[i] = b.verificationError(answered)
	}
	b.produce(&v.input, v.request, &permits{guards: v.guards, codes: codes}, out)
}

// verificationError puts the coordinator's error into words that a producer understands
// (AddPartitionsToTxnManager, ReplicaManager.handleProduceAppend): one that passes lets it send the batch again, without asking
// for metadata.
func (b *Broker) verificationError(code kafka.ErrorCode) kafka.ErrorCode {
	version1 := b.plan.TransactionVersion() < 2
	switch {
	case code == kafka.ProducerFenced:
		return kafka.InvalidProducerEpoch
	case code == kafka.TransactionAbortable && version1:
		return kafka.InvalidTxnState
	case code == kafka.ConcurrentTransactions && !version1:
		return code
	case code == kafka.ConcurrentTransactions, code == kafka.NetworkException, code == kafka.CoordinatorLoadInProgress,
		code == kafka.CoordinatorNotAvailable, code == kafka.NotCoordinator:
		return kafka.NotEnoughReplicas
	}
	return code
}

// verificationsLost takes every question to a broker as unanswered whose connection is gone.
func (b *Broker) verificationsLost(to kafka.NodeID, now kafka.Tick, out *node.Out) {
	for _, v := range slices.Clone(b.verifying) {
		if v.to == to {
			b.verified(v.corr, nil, kafka.NetworkException, now, out)
		}
	}
}

// permits is what the coordinator says of the batches of a produce request; nil where nobody was asked.
type permits struct {
	guards []uint32
	codes  []kafka.ErrorCode
}

// permit is what the coordinator says of one batch, and the number of the question.
type permit struct {
	guard uint32
	code  kafka.ErrorCode
}

func (p *permits) of(i int) permit {
	if p == nil {
		return permit{}
	}
	return permit{guard: p.guards[i], code: p.codes[i]}
}

// permits says why a batch must not be appended: the coordinator does not want it, or the question about it has been overtaken.
func (b *Broker) permits(p *partition, sent *kafka.Batch, asked permit) kafka.ErrorCode {
	switch {
	case asked.code != kafka.None:
		return asked.code
	case !b.config.Rules.TransactionsUnverified && !p.producers.Guarded(sent, asked.guard):
		return kafka.InvalidTxnState
	}
	return kafka.None
}

// emitOpened tells of a transaction that begins in a partition.
func (b *Broker) emitOpened(p *partition, stored *kafka.Batch, out *node.Out) {
	state := p.producers.Producer(stored.ProducerID)
	if stored.IsControl() || state.OpenTransaction() != stored.BaseOffset {
		return
	}
	cause := out.Cause()
	out.Emit(event.Event{
		Kind: event.TransactionOpened, Node: b.id, Partition: p.id, Epoch: p.leaderEpoch, Offset: stored.BaseOffset,
		Producer: stored.ProducerID, ProducerEpoch: stored.ProducerEpoch,
	})
	out.Because(cause)
}
