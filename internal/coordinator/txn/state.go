package txn

import (
	"slices"

	"replog/internal/kafka"
	"replog/internal/node"
)

// Refuse is the answer to a request that no coordinator takes, or whose record could not be written. nil for any other request.
func Refuse(request kafka.Body, reason kafka.ErrorCode) kafka.Body {
	code := coordinatorError(reason)
	switch r := request.(type) {
	case *kafka.InitProducerIDRequest:
		return &kafka.InitProducerIDResponse{ProducerID: kafka.NoProducerID, Epoch: kafka.NoProducerEpoch, Error: code}
	case *kafka.AddPartitionsToTxnRequest:
		return partitionErrors(r, code)
	case *kafka.AddOffsetsToTxnRequest:
		return &kafka.AddOffsetsToTxnResponse{Error: code}
	case *kafka.EndTxnRequest:
		return &kafka.EndTxnResponse{ProducerID: kafka.NoProducerID, ProducerEpoch: kafka.NoProducerEpoch, Error: code}
	}
	return nil
}

// coordinatorError puts a broker's error into the words of a coordinator (TransactionStateManager.appendTransactionToLog).
func coordinatorError(code kafka.ErrorCode) kafka.ErrorCode {
	switch code {
	case kafka.UnknownTopicOrPartition, kafka.NotEnoughReplicas, kafka.NotEnoughReplicasAfterAppend, kafka.RequestTimedOut:
		return kafka.CoordinatorNotAvailable
	case kafka.NotLeaderOrFollower, kafka.KafkaStorageError:
		return kafka.NotCoordinator
	}
	return code
}

// Clone is an independent copy; values are shared, as they never change.
func (c *Transactions) Clone() *Transactions {
	d := *c
	d.list = make([]*transaction, len(c.list))
	for i, t := range c.list {
		copied := *t
		copied.unsent = slices.Clone(t.unsent)
		d.list[i] = &copied
	}
	return &d
}

// Fingerprint mixes in all that decides the future.
func (c *Transactions) Fingerprint(h *node.Hash) {
	h.Int(int64(c.setting.Epoch))
	for _, t := range c.list {
		h.Int(int64(t.id))
		fingerprintValue(t.value, h)
		h.Bool(t.pending != nil)
		if t.pending != nil {
			fingerprintValue(t.pending, h)
			h.Message(t.answer)
			h.Reply(t.reply)
		}
		h.Partitions(t.unmarked)
		h.Partitions(t.unsent)
		h.Time(t.retryAt)
		h.Time(t.due)
		h.Bool(t.fenced)
		h.Bool(t.givenUp)
	}
}

func fingerprintValue(v *kafka.TransactionValue, h *node.Hash) {
	h.Int(int64(v.ProducerID)<<16 | int64(v.Epoch))
	h.Int(int64(v.PreviousProducer)<<16 | int64(v.LastEpoch))
	h.Int(int64(v.NextProducer))
	h.Int(int64(v.State))
	h.Int(int64(v.Timeout))
	h.Partitions(v.Partitions)
	if v.State == kafka.TransactionOngoing {
		h.Time(v.Started)
	}
}
