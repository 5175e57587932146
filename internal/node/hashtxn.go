package node

import "replog/internal/kafka"

// transactionMessage mixes in what is said about transactions.
func (h *Hash) transactionMessage(body kafka.Body) {
	switch b := body.(type) {
	case *kafka.AddPartitionsToTxnRequest:
		h.producer(b.TransactionID, b.ProducerID, b.ProducerEpoch)
		h.Bool(b.VerifyOnly)
		for _, p := range b.Partitions {
			h.Int(int64(p))
		}
	case *kafka.AddPartitionsToTxnResponse:
		h.partitionErrors(b.Results)
	case *kafka.AddOffsetsToTxnRequest:
		h.producer(b.TransactionID, b.ProducerID, b.ProducerEpoch)
		h.Int(int64(b.Group))
	case *kafka.AddOffsetsToTxnResponse:
		h.Int(int64(b.Error))
	case *kafka.TxnOffsetCommitRequest:
		h.producer(b.TransactionID, b.ProducerID, b.ProducerEpoch)
		h.Int(int64(b.Group)<<32 | int64(b.Generation))
		h.Offsets(b.Offsets)
	case *kafka.TxnOffsetCommitResponse:
		h.Offsets(b.Results)
	case *Words:
		h.words(b)
	case *kafka.EndTxnRequest:
		h.producer(b.TransactionID, b.ProducerID, b.ProducerEpoch)
		h.Bool(b.Commit)
	case *kafka.EndTxnResponse:
		h.producer(kafka.NoTransactionalID, b.ProducerID, b.ProducerEpoch)
		h.Int(int64(b.Error))
	case *kafka.WriteTxnMarkersRequest:
		for i := range b.Markers {
			h.marker(&b.Markers[i])
		}
	case *kafka.WriteTxnMarkersResponse:
		for _, results := range b.Results {
			h.partitionErrors(results)
		}
	}
}

func (h *Hash) producer(transaction kafka.TransactionalID, id kafka.ProducerID, epoch int16) {
	h.Int(int64(transaction))
	h.Int(int64(id)<<16 | int64(epoch))
}

func (h *Hash) marker(m *kafka.TxnMarker) {
	h.producer(kafka.NoTransactionalID, m.ProducerID, m.ProducerEpoch)
	h.Int(int64(m.CoordinatorEpoch))
	h.Int(int64(m.Version))
	h.Bool(m.Commit)
	for _, p := range m.Partitions {
		h.Int(int64(p))
	}
}

func (h *Hash) partitionErrors(results []kafka.PartitionError) {
	for _, r := range results {
		h.Int(int64(r.Partition))
		h.Int(int64(r.Error))
	}
}
