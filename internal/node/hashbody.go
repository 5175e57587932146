package node

import "replog/internal/kafka"

// Message mixes in a message by its content.
func (h *Hash) Message(body kafka.Body) {
	if body == nil {
		h.Int(-1)
		return
	}
	h.Int(int64(body.Kind()))
	switch b := body.(type) {
	case *kafka.ProduceRequest:
		h.Int(int64(b.Acks))
		for i := range b.Batches {
			h.Int(int64(b.Batches[i].Partition))
			h.Batch(&b.Batches[i].Batch)
		}
	case *kafka.ProduceResponse:
		for _, r := range b.Results {
			h.Int(int64(r.Partition))
			h.Int(int64(r.BaseOffset))
			h.Int(int64(r.Error))
		}
	case *kafka.FetchRequest:
		h.fetchRequest(b)
	case *kafka.FetchResponse:
		h.fetchResponse(b)
	case *kafka.StreamAppend:
		h.Int(int64(b.Partition))
		h.Int(int64(b.Epoch))
		h.Int(int64(b.HighWatermark))
		h.batches(b.Batches)
	case *kafka.StreamAck:
		h.Int(int64(b.Partition))
		h.Int(int64(b.Epoch))
		h.Int(int64(b.LogEndOffset))
	default:
		h.controlMessage(body)
	}
}

func (h *Hash) fetchRequest(r *kafka.FetchRequest) {
	h.Bool(r.Full)
	h.Int(int64(r.Replica))
	h.Int(int64(r.Isolation))
	h.Int(r.BrokerEpoch)
	for _, p := range r.Partitions {
		h.Int(int64(p.Partition))
		h.Int(int64(p.FetchOffset))
		h.Int(int64(p.CurrentLeaderEpoch))
		h.Int(int64(p.LastFetchedEpoch))
	}
	for _, p := range r.Forgotten {
		h.Int(int64(p))
	}
}

func (h *Hash) fetchResponse(r *kafka.FetchResponse) {
	for i := range r.Partitions {
		p := &r.Partitions[i]
		h.Int(int64(p.Partition))
		h.Int(int64(p.Error))
		h.Int(int64(p.HighWatermark))
		h.Int(int64(p.LogStartOffset))
		if p.Diverging != nil {
			h.Int(int64(p.Diverging.Epoch))
			h.Int(int64(p.Diverging.EndOffset))
		}
		if p.Stable != nil {
			h.Int(int64(p.Stable.LastStableOffset))
		}
		for piece := range p.Pieces {
			h.batches(piece)
		}
	}
}

func (h *Hash) batches(batches []kafka.Batch) {
	for i := range batches {
		h.Batch(&batches[i])
	}
}

func (h *Hash) controlMessage(body kafka.Body) {
	switch b := body.(type) {
	case *kafka.MetadataResponse:
		for _, p := range b.Partitions {
			h.Int(int64(p.Partition))
			h.Int(int64(p.Leader))
			h.Int(int64(p.Epoch))
		}
	case *kafka.InitProducerIDRequest:
		h.producer(b.TransactionID, b.ProducerID, b.ProducerEpoch)
		h.Bool(b.Continues)
	case *kafka.InitProducerIDResponse:
		h.Int(int64(b.ProducerID))
		h.Int(int64(b.Epoch))
	case *kafka.BrokerRegistrationRequest:
		h.Int(int64(b.Broker))
		h.Int(b.Incarnation)
	case *kafka.BrokerRegistrationResponse:
		h.Int(b.BrokerEpoch)
		h.Int(int64(b.Error))
	case *kafka.BrokerHeartbeatRequest:
		h.Int(int64(b.Broker))
		h.Int(b.BrokerEpoch)
		h.Int(int64(b.MetadataOffset))
		h.Bool(b.WantShutdown)
	case *kafka.BrokerHeartbeatResponse:
		h.Bool(b.Fenced)
		h.Bool(b.ShouldShutdown)
		h.Int(int64(b.Error))
	case *kafka.AlterPartitionRequest:
		h.Int(int64(b.Partition))
		h.Int(int64(b.ISR))
		h.Int(int64(b.LeaderEpoch))
		h.Int(int64(b.PartitionEpoch))
		for _, epoch := range b.MemberEpochs {
			h.Int(epoch)
		}
	case *kafka.AlterPartitionResponse:
		h.Int(int64(b.Partition))
		h.Int(int64(b.ISR))
		h.Int(int64(b.Error))
	case *kafka.MetadataFetchRequest:
		h.Int(int64(b.Offset))
	case *kafka.MetadataFetchResponse:
		h.Int(int64(b.Offset))
		for i := range b.Records {
			h.MetadataRecord(&b.Records[i])
		}
	default:
		h.groupMessage(body)
	}
}

// MetadataRecord mixes in one record of the metadata log.
func (h *Hash) MetadataRecord(r *kafka.MetadataRecord) {
	h.Int(int64(r.Kind))
	h.Int(int64(r.Broker))
	h.Int(r.BrokerEpoch)
	h.Partition(&r.Partition)
}

// Partition mixes in the state of a partition.
func (h *Hash) Partition(p *kafka.PartitionState) {
	h.Int(int64(p.Partition))
	h.Int(int64(p.Leader))
	h.Int(int64(p.LeaderEpoch))
	h.Int(int64(p.PartitionEpoch))
	h.Int(int64(p.ISR))
	h.Bool(p.Recovering)
	h.Int(int64(p.ELR))
	h.Int(int64(p.LastKnownLeader))
}
